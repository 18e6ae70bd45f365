package stream

import (
	"encoding/binary"
	"unsafe"
)

// Entry is one message of the stream. Fields are names and values in turn, in the order in which
// they were added; a name may come twice.
type Entry struct {
	ID     ID
	Fields []string
}

// packed is an entry as a node keeps it: the strings in one piece of memory, each after its length,
// and the names left out where they are those of the node's first entry.
type packed struct {
	id      ID
	data    string
	names   bool // data holds the names too; else they are the node's
	deleted bool // a tombstone: the entry is gone, but its place counts until the node goes
}

// pack puts fields (names and values in turn) into one string. Without names, only the values.
func pack(fields []string, names bool) string {
	size := 0
	for i, f := range fields {
		if names || i%2 == 1 {
			size += len(f) + binary.MaxVarintLen64
		}
	}
	buf := make([]byte, 0, size)
	for i, f := range fields {
		if names || i%2 == 1 {
			buf = binary.AppendUvarint(buf, uint64(len(f)))
			buf = append(buf, f...)
		}
	}
	return string(buf)
}

// unpack is the opposite of pack, with the node's names where the entry has none of its own. The
// strings share the packed memory.
func (p *packed) unpack(names []string) []string {
	var out []string
	if !p.names {
		out = make([]string, 0, 2*len(names))
	}
	for rest := p.data; len(rest) > 0; {
		// A varint is read from bytes; the string is only looked at, never written.
		n, w := binary.Uvarint(unsafe.Slice(unsafe.StringData(rest), len(rest)))
		if !p.names {
			out = append(out, names[len(out)/2])
		}
		out = append(out, rest[w:w+int(n)])
		rest = rest[w+int(n):]
	}
	return out
}
