package embedded

import (
	"strconv"

	"pelscope/redisx/resp"
)

func stringCommands() []spec {
	const fastRead, fastWrite = flagReadonly | flagFast, flagWrite | flagFast | flagDenyOOM
	one := func(name string, arity int, f flags, run handler) spec {
		return spec{name: name, arity: arity, flags: f, firstKey: 1, lastKey: 1, run: run}
	}
	return []spec{
		one("set", -3, flagWrite|flagDenyOOM, setCommand),
		one("setnx", 3, fastWrite, setnx),
		one("setex", 4, flagWrite|flagDenyOOM, func(c *call) resp.Value { return setex(c, 1000) }),
		one("psetex", 4, flagWrite|flagDenyOOM, func(c *call) resp.Value { return setex(c, 1) }),
		one("get", 2, fastRead, get),
		one("getset", 3, fastWrite, getset),
		one("getdel", 2, flagWrite|flagFast, getdel),
		one("getex", -2, flagWrite|flagFast, getex),
		one("getrange", 4, flagReadonly, getrange),
		one("append", 3, fastWrite, appendTo),
		one("strlen", 2, fastRead, strlen),
		one("incr", 2, fastWrite, func(c *call) resp.Value { return incr(c, 1) }),
		one("decr", 2, fastWrite, func(c *call) resp.Value { return incr(c, -1) }),
		one("incrby", 3, fastWrite, func(c *call) resp.Value { return incrBy(c, false) }),
		one("decrby", 3, fastWrite, func(c *call) resp.Value { return incrBy(c, true) }),
		{name: "mget", arity: -2, flags: fastRead, firstKey: 1, lastKey: -1, run: mget},
		{name: "mset", arity: -3, flags: flagWrite | flagDenyOOM, firstKey: 1, lastKey: -1, step: 2, run: mset},
		{name: "msetnx", arity: -3, flags: flagWrite | flagDenyOOM, firstKey: 1, lastKey: -1, step: 2, run: msetnx},
	}
}

// setArgs are the options of SET, and the expiry of GETEX.
type setArgs struct {
	nx, xx, get, keepTTL, persist bool
	ifeq, ifne                    string
	hasEq, hasNe                  bool
	expires                       bool
	timed                         string // the word that said how the expiry is
	at                            int64
}

// option reads the option at the front of args and returns how many arguments it took.
func (a *setArgs) option(c *call, args []string, getex bool) (int, resp.Value) {
	word, more := lower(args[0]), len(args) > 1
	timed := a.timed != "" && a.timed != word
	switch {
	case word == "nx" && !a.xx && !getex:
		a.nx = true
	case word == "xx" && !a.nx && !getex:
		a.xx = true
	case word == "get" && !getex:
		a.get = true
	case word == "keepttl" && !timed && !getex:
		a.keepTTL, a.timed = true, word
	case word == "persist" && !timed && getex:
		a.persist, a.timed = true, word
	case word == "ifeq" && more && !a.nx && !a.xx && !a.hasNe && !getex:
		a.ifeq, a.hasEq = args[1], true
		return 2, resp.Value{}
	case word == "ifne" && more && !a.nx && !a.xx && !a.hasEq && !getex:
		a.ifne, a.hasNe = args[1], true
		return 2, resp.Value{}
	case (word == "ex" || word == "px" || word == "exat" || word == "pxat") && more && !timed:
		a.expires, a.timed = true, word
		return 2, a.expiry(c, word, args[1])
	default:
		return 0, errSyntax()
	}
	return 1, resp.Value{}
}

func (a *setArgs) expiry(c *call, word, arg string) resp.Value {
	unit := int64(1000)
	if word[0] == 'p' {
		unit = 1
	}
	if n, ok := intOf(arg); ok && n <= 0 {
		return resp.Errorf("ERR invalid expire time in '%s' command", c.name())
	}
	at, bad := expiryAt(c, arg, unit, len(word) == 4)
	a.at = at
	return bad
}

func parseSet(c *call, from int, getex bool) (a setArgs, bad resp.Value) {
	for i := from; i < len(c.args); {
		used, bad := a.option(c, c.args[i:], getex)
		if bad.IsError() {
			return a, bad
		}
		i += used
	}
	return a, resp.Value{}
}

// allows says whether SET's condition holds for what is at the key.
func (a *setArgs) allows(old string, there bool) bool {
	switch {
	case a.nx && there, a.xx && !there:
		return false
	case a.hasEq:
		return there && old == a.ifeq
	case a.hasNe:
		return !there || old != a.ifne
	}
	return true
}

func setCommand(c *call) resp.Value {
	a, bad := parseSet(c, 3, false)
	if bad.IsError() {
		return bad
	}
	key := c.args[1]
	o, there := c.peek(key)
	old := resp.NilBulkValue()
	text := ""
	if there {
		s, ok := o.value.(string)
		if !ok && (a.get || a.hasEq || a.hasNe) {
			return errWrongType()
		}
		text, old = s, resp.Str(s)
	}
	if !a.allows(text, there) {
		if a.get {
			return old
		}
		return resp.NilBulkValue()
	}
	at := a.at
	if a.keepTTL && there {
		at = o.expireAt
	}
	n := c.set(key, c.args[2])
	c.event('$', "set", key)
	if at != 0 {
		c.e.expireAt(c.db(), key, n, at)
		if a.expires {
			c.event('g', "expire", key)
		}
	}
	if a.get {
		return old
	}
	return resp.OK()
}

// store sets a string without more ado.
func (c *call) store(key, value string) {
	c.set(key, value)
	c.event('$', "set", key)
}

func setnx(c *call) resp.Value {
	if _, there := c.get(c.args[1]); there {
		return resp.Integer(0)
	}
	c.store(c.args[1], c.args[2])
	return resp.Integer(1)
}

func setex(c *call, unit int64) resp.Value {
	if n, ok := intOf(c.args[2]); ok && n <= 0 {
		return resp.Errorf("ERR invalid expire time in '%s' command", c.name())
	}
	at, bad := expiryAt(c, c.args[2], unit, false)
	if bad.IsError() {
		return bad
	}
	key := c.args[1]
	c.store(key, c.args[3])
	o, _ := c.peek(key)
	c.e.expireAt(c.db(), key, o, at)
	c.event('g', "expire", key)
	return resp.OK()
}

// textOrNil is a string's reply.
func (c *call) textOrNil(key string) resp.Value {
	s, there, bad := c.text(key)
	switch {
	case bad.IsError():
		return bad
	case !there:
		return resp.NilBulkValue()
	}
	return resp.Str(s)
}

func get(c *call) resp.Value { return c.textOrNil(c.args[1]) }

func getset(c *call) resp.Value {
	old := c.textOrNil(c.args[1])
	if !old.IsError() {
		c.store(c.args[1], c.args[2])
	}
	return old
}

func getdel(c *call) resp.Value {
	old := c.textOrNil(c.args[1])
	if !old.IsError() && !old.IsNil() {
		c.del(c.args[1])
		c.event('g', "del", c.args[1])
	}
	return old
}

func getex(c *call) resp.Value {
	a, bad := parseSet(c, 2, true)
	if bad.IsError() {
		return bad
	}
	key := c.args[1]
	v := c.textOrNil(key)
	if v.IsError() || v.IsNil() {
		return v
	}
	o, _ := c.peek(key)
	switch {
	case a.expires && a.at <= c.now:
		c.del(key)
		c.event('g', "del", key)
	case a.expires:
		c.e.expireAt(c.db(), key, o, a.at)
		c.event('g', "expire", key)
	case a.persist && o.expireAt != 0:
		c.e.expireAt(c.db(), key, o, 0)
		c.event('g', "persist", key)
	}
	return v
}

func getrange(c *call) resp.Value {
	start, okStart := intOf(c.args[2])
	stop, okStop := intOf(c.args[3])
	if !okStart || !okStop {
		return errNotInteger()
	}
	s, _, bad := c.text(c.args[1])
	if bad.IsError() {
		return bad
	}
	if start < 0 && stop < 0 && start > stop {
		return resp.Str("")
	}
	if stop < 0 {
		stop = max(stop+int64(len(s)), 0)
	}
	from, to := span(start, stop, len(s))
	return resp.Str(s[from:to])
}

// replaceText changes a string in place: its expiry stays.
func (c *call) replaceText(key string, there bool, s, event string) {
	if !there {
		c.set(key, s)
	} else {
		o, _ := c.peek(key)
		o.value = s
		o.raw = event == "append"
		c.modified(key)
	}
	c.event('$', event, key)
}

func appendTo(c *call) resp.Value {
	s, there, bad := c.text(c.args[1])
	if bad.IsError() {
		return bad
	}
	s += c.args[2]
	c.replaceText(c.args[1], there, s, "append")
	return resp.Integer(int64(len(s)))
}

func strlen(c *call) resp.Value {
	s, _, bad := c.text(c.args[1])
	if bad.IsError() {
		return bad
	}
	return resp.Integer(int64(len(s)))
}

func incr(c *call, by int64) resp.Value {
	s, there, bad := c.text(c.args[1])
	if bad.IsError() {
		return bad
	}
	now, ok := intOf(s)
	if there && !ok {
		return errNotInteger()
	}
	sum, ok := addInts(now, by)
	if !ok {
		return errOverflow()
	}
	c.replaceText(c.args[1], there, strconv.FormatInt(sum, 10), "incrby")
	return resp.Integer(sum)
}

func incrBy(c *call, down bool) resp.Value {
	by, ok := intOf(c.args[2])
	if !ok {
		return errNotInteger()
	}
	if down {
		if by == -by && by != 0 { // the smallest integer has no opposite
			return resp.Errorf("ERR decrement would overflow")
		}
		by = -by
	}
	return incr(c, by)
}

func mget(c *call) resp.Value {
	out := []resp.Value{}
	for _, key := range c.args[1:] {
		v := c.textOrNil(key)
		if v.IsError() {
			v = resp.NilBulkValue()
		}
		out = append(out, v)
	}
	return resp.ArrayOf(out...)
}

func mset(c *call) resp.Value {
	if len(c.args)%2 == 0 {
		return errArity(c.name())
	}
	for i := 1; i < len(c.args); i += 2 {
		c.store(c.args[i], c.args[i+1])
	}
	return resp.OK()
}

func msetnx(c *call) resp.Value {
	if len(c.args)%2 == 0 {
		return errArity(c.name())
	}
	for i := 1; i < len(c.args); i += 2 {
		if _, there := c.get(c.args[i]); there {
			return resp.Integer(0)
		}
	}
	mset(c)
	return resp.Integer(1)
}
