package explore

import (
	"cmp"
	"slices"

	"pelscope/redisx/state"
	"pelscope/ui/draw"
	"pelscope/ui/intent"
	"pelscope/ui/theme"
	"pelscope/ui/widget"
)

// order is how the pending rows stand.
type order uint8

const (
	byConsumer order = iota
	byDeliveries
	byID
)

func (o order) next() order { return (o + 1) % 3 }

func (o order) String() string {
	return [...]string{"by consumer", "most deliveries first", "by id"}[o]
}

func newPending(th *theme.Theme) *widget.Table {
	t := widget.NewTable(th,
		widget.Column{Title: "consumer", Min: 8, Max: 24, Middle: true, Priority: 1},
		widget.Column{Title: "id", Min: 9, Tail: true},
		widget.Column{Title: "idle", Min: 4, Right: true, Priority: 2},
		widget.Column{Title: "deliveries", Min: 10, Priority: 1},
		widget.Column{Title: "fields", Min: 8, Grow: 1, Priority: 3},
	)
	return t
}

func (s *Screen) fillPending() {
	g, ok := s.group()
	if !ok {
		s.pending.SetEmpty(s.noGroupSo("nothing is pending"))
		s.pending.SetRows(nil)
		return
	}
	s.pending.SetEmpty(or(g.PEL.Unknown, s.nothingPending()))
	list := slices.Clone(g.PEL.Rows)
	slices.SortStableFunc(list, s.order.compare)
	rows := make([]widget.Row, 0, len(list))
	for _, r := range list {
		rows = append(rows, widget.Row{Key: r.ID.String(), Fill: func() []widget.Cell { return s.pendingCells(r) }})
	}
	s.pending.SetRows(rows)
}

func (s *Screen) nothingPending() string {
	if len(s.pelStarts) > 0 {
		return "nothing is pending from " + s.look.PendingFrom.String() + " on"
	}
	return "nothing is pending"
}

func (o order) compare(a, b state.Pending) int {
	if c := cmp.Compare(poison(b), poison(a)); c != 0 && o != byID {
		return c
	}
	switch o {
	case byConsumer:
		if c := cmp.Compare(a.Consumer, b.Consumer); c != 0 {
			return c
		}
	case byDeliveries:
		if c := cmp.Compare(b.Deliveries, a.Deliveries); c != 0 {
			return c
		}
	}
	return a.ID.Compare(b.ID)
}

// poison is 1 for an entry that surely fails everywhere: it stands before the others, since nobody would
// find it among hundreds.
func poison(r state.Pending) int {
	if r.Deliveries >= poisonTries {
		return 1
	}
	return 0
}

func (s *Screen) pendingCells(r state.Pending) []widget.Cell {
	idle := r.Idle(s.state.At)
	idleStyle := s.theme.Text
	if idle >= longIdle {
		idleStyle = s.theme.Warn
	}
	deliveries := s.deliveries(r.Deliveries)
	if s.isDeleted(r.ID) {
		deliveries.Text += " " + s.theme.Glyphs.PendingDeleted
	}
	return []widget.Cell{
		{Text: s.ownerText(r.Consumer), Style: s.theme.Owner(r.Consumer)},
		{Text: r.ID.String()},
		{Text: draw.Age(idle), Style: idleStyle},
		deliveries,
		{Text: s.payload(r.ID)},
	}
}

func (s *Screen) ownerText(name string) string {
	if name == "" {
		return "nobody"
	}
	return s.theme.Clean(name)
}

func (s *Screen) deliveries(n int64) widget.Cell {
	c := widget.Cell{Text: s.theme.Glyphs.Times + draw.Count(n)}
	switch {
	case n >= poisonTries:
		c.Text += " " + s.theme.Glyphs.Warn + " poison?"
		c.Style = s.theme.Bad
	case n >= manyTries:
		c.Text += " " + s.theme.Glyphs.Warn
		c.Style = s.theme.Warn
	}
	return c
}

// isDeleted says whether a pending entry is known to be no entry any more.
func (s *Screen) isDeleted(id state.ID) bool {
	st := s.stream()
	if st == nil {
		return false
	}
	p := st.Present(id)
	return p.Known && !p.Value
}

// payload is what a pending entry holds, as far as it is in view.
func (s *Screen) payload(id state.ID) string {
	st := s.stream()
	if e, ok := st.Entry(id); ok {
		return s.fields(e)
	}
	if s.isDeleted(id) {
		return s.theme.Bad.Render("its entry is deleted")
	}
	return s.theme.Quiet.Render("enter shows it")
}

// turn is which row shall be selected on a page of the PEL that has been asked for.
type turn uint8

const (
	turned    turn = iota // none: the page is there
	turnToTop             // the first, having gone on
	turnToEnd             // the last, having gone back
)

// pendingMoved turns the page of the PEL when the selection is at its end and cannot move further.
func (s *Screen) pendingMoved(i intent.Intent, atEnd bool) []Request {
	g, ok := s.group()
	if !ok || s.look.PendingFrom != g.PEL.From {
		return nil // the page that was asked for is still to come
	}
	rows := g.PEL.Rows
	switch {
	case i == intent.Top && len(s.pelStarts) > 0:
		s.look.PendingFrom, s.pelStarts, s.pelTurn = state.ID{}, nil, turnToTop
	case atEnd && (i == intent.Down || i == intent.PageDown) && len(rows) > 0 && g.PEL.To != state.MaxID():
		next, more := rows[len(rows)-1].ID.Next()
		if !more {
			return nil
		}
		s.pelStarts = append(s.pelStarts, s.look.PendingFrom)
		s.look.PendingFrom, s.pelTurn = next, turnToTop
	case atEnd && (i == intent.Up || i == intent.PageUp) && len(s.pelStarts) > 0:
		s.pageBack()
	default:
		return nil
	}
	return []Request{{Kind: LookNow}}
}

func (s *Screen) pageBack() {
	s.pelBefore = s.look.PendingFrom
	s.look.PendingFrom = s.pelStarts[len(s.pelStarts)-1]
	s.pelStarts = s.pelStarts[:len(s.pelStarts)-1]
	s.pelTurn = turnToEnd
}

// turnPage selects the row that goes on from the page before, and leaves a page that has become empty.
func (s *Screen) turnPage() {
	g, ok := s.group()
	if !ok || g.PEL.Unknown != "" || s.look.PendingFrom != g.PEL.From {
		return
	}
	to := s.pelTurn
	s.pelTurn = turned
	switch {
	case len(g.PEL.Rows) == 0 && len(s.pelStarts) > 0:
		s.pageBack()
	case to == turnToTop:
		s.pending.Home()
	case to == turnToEnd:
		s.pending.End()
		for i := len(g.PEL.Rows) - 1; i >= 0 && s.order == byID; i-- {
			if g.PEL.Rows[i].ID.Less(s.pelBefore) {
				s.pending.Select(g.PEL.Rows[i].ID.String())
				return
			}
		}
	}
}
