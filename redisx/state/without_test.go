package state_test

import (
	"slices"
	"testing"

	"pelscope/redisx/state"
)

// noKindIsSuperfluous leaves out all changes of one kind at a time. What the others make of the older State
// must then differ from the later one, wherever that kind is needed at all.
func noKindIsSuperfluous(t *testing.T, pairs []pair) {
	noticed := map[state.Kind]int{}
	for i, p := range pairs {
		changes := state.Diff(p.a, p.b)
		for _, kind := range kindsOf(changes) {
			if state.Equal(state.Apply(p.a, without(changes, kind)), p.b) {
				if !replaced(changes, kind) {
					t.Fatalf("look %d: the same without %q:\n%v", i, kind, p)
				}
				continue
			}
			noticed[kind]++
		}
	}
	for _, kind := range state.Kinds() {
		if noticed[kind] < enough/2 && !residue(kind) {
			t.Errorf("%q was missed %d times, want %d", kind, noticed[kind], enough/2)
		}
	}
}

func kindsOf(changes []state.Change) []state.Kind {
	var kinds []state.Kind
	for _, c := range changes {
		if !slices.Contains(kinds, c.Kind()) {
			kinds = append(kinds, c.Kind())
		}
	}
	return kinds
}

func without(changes []state.Change, kind state.Kind) []state.Change {
	return slices.DeleteFunc(slices.Clone(changes), func(c state.Change) bool { return c.Kind() == kind })
}

// replaced says whether each change of this kind makes room for one that follows at the same place and
// overwrites all that was there: a key that has another type now, an entry that came back with other
// fields. Only then do the others alone lead to the same State. What went is said all the same, for it is
// what happened.
func replaced(changes []state.Change, kind state.Kind) bool {
	by := map[state.Kind]state.Kind{
		state.KindKeyVanished: state.KindKeyAppeared,
		state.KindEntryGone:   state.KindEntryAdded,
	}[kind]
	for i, c := range changes {
		if c.Kind() == kind && !slices.ContainsFunc(changes[i:], func(next state.Change) bool {
			return next.Kind() == by && next.Place() == c.Place()
		}) {
			return false
		}
	}
	return true
}
