package text_test

import (
	"strings"
	"testing"

	"pelscope/redisx/state"
	"pelscope/ui/text"
)

func home() state.Place { return state.Place{Key: "orders", Group: "workers"} }

func TestEachChangeIsSaidInTheFieldsWords(t *testing.T) {
	id, next := state.ID{MS: 1}, state.ID{MS: 2}
	row := state.Pending{ID: id, Consumer: "alice", Deliveries: 1}
	cases := []struct {
		change state.Change
		want   string
	}{
		{state.CursorMoved{Key: "orders", Group: "workers", From: id, To: next, Passed: state.Know[int64](1)}, "cursor 1-0 → 2-0 (+1)"},
		{state.CursorMoved{Key: "orders", Group: "workers", From: next, To: id}, "cursor set back 2-0 → 1-0"},
		{state.CursorMoved{Key: "orders", Group: "other", From: id, To: next}, "other: cursor 1-0 → 2-0"},
		{state.EntryAdded{Key: "dlq", Entry: state.Entry{ID: id}}, "dlq: entry + 1-0"},
		{state.PendingAdded{Key: "orders", Group: "workers", Row: row}, "pending + 1-0 alice ×1"},
		{state.PendingGone{Key: "orders", Group: "workers", Row: row}, "pending - 1-0 alice, no longer pending"},
		{state.PendingGone{Key: "orders", Group: "workers", Row: row, Cause: "XACK"}, "pending - 1-0 alice, acknowledged"},
		{state.PendingGone{Key: "orders", Group: "workers", Row: row, Cause: "XGROUP DELCONSUMER"}, "pending - 1-0 alice, no longer pending (XGROUP DELCONSUMER)"},
		{state.OwnerChanged{Key: "orders", Group: "workers", ID: id, From: "alice", To: "bob"}, "owner 1-0: alice → bob"},
		{state.DeliveriesChanged{Key: "orders", Group: "workers", ID: id, From: 1, To: 2}, "deliveries 1-0: 1 → 2"},
		{state.EntryGone{Key: "orders", Entry: state.Entry{ID: id}, Head: state.Know(true)}, "entry - 1-0 gone from the head"},
		{state.EntryGone{Key: "orders", Entry: state.Entry{ID: id}, Head: state.Know(false)}, "entry - 1-0 gone from the middle"},
		{state.ConsumerVanished{Key: "orders", Group: "workers", Consumer: "bob", Lost: state.Know[int64](2)}, "consumer - bob, 2 pending with it"},
		{state.Moved[int64]{Gauge: state.KindLength, Where: state.Place{Key: "orders"}, From: state.Know[int64](5), To: state.Know[int64](9)}, "length 5 → 9 outside the view"},
		{state.Moved[int64]{Gauge: state.KindLag, Where: home(), From: state.Know[int64](5), To: state.Unknown[int64]("nil")}, "lag 5 → unknown"},
	}
	for _, c := range cases {
		if got := text.Change(c.change, home()); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestALongRunIsOneLineWithItsCount(t *testing.T) {
	var changes []state.Change
	for i := uint64(1); i <= 100; i++ {
		changes = append(changes, state.PendingAdded{Key: "orders", Group: "workers", Row: state.Pending{ID: state.ID{MS: i}, Consumer: "alice"}})
	}
	lines := text.Lines(changes, home())
	if len(lines) != 1 || lines[0].Text != "pending + 100 entries, 1-0 … 100-0 alice" {
		t.Errorf("got %v", lines)
	}
}

func TestCountersThatOtherLinesExplainAreLeftOut(t *testing.T) {
	changes := []state.Change{
		state.EntryAdded{Key: "orders", Entry: state.Entry{ID: state.ID{MS: 9}}},
		state.Moved[state.ID]{Gauge: state.KindLastID, Where: state.Place{Key: "orders"}, To: state.Know(state.ID{MS: 9})},
		state.Moved[int64]{Gauge: state.KindLag, Where: home()},
		state.Moved[int64]{Gauge: state.KindLength, Where: state.Place{Key: "orders"}, From: state.Know[int64](1), To: state.Know[int64](4)},
	}
	var got []string
	for _, l := range text.Lines(changes, home()) {
		got = append(got, l.Text)
	}
	if s := strings.Join(got, "; "); s != "entry + 9-0; length 1 → 4 outside the view" {
		t.Errorf("got %s", s)
	}
}
