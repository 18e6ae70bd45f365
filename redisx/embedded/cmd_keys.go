package embedded

import (
	"maps"
	"slices"
	"strconv"

	"pelscope/redisx/embedded/stream"
	"pelscope/redisx/resp"
)

func keyCommands() []spec {
	const fastRead, fastWrite = flagReadonly | flagFast, flagWrite | flagFast
	return []spec{
		{name: "type", arity: 2, flags: fastRead, firstKey: 1, lastKey: 1, run: typeCommand},
		{name: "exists", arity: -2, flags: fastRead, firstKey: 1, lastKey: -1, run: exists},
		{name: "touch", arity: -2, flags: fastRead, firstKey: 1, lastKey: -1, run: exists},
		{name: "del", arity: -2, flags: flagWrite, firstKey: 1, lastKey: -1, run: del},
		{name: "unlink", arity: -2, flags: fastWrite, firstKey: 1, lastKey: -1, run: del},
		{name: "rename", arity: 3, flags: flagWrite, firstKey: 1, lastKey: 2, run: func(c *call) resp.Value { return rename(c, false) }},
		{name: "renamenx", arity: 3, flags: fastWrite, firstKey: 1, lastKey: 2, run: func(c *call) resp.Value { return rename(c, true) }},
		{name: "copy", arity: -3, flags: flagWrite | flagDenyOOM, firstKey: 1, lastKey: 2, run: copyKey},
		{name: "move", arity: 3, flags: fastWrite, firstKey: 1, lastKey: 1, run: moveKey},
		{name: "object", arity: -2, subcommands: []spec{
			{name: "encoding", arity: 3, flags: flagReadonly, firstKey: 2, lastKey: 2, run: onObject(objectEncoding)},
			{name: "idletime", arity: 3, flags: flagReadonly, firstKey: 2, lastKey: 2, run: onObject(func(c *call, o *object) resp.Value {
				return resp.Integer(max(c.now-o.accessed, 0) / 1000)
			})},
			{name: "refcount", arity: 3, flags: flagReadonly, firstKey: 2, lastKey: 2, run: onObject(func(*call, *object) resp.Value {
				return resp.Integer(1)
			})},
			{name: "freq", arity: 3, flags: flagReadonly, firstKey: 2, lastKey: 2, run: onObject(func(*call, *object) resp.Value {
				return resp.Errorf("ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note that when switching between policies at runtime LRU and LFU data will take some time to adjust.")
			})},
		}},
		{name: "memory", arity: -2, subcommands: []spec{
			{name: "usage", arity: -3, flags: flagReadonly, firstKey: 2, lastKey: 2, run: memoryUsage},
		}},
	}
}

// peek looks a key up without noting that it was used.
func (c *call) peek(key string) (*object, bool) { return c.e.get(c.db(), key) }

func typeCommand(c *call) resp.Value {
	o, ok := c.peek(c.args[1])
	if !ok {
		return resp.StatusOf("none")
	}
	return resp.StatusOf(typeName(o.value))
}

func exists(c *call) resp.Value {
	n := int64(0)
	for _, key := range c.args[1:] {
		if _, ok := c.get(key); ok {
			n++
		}
	}
	return resp.Integer(n)
}

func del(c *call) resp.Value {
	n := int64(0)
	for _, key := range c.args[1:] {
		if c.del(key) {
			c.event('g', "del", key)
			n++
		}
	}
	return resp.Integer(n)
}

func rename(c *call, onlyNew bool) resp.Value {
	from, to := c.args[1], c.args[2]
	o, ok := c.get(from)
	if !ok {
		return errNoSuchKey()
	}
	_, there := c.peek(to)
	if onlyNew && there {
		return resp.Integer(0)
	}
	if from != to {
		at := o.expireAt
		c.del(from)
		n := c.set(to, o.value)
		c.e.expireAt(c.db(), to, n, at)
		c.event('g', "rename_from", from)
		c.event('g', "rename_to", to)
	}
	if onlyNew {
		return resp.Integer(1)
	}
	return resp.OK()
}

func copyKey(c *call) resp.Value {
	to, replace := c.db(), false
	for i := 3; i < len(c.args); i++ {
		switch {
		case c.arg(i, "REPLACE"):
			replace = true
		case c.arg(i, "DB") && i+1 < len(c.args):
			n, err := strconv.Atoi(c.args[i+1])
			if err != nil {
				return errNotInteger()
			}
			if n < 0 || n >= databases {
				return resp.Errorf("ERR DB index is out of range")
			}
			to = n
			i++
		default:
			return errSyntax()
		}
	}
	src, dst := c.args[1], c.args[2]
	if to == c.db() && src == dst {
		return resp.Errorf("ERR source and destination objects are the same")
	}
	o, ok := c.get(src)
	if !ok {
		return resp.Integer(0)
	}
	if _, there := c.e.get(to, dst); there {
		if !replace {
			return resp.Integer(0)
		}
		c.e.del(to, dst)
	}
	value, err := clone(o.value)
	if err != nil {
		return resp.Errorf("ERR %v", err)
	}
	n := c.e.set(to, dst, value)
	c.e.expireAt(to, dst, n, o.expireAt)
	c.e.notify(to, 'g', "copy_to", dst)
	return resp.Integer(1)
}

// clone copies a value deeply.
func clone(value any) (any, error) {
	switch v := value.(type) {
	case *stream.Stream:
		b, err := v.MarshalBinary()
		if err != nil {
			return nil, err
		}
		s := stream.New()
		return s, s.UnmarshalBinary(b)
	case *list:
		l := *v
		l.buf, l.head = slices.Clone(v.items()), 0
		return &l, nil
	case *hash:
		h := *v
		h.fields = v.fields.clone()
		return &h, nil
	case *set:
		s := *v
		s.ints = slices.Clone(v.ints)
		if v.members != nil {
			s.members = v.members.clone()
		}
		return &s, nil
	case *zset:
		z := *v
		z.scores, z.sorted = maps.Clone(v.scores), slices.Clone(v.sorted)
		return &z, nil
	}
	return value, nil
}

func moveKey(c *call) resp.Value {
	n, err := strconv.Atoi(c.args[2])
	switch {
	case err != nil:
		return errNotInteger()
	case n < 0 || n >= databases:
		return resp.Errorf("ERR DB index is out of range")
	case n == c.db():
		return resp.Errorf("ERR source and destination objects are the same")
	}
	key := c.args[1]
	o, ok := c.get(key)
	if !ok {
		return resp.Integer(0)
	}
	if _, there := c.e.get(n, key); there {
		return resp.Integer(0)
	}
	at := o.expireAt
	c.del(key)
	c.e.expireAt(n, key, c.e.set(n, key, o.value), at)
	c.event('g', "move_from", key)
	c.e.notify(n, 'g', "move_to", key)
	return resp.Integer(1)
}

// onObject runs a subcommand of OBJECT, which does not count as a use of the key.
func onObject(run func(*call, *object) resp.Value) handler {
	return func(c *call) resp.Value {
		o, ok := c.peek(c.args[2])
		if !ok {
			return resp.NilBulkValue()
		}
		return run(c, o)
	}
}

func objectEncoding(c *call, o *object) resp.Value {
	switch v := o.value.(type) {
	case string:
		return resp.Str(stringEncoding(c.args[2], v, o.raw))
	case *stream.Stream:
		return resp.Str("stream")
	case interface{ encoding() string }:
		return resp.Str(v.encoding())
	}
	return resp.Str("raw")
}

// embeddedBytes are what Redis 8.6 embeds in an object of 64 bytes: key and value together.
const embeddedBytes = 41

func stringEncoding(key, s string, raw bool) string {
	if _, ok := intOf(s); ok && !raw {
		return "int"
	}
	if !raw && len(key)+len(s) <= embeddedBytes {
		return "embstr"
	}
	return "raw"
}

// memoryUsage gives an estimate in bytes; see memory.go.
func memoryUsage(c *call) resp.Value {
	for i := 3; i < len(c.args); i += 2 {
		if !c.arg(i, "SAMPLES") || i+1 >= len(c.args) {
			return errSyntax()
		}
		n, ok := intOf(c.args[i+1])
		if !ok {
			return errNotInteger()
		}
		if n < 0 {
			return errSyntax()
		}
	}
	o, ok := c.peek(c.args[2])
	if !ok {
		return resp.NilBulkValue()
	}
	return resp.Integer(estimate(c.args[2], o))
}
