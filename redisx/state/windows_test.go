package state_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pelscope/redisx/state"
)

// cuts is how many windows each pair is seen through.
const cuts = 4

// windowsClaimNothingElse sees to it that looks through windows say nothing that looks at everything do
// not say. The windows depend on the pair's number only, so that a run can be repeated.
func windowsClaimNothingElse(t *testing.T, pairs []pair) {
	count := map[state.Kind]int{}
	for i, p := range pairs {
		all := state.Diff(p.a, p.b)
		for n := range uint64(cuts) {
			r := rand.New(rand.NewPCG(uint64(i), n))
			a, b := cut(r, p.a), cut(r, p.b)
			lookUp(a, b, p.b)
			seen := state.Diff(a, b)
			for _, c := range seen {
				count[c.Kind()]++
			}
			if wrong := claims(all, seen); wrong != nil {
				t.Fatalf("look %d: %s is claimed:\n%v\na %s\nb %s", i, state.Notation(wrong, state.Place{}), p, text(t, a), text(t, b))
			}
			if got := state.Apply(a, seen); !reflect.DeepEqual(summaries(got), summaries(b)) {
				t.Fatalf("look %d: the counters differ:\n%v\ngot  %+v\nwant %+v", i, p, summaries(got), summaries(b))
			}
		}
	}
	for _, k := range []state.Kind{
		state.KindEntryAdded, state.KindEntryGone, state.KindPendingAdded, state.KindPendingGone,
		state.KindOwner, state.KindDeliveries, state.KindRedelivered, state.KindLength, state.KindPendingCount,
	} {
		if count[k] < 10 {
			t.Errorf("%q was seen through windows %d times, want 10", k, count[k])
		}
	}
}

// claims gives a change that windows show exactly and that is not among all there are; nil when there is none.
func claims(all, seen []state.Change) state.Change {
	for _, c := range seen {
		if exact(c) && !slices.ContainsFunc(all, func(d state.Change) bool { return reflect.DeepEqual(c, d) }) {
			return c
		}
	}
	return nil
}

// scrollingChangesNothing looks at one State through two windows.
func scrollingChangesNothing(t *testing.T, pairs []pair) {
	for i, p := range pairs {
		r := rand.New(rand.NewPCG(uint64(i), 0))
		a, b := cut(r, p.b), cut(r, p.b)
		for _, c := range state.Diff(a, b) {
			t.Fatalf("look %d: scrolling gives %s\na %s\nb %s", i, state.Notation(c, state.Place{}), text(t, a), text(t, b))
		}
	}
}

// exact says whether a change is the same with windows as without. How many entries a cursor passed is told
// by entries-read where they are not in view, how many rows a consumer lost may be unknown, length and pending
// tell of what is not in view, and a consumer's times are compared with some slack.
func exact(c state.Change) bool {
	switch c := c.(type) {
	case state.CursorMoved:
		return false
	case state.ConsumerVanished:
		return c.Lost.Known
	}
	switch c.Kind() {
	case state.KindLength, state.KindPendingCount, state.KindSeen, state.KindActive:
		return false
	}
	return true
}

// cut leaves of each stream a window, and of each group a page of all rows or of one consumer's.
func cut(r *rand.Rand, s state.State) state.State {
	s.Complete = false
	s.Keys = slices.Clone(s.Keys)
	for i, k := range s.Keys {
		if k.Stream == nil {
			continue
		}
		st := *k.Stream
		ids := idsOf(st)
		st.Entries = cutWindow(r, ids, st.Entries)
		st.Groups = slices.Clone(st.Groups)
		for j := range st.Groups {
			st.Groups[j].PEL = cutPage(r, ids, st.Groups[j].PEL)
		}
		s.Keys[i].Stream = &st
	}
	return s
}

// lookUp notes in b which entries of a's windows were looked up, one by one, and are no more.
func lookUp(a, b, all state.State) {
	for _, k := range b.Keys {
		was, is := a.Stream(k.Name), all.Stream(k.Name)
		if was == nil || is == nil {
			continue
		}
		for _, e := range was.Entries.Entries {
			if _, still := is.Entry(e.ID); !still {
				k.Stream.Gone = append(k.Stream.Gone, e.ID)
			}
		}
	}
}

// idsOf gives the ids at which a window may begin or end: 0-0, the largest, and all that are here.
func idsOf(st state.Stream) []state.ID {
	ids := []state.ID{{}, state.MaxID()}
	for _, e := range st.Entries.Entries {
		ids = append(ids, e.ID)
	}
	for _, g := range st.Groups {
		for _, row := range g.PEL.Rows {
			ids = append(ids, row.ID)
		}
	}
	return ids
}

func ends(r *rand.Rand, ids []state.ID) (from, to state.ID) {
	from, to = ids[r.IntN(len(ids))], ids[r.IntN(len(ids))]
	if to.Less(from) {
		return to, from
	}
	return from, to
}

func cutWindow(r *rand.Rand, ids []state.ID, all state.Window) state.Window {
	if r.IntN(10) == 0 {
		return state.Window{Unknown: "XRANGE is denied"}
	}
	var w state.Window
	w.From, w.To = ends(r, ids)
	for _, e := range all.Entries {
		if w.Holds(e.ID) {
			w.Entries = append(w.Entries, e)
		}
	}
	return w
}

func cutPage(r *rand.Rand, ids []state.ID, all state.Page) state.Page {
	if r.IntN(10) == 0 {
		return state.Page{Unknown: "XPENDING is denied"}
	}
	var p state.Page
	p.From, p.To = ends(r, ids)
	if r.IntN(3) == 0 {
		p.Consumer = consumers()[r.IntN(len(consumers()))]
	}
	for _, row := range all.Rows {
		if p.Holds(row.ID, row.Consumer) {
			p.Rows = append(p.Rows, row)
		}
	}
	return p
}

// summaries is what every look tells exactly, however small its windows.
func summaries(s state.State) []any {
	var out []any
	for _, k := range s.Keys {
		out = append(out, k.Name, k.Type)
		if k.Stream == nil {
			continue
		}
		st := k.Stream
		out = append(out, st.Length, st.FirstID, st.LastID, st.EntriesAdded, st.MaxDeleted)
		for _, g := range st.Groups {
			out = append(out, g.Name, g.LastDelivered, g.EntriesRead, g.Lag, g.Pending)
			for _, c := range g.Consumers {
				out = append(out, c.Name, c.Pending)
			}
		}
	}
	return out
}
