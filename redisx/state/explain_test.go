package state_test

import (
	"testing"

	"pelscope/redisx/resp"
	"pelscope/redisx/state"
)

// Only a command that takes this very thing away is a cause; nothing is guessed.
func TestCausesOfWhatIsGone(t *testing.T) {
	pending := state.PendingGone{Key: "orders", Group: "workers", Row: state.Pending{ID: state.ID{MS: 1}, Consumer: "alice"}}
	entry := state.EntryGone{Key: "orders", Entry: state.Entry{ID: state.ID{MS: 1}}}
	for _, c := range []struct {
		command        string
		pending, entry string // the cause; empty for none
	}{
		{"XACK orders workers 1-0", "XACK", ""},
		{"xack orders workers 3-0 1", "XACK", ""},
		{"XACK orders workers 2-0", "", ""},
		{"XACK orders audit 1-0", "", ""},
		{"XACK other workers 1-0", "", ""},
		{"XACKDEL orders workers IDS 1 1-0", "XACKDEL", "XACKDEL"},
		{"XACKDEL orders audit IDS 1 1-0", "", "XACKDEL"},
		{"XDEL orders 2-0 1-0", "", "XDEL"},
		{"XDEL orders 2-0", "", ""},
		{"XDEL other 1-0", "", ""},
		{"XDELEX orders IDS 1 1-0", "", "XDELEX"},
		{"XDELEX orders DELREF IDS 1 1-0", "XDELEX", "XDELEX"},
		{"XTRIM orders MAXLEN 3", "", "XTRIM"},
		{"XTRIM other MAXLEN 3", "", ""},
		{"XTRIM orders MAXLEN 3 DELREF", "XTRIM", "XTRIM"},
		{"XADD orders MAXLEN 3 * event A1", "", "XADD"},
		{"XADD orders minid 3 * event A1", "", "XADD"},
		{"XADD orders * event A1", "", ""},
		{"XADD orders MAXLEN 3 DELREF * event A1", "XADD", "XADD"},
		{"XCLAIM orders workers bob 0 1-0", "XCLAIM", ""},
		{"XAUTOCLAIM orders workers bob 0 0", "XAUTOCLAIM", ""},
		{"XAUTOCLAIM orders audit bob 0 0", "", ""},
		{"XGROUP DELCONSUMER orders workers alice", "XGROUP DELCONSUMER", ""},
		{"XGROUP DELCONSUMER orders workers bob", "", ""},
		{"XGROUP DESTROY orders workers", "", ""},
		{"XREADGROUP GROUP workers alice STREAMS orders >", "", ""},
		{"XRANGE orders - +", "", ""},
	} {
		args, err := resp.Split(c.command)
		if err != nil {
			t.Fatal(err)
		}
		given := []state.Change{pending, entry, state.ConsumerAppeared{Key: "orders"}}
		got := state.Explain(given, [][]string{nil, {"PING"}, args})
		if p := got[0].(state.PendingGone).Cause; p != c.pending {
			t.Errorf("%s: no longer pending by %q, want %q", c.command, p, c.pending)
		}
		if e := got[1].(state.EntryGone).Cause; e != c.entry {
			t.Errorf("%s: entry gone by %q, want %q", c.command, e, c.entry)
		}
		if given[0] != state.Change(pending) {
			t.Errorf("%s: what was given is altered", c.command)
		}
	}
}

func TestOfSeveralCausesTheFirstCounts(t *testing.T) {
	gone := state.PendingGone{Key: "s", Group: "g", Row: state.Pending{ID: state.ID{MS: 1}, Consumer: "alice"}}
	got := state.Explain([]state.Change{gone}, [][]string{
		{"XACK", "s", "g", "2-0"}, {"XGROUP", "DELCONSUMER", "s", "g", "alice"}, {"XACK", "s", "g", "1-0"},
	})
	if cause := got[0].(state.PendingGone).Cause; cause != "XGROUP DELCONSUMER" {
		t.Error(cause)
	}
}
