package state_test

import (
	"reflect"
	"testing"

	"pelscope/redisx/private/servertest"
	"pelscope/redisx/state"
)

// enough is how often every kind of change must have happened.
const enough = 100

// What Diff and Apply promise holds for whatever clients do to a real server.
func TestDiffAndApplyOnARealServer(t *testing.T) {
	servertest.Each(t, func(t *testing.T, s servertest.Server) {
		pairs := record(t, s)
		before := make([]string, len(pairs))
		for i, p := range pairs {
			before[i] = text(t, p.a) + text(t, p.b)
		}
		t.Run("Apply of Diff is the later State", func(t *testing.T) { applyOfDiff(t, pairs) })
		t.Run("no kind of change is superfluous", func(t *testing.T) { noKindIsSuperfluous(t, pairs) })
		t.Run("windows claim nothing else", func(t *testing.T) { windowsClaimNothingElse(t, pairs) })
		t.Run("scrolling changes nothing", func(t *testing.T) { scrollingChangesNothing(t, pairs) })
		t.Run("the States stay as they were", func(t *testing.T) {
			for i, p := range pairs {
				if before[i] != text(t, p.a)+text(t, p.b) {
					t.Fatalf("altered by comparing or applying:\n%v", p)
				}
			}
		})
	})
}

// applyOfDiff checks each pair by itself, and all changes one after the other as a replay does.
func applyOfDiff(t *testing.T, pairs []pair) {
	count := map[state.Kind]int{}
	replay := pairs[0].a
	for i, p := range pairs {
		changes := state.Diff(p.a, p.b)
		for _, c := range changes {
			count[c.Kind()]++
		}
		got := state.Apply(p.a, changes)
		if !state.Equal(got, p.b) {
			t.Fatalf("look %d: applying the difference gives another State:\n%v\ngot  %s\nwant %s", i, p, text(t, got), text(t, p.b))
		}
		if replay = state.Apply(replay, changes); !state.Equal(replay, p.b) {
			t.Fatalf("look %d: the replay differs:\n%v", i, p)
		}
		if len(changes) == 0 && !state.Equal(p.a, p.b) || len(changes) > 0 && reflect.DeepEqual(p.a.Keys, p.b.Keys) && reflect.DeepEqual(p.a.Clients, p.b.Clients) {
			t.Fatalf("look %d: %d changes of what differs or not:\n%v", i, len(changes), p)
		}
		if again := state.Diff(p.b, p.b); len(again) > 0 {
			t.Fatalf("look %d: differs from itself by %v", i, again)
		}
	}
	for _, k := range state.Kinds() {
		if count[k] < enough && !residue(k) {
			t.Errorf("%q happened %d times, want %d", k, count[k], enough)
		}
		if residue(k) && count[k] > 0 {
			t.Errorf("%q is left over %d times, although all entries and rows were seen", k, count[k])
		}
		delete(count, k)
	}
	if len(count) > 0 {
		t.Errorf("kinds that Kinds does not list: %v", count)
	}
}

// residue is true of the counters that follow from entries and rows. With all of these in view nothing of
// them is left to say; with windows they tell of what went on outside.
func residue(k state.Kind) bool { return k == state.KindLength || k == state.KindPendingCount }
