package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"

	"pelscope/redisx/resp"
)

// DefaultTimeout bounds a call whose context has no deadline.
const DefaultTimeout = 5 * time.Second

// Options are how to use a server. The zero value reads only.
type Options struct {
	Write bool   // let everything through; false: only known reading commands
	Name  string // CLIENT SETNAME of the client's connections, where allowed; empty: none

	// Dial opens a connection in place of the target's address: the embedded engine's in memory.
	Dial func(ctx context.Context) (net.Conn, error)

	Now     func() time.Time // the local clock; nil is time.Now
	Timeout time.Duration    // of connecting and of each call without a deadline; 0 is DefaultTimeout
}

// Client is an open server. It may be used from several goroutines. After the server went away and came
// back, the next call connects again by itself.
type Client struct {
	target Target
	opts   Options
	log    *Log
	dial   func(context.Context) (net.Conn, error)

	mu       sync.Mutex
	rdb      *redis.Client
	server   Server
	features Features
	sessions map[*Session]struct{}
	closed   bool

	look memory // what Observe remembers between looks
}

// Open connects to a server, and asks what it is and can do. It sends nothing that changes anything
// there. Its error is an *Error whose text is one sentence.
func Open(ctx context.Context, target Target, opts Options) (*Client, error) {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Timeout <= 0 {
		opts.Timeout = DefaultTimeout
	}
	c := &Client{target: target, opts: opts, log: &Log{}, sessions: map[*Session]struct{}{}}
	var err error
	if c.dial, err = c.dialler(); err != nil {
		return nil, &Error{Server: target.String(), Reason: Unreachable, Detail: err.Error()}
	}
	c.rdb = c.connect("", poolSize, c.dial, c.greet)
	if err := c.probe(ctx); err != nil {
		_ = c.Close()
		return nil, err
	}
	return c, nil
}

// Target is the server that was opened.
func (c *Client) Target() Target { return c.target }

// ReadOnly says whether the guard lets only reading commands through.
func (c *Client) ReadOnly() bool { return !c.opts.Write }

// Log is the log of what was sent.
func (c *Client) Log() *Log { return c.log }

// Do sends one command. An error reply is a Value of kind Error, with a nil error. The error is a
// *GuardError when the command was refused here, else an *Error.
func (c *Client) Do(ctx context.Context, args ...string) (resp.Value, error) {
	if err := checkShared(args); err != nil {
		return resp.Value{}, err
	}
	ctx, cancel := deadline(ctx, c.opts.Timeout+blockTime(args))
	defer cancel()
	var v resp.Value
	err := c.again([][]string{args}, func(r *redis.Client) (err error) {
		v, err = rawDo(ctx, r, args)
		return err
	})
	return v, err
}

// Pipeline sends several commands in one go and returns one reply for each, in order. Other clients'
// commands may run in between.
func (c *Client) Pipeline(ctx context.Context, cmds [][]string) ([]resp.Value, error) {
	for _, args := range cmds {
		if err := checkShared(args); err != nil {
			return nil, err
		}
	}
	return c.pipeline(ctx, cmds)
}

func (c *Client) pipeline(ctx context.Context, cmds [][]string) ([]resp.Value, error) {
	ctx, cancel := deadline(ctx, c.opts.Timeout)
	defer cancel()
	var vs []resp.Value
	err := c.again(cmds, func(r *redis.Client) (err error) {
		vs, err = rawPipeline(ctx, r, cmds)
		return err
	})
	return vs, err
}

// again does f, and once more when the connection turned out to have ended (the server was restarted, or
// closed it for being idle; over TLS nobody can tell beforehand) and the commands only read. What may write
// is never sent twice.
func (c *Client) again(cmds [][]string, f func(*redis.Client) error) error {
	r := c.redis()
	err := f(r)
	if err == nil {
		return nil
	}
	ended := errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
	for _, args := range cmds {
		ended = ended && checkRead(args) == nil
	}
	if ended && !errors.As(err, new(dialError)) {
		err = f(r)
	}
	return c.failed(r, err)
}

// TxError tells that a MULTI was not executed: none of its commands ran.
type TxError struct {
	Command []string   // the command that was refused: MULTI itself, one of the queue, or EXEC
	Reply   resp.Value // what the server said
}

// Error is one sentence.
func (e *TxError) Error() string {
	return fmt.Sprintf("nothing was done: %s was refused: %s", commandName(e.Command), e.Reply.Text())
}

// Tx runs commands as one step, in MULTI and EXEC, and returns one reply for each. When the server
// refuses MULTI or one of the commands, none is run and the error is a *TxError. A command that fails
// while running is an error reply among the replies, as always in Redis.
func (c *Client) Tx(ctx context.Context, cmds [][]string) ([]resp.Value, error) {
	for _, args := range cmds {
		if err := checkShared(args); err != nil {
			return nil, err
		}
	}
	ctx, cancel := deadline(ctx, c.opts.Timeout)
	defer cancel()
	r := c.redis()
	conn := r.Conn()
	defer func() { _ = conn.Close() }()
	// MULTI goes ahead alone: were it refused, the commands after it would run one by one.
	multi, err := rawDo(ctx, conn, []string{"MULTI"})
	if err != nil {
		return nil, c.failed(r, err)
	}
	if multi.IsError() {
		return nil, &TxError{Command: []string{"MULTI"}, Reply: multi}
	}
	vs, err := rawPipeline(ctx, conn, append(append([][]string{}, cmds...), []string{"EXEC"}))
	if err != nil {
		return nil, c.failed(r, err)
	}
	for i, queued := range vs[:len(cmds)] {
		if queued.IsError() {
			return nil, &TxError{Command: cmds[i], Reply: queued}
		}
	}
	exec := vs[len(cmds)]
	if exec.Kind != resp.Array || len(exec.Elems) != len(cmds) {
		return nil, &TxError{Command: []string{"EXEC"}, Reply: exec}
	}
	return exec.Elems, nil
}

// Close closes the connections, those of the sessions too; what waits on them ends.
func (c *Client) Close() error {
	c.mu.Lock()
	c.closed = true
	r, sessions := c.rdb, c.sessions
	c.sessions = nil
	c.mu.Unlock()
	for s := range sessions {
		_ = s.Close()
	}
	if err := r.Close(); err != nil && !errors.Is(err, redis.ErrClosed) {
		return c.target.failure(err)
	}
	return nil
}

func (c *Client) redis() *redis.Client {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rdb
}

// failed types an error. After a failed dial it also replaces the go-redis client, whose pool would
// otherwise repeat old dial errors for a while instead of dialling again.
func (c *Client) failed(r *redis.Client, err error) error {
	if err == nil {
		return nil
	}
	if errors.As(err, new(dialError)) {
		c.mu.Lock()
		if c.rdb == r && !c.closed {
			c.rdb = c.connect("", poolSize, c.dial, c.greet)
			defer func() { _ = r.Close() }()
		}
		c.mu.Unlock()
	}
	return c.target.failure(err)
}

// doer is what a go-redis client and a single connection of it have in common.
type doer interface {
	Process(ctx context.Context, cmd redis.Cmder) error
	Pipeline() redis.Pipeliner
}

func rawDo(ctx context.Context, to doer, args []string) (resp.Value, error) {
	cmd := redis.NewRawCmd(ctx, anys(args)...)
	if err := to.Process(ctx, cmd); err != nil {
		return resp.Value{}, err
	}
	return decode(cmd.Val())
}

func rawPipeline(ctx context.Context, to doer, cmds [][]string) ([]resp.Value, error) {
	if len(cmds) == 0 {
		return nil, nil
	}
	pipe := to.Pipeline()
	raws := make([]*redis.RawCmd, len(cmds))
	for i, args := range cmds {
		raws[i] = redis.NewRawCmd(ctx, anys(args)...)
		if err := pipe.Process(ctx, raws[i]); err != nil {
			return nil, err
		}
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return nil, err
	}
	out := make([]resp.Value, len(cmds))
	for i, raw := range raws {
		v, err := decode(raw.Val())
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

func decode(raw []byte) (resp.Value, error) {
	v, _, err := resp.Decode(raw)
	if err != nil {
		return resp.Value{}, fmt.Errorf("reading the reply: %w", err)
	}
	return v, nil
}

func anys(args []string) []any {
	out := make([]any, len(args))
	for i, a := range args {
		out[i] = a
	}
	return out
}

// deadline gives a context a deadline when it has none.
func deadline(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	if _, has := ctx.Deadline(); has {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, d)
}

// blockTime is how long a command asks the server to wait: XREAD and XREADGROUP's BLOCK in ms, BLPOP's
// and its like's last argument in seconds. For ever (0) counts as none: the deadline ends it.
func blockTime(args []string) time.Duration {
	if len(args) < 3 {
		return 0
	}
	switch strings.ToUpper(args[0]) {
	case "XREAD", "XREADGROUP":
		for i, a := range args[:len(args)-1] {
			if strings.EqualFold(a, "BLOCK") {
				ms, _ := strconv.ParseInt(args[i+1], 10, 64)
				return time.Duration(min(max(ms, 0), int64(time.Hour/time.Millisecond))) * time.Millisecond
			}
			if strings.EqualFold(a, "STREAMS") {
				return 0
			}
		}
	case "BLPOP", "BRPOP", "BLMOVE", "BRPOPLPUSH", "BZPOPMIN", "BZPOPMAX":
		s, _ := strconv.ParseFloat(args[len(args)-1], 64)
		return time.Duration(min(max(s, 0), time.Hour.Seconds()) * float64(time.Second))
	}
	return 0
}
