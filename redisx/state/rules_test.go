package state_test

import (
	"strings"
	"testing"
	"time"

	"pelscope/redisx/state"
)

// scene is a stream orders with three entries, of which the group workers has delivered two to alice.
func scene(change ...func(*state.State, *state.Stream, *state.Group)) state.State {
	id := func(ms uint64) state.ID { return state.ID{MS: ms} }
	g := state.Group{
		Name: "workers", LastDelivered: id(2), EntriesRead: state.Know[int64](2), Lag: state.Know[int64](1), Pending: state.Know[int64](2),
		Consumers: []state.Consumer{{Name: "alice", Pending: state.Know[int64](2), Seen: state.Know[state.Instant](1000), Active: state.Know[state.Instant](1000)}},
		PEL: state.Page{To: state.MaxID(), Rows: []state.Pending{
			{ID: id(1), Consumer: "alice", DeliveredAt: 1000, Deliveries: 1}, {ID: id(2), Consumer: "alice", DeliveredAt: 1000, Deliveries: 1},
		}},
	}
	st := &state.Stream{
		Length: state.Know[int64](3), FirstID: state.Know(id(1)), LastID: state.Know(id(3)), EntriesAdded: state.Know[int64](3), MaxDeleted: state.Know(state.ID{}),
		Entries: state.Window{To: state.MaxID(), Entries: []state.Entry{{ID: id(1)}, {ID: id(2)}, {ID: id(3)}}},
	}
	s := state.State{At: 2000, Complete: true, Keys: []state.Key{{Name: "orders", Type: "stream", Stream: st}}}
	for _, f := range change {
		f(&s, st, &g)
	}
	st.Groups = []state.Group{g}
	return s
}

// said is the difference in the notation of lessons, a line each.
func said(a, b state.State) string {
	var lines []string
	for _, c := range state.Diff(a, b) {
		lines = append(lines, state.Notation(c, state.Place{Key: "orders", Group: "workers"}))
	}
	return strings.Join(lines, "; ")
}

// Idle that ticks on is no change, and neither is what a look through a window cannot tell apart.
func TestADeliveryTimeHasToMoveByMoreThanALookIsUnsureOf(t *testing.T) {
	for _, c := range []struct {
		complete bool
		rtt      time.Duration
		moved    state.Instant // ms
		want     string
	}{
		{true, 0, 0, ""},
		{true, 0, 1, "redelivered(2-0)"},
		{true, time.Second, -1, "redelivered(2-0)"},
		{false, 0, 50, ""},
		{false, 0, -50, ""},
		{false, 0, 51, "redelivered(2-0)"},
		{false, 0, -51, "redelivered(2-0)"},
		{false, 200 * time.Millisecond, 200, ""},
		{false, 200 * time.Millisecond, 201, "redelivered(2-0)"},
	} {
		a := scene(func(s *state.State, _ *state.Stream, _ *state.Group) { s.Complete = c.complete })
		b := scene(func(s *state.State, _ *state.Stream, g *state.Group) {
			s.Complete, s.RTT, s.At = c.complete, c.rtt, s.At+60_000
			g.PEL.Rows[1].DeliveredAt += c.moved
		})
		if got := said(a, b); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// A new owner or a new count is a change, however little its time moved.
func TestOwnerAndDeliveriesNeedNoTime(t *testing.T) {
	window := func(s *state.State, _ *state.Stream, _ *state.Group) { s.Complete = false }
	b := scene(window, func(_ *state.State, _ *state.Stream, g *state.Group) {
		g.PEL.Rows[0].Consumer, g.PEL.Rows[1].Deliveries = "bob", 4
		g.Consumers[0].Pending = state.Know[int64](1)
	})
	if got := said(scene(window), b); got != "owner(1-0) alice -> bob; deliveries(2-0) 1 -> 4" {
		t.Error(got)
	}
}

// What could not be read is not 0 and not empty: it is no change that all is gone, and that a number is not
// known any more is one.
func TestUnknownIsNeitherZeroNorEmpty(t *testing.T) {
	for _, c := range []struct {
		name string
		now  func(*state.State, *state.Stream, *state.Group)
		want string
	}{
		{"lag", func(_ *state.State, _ *state.Stream, g *state.Group) { g.Lag = state.Unknown[int64]("nil") }, "lag 1 -> unknown"},
		{"key", func(s *state.State, _ *state.Stream, _ *state.Group) {
			s.Keys[0] = state.Key{Name: "orders", Denied: "no right"}
		}, ""},
		{"rows", func(_ *state.State, _ *state.Stream, g *state.Group) {
			g.PEL = state.Page{Unknown: "XPENDING is denied"}
		}, ""},
		{"consumers", func(_ *state.State, _ *state.Stream, g *state.Group) { g.Consumers, g.ConsumersUnknown = nil, "denied" }, ""},
		{"entries", func(_ *state.State, st *state.Stream, _ *state.Group) {
			st.Entries = state.Window{Unknown: "XRANGE is denied"}
		}, ""},
	} {
		if got := said(scene(), scene(c.now)); got != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
	b := scene()
	b.Keys[0].Stream.Groups, b.Keys[0].Stream.GroupsUnknown = nil, "XINFO is denied"
	if got := said(scene(), b); got != "" {
		t.Errorf("groups: %q", got)
	}
}

// An entry before the stream's first id went from its head; where that id is not known, neither is this.
func TestGoneFromTheHeadOrTheMiddle(t *testing.T) {
	for _, c := range []struct {
		name  string
		gone  int
		first state.Maybe[state.ID]
		want  state.Maybe[bool]
	}{
		{"head", 0, state.Know(state.ID{MS: 2}), state.Know(true)},
		{"middle", 1, state.Know(state.ID{MS: 1}), state.Know(false)},
		{"all", 0, state.Know(state.ID{}), state.Know(true)},
		{"unknown", 0, state.Unknown[state.ID]("XINFO is denied"), state.Unknown[bool]("the stream's first id could not be read")},
	} {
		b := scene(func(_ *state.State, st *state.Stream, _ *state.Group) {
			st.FirstID = c.first
			st.Entries.Entries = append(st.Entries.Entries[:c.gone:c.gone], st.Entries.Entries[c.gone+1:]...)
		})
		for _, change := range state.Diff(scene(), b) {
			if e, ok := change.(state.EntryGone); ok {
				if e.Head != c.want {
					t.Errorf("%s: %+v", c.name, e.Head)
				}
				c.name = ""
			}
		}
		if c.name != "" {
			t.Errorf("%s: nothing is gone", c.name)
		}
	}
}

// How many entries a cursor passed is counted where they are in view, else told by entries-read, else unknown.
func TestEntriesThatACursorPassed(t *testing.T) {
	to := func(ms uint64, read state.Maybe[int64], view func(*state.Stream)) state.State {
		return scene(func(_ *state.State, st *state.Stream, g *state.Group) {
			g.LastDelivered, g.EntriesRead = state.ID{MS: ms}, read
			view(st)
		})
	}
	all := func(*state.Stream) {}
	tail := func(st *state.Stream) {
		st.Entries = state.Window{From: state.ID{MS: 3}, To: state.MaxID(), Entries: st.Entries.Entries[2:]}
	}
	unread := state.Unknown[int64]("nil")
	for _, c := range []struct {
		name string
		b    state.State
		want state.Maybe[int64]
	}{
		{"in view", to(3, unread, all), state.Know[int64](1)},
		{"in view, back", to(0, unread, all), state.Know[int64](2)},
		{"in view, no entry there", to(9, unread, all), state.Know[int64](1)},
		{"entries-read", to(9, state.Know[int64](7), tail), state.Know[int64](5)},
		{"neither", to(1, unread, tail), state.Unknown[int64]("the entries between are not in view")},
	} {
		moved, ok := state.Diff(scene(), c.b)[0].(state.CursorMoved)
		if !ok || moved.Passed != c.want {
			t.Errorf("%s: %+v", c.name, moved)
		}
	}
}

// What is lost with a group or a consumer is what it held when it was last seen.
func TestRowsThatAreLost(t *testing.T) {
	b := scene()
	b.Keys[0].Stream.Groups = nil
	if got := said(scene(), b); got != "-group(workers) lost 2" {
		t.Errorf("group: %q", got)
	}
	gone := func(s *state.State, _ *state.Stream, g *state.Group) {
		g.Consumers, g.PEL.Rows, g.Pending = nil, nil, state.Know[int64](0)
	}
	if got := said(scene(), scene(gone)); got != "-pending(1-0) alice; -pending(2-0) alice; -consumer(alice) lost 2" {
		t.Errorf("consumer: %q", got)
	}
	handed := func(s *state.State, _ *state.Stream, g *state.Group) {
		g.Consumers[0] = state.Consumer{Name: "bob", Pending: state.Know[int64](2), Seen: g.Consumers[0].Seen, Active: g.Consumers[0].Active}
		g.PEL.Rows[0].Consumer, g.PEL.Rows[1].Consumer = "bob", "bob"
	}
	if got := said(scene(), scene(handed)); !strings.HasSuffix(got, "-consumer(alice) lost 0") && !strings.Contains(got, "-consumer(alice) lost 0;") {
		t.Errorf("handed over: %q", got)
	}
}
