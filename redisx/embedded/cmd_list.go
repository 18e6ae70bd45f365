package embedded

import (
	"slices"

	"pelscope/redisx/resp"
)

func listCommands() []spec {
	const fastWrite = flagWrite | flagFast
	one := func(name string, arity int, f flags, run handler) spec {
		return spec{name: name, arity: arity, flags: f, firstKey: 1, lastKey: 1, run: run}
	}
	return []spec{
		one("lpush", -3, fastWrite|flagDenyOOM, func(c *call) resp.Value { return push(c, true, false) }),
		one("rpush", -3, fastWrite|flagDenyOOM, func(c *call) resp.Value { return push(c, false, false) }),
		one("lpushx", -3, fastWrite|flagDenyOOM, func(c *call) resp.Value { return push(c, true, true) }),
		one("rpushx", -3, fastWrite|flagDenyOOM, func(c *call) resp.Value { return push(c, false, true) }),
		one("lpop", -2, fastWrite, func(c *call) resp.Value { return pop(c, true) }),
		one("rpop", -2, fastWrite, func(c *call) resp.Value { return pop(c, false) }),
		one("lrange", 4, flagReadonly, lrange),
		one("llen", 2, flagReadonly|flagFast, llen),
		one("lindex", 3, flagReadonly, lindex),
		one("lset", 4, flagWrite|flagDenyOOM, lset),
		one("lrem", 4, flagWrite, lrem),
		one("ltrim", 4, flagWrite, ltrim),
		one("linsert", 5, flagWrite|flagDenyOOM, linsert),
		one("lpos", -3, flagReadonly, lpos),
	}
}

func newList() *list { return &list{} }

// endName is the event's prefix for an end of a list.
func endName(left bool) string {
	if left {
		return "l"
	}
	return "r"
}

// pushTo adds elements to the list at a key and tells whoever waits for them.
func (c *call) pushTo(key string, l *list, left bool, elems ...string) *list {
	l = made(c, key, l, newList)
	for _, s := range elems {
		l.push(left, s)
	}
	c.modified(key)
	c.event('l', endName(left)+"push", key)
	c.e.signalReady(key)
	return l
}

func push(c *call, left, onlyOld bool) resp.Value {
	l, bad := c.list(c.args[1])
	if bad.IsError() {
		return bad
	}
	if l == nil && onlyOld {
		return resp.Integer(0)
	}
	l = c.pushTo(c.args[1], l, left, c.args[2:]...)
	return resp.Integer(int64(l.len()))
}

// popFrom takes up to n elements from a list that is not empty.
func (c *call) popFrom(key string, l *list, left bool, n int) []string {
	out := []string{}
	for len(out) < n && l.len() > 0 {
		out = append(out, l.pop(left))
	}
	c.changed(key, l.len(), 'l', endName(left)+"pop")
	return out
}

func pop(c *call, left bool) resp.Value {
	if len(c.args) > 3 {
		return errArity(c.name())
	}
	count := int64(-1)
	if len(c.args) == 3 {
		n, ok := intOf(c.args[2])
		if !ok || n < 0 {
			return resp.Errorf("ERR value is out of range, must be positive")
		}
		count = n
	}
	l, bad := c.list(c.args[1])
	switch {
	case bad.IsError():
		return bad
	case l == nil && count < 0:
		return resp.NilBulkValue()
	case l == nil:
		return resp.NilArrayValue()
	case count == 0:
		return resp.ArrayOf()
	case count < 0:
		return resp.Str(c.popFrom(c.args[1], l, left, 1)[0])
	}
	return resp.StrArray(c.popFrom(c.args[1], l, left, int(min(count, int64(l.len())))))
}

func lrange(c *call) resp.Value {
	start, ok1 := intOf(c.args[2])
	stop, ok2 := intOf(c.args[3])
	if !ok1 || !ok2 {
		return errNotInteger()
	}
	l, bad := c.list(c.args[1])
	if bad.IsError() {
		return bad
	}
	if l == nil {
		return resp.ArrayOf()
	}
	from, to := span(start, stop, l.len())
	return resp.StrArray(l.items()[from:to])
}

func llen(c *call) resp.Value {
	l, bad := c.list(c.args[1])
	if bad.IsError() {
		return bad
	}
	if l == nil {
		return resp.Integer(0)
	}
	return resp.Integer(int64(l.len()))
}

// place turns an index that may count from the end into a place, or -1.
func (l *list) place(i int64) int {
	if i < 0 {
		i += int64(l.len())
	}
	if i < 0 || i >= int64(l.len()) {
		return -1
	}
	return int(i)
}

func lindex(c *call) resp.Value {
	l, bad := c.list(c.args[1])
	if bad.IsError() {
		return bad
	}
	if l == nil {
		return resp.NilBulkValue()
	}
	i, ok := intOf(c.args[2])
	if !ok {
		return errNotInteger()
	}
	if at := l.place(i); at >= 0 {
		return resp.Str(l.items()[at])
	}
	return resp.NilBulkValue()
}

func lset(c *call) resp.Value {
	l, bad := c.list(c.args[1])
	if bad.IsError() {
		return bad
	}
	if l == nil {
		return errNoSuchKey()
	}
	i, ok := intOf(c.args[2])
	if !ok {
		return errNotInteger()
	}
	at := l.place(i)
	if at < 0 {
		return resp.Errorf("ERR index out of range")
	}
	l.set(at, c.args[3])
	c.changed(c.args[1], l.len(), 'l', "lset")
	return resp.OK()
}

// lrem removes up to |n| elements equal to one: from the head, or for n < 0 from the tail; 0 is all.
func lrem(c *call) resp.Value {
	n, ok := intOf(c.args[2])
	if !ok {
		return errNotInteger()
	}
	l, bad := c.list(c.args[1])
	if bad.IsError() {
		return bad
	}
	if l == nil {
		return resp.Integer(0)
	}
	items := slices.Clone(l.items())
	if n < 0 {
		slices.Reverse(items)
	}
	most, removed := max(n, -n), int64(0)
	items = slices.DeleteFunc(items, func(s string) bool {
		hit := s == c.args[3] && (most == 0 || removed < most)
		if hit {
			removed++
		}
		return hit
	})
	if n < 0 {
		slices.Reverse(items)
	}
	if removed > 0 {
		l.replace(items)
		c.changed(c.args[1], l.len(), 'l', "lrem")
	}
	return resp.Integer(removed)
}

func ltrim(c *call) resp.Value {
	start, ok1 := intOf(c.args[2])
	stop, ok2 := intOf(c.args[3])
	if !ok1 || !ok2 {
		return errNotInteger()
	}
	l, bad := c.list(c.args[1])
	if bad.IsError() {
		return bad
	}
	if l != nil {
		from, to := span(start, stop, l.len())
		l.replace(slices.Clone(l.items()[from:to]))
		c.changed(c.args[1], l.len(), 'l', "ltrim")
	}
	return resp.OK()
}

func linsert(c *call) resp.Value {
	before := c.arg(2, "BEFORE")
	if !before && !c.arg(2, "AFTER") {
		return errSyntax()
	}
	l, bad := c.list(c.args[1])
	if bad.IsError() {
		return bad
	}
	if l == nil {
		return resp.Integer(0)
	}
	at := slices.Index(l.items(), c.args[3])
	if at < 0 {
		return resp.Integer(-1)
	}
	if !before {
		at++
	}
	l.replace(slices.Insert(slices.Clone(l.items()), at, c.args[4]))
	c.changed(c.args[1], l.len(), 'l', "linsert")
	return resp.Integer(int64(l.len()))
}

// lposArgs are the options of LPOS.
type lposArgs struct {
	rank, count, maxLen int64
	counted             bool
}

func parseLpos(args []string) (a lposArgs, bad resp.Value) {
	a.rank = 1
	for i := 0; i < len(args); i += 2 {
		if i+1 >= len(args) {
			return a, errSyntax()
		}
		word := lower(args[i])
		n, ok := intOf(args[i+1])
		switch {
		case word != "rank" && word != "count" && word != "maxlen":
			return a, errSyntax()
		case word == "rank" && !ok:
			return a, errNotInteger()
		case word == "rank" && n == 0:
			return a, resp.Errorf("ERR RANK can't be zero: use 1 to start from the first match, 2 from the second ... or use negative to start from the end of the list")
		case word == "rank" && n == -1<<63:
			return a, resp.Errorf("ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807")
		case word == "rank":
			a.rank = n
		case !ok || n < 0:
			return a, resp.Errorf("ERR %s can't be negative", map[string]string{"count": "COUNT", "maxlen": "MAXLEN"}[word])
		case word == "count":
			a.count, a.counted = n, true
		default:
			a.maxLen = n
		}
	}
	return a, resp.Value{}
}

func lpos(c *call) resp.Value {
	a, bad := parseLpos(c.args[3:])
	if bad.IsError() {
		return bad
	}
	l, bad := c.list(c.args[1])
	if bad.IsError() {
		return bad
	}
	found := []resp.Value{}
	if l != nil {
		found = a.find(l.items(), c.args[2])
	}
	switch {
	case a.counted:
		return resp.ArrayOf(found...)
	case len(found) == 0:
		return resp.NilBulkValue()
	}
	return found[0]
}

func (a lposArgs) find(items []string, want string) []resp.Value {
	found := []resp.Value{}
	skip, most := max(a.rank, -a.rank)-1, int64(1)
	if a.counted {
		most = a.count
	}
	for i := range items {
		if a.maxLen > 0 && int64(i) >= a.maxLen {
			break
		}
		at := i
		if a.rank < 0 {
			at = len(items) - 1 - i
		}
		if items[at] != want {
			continue
		}
		if skip > 0 {
			skip--
			continue
		}
		found = append(found, resp.Integer(int64(at)))
		if int64(len(found)) == most {
			break
		}
	}
	return found
}
