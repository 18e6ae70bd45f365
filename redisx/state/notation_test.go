package state_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"pelscope/redisx/state"
)

// oneOfEach is at least one change of every kind, some with names that are no plain words.
func oneOfEach() []state.Change {
	one, two := state.ID{MS: 1}, state.ID{MS: 2, Seq: 7}
	const key, group = "orders", "workers"
	hostile := "a b\x1b]52;c;eA==\a\n\u202e\"\xff"
	n := func(v int64) state.Maybe[int64] { return state.Know(v) }
	text, none := state.Know("12"), state.Unknown[string]("absent")
	row := state.Pending{ID: one, Consumer: "alice", Deliveries: 3}
	changes := []state.Change{
		state.KeyAppeared{Key: key, Type: "stream"}, state.KeyVanished{Key: hostile, Type: "list"},
		state.EntryAdded{Key: key, Entry: state.Entry{ID: one}}, state.EntryGone{Key: key, Entry: state.Entry{ID: two}},
		state.EntryAdded{Key: "dlq", Entry: state.Entry{ID: one}},
		state.GroupCreated{Key: key, Group: group, Cursor: two}, state.GroupCreated{Key: "dlq", Group: hostile},
		state.GroupDestroyed{Key: key, Group: group, Lost: n(3)}, state.GroupDestroyed{Key: key, Group: "audit"},
		state.CursorMoved{Key: key, Group: group, From: one, To: two}, state.CursorMoved{Key: key, Group: "audit", From: two, To: one},
		state.CursorMoved{Key: "dlq", Group: "audit", From: one, To: two},
		state.ConsumerAppeared{Key: key, Group: group, Consumer: "alice"}, state.ConsumerAppeared{Key: key, Group: "audit", Consumer: hostile},
		state.ConsumerVanished{Key: key, Group: group, Consumer: "alice", Lost: n(0)},
		state.PendingAdded{Key: key, Group: group, Row: row}, state.PendingAdded{Key: key, Group: group, Row: state.Pending{ID: one, Deliveries: 1}},
		state.PendingGone{Key: key, Group: group, Row: row}, state.PendingGone{Key: key, Group: "audit", Row: row, Cause: "XACK"},
		state.OwnerChanged{Key: key, Group: group, ID: one, From: "alice", To: "bob"}, state.OwnerChanged{Key: key, Group: group, ID: one, From: "", To: hostile},
		state.DeliveriesChanged{Key: key, Group: group, Consumer: "alice", ID: one, From: 1, To: 2},
		state.Redelivered{Key: key, Group: group, Consumer: "alice", ID: one, From: 5, To: 9},
		state.ListChanged{Key: "charges", At: 1, Out: []string{"A1"}, In: []string{hostile, ""}},
		state.PairChanged{Key: "done", Name: "A17", From: none, To: text}, state.PairChanged{Key: "done", Name: hostile, From: text, To: none},
		state.PairChanged{Key: "counter", From: text, To: state.Know("13")},
		state.ClientChanged{To: state.Client{ID: 3, Name: "alice"}}, state.ClientChanged{From: state.Client{ID: 3, Name: "alice"}},
		state.ClientChanged{From: state.Client{ID: 3, Name: "alice", Cmd: "ping"}, To: state.Client{ID: 3, Name: "alice", Cmd: "xreadgroup", Blocked: true}},
	}
	stream := state.Place{Key: key}
	in := state.Place{Key: key, Group: group}
	of := state.Place{Key: key, Group: group, Consumer: "alice"}
	return append(changes,
		state.Moved[int64]{Gauge: state.KindLength, Where: stream, From: n(3), To: n(4)},
		state.Moved[state.ID]{Gauge: state.KindFirstID, Where: stream, From: state.Know(one), To: state.Know(two)},
		state.Moved[state.ID]{Gauge: state.KindLastID, Where: stream, From: state.Know(one), To: state.Know(two)},
		state.Moved[int64]{Gauge: state.KindEntriesAdded, Where: stream, From: n(3), To: n(4)},
		state.Moved[state.ID]{Gauge: state.KindMaxDeleted, Where: stream, From: state.Know(one), To: state.Unknown[state.ID]("denied")},
		state.Moved[int64]{Gauge: state.KindEntriesRead, Where: in, From: n(3), To: n(4)},
		state.Moved[int64]{Gauge: state.KindLag, Where: in, From: n(3), To: state.Unknown[int64]("nil")},
		state.Moved[int64]{Gauge: state.KindPendingCount, Where: in, From: n(3), To: n(4)},
		state.Moved[int64]{Gauge: state.KindPendingCount, Where: of, From: n(3), To: n(4)},
		state.Moved[state.Instant]{Gauge: state.KindSeen, Where: of}, state.Moved[state.Instant]{Gauge: state.KindActive, Where: of},
	)
}

// Each kind of change has a line of its own, in which every byte can be printed.
func TestTheNotationOfEveryKind(t *testing.T) {
	homes := []state.Place{{Key: "orders", Group: "workers"}, {}}
	seen := map[state.Kind]bool{}
	var out strings.Builder
	for _, c := range oneOfEach() {
		seen[c.Kind()] = true
		var lines []string
		for _, home := range homes {
			line := state.Notation(c, home)
			lines = append(lines, line)
			for _, r := range line {
				if r < ' ' || r > '~' {
					t.Errorf("%s holds %q", line, r)
				}
			}
		}
		fmt.Fprintf(&out, "%-58s  %s\n", lines[0], lines[1])
	}
	for _, k := range state.Kinds() {
		if !seen[k] {
			t.Errorf("there is no example of %q", k)
		}
	}
	golden.RequireEqual(t, out.String())
}
