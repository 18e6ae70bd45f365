package embedded

import (
	"encoding/binary"
	"errors"
	"hash/crc64"
	"math"

	"pelscope/redisx/embedded/stream"
	"pelscope/redisx/resp"
)

// The payload of DUMP is the engine's own, not Redis's: a mark, the type, the value, and a checksum. A
// server refuses the other's payload with the same words.

const dumpMark = "pelscope\x01" // the last byte is the version

func dumpCommands() []spec {
	return []spec{
		{name: "dump", arity: 2, flags: flagReadonly, firstKey: 1, lastKey: 1, run: dump},
		{name: "restore", arity: -4, flags: flagWrite | flagDenyOOM, firstKey: 1, lastKey: 1, run: restore},
	}
}

func dump(c *call) resp.Value {
	o, ok := c.peek(c.args[1])
	if !ok {
		return resp.NilBulkValue()
	}
	b, err := encodeValue(o.value)
	if err != nil {
		return resp.Errorf("ERR %v", err)
	}
	return resp.Str(string(b))
}

// restoreArgs are the options of RESTORE.
type restoreArgs struct {
	replace, absolute bool
	idle              int64 // seconds, -1: not given
}

func parseRestore(args []string) (a restoreArgs, bad resp.Value) {
	a.idle = -1
	for i := 0; i < len(args); i++ {
		word, more := lower(args[i]), i+1 < len(args)
		switch {
		case word == "replace":
			a.replace = true
		case word == "absttl":
			a.absolute = true
		case word == "idletime" && more, word == "freq" && more:
			n, ok := intOf(args[i+1])
			if !ok {
				return a, errNotInteger()
			}
			if word == "idletime" && n < 0 {
				return a, resp.Errorf("ERR Invalid IDLETIME value, must be >= 0")
			}
			if word == "freq" && (n < 0 || n > 255) {
				return a, resp.Errorf("ERR Invalid FREQ value, must be >= 0 and <= 255")
			}
			if word == "idletime" {
				a.idle = n
			}
			i++
		default:
			return a, errSyntax()
		}
	}
	return a, resp.Value{}
}

// restore is RESTORE key ttl payload [REPLACE] [ABSTTL] [IDLETIME s] [FREQ n].
func restore(c *call) resp.Value {
	a, bad := parseRestore(c.args[4:])
	if bad.IsError() {
		return bad
	}
	key := c.args[1]
	if _, there := c.peek(key); there && !a.replace {
		return resp.Errorf("BUSYKEY Target key name already exists.")
	}
	ttl, ok := intOf(c.args[2])
	if !ok {
		return errNotInteger()
	}
	if ttl < 0 {
		return resp.Errorf("ERR Invalid TTL value, must be >= 0")
	}
	body, ok := checkDump(c.args[3])
	if !ok {
		return resp.Errorf("ERR DUMP payload version or checksum are wrong")
	}
	value, err := decodeValue(body)
	if err != nil {
		return resp.Errorf("ERR Bad data format")
	}
	if ttl > 0 && !a.absolute {
		ttl += c.now
	}
	if ttl > 0 && ttl <= c.now {
		if c.del(key) {
			c.event('g', "del", key)
		}
		return resp.OK()
	}
	o := c.set(key, value)
	if ttl > 0 {
		c.e.expireAt(c.db(), key, o, ttl)
	}
	if a.idle >= 0 {
		o.accessed = c.now - a.idle*1000
	}
	c.event('g', "restore", key)
	return resp.OK()
}

// checkDump checks mark and checksum and returns what stands between them.
func checkDump(payload string) (body string, ok bool) {
	if len(payload) < len(dumpMark)+1+8 || payload[:len(dumpMark)] != dumpMark {
		return "", false
	}
	end := len(payload) - 8
	if binary.LittleEndian.Uint64([]byte(payload[end:])) != checksum([]byte(payload[:end])) {
		return "", false
	}
	return payload[len(dumpMark):end], true
}

func checksum(b []byte) uint64 { return crc64.Checksum(b, crc64.MakeTable(crc64.ECMA)) }

func encodeValue(value any) ([]byte, error) {
	b := []byte(dumpMark)
	switch v := value.(type) {
	case string:
		b = append(append(b, 's'), v...)
	case *list:
		b = appendStrings(append(b, 'l'), v.items())
	case *set:
		b = appendStrings(append(b, 'S'), v.list())
	case *hash:
		var flat []string
		for f, value := range v.fields.all {
			flat = append(flat, f, value)
		}
		b = appendStrings(append(b, 'h'), flat)
	case *zset:
		b = append(b, 'z')
		for _, s := range v.sorted {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(s.score))
			b = appendStrings(b, []string{s.member})
		}
	case *stream.Stream:
		body, err := v.MarshalBinary()
		if err != nil {
			return nil, err
		}
		b = append(append(b, 'x'), body...)
	}
	return binary.LittleEndian.AppendUint64(b, checksum(b)), nil
}

func appendStrings(b []byte, list []string) []byte {
	for _, s := range list {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	return b
}

var errBadDump = errors.New("bad data format")

func decodeValue(body string) (any, error) {
	kind, rest := body[0], body[1:]
	switch kind {
	case 's':
		return rest, nil
	case 'x':
		s := stream.New()
		return s, s.UnmarshalBinary([]byte(rest))
	case 'z':
		return decodeZset(rest)
	}
	elems, err := readStrings(rest)
	if err != nil || len(elems) == 0 {
		return nil, errBadDump
	}
	switch kind {
	case 'l':
		l := newList()
		for _, s := range elems {
			l.push(false, s)
		}
		return l, nil
	case 'S':
		s := newSet()
		for _, m := range elems {
			s.add(m)
		}
		return s, nil
	case 'h':
		h := newHash()
		if len(elems)%2 != 0 {
			return nil, errBadDump
		}
		for i := 0; i < len(elems); i += 2 {
			h.put(elems[i], elems[i+1])
		}
		return h, nil
	}
	return nil, errBadDump
}

func decodeZset(rest string) (any, error) {
	z := newZset()
	for rest != "" {
		if len(rest) < 9 {
			return nil, errBadDump
		}
		score := math.Float64frombits(binary.LittleEndian.Uint64([]byte(rest[:8])))
		member, next, err := readString(rest[8:])
		if err != nil || math.IsNaN(score) {
			return nil, errBadDump
		}
		z.put(member, score)
		rest = next
	}
	if z.len() == 0 {
		return nil, errBadDump
	}
	return z, nil
}

func readString(b string) (s, rest string, err error) {
	n, size := binary.Uvarint([]byte(b[:min(len(b), binary.MaxVarintLen64)]))
	if size <= 0 || n > uint64(len(b)-size) {
		return "", "", errBadDump
	}
	return b[size : size+int(n)], b[size+int(n):], nil
}

func readStrings(b string) ([]string, error) {
	var out []string
	for b != "" {
		s, rest, err := readString(b)
		if err != nil {
			return nil, err
		}
		out, b = append(out, s), rest
	}
	return out, nil
}
