package embedded

import (
	"fmt"
	"net"
	"strings"

	"pelscope/redisx/resp"
)

// Limits of what a client may leave with the engine, so that a stuck one costs no unbounded memory.
const (
	maxBacklog = 1 << 16   // commands sent while blocked
	maxOut     = 256 << 20 // bytes of replies that the client does not take
)

// conn is one client's connection. Everything but e, id, nc, wake and done is guarded by the engine's lock.
type conn struct {
	e    *Engine
	id   int64
	nc   net.Conn
	wake chan struct{} // capacity 1: there is something to write, or to end
	done chan struct{} // closed when nothing is read any more and the connection is forgotten

	authenticated bool // or no password is asked for

	addr, laddr string
	db          int
	proto       int
	name        string
	libName     string
	libVer      string
	created     int64 // ms since 1970
	lastActive  int64 // ms since 1970
	lastCommand string
	commands    int64
	netIn       int64 // bytes
	netOut      int64 // bytes
	noTouch     bool
	noEvict     bool

	multi   *transaction
	watched map[keyRef]struct{}
	dirty   bool // a watched key was changed

	channels, patterns names

	waiting *waiter
	backlog [][]string // commands that arrived while blocked

	out  []byte
	quit bool // close when everything is written
	gone bool
}

func newConn(e *Engine, id int64, nc net.Conn, memory bool) *conn {
	now := e.now()
	c := &conn{e: e, id: id, nc: nc, wake: make(chan struct{}, 1), done: make(chan struct{}), proto: 2, created: now, lastActive: now,
		authenticated: e.opts.Password == "", lastCommand: "NULL", watched: map[keyRef]struct{}{}}
	c.addr, c.laddr = fmt.Sprintf("memory:%d", id), "memory:0"
	if !memory {
		c.addr, c.laddr = nc.RemoteAddr().String(), nc.LocalAddr().String()
	}
	return c
}

// failed is told of a panic in one of the connection's goroutines: the connection is given up.
func (c *conn) failed(error) { c.disconnect() }

// disconnect forgets the connection at once, wherever it waits.
func (c *conn) disconnect() {
	c.e.mu.Lock()
	defer c.e.mu.Unlock()
	c.drop()
	c.e.settle()
}

// drop closes the connection and takes it out of every list. The lock is held.
func (c *conn) drop() {
	if c.gone {
		return
	}
	c.gone = true
	c.unblock()
	c.unwatch()
	c.e.pubsub.forget(c)
	c.backlog, c.multi = nil, nil
	delete(c.e.conns, c.id)
	_ = c.nc.Close()
	c.signal()
}

// readLoop reads commands and runs them in order. It goes on reading while the client is blocked, so
// that a client that goes away is noticed at once.
func (c *conn) readLoop() {
	defer close(c.done)
	defer c.disconnect()
	in := newRequests(c.nc)
	for {
		args, err := in.next()
		if err != nil {
			c.protocolError(err)
			return
		}
		if len(args) == 0 {
			continue
		}
		c.e.do(c, args)
		if !c.mayGoOn(args) {
			return
		}
	}
}

// mayGoOn counts what was read and says whether the connection is still to be read from.
func (c *conn) mayGoOn(args []string) bool {
	c.e.mu.Lock()
	defer c.e.mu.Unlock()
	for _, a := range args {
		c.netIn += int64(len(a))
	}
	return !c.gone && len(c.backlog) <= maxBacklog
}

// protocolError tells the client what it sent wrong, and waits until that is written.
func (c *conn) protocolError(err error) {
	p, ok := err.(*requestError)
	if !ok {
		return
	}
	c.e.mu.Lock()
	c.reply(resp.Errorf("ERR Protocol error: %s", p.reason))
	out := c.out
	c.out = nil
	c.e.mu.Unlock()
	_, _ = c.nc.Write(out)
}

// writeLoop writes replies as the client takes them.
func (c *conn) writeLoop() {
	for range c.wake {
		for {
			out, end := c.take()
			if len(out) > 0 {
				if _, err := c.nc.Write(out); err != nil {
					c.disconnect()
					return
				}
				continue
			}
			if end {
				c.disconnect()
				return
			}
			break
		}
	}
}

// take takes what is to be written; end says that nothing comes after it.
func (c *conn) take() (out []byte, end bool) {
	c.e.mu.Lock()
	defer c.e.mu.Unlock()
	out, c.out = c.out, nil
	c.netOut += int64(len(out))
	return out, c.gone || c.quit
}

// signal wakes the writer.
func (c *conn) signal() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// reply appends a value to what is written to the client.
func (c *conn) reply(v resp.Value) {
	if v.Kind == noReplyKind || c.gone {
		return
	}
	c.out = resp.Append(c.out, v, c.proto)
	if len(c.out) > maxOut {
		c.drop()
		return
	}
	c.signal()
}

// push sends an out-of-band message: a push in RESP3, an array in RESP2.
func (c *conn) push(elems ...resp.Value) { c.reply(resp.PushOf(elems...)) }

// subscribed says whether the connection listens to anything.
func (c *conn) subscribed() bool { return c.channels.len()+c.patterns.len() > 0 }

// flags are the letters of CLIENT LIST.
func (c *conn) flags() string {
	var b strings.Builder
	if c.subscribed() {
		b.WriteByte('P')
	}
	if c.waiting != nil {
		b.WriteByte('b')
	}
	if c.multi != nil {
		b.WriteByte('x')
	}
	if c.dirty {
		b.WriteByte('d')
	}
	if c.quit {
		b.WriteByte('c')
	}
	if c.noEvict {
		b.WriteByte('e')
	}
	if c.noTouch {
		b.WriteByte('T')
	}
	if b.Len() == 0 {
		return "N"
	}
	return b.String()
}
