package tape

import (
	"slices"

	"pelscope/redisx/state"
)

// insert sets the signs of what is gone at the beginning and the cursors at their places between the cells.
// Another group's cursor never passes the group's own, whatever its lag says.
func (v view) insert(cells, gone []Cell, marks []mark, p plan) []Cell {
	own, ownAt := state.ID{}, -1
	for _, m := range marks {
		if m.kind == Cursor {
			own, ownAt = m.id, v.place(m, p, len(cells))
		}
	}
	out := make([]Cell, 0, len(cells)+len(gone)+len(marks))
	next := 0
	for _, m := range marks {
		at := ownAt
		if m.kind != Cursor {
			at = v.place(m, p, len(cells))
			if ownAt >= 0 && m.id.Less(own) {
				at = min(at, ownAt)
			}
		}
		if !m.id.IsZero() {
			out = append(out, gone...)
			gone = nil
		}
		if at > next {
			out = append(append(out, gone...), cells[next:at]...)
			gone, next = nil, at
		}
		out = append(out, Cell{Kind: m.kind, Group: m.group, ID: m.id, Approx: v.approxMark(m, p)})
	}
	out = append(out, gone...)
	return append(out, cells[next:]...)
}

// place is before which cell a cursor stands.
func (v view) place(m mark, p plan, n int) int {
	lead := p.leftCells
	if lead > 0 && len(p.items) > 0 || p.leftCells == 0 && p.cut[0] {
		lead++ // the seam
	}
	if len(p.items) > 0 {
		switch {
		case m.id.Less(p.items[0].id) && p.leftCells > 0:
			return v.inSide(m, p, true)
		case m.id.Less(p.items[0].id):
			return 0
		}
		behind, _ := slices.BinarySearchFunc(p.items, m.id, func(it item, id state.ID) int {
			if id.Less(it.id) {
				return 1
			}
			return -1
		})
		if behind < len(p.items) || p.rightCells == 0 {
			return min(n, lead+behind)
		}
		if p.items[len(p.items)-1].id == m.id {
			return lead + behind
		}
		return min(n, lead+len(p.items)+1+v.inSide(m, p, false))
	}
	if p.leftCells > 0 {
		return v.inSide(m, p, true)
	}
	return min(n, v.inSide(m, p, false))
}

// inSide is before which cell of a side a cursor stands.
func (v view) inSide(m mark, p plan, left bool) int {
	n := p.rightCells
	if left {
		n = p.leftCells
	}
	r := v.region(p, left)
	if m.kind == Cursor {
		return v.passedCells(p, left, r, n)
	}
	other := v
	other.group, other.grouped = v.stream.Group(m.group)
	return other.column(other.region(p, left), m.id, n)
}

// approxMark says whether a cursor's place is worked out instead of known.
func (v view) approxMark(m mark, p plan) bool {
	if len(p.items) == 0 {
		return p.leftCells+p.rightCells > 0
	}
	return m.id.Less(p.items[0].id) && p.leftCells > 0 || p.items[len(p.items)-1].id.Less(m.id) && p.rightCells > 0
}
