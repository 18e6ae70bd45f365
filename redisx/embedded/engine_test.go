package embedded_test

import (
	"context"
	"errors"
	"net"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/go-redis/v9"

	"pelscope/redisx/embedded"
	"pelscope/redisx/private/servertest"
	"pelscope/redisx/resp"
)

func goRedis(e *embedded.Engine) *redis.Client {
	return redis.NewClient(&redis.Options{Addr: "memory", MaxRetries: -1, ContextTimeoutEnabled: true,
		Dialer: func(ctx context.Context, _, _ string) (net.Conn, error) { return e.Dial(ctx) }})
}

// waitBlocked returns when that many clients are blocked.
func waitBlocked(t testing.TB, s *session, n int) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); s.blocked() != n; {
		if time.Now().After(end) {
			t.Fatalf("never saw %d blocked clients", n)
		}
	}
}

func TestTimePassesOnlyInTheBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := embedded.New(embedded.Options{})
		c, ctx, start := goRedis(e), context.Background(), time.Now()
		if err := c.XGroupCreateMkStream(ctx, "s", "g", "0").Err(); err != nil {
			t.Fatal(err)
		}
		go func() {
			time.Sleep(time.Second)
			c.XAdd(ctx, &redis.XAddArgs{Stream: "s", ID: "1-1", Values: []string{"a", "b"}})
		}()
		read := func(block time.Duration) error {
			return c.XReadGroup(ctx, &redis.XReadGroupArgs{Group: "g", Consumer: "a", Streams: []string{"s", ">"}, Block: block}).Err()
		}
		if err := read(time.Minute); err != nil || time.Since(start) != time.Second {
			t.Errorf("woken after %v: %v", time.Since(start), err)
		}
		if err := read(2 * time.Second); !errors.Is(err, redis.Nil) || time.Since(start) != 3*time.Second {
			t.Errorf("timed out after %v: %v", time.Since(start), err)
		}
		rows := c.XPendingExt(ctx, &redis.XPendingExtArgs{Stream: "s", Group: "g", Start: "-", End: "+", Count: 9}).Val()
		if len(rows) != 1 || rows[0].Idle != 2*time.Second {
			t.Errorf("pending %+v, want an idle of 2s", rows)
		}
		c.Set(ctx, "k", "v", 5*time.Second)
		time.Sleep(5 * time.Second)
		synctest.Wait()
		if n := c.DBSize(ctx).Val(); n != 1 {
			t.Errorf("%d keys, want the stream alone: the other expired", n)
		}
		if err := errors.Join(c.Close(), e.Close()); err != nil {
			t.Error(err)
		}
	})
}

// stepped is a clock that moves when its test says so.
type stepped struct {
	mu     sync.Mutex
	now    time.Time
	timers []*timer
}

type timer struct {
	at   time.Time
	f    func()
	done bool
}

func (c *stepped) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *stepped) AfterFunc(d time.Duration, f func()) (stop func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	tm := &timer{at: c.now.Add(d), f: f}
	c.timers = append(c.timers, tm)
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		was := tm.done
		tm.done = true
		return !was
	}
}

func (c *stepped) advance(d time.Duration) {
	c.mu.Lock()
	c.now = c.now.Add(d)
	var due []func()
	for _, tm := range c.timers {
		if !tm.done && !tm.at.After(c.now) {
			tm.done = true
			due = append(due, tm.f)
		}
	}
	c.mu.Unlock()
	for _, f := range due {
		f()
	}
}

func TestAnInjectedClockEndsBlockingAndKeys(t *testing.T) {
	clock := &stepped{now: time.UnixMilli(1_735_200_000_000)}
	s := engineWith(t, embedded.Options{Clock: clock}).session(t)
	defer s.close()
	s.on("").do("SET", "k", "v", "PX", "500")
	s.on("b").send("BLPOP", "q", "2")
	waitBlocked(t, s, 1)
	clock.advance(1999 * time.Millisecond)
	if n := s.blocked(); n != 1 {
		t.Fatalf("%d blocked before the time", n)
	}
	if v := s.on("").do("DBSIZE"); v.Int != 0 {
		t.Errorf("%d keys after the expiry", v.Int)
	}
	clock.advance(time.Millisecond)
	if v, ok := s.on("b").recv(time.Second); !ok || v.Kind != resp.NilArray {
		t.Errorf("got %s, %v; want a nil array", show(v), ok)
	}
	if v := s.on("").do("XADD", "s", "*", "a", "b"); v.Str != "1735200002000-0" {
		t.Errorf("id %s is not of the clock", v.Str)
	}
}

func TestAClientThatClosesWhileBlockedTakesNothing(t *testing.T) {
	s := enginePlace(t).session(t)
	defer s.close()
	s.on("").do("XGROUP", "CREATE", "s", "g", "0", "MKSTREAM")
	for range 20 {
		s.on("w").do("CLIENT", "SETNAME", "doomed")
		s.on("w").send("XREADGROUP", "GROUP", "g", "dead", "BLOCK", "0", "STREAMS", "s", ">")
		waitBlocked(t, s, 1)
		s.hangUp("w") // from here on it is gone: no waiting, no second look
		if list := s.on("").do("CLIENT", "LIST").Text(); strings.Contains(list, "doomed") || s.blocked() != 0 {
			t.Fatalf("still there:\n%s", list)
		}
		s.on("").do("XADD", "s", "*", "a", "b")
		if n := s.on("").do("XPENDING", "s", "g").Elems[0]; n.Int != 0 {
			t.Fatalf("%d entries were delivered to it", n.Int)
		}
		s.on("").do("XGROUP", "SETID", "s", "g", "$")
	}
}

func TestWhatABlockedClientSendsRunsAfterwardsInOrder(t *testing.T) {
	s := enginePlace(t).session(t)
	defer s.close()
	w := s.on("w")
	w.send("BLPOP", "q", "0")
	waitBlocked(t, s, 1)
	for _, args := range [][]string{{"SET", "k", "1"}, {"BLPOP", "q", "0"}, {"INCR", "k"}} {
		w.send(args...)
	}
	if v := s.on("").do("EXISTS", "k"); v.Int != 0 {
		t.Fatal("a command overtook the blocked one")
	}
	s.on("").do("RPUSH", "q", "a", "b")
	want := []string{`array["q" "a"]`, "status OK", `array["q" "b"]`, "int 2"}
	for i := range want {
		if v, ok := w.recv(5 * time.Second); !ok || show(v) != want[i] {
			t.Errorf("reply %d: %s, %v; want %s", i, show(v), ok, want[i])
		}
	}
}

func TestKilledAndUnblockedClients(t *testing.T) {
	s := enginePlace(t).session(t)
	defer s.close()
	id := s.on("w").do("CLIENT", "ID").Text()
	s.on("w").send("BLPOP", "q", "0")
	waitBlocked(t, s, 1)
	s.on("").do("CLIENT", "UNBLOCK", id)
	if v, _ := s.on("w").recv(time.Second); v.Kind != resp.NilArray {
		t.Errorf("unblocked with %s", show(v))
	}
	s.on("w").send("BLPOP", "q", "0")
	waitBlocked(t, s, 1)
	s.on("").do("CLIENT", "UNBLOCK", id, "ERROR")
	if v, _ := s.on("w").recv(time.Second); v.Str != "UNBLOCKED client unblocked via CLIENT UNBLOCK" {
		t.Errorf("unblocked with %s", show(v))
	}
	s.on("w").send("BLPOP", "q", "0")
	waitBlocked(t, s, 1)
	if v := s.on("").do("CLIENT", "KILL", "ID", id); v.Int != 1 {
		t.Errorf("killed %s", show(v))
	}
	if n := s.blocked(); n != 0 {
		t.Errorf("%d blocked", n)
	}
	if _, err := resp.NewReader(s.on("w").conn).Read(); err == nil {
		t.Error("the killed client's connection lives")
	}
	own := s.on("self").do("CLIENT", "ID").Text()
	if v := s.on("self").do("CLIENT", "KILL", "ID", own, "SKIPME", "no"); v.Int != 1 {
		t.Errorf("killing oneself: %s", show(v))
	}
	if _, err := resp.NewReader(s.on("self").conn).Read(); err == nil {
		t.Error("the connection that killed itself lives")
	}
}

func clientLine(list, name string) string {
	for line := range strings.Lines(list) {
		if strings.Contains(line, " name="+name+" ") {
			return line
		}
	}
	return ""
}

func TestClientListHasRedissFieldsAndSaysWhoIsBlocked(t *testing.T) {
	s := enginePlace(t).session(t)
	defer s.close()
	s.on("w").do("CLIENT", "SETNAME", "alice")
	s.on("w").send("XREAD", "BLOCK", "0", "STREAMS", "s", "$")
	waitBlocked(t, s, 1)
	line := clientLine(s.on("").do("CLIENT", "LIST").Text(), "alice")
	for _, want := range []string{" flags=b ", " cmd=xread ", " db=0 ", " user=default ", " resp=2 "} {
		if !strings.Contains(line, want) {
			t.Errorf("no %q in %s", want, line)
		}
	}
	s.on("m").do("CLIENT", "SETNAME", "bob")
	for _, cmd := range []string{"WATCH k", "MULTI", "PING"} {
		s.on("m").do(strings.Fields(cmd)...)
	}
	if line := clientLine(s.on("").do("CLIENT", "LIST").Text(), "bob"); !strings.Contains(line, " flags=x ") ||
		!strings.Contains(line, " multi=1 ") || !strings.Contains(line, " watch=1 ") {
		t.Errorf("in a transaction: %s", line)
	}
	servertest.Each(t, func(t *testing.T, srv servertest.Server) {
		if !srv.AtLeast(8, 6) {
			return
		}
		real := realPlace(t, srv).session(t)
		defer real.close()
		names := regexp.MustCompile(`[a-z-]+=`)
		want := names.FindAllString(real.on("").do("CLIENT", "INFO").Text(), -1)
		got := names.FindAllString(s.on("").do("CLIENT", "INFO").Text(), -1)
		if !slices.Equal(got, want) {
			t.Errorf("fields %v\nwant %v", got, want)
		}
	})
}

func TestACloseEndsEverything(t *testing.T) {
	e := embedded.New(embedded.Options{})
	c, err := e.Dial(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	w := newWire(t, c)
	w.do("SET", "k", "v", "EX", "100")
	w.send("BLPOP", "q", "0")
	if err := errors.Join(e.Close(), e.Close()); err != nil {
		t.Error(err)
	}
	if _, err := resp.NewReader(c).Read(); err == nil {
		t.Error("the connection lives")
	}
	if _, err := e.Dial(context.Background()); !errors.Is(err, embedded.ErrClosed) {
		t.Errorf("a closed engine was dialled: %v", err)
	}
}

func TestServeAcceptsFromAListener(t *testing.T) {
	e := embedded.New(embedded.Options{})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- e.Serve(l) }()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	w := newWire(t, c)
	if v := w.do("CLIENT", "INFO"); !strings.Contains(v.Text(), " addr="+c.LocalAddr().String()+" ") {
		t.Errorf("addresses: %s", v.Text())
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if err := <-served; err == nil {
		t.Error("Serve ended without saying why")
	}
	if err := e.Serve(l); !errors.Is(err, embedded.ErrClosed) {
		t.Errorf("a closed engine serves: %v", err)
	}
}

func TestMaxMemoryRefusesWhatWouldGrow(t *testing.T) {
	s := engineWith(t, embedded.Options{MaxMemory: 10_000}).session(t)
	defer s.close()
	c := s.on("")
	oom := "OOM command not allowed when used memory > 'maxmemory'."
	for i := 0; ; i++ {
		if v := c.do("XADD", "s", "*", "f", strings.Repeat("x", 500)); v.Str == oom {
			break
		}
		if i > 100 {
			t.Fatal("never out of memory")
		}
	}
	c.do("MULTI")
	if v := c.do("SET", "k", "v"); v.Str != oom {
		t.Errorf("within MULTI: %s", show(v))
	}
	if v := c.do("EXEC"); !strings.HasPrefix(v.Str, "EXECABORT") {
		t.Errorf("EXEC: %s", show(v))
	}
	if v := c.do("XLEN", "s"); v.Int == 0 {
		t.Error("reading is refused, or nothing was kept")
	}
	c.do("DEL", "s")
	if v := c.do("SET", "k", "v"); v.IsError() {
		t.Errorf("after deleting: %s", show(v))
	}
}
