package explore_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pelscope/redisx/client"
	"pelscope/redisx/private/servertest"
	"pelscope/redisx/resp"
	"pelscope/redisx/state"
	"pelscope/ui/explore"
	"pelscope/ui/theme"
	"pelscope/ui/uitest"
)

func TestMain(m *testing.M) { servertest.Main(m) }

// watcher is the explorer on a real server, looking when it is told to.
type watcher struct {
	t      *testing.T
	reads  *client.Client // as the program looks: read-only
	writes *client.Client // somebody else
	screen *explore.Screen
}

func watch(t *testing.T, srv servertest.Server) *watcher {
	t.Helper()
	open := func(o client.Options) *client.Client {
		target, err := client.Parse(srv.URL())
		if err != nil {
			t.Fatal(err)
		}
		c, err := client.Open(context.Background(), target, o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		return c
	}
	w := &watcher{t: t, reads: open(client.Options{}), writes: open(client.Options{Write: true})}
	w.screen = explore.New(theme.New(theme.None, false), explore.Server{}, "orders", "settlement")
	w.screen.SetSize(120, 36)
	return w
}

// do sends a command line as somebody else; an error reply is a mistake in the test.
func (w *watcher) do(line string) {
	w.t.Helper()
	args, err := resp.Split(line)
	if err != nil {
		w.t.Fatal(err)
	}
	v, err := w.writes.Do(context.Background(), args...)
	if err != nil || v.Kind == resp.Error {
		w.t.Fatalf("%s: %v %s", line, err, v.Str)
	}
}

// poll looks once and gives the lines that this added to the log of changes.
func (w *watcher) poll() []string {
	w.t.Helper()
	before := len(w.screen.LogLines())
	look := w.screen.Look()
	st, err := w.reads.Observe(context.Background(), client.Scope{
		Stream: look.Stream, Group: look.Group, Entries: client.Window{Tail: look.Tail, Anchor: look.Anchor, Count: 200},
		Pending: client.Page{From: look.PendingFrom, Count: 200}, Prev: w.screen.State(),
	})
	if err != nil {
		w.t.Fatal(err)
	}
	w.screen.Observed(st, explore.Cost{})
	return w.screen.LogLines()[before:]
}

// script is what happens to the stream, a command a line.
func script(t *testing.T) []string {
	t.Helper()
	src, err := os.ReadFile("testdata/sixty.txt")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(src)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	if len(lines) != 60 {
		t.Fatalf("the script has %d commands, want 60", len(lines))
	}
	return lines
}

// With a poll after each of sixty commands the log tells each of them, and on every server the same.
func TestSixtyCommandsAPollEach(t *testing.T) {
	servertest.Each(t, func(t *testing.T, srv servertest.Server) {
		w := watch(t, srv)
		w.poll()
		var b strings.Builder
		for _, line := range script(t) {
			w.do(line)
			fmt.Fprintf(&b, "> %s\n", line)
			for _, said := range w.poll() {
				fmt.Fprintf(&b, "    %s\n", said)
			}
		}
		uitest.Golden(sameName{t}, "sixty", b.String())
	})
}

// sameName lets every server's run be held against one golden file.
type sameName struct{ *testing.T }

func (sameName) Name() string { return "TestSixtyCommands" }

// With several commands a poll, the log says nothing that the two looks do not show: whatever it names
// is there, and every line also follows from the two whole States.
func TestSeveralCommandsAPollClaimNoMoreThanIsKnown(t *testing.T) {
	servertest.Each(t, func(t *testing.T, srv servertest.Server) {
		for _, step := range []int{2, 3, 7, 20, 60} {
			t.Run(fmt.Sprint(step), func(t *testing.T) {
				w := watch(t, srv)
				w.do("FLUSHALL")
				w.poll()
				whole := w.whole()
				for chunk := range slices.Chunk(script(t), step) {
					for _, line := range chunk {
						w.do(line)
					}
					said := w.poll()
					now := w.whole()
					w.hold(said, whole, now)
					whole = now
				}
			})
		}
	})
}

// whole is the stream with every entry and every pending row.
func (w *watcher) whole() state.State {
	w.t.Helper()
	st, err := w.writes.Observe(context.Background(), client.Scope{Keys: []string{"orders"}})
	if err != nil {
		w.t.Fatal(err)
	}
	return st
}

// hold fails on a line that the whole Diff does not have.
func (w *watcher) hold(said []string, a, b state.State) {
	w.t.Helper()
	known := explore.LinesOf(state.Diff(a, b), state.Place{Key: "orders", Group: "settlement"})
	for _, line := range said {
		if strings.Contains(line, "outside the view") {
			continue // a counter, read from the server
		}
		if strings.Contains(line, "acknowledged") {
			w.t.Errorf("%q: the explorer has not seen the XACK", line)
		}
		if !slices.Contains(known, line) {
			w.t.Errorf("said %q, which the whole States do not show: %q", line, known)
		}
	}
}
