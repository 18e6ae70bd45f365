package embedded

import (
	"math/rand/v2"

	"pelscope/redisx/resp"
)

func setCommands() []spec {
	const fastRead, fastWrite = flagReadonly | flagFast, flagWrite | flagFast
	one := func(name string, arity int, f flags, run handler) spec {
		return spec{name: name, arity: arity, flags: f, firstKey: 1, lastKey: 1, run: run}
	}
	return []spec{
		one("sadd", -3, fastWrite|flagDenyOOM, sadd),
		one("srem", -3, fastWrite, srem),
		one("sismember", 3, fastRead, sismember),
		one("smismember", -3, fastRead, smismember),
		one("smembers", 2, flagReadonly, smembers),
		one("scard", 2, fastRead, scard),
		one("spop", -2, fastWrite, spop),
		{name: "sinter", arity: -2, flags: flagReadonly, firstKey: 1, lastKey: -1, run: func(c *call) resp.Value { return combine(c, false) }},
		{name: "sdiff", arity: -2, flags: flagReadonly, firstKey: 1, lastKey: -1, run: func(c *call) resp.Value { return combine(c, true) }},
		{name: "sunion", arity: -2, flags: flagReadonly, firstKey: 1, lastKey: -1, run: sunion},
	}
}

func sadd(c *call) resp.Value {
	key := c.args[1]
	s, bad := c.members(key)
	if bad.IsError() {
		return bad
	}
	s = made(c, key, s, newSet)
	n := int64(0)
	for _, m := range c.args[2:] {
		if s.add(m) {
			n++
		}
	}
	if n > 0 {
		c.changed(key, s.len(), 's', "sadd")
	}
	return resp.Integer(n)
}

func srem(c *call) resp.Value {
	key := c.args[1]
	s, bad := c.members(key)
	if bad.IsError() {
		return bad
	}
	n := int64(0)
	for _, m := range c.args[2:] {
		if s != nil && s.remove(m) {
			n++
		}
	}
	if n > 0 {
		c.changed(key, s.len(), 's', "srem")
	}
	return resp.Integer(n)
}

func (s *set) holds(member string) resp.Value {
	if s != nil && s.has(member) {
		return resp.Integer(1)
	}
	return resp.Integer(0)
}

func sismember(c *call) resp.Value {
	s, bad := c.members(c.args[1])
	if bad.IsError() {
		return bad
	}
	return s.holds(c.args[2])
}

func smismember(c *call) resp.Value {
	s, bad := c.members(c.args[1])
	if bad.IsError() {
		return bad
	}
	out := []resp.Value{}
	for _, m := range c.args[2:] {
		out = append(out, s.holds(m))
	}
	return resp.ArrayOf(out...)
}

func setOf(members []string) resp.Value {
	v := resp.StrArray(members)
	v.Kind = resp.Set
	return v
}

func smembers(c *call) resp.Value {
	s, bad := c.members(c.args[1])
	if bad.IsError() {
		return bad
	}
	if s == nil {
		return resp.SetOf()
	}
	return setOf(s.list())
}

func scard(c *call) resp.Value {
	s, bad := c.members(c.args[1])
	if bad.IsError() {
		return bad
	}
	if s == nil {
		return resp.Integer(0)
	}
	return resp.Integer(int64(s.len()))
}

func spop(c *call) resp.Value {
	if len(c.args) > 3 {
		return errSyntax()
	}
	count := int64(1)
	if len(c.args) == 3 {
		n, ok := intOf(c.args[2])
		if !ok || n < 0 {
			return resp.Errorf("ERR value is out of range, must be positive")
		}
		count = n
	}
	key := c.args[1]
	s, bad := c.members(key)
	if bad.IsError() {
		return bad
	}
	var taken []string
	for s != nil && s.len() > 0 && int64(len(taken)) < count {
		list := s.list()
		m := list[rand.IntN(len(list))]
		s.remove(m)
		taken = append(taken, m)
	}
	if len(taken) > 0 {
		c.changed(key, s.len(), 's', "spop")
	}
	if len(c.args) == 3 {
		return setOf(taken)
	}
	if len(taken) == 0 {
		return resp.NilBulkValue()
	}
	return resp.Str(taken[0])
}

// sets are the sets at the keys that are the arguments; one that is not there is empty.
func (c *call) sets() ([]*set, resp.Value) {
	var out []*set
	for _, key := range c.args[1:] {
		s, bad := c.members(key)
		if bad.IsError() {
			return nil, bad
		}
		if s == nil {
			s = newSet()
		}
		out = append(out, s)
	}
	return out, resp.Value{}
}

// combine is SINTER, or SDIFF: what the first set holds and all others hold too, or none does.
func combine(c *call, diff bool) resp.Value {
	sets, bad := c.sets()
	if bad.IsError() {
		return bad
	}
	out := []string{}
	for _, m := range sets[0].list() {
		keep := true
		for _, o := range sets[1:] {
			keep = keep && o.has(m) != diff
		}
		if keep {
			out = append(out, m)
		}
	}
	return setOf(out)
}

func sunion(c *call) resp.Value {
	sets, bad := c.sets()
	if bad.IsError() {
		return bad
	}
	union := newSet()
	for _, s := range sets {
		for _, m := range s.list() {
			union.add(m)
		}
	}
	return setOf(union.list())
}
