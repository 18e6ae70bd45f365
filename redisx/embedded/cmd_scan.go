package embedded

import (
	"math/rand/v2"
	"strconv"

	"pelscope/redisx/resp"
)

func scanCommands() []spec {
	return []spec{
		{name: "scan", arity: -2, flags: flagReadonly, run: scan},
		{name: "keys", arity: 2, flags: flagReadonly, run: keys},
		{name: "randomkey", arity: 1, flags: flagReadonly, run: randomKey},
		{name: "hscan", arity: -3, flags: flagReadonly, firstKey: 1, lastKey: 1, run: hscan},
		{name: "sscan", arity: -3, flags: flagReadonly, firstKey: 1, lastKey: 1, run: sscan},
		{name: "zscan", arity: -3, flags: flagReadonly, firstKey: 1, lastKey: 1, run: zscan},
	}
}

// scanArgs are the options of SCAN and its like.
type scanArgs struct {
	cursor   uint64
	pattern  string
	count    int64
	typ      string
	noValues bool
}

// parseScan reads a cursor and the options behind it.
func parseScan(args []string, keys bool) (a scanArgs, bad resp.Value) {
	a.count = 10
	cursor, err := strconv.ParseUint(args[0], 10, 64)
	if err != nil {
		return a, resp.Errorf("ERR invalid cursor")
	}
	a.cursor = cursor
	for i := 1; i < len(args); i++ {
		more := i+1 < len(args)
		switch word := lower(args[i]); {
		case word == "count" && more:
			n, ok := intOf(args[i+1])
			if !ok {
				return a, errNotInteger()
			}
			if n < 1 {
				return a, errSyntax()
			}
			a.count = n
			i++
		case word == "match" && more:
			a.pattern = args[i+1]
			i++
		case word == "type" && more && keys:
			a.typ = lower(args[i+1])
			i++
		case word == "novalues" && !keys:
			a.noValues = true
		default:
			return a, errSyntax()
		}
	}
	return a, resp.Value{}
}

func (a scanArgs) keeps(name string) bool { return a.pattern == "" || matches(a.pattern, name) }

// scan walks the keys in the order of their hashes. The cursor is the hash to go on from, so a key
// that is there all the while is returned exactly once.
func scan(c *call) resp.Value {
	a, bad := parseScan(c.args[1:], true)
	if bad.IsError() {
		return bad
	}
	var seen []hashedKey
	next := uint64(0)
	c.e.dbs[c.db()].order.AscendGreaterOrEqual(hashedKey{hash: a.cursor}, func(k hashedKey) bool {
		if int64(len(seen)) >= a.count && k.hash != seen[len(seen)-1].hash {
			next = k.hash
			return false
		}
		seen = append(seen, k)
		return true
	})
	out := []resp.Value{}
	for _, k := range seen {
		o, ok := c.peek(k.key)
		if ok && a.keeps(k.key) && (a.typ == "" || typeName(o.value) == a.typ) {
			out = append(out, resp.Str(k.key))
		}
	}
	return scanReply(next, out)
}

func scanReply(next uint64, elems []resp.Value) resp.Value {
	return resp.ArrayOf(resp.Str(strconv.FormatUint(next, 10)), resp.ArrayOf(elems...))
}

func keys(c *call) resp.Value {
	out := []resp.Value{}
	for _, key := range sortedKeys(c.e.dbs[c.db()].keys) {
		if matches(c.args[1], key) {
			if _, ok := c.peek(key); ok {
				out = append(out, resp.Str(key))
			}
		}
	}
	return resp.ArrayOf(out...)
}

func randomKey(c *call) resp.Value {
	order := c.e.dbs[c.db()].order
	for order.Len() > 0 {
		var found hashedKey
		take := func(k hashedKey) bool { found = k; return false }
		order.AscendGreaterOrEqual(hashedKey{hash: rand.Uint64() >> 1}, take)
		if found.key == "" {
			order.Ascend(take)
		}
		if _, ok := c.peek(found.key); ok {
			return resp.Str(found.key)
		}
	}
	return resp.NilBulkValue()
}

// The scans of one value return all of it at once and the cursor 0, as Redis does for small values.

func hscan(c *call) resp.Value {
	a, bad := parseScan(c.args[2:], false)
	if bad.IsError() {
		return bad
	}
	h, bad := c.hash(c.args[1])
	if bad.IsError() || h == nil {
		return orEmptyScan(bad)
	}
	out := []resp.Value{}
	for f, v := range h.fields.all {
		if a.keeps(f) {
			out = append(out, resp.Str(f))
			if !a.noValues {
				out = append(out, resp.Str(v))
			}
		}
	}
	return scanReply(0, out)
}

func sscan(c *call) resp.Value {
	a, bad := parseScan(c.args[2:], false)
	if bad.IsError() {
		return bad
	}
	if a.noValues {
		return errNoValues()
	}
	s, bad := c.members(c.args[1])
	if bad.IsError() || s == nil {
		return orEmptyScan(bad)
	}
	out := []resp.Value{}
	for _, m := range s.list() {
		if a.keeps(m) {
			out = append(out, resp.Str(m))
		}
	}
	return scanReply(0, out)
}

func zscan(c *call) resp.Value {
	a, bad := parseScan(c.args[2:], false)
	if bad.IsError() {
		return bad
	}
	if a.noValues {
		return errNoValues()
	}
	z, bad := c.zset(c.args[1])
	if bad.IsError() || z == nil {
		return orEmptyScan(bad)
	}
	out := []resp.Value{}
	for _, s := range z.sorted {
		if a.keeps(s.member) {
			out = append(out, resp.Str(s.member), resp.Str(resp.FormatDouble(s.score)))
		}
	}
	return scanReply(0, out)
}

func errNoValues() resp.Value { return resp.Errorf("ERR NOVALUES option can only be used in HSCAN") }

func orEmptyScan(bad resp.Value) resp.Value {
	if bad.IsError() {
		return bad
	}
	return scanReply(0, []resp.Value{})
}
