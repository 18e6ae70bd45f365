package stream

import (
	"math/bits"
	"strings"
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
			size += lengthBytes(len(f)) + len(f)
		}
	}
	var b strings.Builder
	b.Grow(size)
	for i, f := range fields {
		if names || i%2 == 1 {
			n := uint(len(f))
			for ; n >= 0x80; n >>= 7 {
				b.WriteByte(byte(n) | 0x80)
			}
			b.WriteByte(byte(n))
			b.WriteString(f)
		}
	}
	return b.String()
}

// lengthBytes is how many bytes a length takes: seven bits in each.
func lengthBytes(n int) int { return (bits.Len(uint(n)|1) + 6) / 7 }

// next takes the first string off a packed one.
func next(packed string) (s, rest string) {
	n, i := 0, 0
	for ; packed[i] >= 0x80; i++ {
		n |= int(packed[i]&0x7f) << (7 * i)
	}
	n |= int(packed[i]) << (7 * i)
	return packed[i+1 : i+1+n], packed[i+1+n:]
}

// unpack is the opposite of pack, with the node's names where the entry has none of its own. The
// strings share the packed memory.
func (p *packed) unpack(names []string) []string {
	var out []string
	if !p.names {
		out = make([]string, 0, 2*len(names))
	}
	for rest := p.data; len(rest) > 0; {
		var s string
		s, rest = next(rest)
		if !p.names {
			out = append(out, names[len(out)/2])
		}
		out = append(out, s)
	}
	return out
}
