package embedded

import (
	"slices"
	"time"

	"pelscope/redisx/embedded/stream"
	"pelscope/redisx/resp"
	"pelscope/redisx/safe"
)

// keyRef is a key of one database.
type keyRef struct {
	db  int
	key string
}

// readyKey is a key at which something happened that blocked clients may have waited for.
type readyKey struct {
	keyRef
	gone bool // deleted, or of another type, or its group was destroyed
}

// waiter is a client that is blocked.
type waiter struct {
	call      *call
	refs      []keyRef
	retry     func() (resp.Value, bool)
	onTimeout resp.Value
	stop      func() bool
}

// block makes the client wait until retry says that it is done, or for timeout (0: for ever), after
// which the reply is onTimeout. retry is run when one of the keys is signalled, first come, first
// served. Within a transaction or a script nothing blocks: retry is run once.
func (c *call) block(keys []string, timeout time.Duration, retry func() (resp.Value, bool), onTimeout resp.Value) resp.Value {
	if c.inMulti || c.inScript {
		if v, done := retry(); done {
			return v
		}
		return onTimeout
	}
	w := &waiter{call: c, retry: retry, onTimeout: onTimeout}
	for _, k := range keys {
		ref := keyRef{c.db(), k}
		if !slices.Contains(w.refs, ref) {
			w.refs = append(w.refs, ref)
			c.e.waiters[ref] = append(c.e.waiters[ref], w)
		}
	}
	if timeout > 0 {
		w.stop = c.e.after(timeout, func() { w.finish(w.onTimeout) })
	}
	c.c.waiting = w
	return noReply()
}

// unblock takes a connection's waiter out of the queues, if it has one.
func (c *conn) unblock() {
	w := c.waiting
	if w == nil {
		return
	}
	c.waiting = nil
	if w.stop != nil {
		w.stop()
	}
	for _, ref := range w.refs {
		rest := slices.DeleteFunc(c.e.waiters[ref], func(o *waiter) bool { return o == w })
		if len(rest) == 0 {
			delete(c.e.waiters, ref)
		} else {
			c.e.waiters[ref] = rest
		}
	}
}

// finish answers a waiting client and lets it go on. A waiter that is finished already stays so.
func (w *waiter) finish(v resp.Value) {
	c := w.call.c
	if c.waiting != w {
		return
	}
	c.unblock()
	c.reply(v)
	c.e.resumed = append(c.e.resumed, c)
}

// signalReady says that the value at a key of the running command's database may now serve a blocked
// client. They are served when the command, or the whole transaction or script, is over.
func (e *Engine) signalReady(key string) { e.signal(e.running.db(), key, false) }

// signalGone says that the value at a key of the running command's database was deleted or became
// another one, or that a consumer group of it was destroyed.
func (e *Engine) signalGone(key string) { e.signal(e.running.db(), key, true) }

func (e *Engine) signal(db int, key string, gone bool) {
	r := readyKey{keyRef{db, key}, gone}
	if len(e.waiters[r.keyRef]) > 0 && !slices.Contains(e.ready, r) {
		e.ready = append(e.ready, r)
	}
}

// serveReady lets the waiters of the first ready key try again, in the order in which they came.
func (e *Engine) serveReady() {
	r := e.ready[0]
	e.ready = e.ready[1:]
	for _, w := range slices.Clone(e.waiters[r.keyRef]) {
		o, exists := e.get(r.db, r.key)
		wakes := exists && w.call.waitsFor(o.value) || r.gone && w.call.spec.name == "xreadgroup"
		if w.call.c.waiting != w || !wakes {
			continue
		}
		if v, done := w.tryAgain(); done {
			w.finish(v)
		}
	}
}

// tryAgain runs a waiter's command again, at the time it is now.
func (w *waiter) tryAgain() (v resp.Value, done bool) {
	e := w.call.e
	w.call.now = e.now()
	outer := e.running
	e.running = w.call
	defer func() { e.running = outer }()
	defer safe.Recover(func(err error) { v, done = resp.Errorf("ERR %v", err), true })
	return w.retry()
}

// waitsFor says whether a blocked command is one that a value of this type can serve. Only XREADGROUP
// is also told of what is gone.
func (c *call) waitsFor(value any) bool {
	switch value.(type) {
	case *stream.Stream:
		return c.spec.name[0] == 'x'
	case *list:
		return c.spec.name == "blpop" || c.spec.name == "brpop" || c.spec.name == "blmove" ||
			c.spec.name == "blmpop" || c.spec.name == "brpoplpush"
	case *zset:
		return c.spec.name == "bzpopmin" || c.spec.name == "bzpopmax" || c.spec.name == "bzmpop"
	}
	return false
}
