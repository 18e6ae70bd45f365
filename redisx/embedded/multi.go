package embedded

import "pelscope/redisx/resp"

// transaction is what MULTI has queued.
type transaction struct {
	queue   []queued
	aborted bool // a command was refused while queueing
}

type queued struct {
	spec *spec
	args []string
}

func multiCommands() []spec {
	const f = flagNoScript | flagLoading | flagStale | flagFast
	return []spec{
		{name: "multi", arity: 1, flags: f, run: multi},
		{name: "exec", arity: 1, flags: flagNoScript | flagLoading | flagStale, run: exec},
		{name: "discard", arity: 1, flags: f, run: discard},
		{name: "watch", arity: -2, flags: f, firstKey: 1, lastKey: -1, step: 1, run: watch},
		{name: "unwatch", arity: 1, flags: f, run: unwatch},
	}
}

func multi(c *call) resp.Value {
	if c.c.multi != nil {
		return resp.Errorf("ERR MULTI calls can not be nested")
	}
	c.c.multi = &transaction{}
	return resp.OK()
}

// abortMulti makes EXEC fail because a command could not be queued.
func (c *conn) abortMulti() {
	if c.multi != nil {
		c.multi.aborted = true
	}
}

func exec(c *call) resp.Value {
	t := c.c.multi
	if t == nil {
		return resp.Errorf("ERR EXEC without MULTI")
	}
	c.e.watchedExpire(c.c)
	dirty := c.c.dirty
	c.c.multi = nil
	c.c.unwatch()
	switch {
	case t.aborted:
		return resp.Errorf("EXECABORT Transaction discarded because of previous errors.")
	case dirty:
		return resp.NilArrayValue()
	}
	replies := []resp.Value{}
	for _, q := range t.queue {
		k := &call{e: c.e, c: c.c, spec: q.spec, args: q.args, now: c.now, inMulti: true}
		v := c.e.run(k)
		if v.IsError() {
			c.e.stats.errors++
		}
		if v.Kind != noReplyKind {
			replies = append(replies, v)
		}
	}
	return resp.ArrayOf(replies...)
}

func discard(c *call) resp.Value {
	if c.c.multi == nil {
		return resp.Errorf("ERR DISCARD without MULTI")
	}
	c.c.multi = nil
	c.c.unwatch()
	return resp.OK()
}

func watch(c *call) resp.Value {
	if c.c.multi != nil {
		return resp.Errorf("ERR WATCH inside MULTI is not allowed")
	}
	if c.c.dirty { // the transaction fails already
		return resp.OK()
	}
	for _, key := range c.args[1:] {
		c.e.get(c.db(), key) // what has expired by now is no change later
		ref := keyRef{c.db(), key}
		c.c.watched[ref] = struct{}{}
		if c.e.watchers[ref] == nil {
			c.e.watchers[ref] = map[*conn]struct{}{}
		}
		c.e.watchers[ref][c.c] = struct{}{}
	}
	return resp.OK()
}

func unwatch(c *call) resp.Value {
	c.c.unwatch()
	return resp.OK()
}

// unwatch forgets what the connection watches.
func (c *conn) unwatch() {
	for ref := range c.watched {
		delete(c.e.watchers[ref], c)
		if len(c.e.watchers[ref]) == 0 {
			delete(c.e.watchers, ref)
		}
	}
	clear(c.watched)
	c.dirty = false
}

// watchedExpire looks at the watched keys, so that one that has expired counts as changed.
func (e *Engine) watchedExpire(c *conn) {
	for ref := range c.watched {
		e.get(ref.db, ref.key)
	}
}
