package explore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"pelscope/redisx/client"
	"pelscope/redisx/private/servertest"
	"pelscope/redisx/resp"
	"pelscope/redisx/state"
	"pelscope/ui/explore"
	"pelscope/ui/intent"
	"pelscope/ui/layout"
	"pelscope/ui/theme"
)

// look looks as the program does.
func (w *watcher) look() {
	w.t.Helper()
	want := w.screen.Look()
	st, err := w.reads.Observe(context.Background(), client.Scope{
		Stream: want.Stream, Group: want.Group, Prev: w.screen.State(),
		Entries: client.Window{Tail: want.Tail, Anchor: want.Anchor, Before: 100, After: 100, Count: 200},
		Pending: client.Page{From: want.PendingFrom, Count: 200},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	w.screen.Observed(st, explore.Cost{})
}

// press carries out intents, each with the look that it asks for.
func (w *watcher) press(list ...intent.Intent) {
	w.t.Helper()
	for _, i := range list {
		for _, r := range w.screen.Do(i) {
			if r.Kind == explore.LookNow {
				w.look()
			}
		}
	}
}

func (w *watcher) focus(p layout.Pane) {
	for w.screen.Focus() != p {
		w.screen.Do(intent.NextPane)
	}
}

// pipe sends many command lines in one go.
func (w *watcher) pipe(format string, from, to int) {
	w.t.Helper()
	var cmds [][]string
	for i := from; i <= to; i++ {
		args, err := resp.Split(fmt.Sprintf(format, i))
		if err != nil {
			w.t.Fatal(err)
		}
		cmds = append(cmds, args)
	}
	replies, err := w.writes.Pipeline(context.Background(), cmds)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, v := range replies {
		if v.IsError() {
			w.t.Fatal(v.Str)
		}
	}
}

// big is the explorer on a stream of n entries, n-0 the newest.
func big(t *testing.T, n int) *watcher {
	t.Helper()
	w := watch(t, servertest.One(t))
	w.pipe("XADD orders %d-0 event OrderPaid", 1, n)
	w.do("XGROUP CREATE orders settlement 0")
	w.look()
	return w
}

func (w *watcher) entry() string { return w.screen.Selected(layout.Entries) }

func id0(n int) string { return fmt.Sprintf("%d-0", n) }

// Row 201 follows row 200 at both ends, and both ends are reached.
func TestEveryEntryIsReachedOnceDownAndUp(t *testing.T) {
	const n = 1500
	w := big(t, n)
	for i := n; i >= 1; i-- {
		if w.entry() != id0(i) {
			t.Fatalf("going down: %s is selected, want %s", w.entry(), id0(i))
		}
		w.press(intent.Down)
	}
	w.press(intent.Down, intent.PageDown)
	for i := 1; i <= n; i++ {
		if w.entry() != id0(i) {
			t.Fatalf("going up: %s is selected, want %s", w.entry(), id0(i))
		}
		w.press(intent.Up)
	}
}

// rows are the ids in the pane of entries as it stands, from above.
func (w *watcher) rows() []string {
	var out []string
	for _, line := range strings.Split(ansi.Strip(w.screen.View().String()), "\n") {
		for _, left := range []string{"│▸", "│ "} {
			if rest, ok := strings.CutPrefix(line, left); ok && strings.Contains(rest, "event=") {
				out = append(out, strings.Fields(rest)[0])
			}
		}
	}
	return out
}

func TestPagesShowEveryEntryOfFiveThousand(t *testing.T) {
	const n = 5000
	w := big(t, n)
	w.screen.SetSize(80, 24)
	for _, way := range []intent.Intent{intent.PageDown, intent.PageUp} {
		shown := map[string]bool{}
		before := -1
		for len(shown) > before || w.entry() != id0(1) && w.entry() != id0(n) {
			before = len(shown)
			list := w.rows()
			for i, id := range list {
				if i > 0 && len(list) > 1 && older(id) != older(list[i-1])-1 {
					t.Fatalf("%s follows %s on the screen", id, list[i-1])
				}
				shown[id] = true
			}
			w.press(way)
		}
		if len(shown) != n {
			t.Errorf("%s: %d of %d entries were on the screen", way, len(shown), n)
		}
	}
}

func older(id string) int {
	var n int
	_, _ = fmt.Sscanf(id, "%d-0", &n)
	return n
}

// While entries are added and trimmed, one goes through those that stay, each once and in order.
func TestEveryEntryIsReachedOnceWhileOthersComeAndGo(t *testing.T) {
	const n = 1000
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 1))
		w := big(t, n)
		newest, oldest := n, 1
		meanwhile := func() {
			switch r.IntN(20) {
			case 0:
				add := 1 + r.IntN(30)
				w.pipe("XADD orders %d-0 event OrderPaid", newest+1, newest+add)
				newest += add
			case 1:
				oldest += r.IntN(10)
				w.do(fmt.Sprintf("XTRIM orders MINID = %d", oldest))
			case 2:
				w.look()
			case 3:
				w.press(intent.Refresh)
			}
		}
		w.press(intent.Down)
		last := n - 1
		for last > oldest {
			meanwhile()
			w.press(intent.Down)
			switch at := older(w.entry()); {
			case at == last: // the look that brings more is still to come, or the rest was trimmed
				w.look()
			case at != last-1:
				t.Fatalf("seed %d: %d follows %d (oldest %d)", seed, at, last, oldest)
			default:
				last = at
			}
		}
		for last = older(w.entry()); last < newest; {
			meanwhile()
			w.press(intent.Up)
			at := older(w.entry())
			if at == last {
				w.look()
			} else if at != last+1 && last >= oldest {
				t.Fatalf("seed %d: %d follows %d (newest %d)", seed, at, last, newest)
			}
			last = at
		}
	}
}

// The row that is read stays, and stays where it is on the screen, however many come above it.
func TestTheSelectionStaysOnItsEntry(t *testing.T) {
	for _, come := range []int{1, 3, 150, 199, 200, 1000} {
		w := big(t, 600)
		w.press(intent.Down, intent.Down, intent.Down, intent.Down)
		chosen, line := w.entry(), w.line()
		for round := range 3 {
			w.pipe("XADD orders %d-0 event OrderPaid", 601+round*come, 600+(round+1)*come)
			w.do("XTRIM orders MINID = " + id0(2+round))
			w.do("XDEL orders " + id0(590-round))
			w.look()
			if w.entry() != chosen || w.line() != line {
				t.Fatalf("%d came: %s on line %d is selected, was %s on line %d", come, w.entry(), w.line(), chosen, line)
			}
		}
		w.press(intent.Top)
		if w.entry() != id0(600+3*come) {
			t.Errorf("home goes to %s, not to the newest", w.entry())
		}
		w.do("XADD orders * event OrderPaid")
		w.look()
		if newest := string(w.screen.State().Stream("orders").LastID.Value.String()); w.entry() != newest {
			t.Errorf("at the top, %s is selected and not the newest, %s", w.entry(), newest)
		}
	}
}

// line is where the selected entry stands on the screen.
func (w *watcher) line() int {
	return slices.IndexFunc(strings.Split(ansi.Strip(w.screen.View().String()), "\n"), func(l string) bool {
		return strings.HasPrefix(l, "│▸")
	})
}

func TestTheEntryThatIsReadMayGo(t *testing.T) {
	w := big(t, 50)
	w.press(intent.Down, intent.Down)
	w.do("XDEL orders " + id0(48))
	w.look()
	if w.entry() != id0(47) && w.entry() != id0(49) {
		t.Errorf("the selected entry was deleted, now %s is selected and no neighbour", w.entry())
	}
}

func TestToTheCursorAndToBothEnds(t *testing.T) {
	w := big(t, 1000)
	w.do("XREADGROUP GROUP settlement alice COUNT 300 STREAMS orders >")
	w.look()
	for range 2 { // from afar, and from where it is
		w.press(intent.GoCursor)
		if w.entry() != id0(300) || !strings.Contains(w.screen.View().String(), "settlement's cursor") {
			t.Errorf("%s is selected, want 300-0 with the cursor's line in view", w.entry())
		}
	}
	w.press(intent.Bottom)
	if w.entry() != id0(1) {
		t.Errorf("end goes to %s", w.entry())
	}
	w.press(intent.GoTail)
	if w.entry() != id0(1000) {
		t.Errorf("the newest is %s", w.entry())
	}
	w.press(intent.Down, intent.Bottom)
	if w.entry() != id0(1) {
		t.Errorf("end goes to %s", w.entry())
	}
	w.do("XGROUP SETID orders settlement 0")
	w.look()
	w.press(intent.GoTail, intent.GoCursor)
	if w.entry() != id0(1) {
		t.Errorf("a cursor before all entries is at %s", w.entry())
	}
	w.do("XGROUP SETID orders settlement 500-0")
	w.do("XDEL orders 500-0")
	w.look()
	w.press(intent.GoCursor)
	if w.entry() != id0(499) {
		t.Errorf("the cursor on a deleted entry is at %s, want the one before it", w.entry())
	}
}

// From the last row of one page of the PEL one comes to the first of the next, and back.
func TestEveryPendingRowIsReachedOnceDownAndUp(t *testing.T) {
	const n = 700
	w := big(t, n)
	w.do(fmt.Sprintf("XREADGROUP GROUP settlement alice COUNT %d STREAMS orders >", n))
	w.look()
	w.focus(layout.Pending)
	for range 2 { // by consumer, by id: of one consumer the same
		for i := 1; i <= n; i++ {
			if got := w.screen.Selected(layout.Pending); got != id0(i) {
				t.Fatalf("going down: %s is selected, want %s", got, id0(i))
			}
			w.press(intent.Down)
		}
		w.press(intent.Down, intent.PageDown)
		for i := n; i >= 1; i-- {
			if got := w.screen.Selected(layout.Pending); got != id0(i) {
				t.Fatalf("going up: %s is selected, want %s", got, id0(i))
			}
			w.press(intent.Up)
		}
		w.press(intent.Sort, intent.Sort, intent.Top)
	}
	w.press(intent.Bottom, intent.Down)
	w.do("XACK orders settlement " + strings.Join(ids(201, n), " "))
	for range 2 {
		w.look()
	}
	if got := w.screen.Selected(layout.Pending); got != id0(200) {
		t.Errorf("a page has become empty: %q is selected, want 200-0 on the page before", got)
	}
}

func ids(from, to int) []string {
	var out []string
	for i := from; i <= to; i++ {
		out = append(out, id0(i))
	}
	return out
}

// While rows are acknowledged and others come, one goes through those that stay, in order.
func TestPendingRowsWhileOthersComeAndGo(t *testing.T) {
	const n = 900
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 2))
		w := big(t, n)
		w.do("XREADGROUP GROUP settlement alice COUNT 800 STREAMS orders >")
		w.look()
		w.focus(layout.Pending)
		w.press(intent.Sort, intent.Sort)
		gone := map[int]bool{}
		at, stuck := 1, 0
		seen := map[int]bool{1: true}
		for stuck < 4 {
			if r.IntN(4) == 0 {
				ack := 1 + r.IntN(800)
				gone[ack] = true
				w.do(fmt.Sprintf("XACK orders settlement %d-0", ack))
			}
			if r.IntN(8) == 0 {
				w.look()
			}
			if r.IntN(60) == 0 {
				w.do("XREADGROUP GROUP settlement bob COUNT 3 STREAMS orders >")
			}
			w.press(intent.Down)
			next := older(w.screen.Selected(layout.Pending))
			switch {
			case next == at:
				w.look()
				stuck++
			case next < at && !gone[at]:
				t.Fatalf("seed %d: from %d back to %d", seed, at, next)
			default:
				stuck = 0
			}
			seen[next], at = true, next
		}
		for i := 1; i <= 800; i++ {
			if !gone[i] && !seen[i] {
				t.Errorf("seed %d: %d-0 was never reached", seed, i)
			}
		}
	}
}

// A group that appears and comes first by name does not take the place of the one that is watched.
func TestTheGroupThatIsWatchedStays(t *testing.T) {
	w := watch(t, servertest.One(t))
	w.screen = explore.New(theme.New(theme.None, false), explore.Server{}, "orders", "")
	w.screen.SetSize(120, 36)
	w.do("XGROUP CREATE orders settlement $ MKSTREAM")
	w.look()
	w.do("XGROUP CREATE orders analytics $")
	w.look()
	w.look()
	if got := w.screen.Look().Group; got != "settlement" || w.screen.Selected(layout.Groups) != "settlement" {
		t.Errorf("%q is watched, %q selected", got, w.screen.Selected(layout.Groups))
	}
	w.do("XGROUP DESTROY orders settlement")
	w.look()
	says(t, ansi.Strip(w.screen.View().String()), []string{"there is no group settlement now"}, nil)
	w.press(intent.NextGroup)
	says(t, ansi.Strip(w.screen.View().String()), []string{"orders ▸ analytics"}, []string{"there is no group"})
}

// Rights can change while one looks, both ways.
func TestRightsThatComeAndGo(t *testing.T) {
	both := []state.State{ordinary(), denied(), ordinary(), deniedRows(), ordinary(), keyOf("none"), denied(), keyOf("list"), ordinary()}
	s := scene{states: both}.screen(theme.New(theme.None, false), 120, 36)
	exact(t, s.View(), 120, 36)
	says(t, ansi.Strip(s.View().String()), []string{"settlement's cursor", "1735200000024-0"}, nil)
}
