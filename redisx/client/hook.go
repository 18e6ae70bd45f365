package client

import (
	"context"
	"fmt"
	"net"
	"time"

	"github.com/redis/go-redis/v9"
)

// watch is the hook under every connection: the guard stands here, and here the log is written.
type watch struct {
	write bool
	who   string
	log   *Log
	now   func() time.Time
}

var _ redis.Hook = watch{}

// DialHook leaves dialling alone; the dialler is ours.
func (w watch) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

// ProcessHook guards and logs a single command.
func (w watch) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		args := argsOf(cmd)
		if err := w.check(args); err != nil {
			cmd.SetErr(err)
			return err
		}
		start := w.now()
		err := next(ctx, cmd)
		w.record(cmd, Sent{At: start, Args: args, Took: w.now().Sub(start)}, err)
		return err
	}
}

// ProcessPipelineHook guards and logs a pipeline; one refused command keeps all of it back.
func (w watch) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		all := make([][]string, len(cmds))
		for i, cmd := range cmds {
			all[i] = argsOf(cmd)
			if err := w.check(all[i]); err != nil {
				for _, c := range cmds {
					c.SetErr(err)
				}
				return err
			}
		}
		start, batch := w.now(), w.log.batch()
		err := next(ctx, cmds)
		took := w.now().Sub(start)
		for i, cmd := range cmds {
			w.record(cmd, Sent{At: start, Args: all[i], Took: took, Batch: batch}, cmd.Err())
		}
		return err
	}
}

func (w watch) check(args []string) error {
	if w.write {
		return nil
	}
	return checkRead(args)
}

// record completes what was sent with what came back, and logs it.
func (w watch) record(cmd redis.Cmder, s Sent, err error) {
	s.Who, s.Args = w.who, forLog(s.Args)
	raw, isRaw := cmd.(*redis.RawCmd)
	switch {
	case isRaw && err == nil:
		s.Bytes = len(raw.Val())
		s.Reply = summary(raw.Val())
	case err == nil:
		s.Reply = "OK"
	case isReply(err):
		s.Reply = err.Error()
	default:
		s.Err = string(reasonOf(err, false))
	}
	w.log.add(s)
}

// isReply says whether an error of go-redis is the server's own reply.
func isReply(err error) bool {
	_, ok := err.(redis.Error) //nolint:errorlint // go-redis's replies implement it themselves
	return ok
}

func argsOf(cmd redis.Cmder) []string {
	args := cmd.Args()
	out := make([]string, len(args))
	for i, a := range args {
		if s, ok := a.(string); ok {
			out[i] = s
			continue
		}
		out[i] = fmt.Sprint(a)
	}
	return out
}
