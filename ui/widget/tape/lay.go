package tape

import (
	"cmp"
	"maps"
	"slices"

	"pelscope/redisx/state"
)

// view is a stream as one group sees it, while it is being laid out.
type view struct {
	stream  *state.Stream
	group   state.Group
	grouped bool
}

// item is something whose place is exactly known: an entry of the window, or a pending id without an entry.
type item struct {
	id      state.ID
	kind    Kind
	owner   string
	isEntry bool
}

// mark is a cursor: it stands behind every entry up to and including id.
type mark struct {
	id    state.ID
	group string
	kind  Kind
}

// lay gives the cells, at most width, and how many entries an approximate one stands for.
func (v view) lay(width int) ([]Cell, int64) {
	items := v.items()
	marks := v.marks()
	gone := v.goneBefore()
	left, right := v.outside()
	budget := width - len(marks) - len(gone)
	if budget < 1 {
		gone, budget = nil, width-len(marks)
	}
	if budget < 1 {
		return cursorsOnly(marks, width), 0
	}
	p := plan{items: items, left: left, right: right}
	p.fit(budget, v.focus())
	cells := slices.Concat(v.side(p, true), exact(p.items), v.side(p, false))
	cells = v.insert(cells, gone, marks, p)
	return cells, p.span()
}

// items are the entries of the window and the pending ids known to have no entry, ascending.
func (v view) items() []item {
	var out []item
	if v.stream.Entries.Unknown == "" {
		for _, e := range v.stream.Entries.Entries {
			out = append(out, v.entry(e.ID))
		}
	}
	for _, row := range v.group.PEL.Rows {
		if present := v.stream.Present(row.ID); present.Known && !present.Value && v.exactPlace(row.ID) {
			out = append(out, item{id: row.ID, kind: PendingDeleted, owner: row.Consumer})
		}
	}
	slices.SortStableFunc(out, func(a, b item) int { return a.id.Compare(b.id) })
	return out
}

// entry is an entry of the window as the group sees it.
func (v view) entry(id state.ID) item {
	it := item{id: id, kind: Passed, isEntry: true}
	if row, ok := v.group.PEL.Row(id); ok {
		it.kind, it.owner = Pending, row.Consumer
	} else if !v.grouped || v.group.LastDelivered.Less(id) {
		it.kind = v.ahead()
	}
	return it
}

// ahead is what an entry behind the cursor is; without a group there is no telling.
func (v view) ahead() Kind {
	if v.grouped {
		return Undelivered
	}
	return Entry
}

// exactPlace says whether an id without an entry has a certain place between the window's entries.
func (v view) exactPlace(id state.ID) bool {
	w := v.stream.Entries
	if w.Unknown != "" {
		return false
	}
	if w.Holds(id) {
		return true
	}
	left, right := v.outside()
	return left == 0 && id.Less(w.From) || right == 0 && w.To.Less(id) || len(w.Entries) == 0 && left+right == 0
}

// marks are the cursors, ascending; the group's own hides another at the same place.
func (v view) marks() []mark {
	var out []mark
	for _, g := range v.stream.Groups {
		switch {
		case v.grouped && g.Name == v.group.Name:
			out = append(out, mark{g.LastDelivered, g.Name, Cursor})
		case !v.grouped || g.LastDelivered != v.group.LastDelivered:
			out = append(out, mark{g.LastDelivered, g.Name, CursorOther})
		}
	}
	slices.SortStableFunc(out, func(a, b mark) int {
		return cmp.Or(a.id.Compare(b.id), cmp.Compare(a.kind, b.kind))
	})
	return slices.CompactFunc(out, func(a, b mark) bool { return a.id == b.id })
}

// goneBefore are signs for entries that stood before the oldest one: certain when more were ever added
// than are there and none was deleted from between those that are there.
func (v view) goneBefore() []Cell {
	s := v.stream
	if !s.EntriesAdded.Known || !s.Length.Known || !s.MaxDeleted.Known || !s.FirstID.Known {
		return nil
	}
	n := s.EntriesAdded.Value - s.Length.Value
	if n <= 0 || s.Length.Value > 0 && !s.MaxDeleted.Value.Less(s.FirstID.Value) {
		return nil
	}
	if n == 1 {
		return []Cell{{Kind: Gone, Count: 1}}
	}
	return []Cell{{Kind: Gone, Count: n - 1}, {Kind: Gone, Count: 1}}
}

// outside is how many entries stand before and behind the window, as well as it can be told. -1 is some,
// nobody knows how many.
func (v view) outside() (left, right int64) {
	s, w := v.stream, v.stream.Entries
	if w.Unknown != "" || len(w.Entries) == 0 && w.From == w.To {
		return s.Length.Or(-1), 0
	}
	fromStart := s.FirstID.Known && !s.FirstID.Value.Less(w.From)
	toEnd := s.LastID.Known && !w.To.Less(s.LastID.Value)
	if !s.Length.Known {
		if !fromStart {
			left = -1
		}
		if !toEnd {
			right = -1
		}
		return left, right
	}
	rest := max(0, s.Length.Value-int64(len(w.Entries)))
	switch {
	case rest == 0:
		return 0, 0
	case toEnd:
		return rest, 0
	case fromStart:
		return 0, rest
	}
	return v.split(rest)
}

// split shares entries outside the window among both its sides, by the ids' milliseconds.
func (v view) split(rest int64) (left, right int64) {
	s, w := v.stream, v.stream.Entries
	before := between(s.FirstID.Or(state.ID{}), w.From)
	after := between(w.To, s.LastID.Or(w.To))
	if before+after == 0 {
		return rest, 0
	}
	left = int64(float64(rest) * (before / (before + after)))
	return left, rest - left
}

// between is how far b is after a, in milliseconds and parts of one.
func between(a, b state.ID) float64 {
	if !a.Less(b) {
		return 0
	}
	if a.MS == b.MS {
		return float64(b.Seq-a.Seq) / (1 << 32)
	}
	return float64(b.MS - a.MS)
}

// focus is the id around which a strip too long is cut.
func (v view) focus() state.ID {
	if v.grouped {
		return v.group.LastDelivered
	}
	return state.MaxID()
}

// exact are the cells of items.
func exact(items []item) []Cell {
	cells := make([]Cell, len(items))
	for i, it := range items {
		cells[i] = Cell{Kind: it.kind, Owner: it.owner, ID: it.id}
		if it.isEntry {
			cells[i].Count = 1
		}
	}
	return cells
}

// cursorsOnly is what a strip too narrow for anything shows.
func cursorsOnly(marks []mark, width int) []Cell {
	var cells []Cell
	for _, m := range marks {
		cells = append(cells, Cell{Kind: m.kind, Group: m.group, ID: m.id})
	}
	slices.SortStableFunc(cells, func(a, b Cell) int { return cmp.Compare(a.Kind, b.Kind) })
	return cells[:min(len(cells), max(0, width))]
}

func sorted(counts map[string]int) []Owner {
	var out []Owner
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		out = append(out, Owner{name, counts[name]})
	}
	return out
}
