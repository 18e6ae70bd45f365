package embedded

import (
	"slices"
	"strings"

	"pelscope/redisx/resp"
)

func zsetRangeCommands() []spec {
	one := func(name string, arity int, f flags, run handler) spec {
		return spec{name: name, arity: arity, flags: f, firstKey: 1, lastKey: 1, run: run}
	}
	return []spec{
		one("zcount", 4, flagReadonly|flagFast, zcount),
		one("zrange", -4, flagReadonly, func(c *call) resp.Value { return zrange(c, rangeArgs{open: true}) }),
		one("zrevrange", -4, flagReadonly, func(c *call) resp.Value { return zrange(c, rangeArgs{rev: true}) }),
		one("zrangebyscore", -4, flagReadonly, func(c *call) resp.Value { return zrange(c, rangeArgs{by: byScore}) }),
		one("zrevrangebyscore", -4, flagReadonly, func(c *call) resp.Value { return zrange(c, rangeArgs{by: byScore, rev: true}) }),
		one("zrangebylex", -4, flagReadonly, func(c *call) resp.Value { return zrange(c, rangeArgs{by: byLex}) }),
		one("zremrangebyscore", 4, flagWrite, func(c *call) resp.Value { return zremrange(c, byScore) }),
		one("zremrangebyrank", 4, flagWrite, func(c *call) resp.Value { return zremrange(c, byRank) }),
	}
}

// rangeBy is what the two ends of a range are.
type rangeBy int

const (
	byRank rangeBy = iota
	byScore
	byLex
)

// rangeArgs are the options of ZRANGE and its older kin.
type rangeArgs struct {
	open       bool // ZRANGE: BYSCORE, BYLEX and REV may be given
	by         rangeBy
	rev        bool
	withScores bool
	limited    bool
	offset     int64
	count      int64 // -1: all
}

func (a *rangeArgs) parse(args []string) resp.Value {
	a.count = -1
	for i := 0; i < len(args); i++ {
		switch word := lower(args[i]); {
		case word == "withscores":
			a.withScores = true
		case word == "limit" && i+2 < len(args):
			offset, ok1 := intOf(args[i+1])
			count, ok2 := intOf(args[i+2])
			if !ok1 || !ok2 {
				return errNotInteger()
			}
			a.limited, a.offset, a.count = true, offset, count
			i += 2
		case a.open && word == "rev":
			a.rev = true
		case a.open && word == "byscore":
			a.by = byScore
		case a.open && word == "bylex":
			a.by = byLex
		default:
			return errSyntax()
		}
	}
	switch {
	case a.limited && a.by == byRank:
		return resp.Errorf("ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX")
	case a.withScores && a.by == byLex:
		return resp.Errorf("ERR syntax error, WITHSCORES not supported in combination with BYLEX")
	}
	return resp.Value{}
}

func zrange(c *call, a rangeArgs) resp.Value {
	if v := a.parse(c.args[4:]); v.IsError() {
		return v
	}
	lo, hi := c.args[2], c.args[3]
	if a.rev && a.by != byRank {
		lo, hi = hi, lo
	}
	pick, bad := a.picker(lo, hi)
	if bad.IsError() {
		return bad
	}
	z, bad := c.zset(c.args[1])
	if bad.IsError() {
		return bad
	}
	if z == nil {
		return resp.ArrayOf()
	}
	list := a.cut(pick(z))
	if a.withScores {
		return c.scoredReply(list, c.proto() >= 3)
	}
	out := []resp.Value{}
	for _, s := range list {
		out = append(out, resp.Str(s.member))
	}
	return resp.ArrayOf(out...)
}

// picker reads the two ends and returns what takes the range, in the asked order, out of a sorted set.
func (a rangeArgs) picker(lo, hi string) (pick func(*zset) []scored, bad resp.Value) {
	order := func(list []scored) []scored {
		list = slices.Clone(list)
		if a.rev {
			slices.Reverse(list)
		}
		return list
	}
	switch a.by {
	case byScore:
		r, ok := parseScoreRange(lo, hi)
		if !ok {
			return nil, resp.Errorf("ERR min or max is not a float")
		}
		return func(z *zset) []scored { return order(z.between(r)) }, resp.Value{}
	case byLex:
		if !lexBound(lo) || !lexBound(hi) {
			return nil, resp.Errorf("ERR min or max not valid string range item")
		}
		return func(z *zset) []scored { return order(z.betweenLex(lo, hi)) }, resp.Value{}
	}
	start, ok1 := intOf(lo)
	stop, ok2 := intOf(hi)
	if !ok1 || !ok2 {
		return nil, errNotInteger()
	}
	return func(z *zset) []scored {
		list := order(z.sorted)
		from, to := span(start, stop, len(list))
		return list[from:to]
	}, resp.Value{}
}

// cut applies LIMIT.
func (a rangeArgs) cut(list []scored) []scored {
	if !a.limited {
		return list
	}
	if a.offset < 0 || a.offset >= int64(len(list)) {
		return nil
	}
	list = list[a.offset:]
	if a.count >= 0 && a.count < int64(len(list)) {
		list = list[:a.count]
	}
	return list
}

// parseScoreRange reads two scores; "(" before one leaves it out.
func parseScoreRange(lo, hi string) (r scoreRange, ok bool) {
	lo, r.minEx = strings.CutPrefix(lo, "(")
	hi, r.maxEx = strings.CutPrefix(hi, "(")
	var ok1, ok2 bool
	r.min, ok1 = floatOf(lo)
	r.max, ok2 = floatOf(hi)
	return r, ok1 && ok2
}

func lexBound(s string) bool {
	return s == "-" || s == "+" || strings.HasPrefix(s, "[") || strings.HasPrefix(s, "(")
}

// betweenLex are the members between two bounds, for sets in which all scores are equal.
func (z *zset) betweenLex(lo, hi string) []scored {
	above := func(m string) bool {
		return lo == "-" || lo[0] == '[' && m >= lo[1:] || lo[0] == '(' && m > lo[1:]
	}
	below := func(m string) bool {
		return hi == "+" || hi[0] == '[' && m <= hi[1:] || hi[0] == '(' && m < hi[1:]
	}
	var out []scored
	for _, s := range z.sorted {
		if above(s.member) && below(s.member) {
			out = append(out, s)
		}
	}
	return out
}

func zcount(c *call) resp.Value {
	r, ok := parseScoreRange(c.args[2], c.args[3])
	if !ok {
		return resp.Errorf("ERR min or max is not a float")
	}
	z, bad := c.zset(c.args[1])
	if bad.IsError() {
		return bad
	}
	if z == nil {
		return resp.Integer(0)
	}
	return resp.Integer(int64(len(z.between(r))))
}

func zremrange(c *call, by rangeBy) resp.Value {
	pick, bad := rangeArgs{by: by}.picker(c.args[2], c.args[3])
	if bad.IsError() {
		return bad
	}
	key := c.args[1]
	z, bad := c.zset(key)
	if bad.IsError() {
		return bad
	}
	if z == nil {
		return resp.Integer(0)
	}
	gone := pick(z)
	for _, s := range gone {
		z.remove(s.member)
	}
	if len(gone) > 0 {
		c.changed(key, z.len(), 'z', c.spec.name)
	}
	return resp.Integer(int64(len(gone)))
}
