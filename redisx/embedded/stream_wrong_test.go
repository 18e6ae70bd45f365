package embedded_test

import (
	"sync/atomic"
	"testing"
	"time"

	"pelscope/redisx/embedded"
	"pelscope/redisx/resp"
)

// stopped is a clock that only its test moves; nothing on it ever goes off.
type stopped struct{ ms atomic.Int64 }

func (c *stopped) Now() time.Time { return time.UnixMilli(c.ms.Load()) }

func (c *stopped) AfterFunc(time.Duration, func()) (stop func() bool) {
	return func() bool { return true }
}

// pendingWorld has 1-1 and 1-2 pending for a, delivered once, 50 s ago.
func pendingWorld(t *testing.T, w embedded.Wrong) *wire {
	t.Helper()
	clock := &stopped{}
	clock.ms.Store(1_735_200_000_000)
	s := engineWith(t, embedded.Options{Clock: clock, Wrong: w}).session(t)
	t.Cleanup(s.close)
	c := s.on("")
	for _, line := range []string{"XADD s 1-1 f v", "XADD s 1-2 f v", "XGROUP CREATE s g 0", "XREADGROUP GROUP g a STREAMS s >"} {
		args, _ := resp.Split(line)
		if v := c.do(args...); v.IsError() {
			t.Fatal(v.Str)
		}
	}
	clock.ms.Add(50_000)
	return c
}

// row is what is known of one pending entry.
type row struct {
	owner       string
	idle, count int64
}

func pendingRow(c *wire, id string) row {
	v := c.do("XPENDING", "s", "g", id, id, "1")
	if len(v.Elems) != 1 {
		return row{}
	}
	e := v.Elems[0].Elems
	return row{e[1].Str, e[2].Int, e[3].Int}
}

func TestTheWrongHistoryReadCountsNothing(t *testing.T) {
	for wrong, want := range map[bool]row{false: {"a", 0, 2}, true: {"a", 50_000, 1}} {
		c := pendingWorld(t, embedded.Wrong{HistoryReadKeepsCount: wrong})
		c.do("XREADGROUP", "GROUP", "g", "a", "STREAMS", "s", "0")
		if got := pendingRow(c, "1-1"); got != want {
			t.Errorf("wrong %v: %+v, want %+v", wrong, got, want)
		}
	}
}

func TestTheWrongAckAsksForTheOwner(t *testing.T) {
	for _, wrong := range []bool{false, true} {
		c := pendingWorld(t, embedded.Wrong{AckAsksOwner: wrong})
		c.do("CLIENT", "SETNAME", "lesson:bob")
		if n := c.do("XACK", "s", "g", "1-1").Int; (n == 0) != wrong {
			t.Errorf("wrong %v: bob acknowledged %d of a's", wrong, n)
		}
		c.do("CLIENT", "SETNAME", "lesson:a")
		if n := c.do("XACK", "s", "g", "1-2").Int; n != 1 {
			t.Errorf("wrong %v: a acknowledged %d of its own", wrong, n)
		}
	}
}

func TestTheWrongClaimKeepsTheIdleTime(t *testing.T) {
	for wrong, want := range map[bool]row{false: {"b", 0, 2}, true: {"b", 50_000, 2}} {
		c := pendingWorld(t, embedded.Wrong{ClaimKeepsIdle: wrong})
		c.do("XCLAIM", "s", "g", "b", "0", "1-1")
		c.do("XAUTOCLAIM", "s", "g", "b", "0", "1-2")
		for _, id := range []string{"1-1", "1-2"} {
			if got := pendingRow(c, id); got != want {
				t.Errorf("wrong %v: %s %+v, want %+v", wrong, id, got, want)
			}
		}
	}
}
