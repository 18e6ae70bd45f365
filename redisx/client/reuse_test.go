package client_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pelscope/redisx/client"
	"pelscope/redisx/private/servertest"
	"pelscope/redisx/state"
)

// A chain of looks through windows, each built on the last, never says anything that a whole look at the
// same moment denies: whatever is added, deleted, trimmed, delivered or made anew in between.
func TestWindowsNeverDisagreeWithTheWhole(t *testing.T) {
	everywhere(t, func(t *testing.T, w, r *client.Client) {
		seed := rand.Uint64()
		t.Logf("seed %d", seed)
		rnd := rand.New(rand.NewPCG(seed, 1))
		run(t, w, "XGROUP CREATE s g 0 MKSTREAM")
		windows := []client.Window{{Count: 1}, {Count: 7}, {Count: 1000}, {Anchor: id(t, "40-0"), Before: 3, After: 4}, {Anchor: id(t, "42-0"), Before: 5, After: 2},
			{Anchor: id(t, "38-0"), Before: 2, After: 2}, {Anchor: id(t, "0-1"), Count: 5}}
		prev := make([]*state.State, len(windows))
		next := 1
		for step := range 200 {
			for range 1 + rnd.IntN(3) {
				next = randomCommand(t, w, rnd, next)
			}
			whole := observe(t, w, client.Scope{Keys: []string{"s"}})
			for i, win := range windows {
				st := observe(t, r, client.Scope{Stream: "s", Entries: win, Pending: client.Page{Count: 20}, Prev: prev[i]})
				prev[i] = &st
				if wrong := disagreement(st.Stream("s"), whole.Stream("s"), win); wrong != "" {
					t.Fatalf("step %d, window %+v: %s", step, win, wrong)
				}
				if rnd.IntN(8) == 0 {
					prev[i] = prev[(i+1)%len(prev)] // scrolled: the last look was another window
				}
			}
		}
	})
}

// While another client writes as fast as it can, each look is of one moment: what it shows fits together.
func TestALookIsOfOneMoment(t *testing.T) {
	everywhere(t, func(t *testing.T, w, r *client.Client) {
		run(t, w, "XGROUP CREATE s g 0 MKSTREAM")
		stop, stopped := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(stopped)
			rnd := rand.New(rand.NewPCG(1, 2))
			next := 1
			for {
				select {
				case <-stop:
					return
				default:
					next = randomCommand(t, w, rnd, next)
				}
			}
		}()
		defer func() { close(stop); <-stopped }()
		var prev *state.State
		for range 700 {
			st := observe(t, r, client.Scope{Stream: "s", Entries: client.Window{Count: 1000}, Prev: prev})
			prev = &st
			str := st.Stream("s")
			if str == nil {
				continue
			}
			es := str.Entries.Entries
			if int64(len(es)) != str.Length.Value && len(es) < 1000 {
				t.Fatalf("length %d, but %d entries: %s", str.Length.Value, len(es), span(str.Entries))
			}
			if len(es) > 0 && len(es) < 1000 && es[0].ID != str.FirstID.Value || len(es) > 0 && str.LastID.Value.Less(es[len(es)-1].ID) {
				t.Fatalf("first %s last %s of %s", str.FirstID.Value, str.LastID.Value, span(str.Entries))
			}
		}
	})
}

func randomCommand(t *testing.T, w *client.Client, rnd *rand.Rand, next int) int {
	t.Helper()
	some := func() int { return 1 + rnd.IntN(next) }
	switch n := rnd.IntN(100); {
	case n < 45:
		run(t, w, fmt.Sprintf("XADD s %d-0 n %d", next, next))
		return next + 1
	case n < 50:
		run(t, w, fmt.Sprintf("XADD s MAXLEN %d %d-0 n 1", 1+rnd.IntN(30), next))
		return next + 1
	case n < 65:
		run(t, w, fmt.Sprintf("XDEL s %d-0 %d-0", some(), max(1, next-1-rnd.IntN(10))))
	case n < 70:
		run(t, w, fmt.Sprintf("XTRIM s MINID %d", max(1, next-rnd.IntN(40))))
	case n < 88:
		run(t, w, fmt.Sprintf("XREADGROUP GROUP g c%d COUNT %d STREAMS s >", rnd.IntN(3), 1+rnd.IntN(6)))
	case n < 93:
		run(t, w, fmt.Sprintf("XACK s g %d-0 %d-0", some(), some()))
	case n < 96:
		run(t, w, fmt.Sprintf("XGROUP SETID s g %d-0", some()))
	case n < 98:
		run(t, w, fmt.Sprintf("XSETID s %d-0", next))
		return next + 1
	case n < 99:
		run(t, w, "DEL s", "XGROUP CREATE s g 0 MKSTREAM")
		return 1 + rnd.IntN(3)
	}
	return next
}

func disagreement(part, whole *state.Stream, win client.Window) string {
	if part.Length != whole.Length || part.FirstID != whole.FirstID || part.LastID != whole.LastID || part.MaxDeleted != whole.MaxDeleted {
		return fmt.Sprintf("counters %+v", part)
	}
	outside := func(e state.Entry) bool { return !part.Entries.Holds(e.ID) }
	want := slices.DeleteFunc(slices.Clone(whole.Entries.Entries), outside)
	if ids(want) != ids(part.Entries.Entries) {
		return fmt.Sprintf("%s, but there are %s", span(part.Entries), ids(want))
	}
	all := whole.Entries.Entries
	at := len(all) // where the newer half begins
	before, after := win.Count, 0
	if !win.Anchor.IsZero() {
		at, _ = slices.BinarySearchFunc(all, win.Anchor, func(e state.Entry, id state.ID) int { return e.ID.Compare(id) })
		before, after = win.Before, max(win.After, win.Count)
	}
	if asked := all[max(0, at-before):min(len(all), at+after)]; ids(asked) != ids(want) {
		return fmt.Sprintf("%s, but asked for were %s", span(part.Entries), ids(asked))
	}
	g, _ := part.Group("g")
	for _, row := range g.PEL.Rows {
		_, there := whole.Entry(row.ID)
		if p := part.Present(row.ID); p.Known && p.Value != there {
			return fmt.Sprintf("%s is said to be present: %v", row.ID, p.Value)
		}
	}
	return ""
}

func TestManyLooksAtARestingStreamDecideAboutEveryPendingRow(t *testing.T) {
	s := servertest.One(t)
	w, r := writer(t, s), reader(t, s)
	add(t, w, 1, 60)
	run(t, w, "XGROUP CREATE s g 0", "XREADGROUP GROUP g A COUNT 40 STREAMS s >", "XDEL s 2-0 7-0 33-0")
	var st state.State
	for range 5 {
		st = observe(t, r, client.Scope{Stream: "s", Entries: client.Window{Count: 5}, Prev: &st})
	}
	if got := fmt.Sprint(st.Stream("s").Gone); got != "[2-0 7-0 33-0]" {
		t.Error(got)
	}
	before := r.Log().Total()
	observe(t, r, client.Scope{Stream: "s", Entries: client.Window{Count: 5}, Prev: &st})
	if n := r.Log().Total() - before; n != 8 {
		t.Errorf("still asking:\n%s", sentSince(r, before))
	}
}
