package tape

import (
	"math"
	"slices"
	"sort"

	"pelscope/redisx/state"
)

// plan is how the strip is shared: approximate cells at the left, exact ones, approximate ones at the right.
type plan struct {
	items                 []item
	left, right           int64 // entries that the approximate cells stand for; -1 for some
	leftCells, rightCells int
	cut                   [2]bool // items were cut off at the left, at the right
}

// least is how many cells a side has at least, when it stands for that many entries.
const least = 4

// fit shares budget cells out, seams included. When not all items fit, those around focus stay; when focus
// is not among them, the sides have more of the room.
func (p *plan) fit(budget int, focus state.ID) {
	if len(p.items) == 0 && p.right != 0 { // nothing exact between the two: one side
		if p.left < 0 || p.right < 0 {
			p.left, p.right = -1, 0
		}
		p.left, p.right = p.left+p.right, 0
	}
	if p.left == 0 && p.right == 0 && len(p.items) <= budget {
		return
	}
	sides := budget / 3
	if n := len(p.items); n > 0 && (focus.Less(p.items[0].id) && p.left != 0 || p.items[n-1].id.Less(focus) && p.right != 0) {
		sides = budget * 2 / 3
	}
	if rest := budget - len(p.items); rest > sides {
		sides = rest
	}
	room := max(0, budget-sides)
	if len(p.items) > room {
		p.cutAround(room, focus)
	}
	sides = budget - len(p.items)
	both := p.left != 0 && p.right != 0
	if len(p.items) > 0 { // the seams
		sides--
		if both {
			sides--
		}
	}
	sides = max(0, sides)
	switch {
	case both:
		p.leftCells = share(sides, p.left, p.right)
		p.rightCells = sides - p.leftCells
	case p.left != 0:
		p.leftCells = sides
	default:
		p.rightCells = sides
	}
	p.leftCells = atMost(p.leftCells, p.left)
	p.rightCells = atMost(p.rightCells, p.right)
}

// cutAround keeps room items around focus; the others count as outside.
func (p *plan) cutAround(room int, focus state.ID) {
	at := sort.Search(len(p.items), func(i int) bool { return focus.Less(p.items[i].id) })
	from := min(max(0, at-room*2/3), len(p.items)-room)
	if at == 0 && p.left != 0 { // the focus is far before them: the newest say most
		from = len(p.items) - room
	}
	count := func(items []item, n *int64) bool {
		if *n >= 0 {
			for _, it := range items {
				if it.isEntry {
					*n++
				}
			}
		}
		if *n == 0 && len(items) > 0 {
			*n = -1 // only pending ids without entries: a side, but of no entries
		}
		return len(items) > 0
	}
	p.cut[0] = count(p.items[:from], &p.left)
	p.cut[1] = count(p.items[from+room:], &p.right)
	p.items = p.items[from : from+room]
}

// share is how many of cells go to the left.
func share(cells int, left, right int64) int {
	if left < 0 || right < 0 {
		return cells / 2
	}
	n := int(math.Round(float64(cells) * float64(left) / float64(left+right)))
	return min(max(n, min(least, cells/2)), cells-min(least, cells/2))
}

func atMost(cells int, entries int64) int {
	if entries >= 0 && int64(cells) > entries {
		return int(entries)
	}
	return cells
}

// span is how many entries an approximate cell stands for, at most; 0 when there is none or nobody knows.
func (p plan) span() int64 {
	n := int64(0)
	if p.leftCells > 0 && p.left > 0 {
		n = (p.left + int64(p.leftCells) - 1) / int64(p.leftCells)
	}
	if p.rightCells > 0 && p.right > 0 {
		n = max(n, (p.right+int64(p.rightCells)-1)/int64(p.rightCells))
	}
	return n
}

// region is one side: ids and how far through the side's entries each stands, 0 to 1, in between linear.
type region struct {
	ids   []state.ID
	parts []float64
}

// part is how far through the side an id stands.
func (r region) part(id state.ID) float64 {
	i, found := slices.BinarySearchFunc(r.ids, id, state.ID.Compare)
	switch {
	case found:
		return r.parts[i]
	case i == 0:
		return 0
	case i == len(r.ids):
		return 1
	}
	all := between(r.ids[i-1], r.ids[i])
	if all == 0 {
		return r.parts[i]
	}
	return r.parts[i-1] + (r.parts[i]-r.parts[i-1])*between(r.ids[i-1], id)/all
}

// region makes the left or the right side's, with the group's cursor where the server's figures put it.
func (v view) region(p plan, left bool) region {
	first, last := v.stream.FirstID.Or(state.ID{}), v.stream.LastID.Or(state.MaxID())
	n := p.right
	if left {
		n = p.left
		if len(p.items) > 0 {
			last = p.items[0].id
		}
	} else if len(p.items) > 0 {
		first = p.items[len(p.items)-1].id
	}
	r := region{ids: []state.ID{first, last}, parts: []float64{0, 1}}
	if !first.Less(last) {
		return region{ids: []state.ID{first}, parts: []float64{0}}
	}
	cursor := v.group.LastDelivered
	behind, ok := v.behindCursor()
	if !ok || n <= 0 || !first.Less(cursor) || !cursor.Less(last) {
		return r
	}
	if left {
		behind -= entries(p.items) + max(0, p.right)
	}
	part := 1 - float64(behind)/float64(n)
	return region{ids: []state.ID{first, cursor, last}, parts: []float64{0, min(1, max(0, part)), 1}}
}

// behindCursor is how many entries stand behind the group's cursor: its lag, or what entries-read and
// entries-added tell.
func (v view) behindCursor() (int64, bool) {
	switch {
	case !v.grouped:
		return 0, false
	case v.group.Lag.Known:
		return v.group.Lag.Value, true
	case v.group.EntriesRead.Known && v.stream.EntriesAdded.Known:
		return v.stream.EntriesAdded.Value - v.group.EntriesRead.Value, true
	}
	return 0, false
}

func entries(items []item) int64 {
	n := int64(0)
	for _, it := range items {
		if it.isEntry {
			n++
		}
	}
	return n
}

// side gives the approximate cells of one side, with the seam towards the exact ones.
func (v view) side(p plan, left bool) []Cell {
	n, total := p.rightCells, p.right
	if left {
		n, total = p.leftCells, p.left
	}
	if n == 0 {
		if left && p.cut[0] || !left && p.cut[1] {
			return []Cell{{Kind: Seam, Approx: true}}
		}
		return nil
	}
	cells := make([]Cell, n)
	r := v.region(p, left)
	passed := v.passedCells(p, left, r, n)
	for i := range cells {
		cells[i] = Cell{Kind: v.ahead(), Approx: true}
		if i < passed {
			cells[i].Kind = Passed
		}
		if total > 0 {
			cells[i].Count = total*int64(i+1)/int64(n) - total*int64(i)/int64(n)
		}
	}
	v.spread(cells, p, left, r, passed)
	if len(p.items) == 0 {
		return cells
	}
	if left {
		return append(cells, Cell{Kind: Seam, Approx: true})
	}
	return append([]Cell{{Kind: Seam, Approx: true}}, cells...)
}

// passedCells is how many cells of a side the group's cursor has passed.
func (v view) passedCells(p plan, left bool, r region, n int) int {
	if !v.grouped {
		return 0
	}
	cursor := v.group.LastDelivered
	if len(p.items) > 0 {
		if left && !cursor.Less(p.items[0].id) {
			return n
		}
		if !left && cursor.Less(p.items[len(p.items)-1].id) {
			return 0
		}
	}
	at := v.column(r, cursor, n)
	if left && at == 0 && v.stream.FirstID.Known && !cursor.Less(v.stream.FirstID.Value) {
		return min(1, n) // the oldest entry was delivered
	}
	return at
}

// column is the boundary between cells at which an id stands: 0 only when it is before all of the side,
// n only when it is behind all of it.
func (v view) column(r region, id state.ID, n int) int {
	part := r.part(id)
	at := int(math.Round(part * float64(n)))
	if at == 0 && part > 0 {
		at = min(1, n)
	}
	if at == n && part < 1 {
		at = max(0, n-1)
	}
	return at
}

// spread sets the pending entries of a side on its cells. Where several meet, one that is still an entry
// goes before one that is not, and the oldest before the others. What was delivered stays before the cursor.
func (v view) spread(cells []Cell, p plan, left bool, r region, passed int) {
	for _, row := range v.group.PEL.Rows {
		here := len(p.items) == 0 || left && row.ID.Less(p.items[0].id) || !left && p.items[len(p.items)-1].id.Less(row.ID)
		if !here {
			continue
		}
		i := min(int(r.part(row.ID)*float64(len(cells))), len(cells)-1)
		if v.group.LastDelivered.Less(row.ID) {
			i = max(i, min(passed, len(cells)-1))
		} else {
			i = max(0, min(i, passed-1))
		}
		kind := Pending
		if present := v.stream.Present(row.ID); present.Known && !present.Value {
			kind = PendingDeleted
		}
		if c := &cells[i]; c.Kind != Pending && (kind == Pending || c.Kind != PendingDeleted) {
			c.Kind, c.Owner, c.ID = kind, row.Consumer, row.ID
		}
	}
}
