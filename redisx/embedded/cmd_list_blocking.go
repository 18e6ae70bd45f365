package embedded

import (
	"strings"
	"time"

	"pelscope/redisx/resp"
)

// The commands that move elements between lists and that wait for lists to have some.
func listBlockingCommands() []spec {
	const w = flagWrite | flagDenyOOM
	return []spec{
		{name: "lmove", arity: 5, flags: w, firstKey: 1, lastKey: 2, run: func(c *call) resp.Value { return lmove(c, false) }},
		{name: "blmove", arity: 6, flags: w | flagBlocking, firstKey: 1, lastKey: 2, run: func(c *call) resp.Value { return lmove(c, true) }},
		{name: "rpoplpush", arity: 3, flags: w, firstKey: 1, lastKey: 2, run: func(c *call) resp.Value {
			return c.move(false, true, 0, false)
		}},
		{name: "brpoplpush", arity: 4, flags: w | flagBlocking, firstKey: 1, lastKey: 2, run: brpoplpush},
		{name: "blpop", arity: -3, flags: flagWrite | flagBlocking, firstKey: 1, lastKey: -2, run: func(c *call) resp.Value { return bpop(c, true) }},
		{name: "brpop", arity: -3, flags: flagWrite | flagBlocking, firstKey: 1, lastKey: -2, run: func(c *call) resp.Value { return bpop(c, false) }},
		{name: "lmpop", arity: -4, flags: flagWrite | flagMovableKeys, keys: numberedKeys(1), run: func(c *call) resp.Value {
			return mpop(c, 1, popEnds{"LEFT", "RIGHT"}, popList)
		}},
		{name: "blmpop", arity: -5, flags: flagWrite | flagBlocking | flagMovableKeys, keys: numberedKeys(2), run: func(c *call) resp.Value {
			return mpop(c, 2, popEnds{"LEFT", "RIGHT"}, popList)
		}},
	}
}

// numberedKeys finds keys that stand behind their number, which is the argument at a place.
func numberedKeys(at int) func(args []string) []string {
	return func(args []string) []string {
		if at >= len(args) {
			return nil
		}
		n, ok := intOf(args[at])
		if !ok || n < 0 || n > int64(len(args)-at-1) {
			return nil
		}
		return args[at+1 : at+1+int(n)]
	}
}

// endOf reads LEFT or RIGHT.
func endOf(s string) (left, ok bool) {
	switch {
	case strings.EqualFold(s, "LEFT"):
		return true, true
	case strings.EqualFold(s, "RIGHT"):
		return false, true
	}
	return false, false
}

func lmove(c *call, block bool) resp.Value {
	from, ok1 := endOf(c.args[3])
	to, ok2 := endOf(c.args[4])
	if !ok1 || !ok2 {
		return errSyntax()
	}
	var timeout time.Duration
	if block {
		var bad resp.Value
		if timeout, bad = timeoutOf(c.args[5]); bad.IsError() {
			return bad
		}
	}
	return c.move(from, to, timeout, block)
}

func brpoplpush(c *call) resp.Value {
	timeout, bad := timeoutOf(c.args[3])
	if bad.IsError() {
		return bad
	}
	return c.move(false, true, timeout, true)
}

// move takes an element from one end of the list at the first key to one end of that at the second.
func (c *call) move(from, to bool, timeout time.Duration, block bool) resp.Value {
	src, dst := c.args[1], c.args[2]
	retry := func() (resp.Value, bool) {
		l, bad := c.list(src)
		if bad.IsError() {
			return bad, true
		}
		if l == nil {
			return resp.Value{}, false
		}
		if _, bad = c.list(dst); bad.IsError() {
			return bad, true
		}
		s := l.pop(from)
		c.modified(src)
		into, _ := c.list(dst)
		c.pushTo(dst, into, to, s)
		c.changed(src, l.len(), 'l', endName(from)+"pop")
		return resp.Str(s), true
	}
	if v, done := retry(); done {
		return v
	}
	if !block || c.inMulti || c.inScript {
		return resp.NilBulkValue()
	}
	return c.block([]string{src}, timeout, retry, resp.NilArrayValue())
}

func bpop(c *call, left bool) resp.Value {
	last := len(c.args) - 1
	timeout, bad := timeoutOf(c.args[last])
	if bad.IsError() {
		return bad
	}
	keys := c.args[1:last]
	retry := func() (resp.Value, bool) {
		for _, key := range keys {
			l, bad := c.list(key)
			if bad.IsError() {
				return bad, true
			}
			if l != nil {
				return resp.StrArray([]string{key, c.popFrom(key, l, left, 1)[0]}), true
			}
		}
		return resp.Value{}, false
	}
	if v, done := retry(); done {
		return v
	}
	return c.block(keys, timeout, retry, resp.NilArrayValue())
}

// popEnds are the words of an MPOP for its two ends.
type popEnds struct{ first, last string }

// popper takes up to n elements from the value at a key, if there is one.
type popper func(c *call, key string, first bool, n int64) (v resp.Value, done bool)

func popList(c *call, key string, left bool, n int64) (resp.Value, bool) {
	l, bad := c.list(key)
	if bad.IsError() {
		return bad, true
	}
	if l == nil {
		return resp.Value{}, false
	}
	out := c.popFrom(key, l, left, int(min(n, int64(l.len()))))
	return resp.ArrayOf(resp.Str(key), resp.StrArray(out)), true
}

// mpop is LMPOP, ZMPOP and their blocking forms: [timeout] numkeys key … END [COUNT n]. at is the place
// of numkeys.
func mpop(c *call, at int, ends popEnds, pop popper) resp.Value {
	block := at == 2
	var timeout time.Duration
	if block {
		var bad resp.Value
		if timeout, bad = timeoutOf(c.args[1]); bad.IsError() {
			return bad
		}
	}
	n, ok := intOf(c.args[at])
	if !ok || n <= 0 {
		return resp.Errorf("ERR numkeys should be greater than 0")
	}
	if n > int64(len(c.args)-at-2) {
		return errSyntax()
	}
	keys := c.args[at+1 : at+1+int(n)]
	first, count, bad := mpopOptions(c.args[at+1+int(n):], ends)
	if bad.IsError() {
		return bad
	}
	retry := func() (resp.Value, bool) {
		for _, key := range keys {
			if v, done := pop(c, key, first, count); done {
				return v, true
			}
		}
		return resp.Value{}, false
	}
	if v, done := retry(); done {
		return v
	}
	if !block {
		return resp.NilArrayValue()
	}
	return c.block(keys, timeout, retry, resp.NilArrayValue())
}

func mpopOptions(args []string, ends popEnds) (first bool, count int64, bad resp.Value) {
	count = 1
	first = strings.EqualFold(args[0], ends.first)
	if !first && !strings.EqualFold(args[0], ends.last) {
		return false, 0, errSyntax()
	}
	switch {
	case len(args) == 1:
	case len(args) == 3 && strings.EqualFold(args[1], "COUNT"):
		n, ok := intOf(args[2])
		if !ok || n <= 0 {
			return false, 0, resp.Errorf("ERR count should be greater than 0")
		}
		count = n
	default:
		return false, 0, errSyntax()
	}
	return first, count, resp.Value{}
}
