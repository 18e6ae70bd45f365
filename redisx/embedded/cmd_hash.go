package embedded

import (
	"strconv"

	"pelscope/redisx/resp"
)

func hashCommands() []spec {
	const fastRead, fastWrite = flagReadonly | flagFast, flagWrite | flagFast | flagDenyOOM
	one := func(name string, arity int, f flags, run handler) spec {
		return spec{name: name, arity: arity, flags: f, firstKey: 1, lastKey: 1, run: run}
	}
	return []spec{
		one("hset", -4, fastWrite, func(c *call) resp.Value { return hset(c, false) }),
		one("hmset", -4, fastWrite, func(c *call) resp.Value { return hset(c, true) }),
		one("hsetnx", 4, fastWrite, hsetnx),
		one("hget", 3, fastRead, hget),
		one("hmget", -3, fastRead, hmget),
		one("hgetall", 2, flagReadonly, hgetall),
		one("hdel", -3, flagWrite|flagFast, hdel),
		one("hlen", 2, fastRead, hlen),
		one("hexists", 3, fastRead, hexists),
		one("hstrlen", 3, fastRead, hstrlen),
		one("hkeys", 2, flagReadonly, func(c *call) resp.Value { return hlist(c, func(f, _ string) string { return f }) }),
		one("hvals", 2, flagReadonly, func(c *call) resp.Value { return hlist(c, func(_, v string) string { return v }) }),
		one("hincrby", 4, fastWrite, hincrby),
	}
}

func hset(c *call, old bool) resp.Value {
	if len(c.args)%2 != 0 {
		return errArity(c.name())
	}
	key := c.args[1]
	h, bad := c.hash(key)
	if bad.IsError() {
		return bad
	}
	h = made(c, key, h, newHash)
	added := int64(0)
	for i := 2; i < len(c.args); i += 2 {
		if h.put(c.args[i], c.args[i+1]) {
			added++
		}
	}
	c.changed(key, h.fields.len(), 'h', "hset")
	if old {
		return resp.OK()
	}
	return resp.Integer(added)
}

func hsetnx(c *call) resp.Value {
	key := c.args[1]
	h, bad := c.hash(key)
	if bad.IsError() {
		return bad
	}
	h = made(c, key, h, newHash)
	if _, ok := h.fields.get(c.args[2]); ok {
		return resp.Integer(0)
	}
	h.put(c.args[2], c.args[3])
	c.changed(key, h.fields.len(), 'h', "hset")
	return resp.Integer(1)
}

// field is a field's value, nil when it or the key is not there.
func (h *hash) field(name string) resp.Value {
	if h != nil {
		if v, ok := h.fields.get(name); ok {
			return resp.Str(v)
		}
	}
	return resp.NilBulkValue()
}

func hget(c *call) resp.Value {
	h, bad := c.hash(c.args[1])
	if bad.IsError() {
		return bad
	}
	return h.field(c.args[2])
}

func hmget(c *call) resp.Value {
	h, bad := c.hash(c.args[1])
	if bad.IsError() {
		return bad
	}
	out := []resp.Value{}
	for _, f := range c.args[2:] {
		out = append(out, h.field(f))
	}
	return resp.ArrayOf(out...)
}

func hgetall(c *call) resp.Value {
	h, bad := c.hash(c.args[1])
	if bad.IsError() {
		return bad
	}
	out := []resp.Value{}
	if h != nil {
		for f, v := range h.fields.all {
			out = append(out, resp.Str(f), resp.Str(v))
		}
	}
	return resp.MapOf(out...)
}

func hlist(c *call, pick func(field, value string) string) resp.Value {
	h, bad := c.hash(c.args[1])
	if bad.IsError() {
		return bad
	}
	out := []resp.Value{}
	if h != nil {
		for f, v := range h.fields.all {
			out = append(out, resp.Str(pick(f, v)))
		}
	}
	return resp.ArrayOf(out...)
}

func hdel(c *call) resp.Value {
	key := c.args[1]
	h, bad := c.hash(key)
	if bad.IsError() {
		return bad
	}
	n := int64(0)
	for _, f := range c.args[2:] {
		if h != nil && h.remove(f) {
			n++
		}
	}
	if n > 0 {
		c.changed(key, h.fields.len(), 'h', "hdel")
	}
	return resp.Integer(n)
}

func hlen(c *call) resp.Value {
	h, bad := c.hash(c.args[1])
	if bad.IsError() {
		return bad
	}
	if h == nil {
		return resp.Integer(0)
	}
	return resp.Integer(int64(h.fields.len()))
}

func hexists(c *call) resp.Value {
	h, bad := c.hash(c.args[1])
	if bad.IsError() {
		return bad
	}
	if h.field(c.args[2]).IsNil() {
		return resp.Integer(0)
	}
	return resp.Integer(1)
}

func hstrlen(c *call) resp.Value {
	h, bad := c.hash(c.args[1])
	if bad.IsError() {
		return bad
	}
	return resp.Integer(int64(h.field(c.args[2]).Len()))
}

func hincrby(c *call) resp.Value {
	by, ok := intOf(c.args[3])
	if !ok {
		return errNotInteger()
	}
	key, field := c.args[1], c.args[2]
	h, bad := c.hash(key)
	if bad.IsError() {
		return bad
	}
	now := int64(0)
	if v := h.field(field); !v.IsNil() {
		if now, ok = intOf(v.Str); !ok {
			return resp.Errorf("ERR hash value is not an integer")
		}
	}
	sum, ok := addInts(now, by)
	if !ok {
		return errOverflow()
	}
	h = made(c, key, h, newHash)
	h.put(field, strconv.FormatInt(sum, 10))
	c.changed(key, h.fields.len(), 'h', "hincrby")
	return resp.Integer(sum)
}
