package client

import (
	"context"
	"errors"
	"net"
	"sync"

	"github.com/redis/go-redis/v9"

	"pelscope/redisx/resp"
	"pelscope/redisx/safe"
)

// ErrBusy tells that a session's connection still waits for the reply of a blocked command.
var ErrBusy = errors.New("the connection waits in a blocking command")

// Reply is what a command started with Session.Start came back with.
type Reply struct {
	Value resp.Value
	Err   error
}

// Session is one connection of its own: an actor of a lesson. It never connects a second time: once cut
// or lost, it stays so. Its commands pass the client's guard and stand in the client's log.
type Session struct {
	client *Client
	name   string
	id     int64
	rdb    *redis.Client

	mu   sync.Mutex
	conn net.Conn
	busy bool
	end  Reason // why there is no connection any more; empty while there is one
}

// Session opens a connection named with CLIENT SETNAME. The name may not hold spaces or line breaks.
func (c *Client) Session(ctx context.Context, name string) (*Session, error) {
	s := &Session{client: c, name: name}
	s.rdb = c.connect(name, 1, s.dialOnce, nil)
	if err := s.introduce(ctx); err != nil {
		_ = s.Close()
		return nil, err
	}
	if !c.adopt(s) {
		_ = s.Close()
		return nil, &Error{Server: c.target.String(), Reason: Closed}
	}
	return s, nil
}

// adopt remembers a session, to close it with the client; false when the client is closed already.
func (c *Client) adopt(s *Session) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.sessions[s] = struct{}{}
	}
	return !c.closed
}

func (s *Session) introduce(ctx context.Context) error {
	named, err := s.Do(ctx, "CLIENT", "SETNAME", s.name)
	if err != nil {
		return err
	}
	if named.IsError() {
		return &Error{Server: s.client.target.String(), Reason: Lost, Detail: reason(named, []string{"CLIENT", "SETNAME"})}
	}
	id, err := s.Do(ctx, "CLIENT", "ID")
	s.id, _ = id.Int64()
	return err
}

// dialOnce connects the first time, and afterwards says why it does not.
func (s *Session) dialOnce(ctx context.Context) (net.Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != nil || s.end != "" {
		if s.end == "" {
			s.end = Lost
		}
		return nil, &Error{Server: s.client.target.String(), Reason: s.end}
	}
	conn, err := s.client.dial(ctx)
	s.conn = conn
	return conn, err
}

// Name is the connection's name, as CLIENT LIST shows it.
func (s *Session) Name() string { return s.name }

// ID is the connection's id, as CLIENT ID gave it.
func (s *Session) ID() int64 { return s.id }

// Busy says whether a command started with Start has not come back yet.
func (s *Session) Busy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.busy
}

// Do sends one command and waits for its reply: until the context's deadline, else for the client's
// timeout and what the command itself asks to wait. After a deadline the connection is gone, because
// its reply may still come. While Start's command waits, the error is ErrBusy.
func (s *Session) Do(ctx context.Context, args ...string) (resp.Value, error) {
	if err := s.take(args); err != nil {
		return resp.Value{}, err
	}
	defer s.leave()
	ctx, cancel := deadline(ctx, s.client.opts.Timeout+blockTime(args))
	defer cancel()
	v, err := rawDo(ctx, s.rdb, args)
	return v, s.failed(err)
}

// Start sends a command that may wait for ever (XREADGROUP … BLOCK 0) and returns at once. The channel
// gives its reply, or the error with which Cut or Close ended it, and nothing else.
func (s *Session) Start(args ...string) (<-chan Reply, error) {
	if err := s.take(args); err != nil {
		return nil, err
	}
	done := make(chan Reply, 1)
	finish := func(r Reply) {
		s.leave()
		done <- r
	}
	safe.Go(func(err error) { finish(Reply{Err: err}) }, func() {
		v, err := rawDo(context.Background(), s.rdb, args)
		finish(Reply{Value: v, Err: s.failed(err)})
	})
	return done, nil
}

func (s *Session) take(args []string) error {
	if err := checkFraming(args); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.end != "" {
		return &Error{Server: s.client.target.String(), Reason: s.end}
	}
	if s.busy {
		return ErrBusy
	}
	s.busy = true
	return nil
}

func (s *Session) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy = false
}

// failed types an error and remembers that the connection is gone.
func (s *Session) failed(err error) error {
	if err == nil {
		return nil
	}
	typed := s.client.target.failure(err)
	s.mu.Lock()
	defer s.mu.Unlock()
	var e *Error
	if !errors.As(typed, &e) {
		return typed // the guard's: nothing was sent
	}
	if s.end == "" {
		s.end = e.Reason
		return typed
	}
	return &Error{Server: e.Server, Reason: s.end}
}

// Cut ends the connection abruptly, as a crash of its process would: nothing is said to the server, which
// sees the connection gone. A command that waits comes back with the reason WasCut.
func (s *Session) Cut() {
	s.stop(WasCut, true)
}

// Close ends the connection in good order.
func (s *Session) Close() error {
	s.stop(Closed, false)
	return nil
}

func (s *Session) stop(why Reason, abruptly bool) {
	s.mu.Lock()
	if s.end == "" {
		s.end = why
	}
	conn := s.conn
	s.mu.Unlock()
	if tcp, ok := conn.(*net.TCPConn); ok && abruptly {
		_ = tcp.SetLinger(0)
	}
	if conn != nil {
		_ = conn.Close()
	}
	_ = s.rdb.Close()
	s.client.mu.Lock()
	delete(s.client.sessions, s)
	s.client.mu.Unlock()
}
