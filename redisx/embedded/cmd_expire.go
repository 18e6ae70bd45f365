package embedded

import (
	"math"

	"pelscope/redisx/resp"
)

func expireCommands() []spec {
	const fastRead, fastWrite = flagReadonly | flagFast, flagWrite | flagFast
	out := []spec{{name: "persist", arity: 2, flags: fastWrite, firstKey: 1, lastKey: 1, run: persist}}
	for _, t := range []struct {
		name     string
		unit     int64 // ms
		absolute bool
	}{{"expire", 1000, false}, {"pexpire", 1, false}, {"expireat", 1000, true}, {"pexpireat", 1, true}} {
		out = append(out, spec{name: t.name, arity: -3, flags: fastWrite, firstKey: 1, lastKey: 1,
			run: func(c *call) resp.Value { return expire(c, t.unit, t.absolute) }})
	}
	for _, t := range []struct {
		name     string
		unit     int64
		absolute bool
	}{{"ttl", 1000, false}, {"pttl", 1, false}, {"expiretime", 1000, true}, {"pexpiretime", 1, true}} {
		out = append(out, spec{name: t.name, arity: 2, flags: fastRead, firstKey: 1, lastKey: 1,
			run: func(c *call) resp.Value { return ttl(c, t.unit, t.absolute) }})
	}
	return out
}

// expiryOptions are the words behind EXPIRE.
type expiryOptions struct{ nx, xx, gt, lt bool }

func (o *expiryOptions) parse(args []string) resp.Value {
	for _, a := range args {
		switch lower(a) {
		case "nx":
			o.nx = true
		case "xx":
			o.xx = true
		case "gt":
			o.gt = true
		case "lt":
			o.lt = true
		default:
			return resp.Errorf("ERR Unsupported option %s", a)
		}
	}
	if o.nx && (o.xx || o.gt || o.lt) {
		return resp.Errorf("ERR NX and XX, GT or LT options at the same time are not compatible")
	}
	if o.gt && o.lt {
		return resp.Errorf("ERR GT and LT options at the same time are not compatible")
	}
	return resp.Value{}
}

// allow says whether an expiry may be set where there is one now (0: none, which counts as never).
func (o *expiryOptions) allow(now, next int64) bool {
	switch {
	case o.nx && now != 0, o.xx && now == 0:
		return false
	case o.gt && (now == 0 || next <= now):
		return false
	case o.lt && now != 0 && next >= now:
		return false
	}
	return true
}

// expiryAt turns an argument in units of so many ms into ms since 1970.
func expiryAt(c *call, arg string, unit int64, absolute bool) (int64, resp.Value) {
	n, ok := intOf(arg)
	if !ok {
		return 0, errNotInteger()
	}
	bad := resp.Errorf("ERR invalid expire time in '%s' command", c.name())
	if n > math.MaxInt64/unit || n < math.MinInt64/unit {
		return 0, bad
	}
	at := n * unit
	if !absolute {
		if at > math.MaxInt64-c.now {
			return 0, bad
		}
		at += c.now
	}
	return at, resp.Value{}
}

func expire(c *call, unit int64, absolute bool) resp.Value {
	var o expiryOptions
	if v := o.parse(c.args[3:]); v.IsError() {
		return v
	}
	at, bad := expiryAt(c, c.args[2], unit, absolute)
	if bad.IsError() {
		return bad
	}
	key := c.args[1]
	obj, ok := c.get(key)
	if !ok || !o.allow(obj.expireAt, at) {
		return resp.Integer(0)
	}
	if at <= c.now {
		c.del(key)
		c.event('g', "del", key)
		return resp.Integer(1)
	}
	c.e.expireAt(c.db(), key, obj, at)
	c.event('g', "expire", key)
	return resp.Integer(1)
}

func ttl(c *call, unit int64, absolute bool) resp.Value {
	o, ok := c.peek(c.args[1])
	switch {
	case !ok:
		return resp.Integer(-2)
	case o.expireAt == 0:
		return resp.Integer(-1)
	}
	n := o.expireAt
	if !absolute {
		n = max(n-c.now, 0)
	}
	if unit == 1000 {
		n = (n + 500) / 1000
	}
	return resp.Integer(n)
}

func persist(c *call) resp.Value {
	o, ok := c.get(c.args[1])
	if !ok || o.expireAt == 0 {
		return resp.Integer(0)
	}
	c.e.expireAt(c.db(), c.args[1], o, 0)
	c.event('g', "persist", c.args[1])
	return resp.Integer(1)
}
