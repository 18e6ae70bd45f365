package client_test

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"

	"pelscope/redisx/client"
	"pelscope/redisx/private/servertest"
	"pelscope/redisx/resp"
)

// recorder is a server that notes what reaches it and says OK to everything.
type recorder struct {
	mu  sync.Mutex
	got []string
}

func (r *recorder) dial(context.Context) (net.Conn, error) {
	near, far := net.Pipe()
	replies := make(chan string, 1000)
	go func() {
		for line := range replies {
			_, _ = far.Write([]byte(line))
		}
	}()
	go func() {
		defer close(replies)
		in := resp.NewReader(far)
		for {
			v, err := in.Read()
			if err != nil {
				return
			}
			words := []string{}
			for _, e := range v.Elems {
				words = append(words, e.Text())
			}
			r.mu.Lock()
			r.got = append(r.got, strings.ToUpper(strings.Join(words, " ")))
			r.mu.Unlock()
			if strings.EqualFold(words[0], "HELLO") {
				replies <- "-ERR unknown command 'HELLO'\r\n"
			} else {
				replies <- "+OK\r\n"
			}
		}
	}()
	return near, nil
}

func (r *recorder) seen() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.got)
}

func TestNothingButReadingReachesAServer(t *testing.T) {
	r := &recorder{}
	c := open(t, client.Target{}, client.Options{Dial: r.dial, Name: "n"})
	s, err := c.Session(within(t), "alice")
	if err != nil {
		t.Fatal(err)
	}
	before := r.seen()
	for _, line := range []string{
		"XADD s * a 1", "xadd s * a 1", "XREADGROUP GROUP g a STREAMS s >", "XACK s g 1-0", "XCLAIM s g a 0 1-0",
		"XGROUP CREATE s g 0", "XGROUP DELCONSUMER s g a", "XTRIM s MAXLEN 0", "XDEL s 1-0", "XSETID s 5-0",
		"SET k v", "GETEX k PERSIST", "SORT k STORE x", "EVAL return 0", "EVAL_RO return 0", "FCALL f 0", "KEYS *",
		"CONFIG GET *", "CONFIG SET save x", "FLUSHALL", "SHUTDOWN", "DEBUG SLEEP 1", "CLIENT KILL x", "CLIENT PAUSE 1",
		"RESTORE k 0 x", "TOUCH k", "PFCOUNT k", "NOSUCHCOMMAND", "BLPOP l 0", "",
	} {
		args := strings.Fields(line)
		var refused *client.GuardError
		if _, err := c.Do(within(t), args...); !errors.As(err, &refused) {
			t.Errorf("Do %q: %v", line, err)
		}
		if _, err := c.Pipeline(within(t), [][]string{{"XLEN", "s"}, args}); !errors.As(err, &refused) {
			t.Errorf("Pipeline %q: %v", line, err)
		}
		if _, err := s.Do(within(t), args...); !errors.As(err, &refused) {
			t.Errorf("Session.Do %q: %v", line, err)
		}
		if done, err := s.Start(args...); err == nil {
			if got := <-done; !errors.As(got.Err, &refused) {
				t.Errorf("Session.Start %q: %v", line, got.Err)
			}
		}
	}
	if after := r.seen(); !slices.Equal(before, after) {
		t.Errorf("reached the server: %q", after[len(before):])
	}
	if _, err := c.Tx(within(t), [][]string{{"XLEN", "s"}, {"XADD", "s", "*", "a", "1"}}); !errors.As(err, new(*client.GuardError)) {
		t.Errorf("Tx: %v", err)
	}
	for _, got := range r.seen() {
		if strings.HasPrefix(got, "XADD") {
			t.Error("a Tx let", got, "through")
		}
	}
}

// C27: what opening sends, word by word.
func TestOpeningSendsNothingThatChangesTheServer(t *testing.T) {
	r := &recorder{}
	open(t, client.Target{}, client.Options{Dial: r.dial, Name: "pelscope"})
	var got []string
	for _, line := range r.seen() {
		if strings.HasPrefix(line, "COMMAND INFO") {
			line = "COMMAND INFO …"
		}
		got = append(got, line)
	}
	want := []string{
		"HELLO 2", "CLIENT SETNAME PELSCOPE", "CLIENT NO-TOUCH ON", "HELLO", "INFO SERVER", "INFO REPLICATION",
		"COMMAND INFO …", "COMMAND DOCS XREADGROUP", "MULTI", "EXEC",
	}
	if !slices.Equal(got, want) {
		t.Errorf("sent %q", got)
	}
}

func TestWhatSharesAConnectionIsNotChanged(t *testing.T) {
	r := &recorder{}
	c := open(t, client.Target{}, client.Options{Dial: r.dial, Write: true})
	for _, line := range []string{"SELECT 1", "AUTH x", "MULTI", "WATCH k", "HELLO 3", "CLIENT REPLY OFF", "SUBSCRIBE c", "MONITOR", "RESET"} {
		if _, err := c.Do(within(t), strings.Fields(line)...); !errors.As(err, new(*client.GuardError)) {
			t.Errorf("%s: %v", line, err)
		}
	}
	if _, err := c.Do(within(t), "XADD", "s", "*", "a", "1"); err != nil {
		t.Errorf("with Write: %v", err)
	}
}

// The allow-list against what each real server says of its commands.
func TestTheServersAgreeThatWhatTheGuardLetsThroughOnlyReads(t *testing.T) {
	servertest.Each(t, func(t *testing.T, s servertest.Server) {
		all, err := s.Client(t).Do(within(t), "COMMAND").Slice()
		if err != nil {
			t.Fatal(err)
		}
		c := reader(t, s)
		reads := 0
		var check func(entry []any)
		check = func(entry []any) {
			name, flags := entry[0].(string), entry[2].([]any)
			if subs, ok := entry[len(entry)-1].([]any); ok && len(subs) > 0 {
				if first, ok := subs[0].([]any); ok && len(first) > 6 {
					for _, sub := range subs {
						check(sub.([]any))
					}
					return
				}
			}
			args := strings.Split(name, "|")
			for _, stop := range []string{"multi", "exec", "discard", "select", "auth"} {
				if args[0] == stop {
					return
				}
			}
			if _, err := c.Pipeline(within(t), [][]string{append(args, "\x00", "\x00", "\x00", "\x00", "\x00", "\x00", "\x00", "\x00", "\x00", "\x00", "\x00", "\x00")}); err != nil {
				return
			}
			reads++
			for _, f := range flags {
				if f == "write" || f == "may_replicate" || f == "pubsub" {
					t.Errorf("%s is let through and is %v", name, flags)
				}
			}
		}
		for _, e := range all {
			check(e.([]any))
		}
		if reads < 50 {
			t.Errorf("only %d commands were let through", reads)
		}
	})
}
