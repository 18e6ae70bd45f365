package ui_test

import (
	"context"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pelscope/redisx/embedded"
	"pelscope/redisx/private/servertest"
	"pelscope/ui/uitest"
)

// offstage runs what must not run in a bubble: waiting for processes.
func offstage(t *testing.T) (run func(func())) {
	t.Helper()
	work, done := make(chan func()), make(chan struct{})
	go func() {
		defer close(done)
		for f := range work {
			f()
			done <- struct{}{}
		}
	}()
	t.Cleanup(func() { close(work); <-done })
	return func(f func()) {
		work <- f
		<-done
	}
}

// seed is a stream of 30 entries, ten of them read and pending.
func seed() []string {
	var lines []string
	for i := 1; i <= 30; i++ {
		lines = append(lines, fmt.Sprintf("XADD orders %d-0 eventType OrderPaid orderId %d", i, i))
	}
	return append(lines, "XGROUP CREATE orders settlement 0", "XREADGROUP GROUP settlement alice COUNT 10 STREAMS orders >")
}

// answersKeys fails unless a key moves the selection within a frame, whatever the server does.
func (x *explorer) answersKeys() {
	x.t.Helper()
	before := x.Screen()
	x.Press("down")
	if after := x.Screen(); after == before {
		x.t.Fatalf("the key down changed nothing:\n%s", after)
	}
	x.Press("up", "tab", "shift+tab", "home")
}

// C20
func TestAServerThatDiesAndReturns(t *testing.T) {
	srv := servertest.One(t)
	run, open := offstage(t), byURL(srv.URL())
	synctest.Test(t, func(t *testing.T) {
		x := exploring(t, open, "orders", "settlement", seed())
		defer x.end()
		x.poll()
		x.within("live 1s", "▸30-0", "alice 1-0")
		run(srv.Kill)
		x.poll()
		x.within("retrying: ", "▸30-0", "alice 1-0", "orders · 30 entries")
		for range 10 {
			x.answersKeys()
			x.poll()
		}
		x.within("stale 1", "retrying: ", "▸30-0", "alice 1-0")
		x.hides("live 1s")
		run(func() { srv.Again(t) })
		x.Advance(3 * time.Second)
		x.within("live 1s", "connected again; what happened meanwhile is one step", "there is no key orders now", "key orders is gone")
		x.hides("retrying")
		x.do(seed()...)
		x.poll()
		x.within("▸30-0", "alice 1-0", "key orders appeared (stream)")
	})
}

// slow is a connection to a server in memory that can be slow, or hang.
type slow struct {
	net.Conn
	delay *atomic.Int64
}

const hangs = 1 << 62

func (c slow) Write(p []byte) (int, error) {
	switch d := time.Duration(c.delay.Load()); {
	case d == hangs:
		return len(p), nil // sent, and never answered
	case d > 0:
		time.Sleep(d)
	}
	return c.Conn.Write(p)
}

// inMemory is a server in memory, reached over a wire that can be slow or cut. Call it inside the bubble.
func inMemory() (*embedded.Engine, *wire, *atomic.Int64) {
	e, delay := embedded.New(embedded.Options{}), &atomic.Int64{}
	return e, &wire{dial: func(ctx context.Context) (net.Conn, error) {
		c, err := e.Dial(ctx)
		return slow{c, delay}, err
	}}, delay
}

// C20
func TestAServerThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, w, delay := inMemory()
		defer func() { _ = e.Close() }()
		x := exploring(t, byDial(w), "orders", "settlement", seed())
		defer x.end()
		x.poll()
		delay.Store(hangs)
		x.Advance(4500 * time.Millisecond)
		x.within("no answer yet", "stale 4s", "▸30-0", "alice 1-0")
		x.answersKeys()
		x.Advance(5 * time.Second)
		x.within("stale 9s, retrying: no answer in time", "▸30-0", "alice 1-0")
		for range 30 {
			x.answersKeys()
			x.Advance(time.Second)
		}
		x.within("▸30-0", "alice 1-0", "retrying: no answer in time")
		delay.Store(0)
		x.WaitFor("live 1s")
		x.do("XADD orders 31-0 eventType OrderPaid orderId 31")
		x.poll()
		x.within("31-0 □", "connected again")
	})
}

func TestAServerTwoSecondsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, w, delay := inMemory()
		defer func() { _ = e.Close() }()
		x := exploring(t, byDial(w), "orders", "settlement", seed())
		defer x.end()
		x.poll()
		delay.Store(int64(2 * time.Second))
		for i := range 5 {
			x.answersKeys()
			x.Advance(4 * time.Second)
			delay.Store(0)
			x.do(fmt.Sprintf("XADD orders %d-0 eventType OrderPaid orderId %d", 31+i, 31+i))
			delay.Store(int64(2 * time.Second))
			x.Advance(6 * time.Second)
			x.within(fmt.Sprintf("orders · %d entries", 31+i))
			x.hides("retrying")
		}
	})
}

// A real server that is stopped in its tracks keeps neither the keys nor the screen.
func TestARealServerThatHangs(t *testing.T) {
	srv := servertest.One(t)
	x := live(t, byURL(srv.URL()), seed())
	x.waitFor("live 1s")
	x.waitFor("alice")
	srv.Pause()
	x.waitFor("no answer yet")
	for _, row := range []string{"29-0", "28-0", "27-0"} {
		began := time.Now()
		x.press("\x1b[B")
		x.waitFor("▸" + row)
		if took := time.Since(began); took > 500*time.Millisecond {
			t.Errorf("a key took %v while the server hangs", took)
		}
	}
	srv.Resume()
	x.waitFor("live 1s")
	x.waitFor("▸27-0")
}

// C11: what is open can be destroyed, deleted, renamed, become something else, and come back.
func TestWhatIsOpenGoesAndComesBack(t *testing.T) {
	srv := servertest.One(t)
	synctest.Test(t, func(t *testing.T) {
		x := exploring(t, byURL(srv.URL()), "orders", "settlement", seed())
		defer x.end()
		for _, step := range []struct {
			does  []string
			shows []string
			hides []string
		}{
			{nil, []string{"live 1s", "alice 1-0", "lag 20"}, nil},
			{[]string{"XGROUP DESTROY orders settlement"}, []string{"there is no group settlement now", "group - settlement, 10 pending with it", "▸30-0"}, []string{"alice 1-0"}},
			{[]string{"XGROUP CREATE orders settlement $"}, []string{"no consumer yet", "nothing is pending", "lag 0"}, []string{"there is no group"}},
			{[]string{"DEL orders"}, []string{"there is no key orders now", "key orders is gone"}, []string{"▸30-0"}},
			{seed(), []string{"alice 1-0", "▸30-0", "lag 20"}, []string{"there is no"}},
			{[]string{"RENAME orders archive"}, []string{"there is no key orders now"}, nil},
			{[]string{"RPUSH orders a"}, []string{"orders is a list now, not a stream"}, nil},
			{[]string{"DEL orders", "SET orders x"}, []string{"orders is a string now, not a stream"}, nil},
			{[]string{"RENAME archive orders"}, []string{"alice 1-0", "▸30-0", "lag 20", "live 1s"}, []string{"not a stream"}},
		} {
			x.do(step.does...)
			x.poll()
			x.within(step.shows...)
			x.hides(step.hides...)
			x.Press("down", "c", "tab", "o", "]", "G", "g", "pgdown", "f", "shift+tab", "g")
		}
	})
}

// A user who may only read opens it; what is denied says so where it would stand.
func TestAUserWhoMayOnlyRead(t *testing.T) {
	srv := servertest.One(t)
	for _, c := range []struct {
		rules string
		shows []string
		hides []string
	}{
		{"+@read -@dangerous", []string{"torn", "▸30-0", "alice 1-0", "lag 20", "orders · 30 entries · 1 group"}, nil},
		{
			"+@read -@dangerous -xlen -xinfo", []string{"torn", "▸30-0", "this user may not run XINFO GROUPS", "entries unknown"},
			[]string{"no group", "nothing is pending", "no consumer", "0 entries"},
		},
		{"+@read -@dangerous -xpending", []string{"this user may not run XPENDING", "lag 20"}, []string{"nothing is pending"}},
		{"+@read -@dangerous -xrevrange -xrange", []string{"this user may not run XREVRANGE", "alice"}, []string{"no entries"}},
		{"+@read -@dangerous -type -xinfo", []string{"this user may not run TYPE"}, []string{"no group", "no entries", "nothing is pending", "there is no key"}},
	} {
		t.Run(c.rules, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				admin := byURL(srv.URL())
				first := exploring(t, admin, "orders", "", append([]string{
					"FLUSHALL", "ACL DELUSER viewer", "ACL SETUSER viewer on >sesame ~* " + c.rules,
				}, seed()...))
				first.end()
				url := strings.Replace(srv.URL(), "://:"+srv.Password, "://viewer:sesame", 1)
				x := exploring(t, byURL(url), "orders", "settlement", nil)
				defer x.end()
				x.Advance(3 * time.Second)
				x.within(c.shows...)
				x.hides(c.hides...)
				x.hides("sesame")
				for range 6 {
					x.Press("down", "enter", "esc", "G", "g", "tab")
				}
			})
		})
	}
}

// C25: equal data draws nothing: no byte goes over the line.
func TestNothingNewDrawsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, w, _ := inMemory()
		defer func() { _ = e.Close() }()
		x := exploring(t, byDial(w), "orders", "settlement", seed()[:31])
		defer x.end()
		x.Advance(2500 * time.Millisecond)
		x.Bytes()
		x.Advance(time.Minute)
		if n := x.Bytes(); n != 0 {
			t.Errorf("%d bytes were written in a minute in which nothing happened", n)
		}
		x.Press("down", "down", "down")
		x.Bytes()
		x.Advance(time.Minute)
		if n := x.Bytes(); n != 0 {
			t.Errorf("with a row selected: %d bytes were written in a minute in which nothing happened", n)
		}
		before := x.Line(10)
		for i := range 5 {
			x.do(fmt.Sprintf("XADD orders %d-0 a b", 31+i))
			x.poll()
		}
		if !strings.Contains(before, "▸27-0") || x.Line(10) != before {
			t.Errorf("the row that is read moved: was %q, is %q", before, x.Line(10))
		}
	})
}

// C7: the key to look again is held for five seconds while entries come: no row twice, none missing.
func TestTheRefreshKeyIsHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, w, delay := inMemory()
		defer func() { _ = e.Close() }()
		x := exploring(t, byDial(w), "orders", "settlement", seed(), uitest.Size(80, 24))
		defer x.end()
		delay.Store(int64(3 * time.Millisecond))
		for i := range 120 {
			x.Press("r")
			x.do(fmt.Sprintf("XADD orders %d-0 a b", 31+i))
		}
		x.poll()
		x.within("orders · 150 entries", "▸150-0")
		for y := 8; y < 21; y++ {
			if want := fmt.Sprintf("%d-0", 150-(y-8)); !strings.Contains(x.Line(y), want) {
				t.Errorf("line %d is %q, want %s", y, x.Line(y), want)
			}
		}
		if n := strings.Count(x.Screen(), "148-0"); n != 1 {
			t.Errorf("148-0 stands there %d times", n)
		}
	})
}
