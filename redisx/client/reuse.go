package client

import (
	"slices"

	"pelscope/redisx/state"
)

// moved is how a stream differs from the last look, as far as its counters tell.
type moved int

const (
	changed  moved = iota // something may have been deleted, or it cannot be told
	appended              // entries were added at the end, and nothing else
	still                 // the same entries
)

// movedBetween compares two looks' counters. Deleted entries show in the length (each entry added makes
// it one longer), the first id or the greatest deleted id.
func movedBetween(a, b *state.Stream) moved {
	if a == nil || !a.Length.Known || !b.Length.Known || !a.LastID.Known || !b.LastID.Known || !b.FirstID.Known ||
		a.MaxDeleted != b.MaxDeleted || b.LastID.Value.Less(a.LastID.Value) {
		return changed
	}
	if a.FirstID != b.FirstID && !a.FirstID.Value.IsZero() {
		return changed
	}
	grown := b.Length.Value - a.Length.Value
	switch {
	case grown == 0 && a.LastID == b.LastID && a.EntriesAdded == b.EntriesAdded && a.FirstID == b.FirstID:
		return still
	case grown > 0 && a.EntriesAdded.Known && b.EntriesAdded.Known && b.EntriesAdded.Value-a.EntriesAdded.Value == grown:
		return appended
	}
	return changed
}

// reusable is the wanted window, cut out of the last look's, when that holds all of it.
func (l *windowLook) reusable() (state.Window, bool) {
	if l.prev == nil || l.prev.Entries.Unknown != "" || l.s.Stream == "" {
		return state.Window{}, false
	}
	if w := l.s.Entries; !w.tail() {
		before, after := w.sides()
		return cutAround(l.prev.Entries, w.Anchor, before, after)
	}
	return cutTail(l.prev.Entries, countOr(l.s.Entries.Count, DefaultCount))
}

// cutTail is the newest n entries of a window that reaches the end.
func cutTail(w state.Window, n int) (state.Window, bool) {
	if w.To != state.MaxID() || len(w.Entries) < n && !w.From.IsZero() {
		return state.Window{}, false
	}
	if extra := len(w.Entries) - n; extra >= 0 {
		w.Entries = w.Entries[extra:]
		w.From = w.Entries[0].ID
	}
	return w, true
}

// cutAround is the before entries before an anchor and the after entries from it on.
func cutAround(w state.Window, anchor state.ID, before, after int) (state.Window, bool) {
	if !w.Holds(anchor) {
		return state.Window{}, false
	}
	at, _ := slices.BinarySearchFunc(w.Entries, anchor, func(e state.Entry, id state.ID) int { return e.ID.Compare(id) })
	older, newer := w.Entries[:at], w.Entries[at:]
	out := state.Window{From: w.From, To: w.To}
	switch {
	case before == 0:
		older, out.From = nil, anchor
	case len(older) >= before:
		older = older[len(older)-before:]
		out.From = older[0].ID
	case !w.From.IsZero():
		return state.Window{}, false
	}
	switch {
	case len(newer) >= after:
		newer = newer[:after]
		out.To = newer[after-1].ID
	case w.To != state.MaxID():
		return state.Window{}, false
	}
	out.Entries = append(slices.Clip(older), newer...)
	return out, true
}

// escalate chooses how to get the entries after the plan did not do.
func (l *windowLook) escalate(st *state.Stream, final bool) fetch {
	if l.mode != reuse || final || !l.s.Entries.tail() || !l.prev.LastID.Known || !st.LastID.Known {
		return fetched
	}
	if _, more := l.prev.LastID.Value.Next(); !more {
		return fetched
	}
	if movedBetween(l.prev, st) == appended {
		return addNew
	}
	// Before 7.0 nothing counts what was added; whether more happened shows once the new ones are here.
	if !st.EntriesAdded.Known && l.prev.FirstID == st.FirstID && st.Length.Value > l.prev.Length.Value {
		return addNew
	}
	return fetched
}

// joined is the last look's window with the new entries behind it, where the counters prove that nothing
// else happened; or the new ones alone when they fill the window.
func (l *windowLook) joined(st *state.Stream, n int) (state.Window, bool) {
	fresh := tailWindow(l.newest, n)
	if fresh.Unknown != "" || len(fresh.Entries) >= n {
		return fresh, true
	}
	came := int64(len(fresh.Entries))
	grown := st.Length.Value - l.prev.Length.Value
	firstMoved := l.prev.FirstID != st.FirstID && !l.prev.FirstID.Value.IsZero()
	countedElse := st.EntriesAdded.Known && l.prev.EntriesAdded.Known &&
		st.EntriesAdded.Value-l.prev.EntriesAdded.Value != came
	if !st.Length.Known || grown != came || firstMoved || countedElse || l.prev.MaxDeleted != st.MaxDeleted {
		return state.Window{}, false
	}
	w := l.prev.Entries
	w.Entries = append(slices.Clip(w.Entries), fresh.Entries...)
	return cutTail(w, n)
}

// judgeGone carries on which ids are known to be gone, takes the answers of this round's lookups, and
// says whether pending ids are left to look up.
func (l *windowLook) judgeGone(st *state.Stream, final bool) (again bool) {
	m := &l.c.look
	if m.stream != l.s.Stream || m.present == nil || movedBetween(l.prev, st) == changed || len(m.present) > maxPresent {
		m.stream, m.present = l.s.Stream, map[state.ID]struct{}{}
	}
	gone := l.carried(st)
	for i, a := range l.ids {
		switch {
		case a.why() != "":
		case len(a.reply.Elems) == 0:
			gone = append(gone, l.lookups[i])
		default:
			m.present[l.lookups[i]] = struct{}{}
		}
	}
	slices.SortFunc(gone, state.ID.Compare)
	st.Gone = slices.Compact(gone)
	if l.settled || final {
		return false
	}
	l.lookups, l.settled = l.undecided(st), true
	return len(l.lookups) > 0
}

// carried is what the last look knew to be gone and the counters do not tell anyway. An id never comes
// back, unless the stream was made anew.
func (l *windowLook) carried(st *state.Stream) []state.ID {
	if l.prev == nil || !l.prev.LastID.Known || !st.LastID.Known || st.LastID.Value.Less(l.prev.LastID.Value) ||
		st.EntriesAdded.Value < l.prev.EntriesAdded.Value {
		return nil
	}
	var keep []state.ID
	for _, id := range l.prev.Gone {
		if !st.Present(id).Known && len(keep) < maxGone {
			keep = append(keep, id)
		}
	}
	return keep
}

// undecided is the pending ids on the page of which nobody knows whether they are entries still; at most
// MaxLookups of them.
func (l *windowLook) undecided(st *state.Stream) []state.ID {
	g, ok := st.Group(l.group)
	if !ok {
		return nil
	}
	var ids []state.ID
	for _, row := range g.PEL.Rows {
		_, present := l.c.look.present[row.ID]
		if len(ids) < MaxLookups && !present && !st.Present(row.ID).Known {
			ids = append(ids, row.ID)
		}
	}
	return ids
}
