package embedded

import (
	"math"
	"time"

	"pelscope/redisx/resp"
)

func zsetCommands() []spec {
	const fastRead, fastWrite = flagReadonly | flagFast, flagWrite | flagFast
	one := func(name string, arity int, f flags, run handler) spec {
		return spec{name: name, arity: arity, flags: f, firstKey: 1, lastKey: 1, run: run}
	}
	return []spec{
		one("zadd", -4, fastWrite|flagDenyOOM, zadd),
		one("zincrby", 4, fastWrite|flagDenyOOM, zincrby),
		one("zrem", -3, fastWrite, zrem),
		one("zscore", 3, fastRead, zscore),
		one("zmscore", -3, fastRead, zmscore),
		one("zcard", 2, fastRead, zcard),
		one("zrank", -3, fastRead, func(c *call) resp.Value { return zrank(c, false) }),
		one("zrevrank", -3, fastRead, func(c *call) resp.Value { return zrank(c, true) }),
		one("zpopmin", -2, fastWrite, func(c *call) resp.Value { return zpop(c, true) }),
		one("zpopmax", -2, fastWrite, func(c *call) resp.Value { return zpop(c, false) }),
		{name: "bzpopmin", arity: -3, flags: fastWrite | flagBlocking, firstKey: 1, lastKey: -2, run: func(c *call) resp.Value { return bzpop(c, true) }},
		{name: "bzpopmax", arity: -3, flags: fastWrite | flagBlocking, firstKey: 1, lastKey: -2, run: func(c *call) resp.Value { return bzpop(c, false) }},
		{name: "zmpop", arity: -4, flags: flagWrite | flagMovableKeys, keys: numberedKeys(1), run: func(c *call) resp.Value {
			return mpop(c, 1, popEnds{"MIN", "MAX"}, popZset)
		}},
		{name: "bzmpop", arity: -5, flags: flagWrite | flagBlocking | flagMovableKeys, keys: numberedKeys(2), run: func(c *call) resp.Value {
			return mpop(c, 2, popEnds{"MIN", "MAX"}, popZset)
		}},
	}
}

// zaddArgs are the options of ZADD.
type zaddArgs struct{ nx, xx, gt, lt, ch, incr bool }

// parseZadd returns where the scores begin.
func parseZadd(args []string) (a zaddArgs, from int, bad resp.Value) {
	from = 2
	for ; from < len(args); from++ {
		switch lower(args[from]) {
		case "nx":
			a.nx = true
		case "xx":
			a.xx = true
		case "gt":
			a.gt = true
		case "lt":
			a.lt = true
		case "ch":
			a.ch = true
		case "incr":
			a.incr = true
		default:
			return a, from, a.check(len(args) - from)
		}
	}
	return a, from, a.check(0)
}

// check looks at the options and the number of arguments behind them.
func (a zaddArgs) check(left int) resp.Value {
	switch {
	case left == 0 || left%2 != 0:
		return errSyntax()
	case a.nx && a.xx:
		return resp.Errorf("ERR XX and NX options at the same time are not compatible")
	case a.gt && a.nx, a.lt && a.nx, a.gt && a.lt:
		return resp.Errorf("ERR GT, LT, and/or NX options at the same time are not compatible")
	case a.incr && left > 2:
		return resp.Errorf("ERR INCR option supports a single increment-element pair")
	}
	return resp.Value{}
}

// next is the score that a member gets; ok is false when the options keep it as it is.
func (a zaddArgs) next(old, score float64, had bool) (next float64, ok bool) {
	if !had {
		return score, !a.xx
	}
	if a.incr {
		score += old
	}
	if a.nx || a.gt && score <= old || a.lt && score >= old {
		return old, false
	}
	return score, true
}

func zadd(c *call) resp.Value {
	a, from, bad := parseZadd(c.args)
	if bad.IsError() {
		return bad
	}
	scores := make([]float64, 0, len(c.args)/2)
	for i := from; i < len(c.args); i += 2 {
		f, ok := floatOf(c.args[i])
		if !ok {
			return errNotFloat()
		}
		scores = append(scores, f)
	}
	key := c.args[1]
	z, bad := c.zset(key)
	if bad.IsError() {
		return bad
	}
	if z == nil {
		if a.xx {
			return a.reply(0, 0, resp.NilBulkValue())
		}
		z = made(c, key, z, newZset)
	}
	added, updated, last := int64(0), int64(0), resp.NilBulkValue()
	for i, score := range scores {
		member := c.args[from+2*i+1]
		old, had := z.scores[member]
		next, ok := a.next(old, score, had)
		if math.IsNaN(next) {
			return resp.Errorf("ERR resulting score is not a number (NaN)")
		}
		if !ok {
			continue
		}
		last = resp.DoubleOf(next)
		if z.put(member, next) {
			added++
		} else if next != old {
			updated++
		}
	}
	if added+updated > 0 {
		event := "zadd"
		if a.incr {
			event = "zincr"
		}
		c.changed(key, z.len(), 'z', event)
		c.e.signalReady(key)
	}
	if z.len() == 0 {
		c.del(key)
	}
	return a.reply(added, updated, last)
}

func (a zaddArgs) reply(added, updated int64, last resp.Value) resp.Value {
	switch {
	case a.incr:
		return last
	case a.ch:
		return resp.Integer(added + updated)
	}
	return resp.Integer(added)
}

func zincrby(c *call) resp.Value {
	by, ok := floatOf(c.args[2])
	if !ok {
		return errNotFloat()
	}
	key, member := c.args[1], c.args[3]
	z, bad := c.zset(key)
	if bad.IsError() {
		return bad
	}
	var old float64
	if z != nil {
		old = z.scores[member]
	}
	sum := old + by
	if math.IsNaN(sum) {
		return resp.Errorf("ERR resulting score is not a number (NaN)")
	}
	z = made(c, key, z, newZset)
	z.put(member, sum)
	c.changed(key, z.len(), 'z', "zincr")
	c.e.signalReady(key)
	return resp.DoubleOf(sum)
}

func zrem(c *call) resp.Value {
	key := c.args[1]
	z, bad := c.zset(key)
	if bad.IsError() {
		return bad
	}
	n := int64(0)
	for _, m := range c.args[2:] {
		if z != nil && z.remove(m) {
			n++
		}
	}
	if n > 0 {
		c.changed(key, z.len(), 'z', "zrem")
	}
	return resp.Integer(n)
}

// score is a member's score, nil when it or the key is not there.
func (z *zset) score(member string) resp.Value {
	if z != nil {
		if f, ok := z.scores[member]; ok {
			return resp.DoubleOf(f)
		}
	}
	return resp.NilBulkValue()
}

func zscore(c *call) resp.Value {
	z, bad := c.zset(c.args[1])
	if bad.IsError() {
		return bad
	}
	return z.score(c.args[2])
}

func zmscore(c *call) resp.Value {
	z, bad := c.zset(c.args[1])
	if bad.IsError() {
		return bad
	}
	out := []resp.Value{}
	for _, m := range c.args[2:] {
		out = append(out, z.score(m))
	}
	return resp.ArrayOf(out...)
}

func zcard(c *call) resp.Value {
	z, bad := c.zset(c.args[1])
	if bad.IsError() {
		return bad
	}
	if z == nil {
		return resp.Integer(0)
	}
	return resp.Integer(int64(z.len()))
}

func zrank(c *call, reverse bool) resp.Value {
	withScore := len(c.args) == 4 && c.arg(3, "WITHSCORE")
	if len(c.args) > 3 && !withScore {
		if len(c.args) > 4 {
			return errArity(c.name())
		}
		return errSyntax()
	}
	z, bad := c.zset(c.args[1])
	if bad.IsError() {
		return bad
	}
	rank, ok := 0, false
	if z != nil {
		rank, ok = z.rank(c.args[2])
	}
	switch {
	case !ok && withScore:
		return resp.NilArrayValue()
	case !ok:
		return resp.NilBulkValue()
	case reverse:
		rank = z.len() - 1 - rank
	}
	if withScore {
		return resp.ArrayOf(resp.Integer(int64(rank)), z.score(c.args[2]))
	}
	return resp.Integer(int64(rank))
}

// popScored takes up to n members with the lowest or the highest scores.
func (c *call) popScored(key string, z *zset, lowest bool, n int64) []scored {
	var out []scored
	for int64(len(out)) < n && z.len() > 0 {
		s := z.sorted[0]
		if !lowest {
			s = z.sorted[z.len()-1]
		}
		z.remove(s.member)
		out = append(out, s)
	}
	event := "zpopmax"
	if lowest {
		event = "zpopmin"
	}
	if len(out) > 0 {
		c.changed(key, z.len(), 'z', event)
	}
	return out
}

// scoredReply lists members with scores: flat in RESP2, in pairs in RESP3 when nested.
func (c *call) scoredReply(list []scored, nested bool) resp.Value {
	out := []resp.Value{}
	for _, s := range list {
		if nested {
			out = append(out, resp.ArrayOf(resp.Str(s.member), resp.DoubleOf(s.score)))
		} else {
			out = append(out, resp.Str(s.member), resp.DoubleOf(s.score))
		}
	}
	return resp.ArrayOf(out...)
}

func zpop(c *call, lowest bool) resp.Value {
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
	z, bad := c.zset(c.args[1])
	if bad.IsError() {
		return bad
	}
	if z == nil {
		return resp.ArrayOf()
	}
	return c.scoredReply(c.popScored(c.args[1], z, lowest, count), len(c.args) == 3 && c.proto() >= 3)
}

func bzpop(c *call, lowest bool) resp.Value {
	last := len(c.args) - 1
	timeout, bad := timeoutOf(c.args[last])
	if bad.IsError() {
		return bad
	}
	return c.waitForZset(c.args[1:last], timeout, func(key string, z *zset) resp.Value {
		s := c.popScored(key, z, lowest, 1)[0]
		return resp.ArrayOf(resp.Str(key), resp.Str(s.member), resp.DoubleOf(s.score))
	})
}

// waitForZset runs take on the first key with a sorted set, at once or when there is one.
func (c *call) waitForZset(keys []string, timeout time.Duration, take func(key string, z *zset) resp.Value) resp.Value {
	retry := func() (resp.Value, bool) {
		for _, key := range keys {
			z, bad := c.zset(key)
			if bad.IsError() {
				return bad, true
			}
			if z != nil {
				return take(key, z), true
			}
		}
		return resp.Value{}, false
	}
	if v, done := retry(); done {
		return v
	}
	return c.block(keys, timeout, retry, resp.NilArrayValue())
}

func popZset(c *call, key string, lowest bool, n int64) (resp.Value, bool) {
	z, bad := c.zset(key)
	if bad.IsError() {
		return bad, true
	}
	if z == nil {
		return resp.Value{}, false
	}
	return resp.ArrayOf(resp.Str(key), c.scoredReply(c.popScored(key, z, lowest, n), true)), true
}
