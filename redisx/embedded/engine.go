package embedded

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"pelscope/redisx/resp"
	"pelscope/redisx/safe"
)

// RedisVersion is the version of Redis that the engine behaves as.
const RedisVersion = "8.6.3"

// Options says how an engine behaves. The zero value is an engine true to Redis on the real clock.
type Options struct {
	Clock     Clock  // nil: the real clock (package time)
	MaxMemory int64  // bytes, as Redis's maxmemory with noeviction; 0: no limit
	Password  string // the default user's, as Redis's requirepass; empty: none is asked for
	Wrong     Wrong
}

// Wrong makes an engine deliberately wrong, so that what checks lessons can itself be checked.
type Wrong struct {
	HistoryReadKeepsCount bool // XREADGROUP with an id delivers again without counting it
	AckAsksOwner          bool // XACK acknowledges only what the consumer owns after whom its connection is named (CLIENT SETNAME …:consumer)
	ClaimKeepsIdle        bool // XCLAIM and XAUTOCLAIM leave the idle time as it was
}

// Engine is one server in memory. Its methods may be called from any goroutine.
type Engine struct {
	opts  Options
	clock Clock

	mu       sync.Mutex // everything below, and what the connections hold; one command at a time
	closed   bool
	started  int64 // ms since 1970
	commands map[string]*spec
	dbs      [databases]*db
	config   map[string]string
	conns    map[int64]*conn
	nextID   int64
	running  *call // the command being run, nil between commands
	waiters  map[keyRef][]*waiter
	ready    []readyKey
	resumed  []*conn // no longer blocked, with commands read meanwhile
	watchers map[keyRef]map[*conn]struct{}
	pubsub   pubsub
	scripts  scripts
	memory   int64 // bytes of all values, an estimate
	stats    stats
	ends     []net.Listener
}

// stats are the counters of INFO.
type stats struct {
	connections, commands, hits, misses, expired, errors int64
}

const databases = 16

// ErrClosed is returned by Dial and Serve once the engine is closed.
var ErrClosed = errors.New("the embedded engine is closed")

// New starts an empty engine. Nothing runs until a connection is opened; Close ends it.
func New(opts Options) *Engine {
	e := &Engine{opts: opts, clock: opts.Clock, conns: map[int64]*conn{}, waiters: map[keyRef][]*waiter{},
		watchers: map[keyRef]map[*conn]struct{}{}, pubsub: newPubsub(), config: defaultConfig(opts)}
	if e.clock == nil {
		e.clock = realClock{}
	}
	for i := range e.dbs {
		e.dbs[i] = newDB()
	}
	e.commands = commandTable()
	e.started = e.now()
	return e
}

// Dial opens a connection in memory and returns the client's end. It has go-redis's signature for a
// dialer but for the network and address, which there are none of.
func (e *Engine) Dial(ctx context.Context) (net.Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	client, server := net.Pipe()
	c, err := e.attach(server, true)
	if err != nil {
		return nil, err
	}
	return &clientEnd{Conn: client, done: c.done}, nil
}

// clientEnd is the client's end of a connection in memory. Its Close returns when the engine has seen
// it, so that what happens next finds the client gone.
type clientEnd struct {
	net.Conn
	done <-chan struct{}
}

// Close closes the connection; commands written before it are still run.
func (c *clientEnd) Close() error {
	err := c.Conn.Close()
	<-c.done
	return err
}

// Serve accepts connections until the listener or the engine is closed.
func (e *Engine) Serve(l net.Listener) error {
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return ErrClosed
	}
	e.ends = append(e.ends, l)
	e.mu.Unlock()
	for {
		nc, err := l.Accept()
		if err == nil {
			_, err = e.attach(nc, false)
		}
		if err != nil {
			return err
		}
	}
}

// Close cuts every connection and forgets the data. A second call does nothing.
func (e *Engine) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil
	}
	e.closed = true
	var errs []error
	for _, l := range e.ends {
		errs = append(errs, l.Close())
	}
	for _, c := range e.sortedConns() {
		c.drop()
	}
	for _, d := range e.dbs {
		d.clear()
	}
	return errors.Join(errs...)
}

// attach makes a connection a client's and starts reading its commands.
func (e *Engine) attach(nc net.Conn, memory bool) (*conn, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		_ = nc.Close()
		return nil, ErrClosed
	}
	e.nextID++
	e.stats.connections++
	c := newConn(e, e.nextID, nc, memory)
	e.conns[c.id] = c
	safe.Go(c.failed, c.readLoop)
	safe.Go(c.failed, c.writeLoop)
	return c, nil
}

// now is the time in ms since 1970.
func (e *Engine) now() int64 { return e.clock.Now().UnixMilli() }

// after is the clock's AfterFunc for a function that needs the lock.
func (e *Engine) after(d time.Duration, f func()) (stop func() bool) {
	return e.clock.AfterFunc(d, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		if e.closed {
			return
		}
		f()
		e.settle()
	})
}

// do runs one command of a connection, or keeps it for later while the connection is blocked.
func (e *Engine) do(c *conn, args []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if c.gone || c.quit {
		return
	}
	if c.waiting != nil || len(c.backlog) > 0 {
		c.backlog = append(c.backlog, args)
		return
	}
	e.execute(c, args)
	e.settle()
}

// settle serves what became ready and runs what unblocked clients sent meanwhile, until nothing is
// left to do.
func (e *Engine) settle() {
	for {
		switch {
		case len(e.ready) > 0:
			e.serveReady()
		case len(e.resumed) > 0:
			c := e.resumed[0]
			e.resumed = e.resumed[1:]
			for c.waiting == nil && !c.gone && !c.quit && len(c.backlog) > 0 {
				args := c.backlog[0]
				c.backlog = c.backlog[1:]
				e.execute(c, args)
			}
		default:
			return
		}
	}
}

// execute checks and runs one command and writes its reply.
func (e *Engine) execute(c *conn, args []string) {
	now := e.now()
	c.lastActive = now
	c.commands++
	v := e.checked(&call{e: e, c: c, args: args, now: now})
	if v.IsError() {
		e.stats.errors++
	}
	c.reply(v)
}

// checked is what stands before every command that a connection sends: it must exist, have the right
// number of arguments, and be allowed in the state that the connection is in.
func (e *Engine) checked(k *call) resp.Value {
	c := k.c
	s, bad := e.find(k.args)
	if s == nil {
		c.abortMulti()
		return bad
	}
	if !c.authenticated && s.flags&flagNoAuth == 0 {
		return resp.Errorf("NOAUTH Authentication required.")
	}
	k.spec = s
	c.lastCommand = s.full
	if c.multi != nil && !s.runsInMulti() {
		if s.flags&flagNoMulti != 0 {
			c.abortMulti()
			return resp.Errorf("ERR Command not allowed inside a transaction")
		}
		if s.flags&flagDenyOOM != 0 && e.outOfMemory() {
			c.abortMulti()
			return errOOM()
		}
		c.multi.queue = append(c.multi.queue, queued{s, k.args})
		return resp.StatusOf("QUEUED")
	}
	if c.subscribed() && c.proto == 2 && !s.runsSubscribed() {
		return resp.Errorf("ERR Can't execute '%s': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context", s.full)
	}
	return e.run(k)
}

// run runs a command that was checked. A panic in a handler becomes an error reply: one command fails,
// the engine lives.
func (e *Engine) run(k *call) (v resp.Value) {
	if k.spec.flags&flagDenyOOM != 0 && e.outOfMemory() {
		return errOOM()
	}
	outer := e.running
	e.running = k
	e.stats.commands++
	defer func() { e.running = outer }()
	defer safe.Recover(func(err error) { v = resp.Errorf("ERR %v", err) })
	return k.spec.run(k)
}

// find finds a command or subcommand by its words, and the error reply when there is none or its
// arguments are too few or too many.
func (e *Engine) find(args []string) (*spec, resp.Value) {
	s := e.commands[lower(args[0])]
	if s == nil {
		return nil, errUnknown(args)
	}
	if s.lookup != nil && len(args) > 1 {
		sub := s.lookup[lower(args[1])]
		if sub == nil {
			return nil, errUnknownSub(args[0], args[1])
		}
		s = sub
	}
	if !s.arityFits(len(args)) {
		return nil, errArity(s.full)
	}
	return s, resp.Value{}
}

func errOOM() resp.Value {
	return resp.Errorf("OOM command not allowed when used memory > 'maxmemory'.")
}
