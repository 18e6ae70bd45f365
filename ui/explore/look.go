package explore

import (
	"pelscope/redisx/state"
	"pelscope/ui/intent"
	"pelscope/ui/layout"
)

// Look is what the explorer wants to see next.
type Look struct {
	Stream, Group string
	Tail          bool     // the newest entries
	Anchor        state.ID // else those around this id
	PendingFrom   state.ID // the first row of the page of the PEL
}

// Look tells what to look at next.
func (s *Screen) Look() Look { return s.look }

// edge is how near the selection comes to the end of what was fetched before more is.
const edge = 5

// move moves the selection in the focused pane, and fetches on where it comes to an end.
func (s *Screen) move(i intent.Intent) []Request {
	if s.focus == layout.Changes {
		s.scrollChanges(i)
		return nil
	}
	t := s.entries
	switch s.focus {
	case layout.Pending:
		t = s.pending
	case layout.Members:
		t = s.members
	case layout.Groups:
		t = s.groups
	}
	switch i {
	case intent.Up:
		t.Move(-1)
	case intent.Down:
		t.Move(1)
	case intent.PageUp:
		t.Page(-1)
	case intent.PageDown:
		t.Page(1)
	case intent.Top:
		t.Home()
	case intent.Bottom:
		t.End()
	}
	switch s.focus {
	case layout.Entries:
		return s.entriesMoved(i)
	case layout.Pending:
		return s.pendingMoved(i)
	case layout.Groups:
		return s.groupChosen()
	}
	return nil
}

func (s *Screen) scrollChanges(i intent.Intent) {
	switch i {
	case intent.Up:
		s.changes.Scroll(-1)
	case intent.Down:
		s.changes.Scroll(1)
	case intent.PageUp:
		s.changes.Page(-1)
	case intent.PageDown:
		s.changes.Page(1)
	case intent.Top:
		s.changes.Home()
	case intent.Bottom:
		s.changes.End()
	}
}

// entriesMoved moves the window when the selection came near its edge, and to the stream's very ends
// on home and end. The newest entry is the first row.
func (s *Screen) entriesMoved(i intent.Intent) []Request {
	st := s.stream()
	if st == nil || len(st.Entries.Entries) == 0 {
		return nil
	}
	switch i {
	case intent.Top:
		return s.jump(false)
	case intent.Bottom:
		if st.Entries.From.IsZero() {
			return nil
		}
		s.look.Tail, s.look.Anchor = false, state.ID{Seq: 1}
		if st.FirstID.Known && !st.FirstID.Value.IsZero() {
			s.look.Anchor = st.FirstID.Value
		}
		return []Request{{Kind: LookNow}}
	}
	id, ok := s.selectedEntry()
	if !ok {
		return nil
	}
	list := st.Entries.Entries
	atOldest := !st.Entries.From.IsZero() && id.Compare(list[min(edge, len(list)-1)].ID) <= 0
	atNewest := st.Entries.To != state.MaxID() && id.Compare(list[max(0, len(list)-1-edge)].ID) >= 0
	if !atOldest && !atNewest {
		return nil
	}
	s.look.Tail, s.look.Anchor = false, id
	return []Request{{Kind: LookNow}}
}

// pendingMoved turns the page of the PEL when the selection is at its end.
func (s *Screen) pendingMoved(i intent.Intent) []Request {
	g, ok := s.group()
	if !ok || len(g.PEL.Rows) == 0 {
		return nil
	}
	above, below := s.atEnds()
	rows := g.PEL.Rows
	switch {
	case i == intent.Top && len(s.pelStarts) > 0:
		s.look.PendingFrom, s.pelStarts = state.ID{}, nil
	case below && (i == intent.Down || i == intent.PageDown) && g.PEL.To != state.MaxID():
		next, more := rows[len(rows)-1].ID.Next()
		if !more {
			return nil
		}
		s.pelStarts = append(s.pelStarts, s.look.PendingFrom)
		s.look.PendingFrom = next
	case above && (i == intent.Up || i == intent.PageUp) && len(s.pelStarts) > 0:
		s.look.PendingFrom = s.pelStarts[len(s.pelStarts)-1]
		s.pelStarts = s.pelStarts[:len(s.pelStarts)-1]
	default:
		return nil
	}
	return []Request{{Kind: LookNow}}
}

// jump goes to the group's cursor, or to the newest entries.
func (s *Screen) jump(toCursor bool) []Request {
	s.look.Tail, s.look.Anchor = true, state.ID{}
	if g, ok := s.group(); toCursor && ok && !g.LastDelivered.IsZero() {
		s.look.Tail, s.look.Anchor = false, g.LastDelivered
	}
	if s.look.Tail {
		s.entries.Home()
	} else {
		s.entries.Select(s.look.Anchor.String())
	}
	return []Request{{Kind: LookNow}}
}

// atEnds says whether the first or the last row of the pending entries is selected.
func (s *Screen) atEnds() (first, last bool) {
	key, ok := s.pending.Selected()
	return !ok || key == s.pelFirst, !ok || key == s.pelLast
}

func (s *Screen) turnGroup(forward bool) []Request {
	if forward {
		s.groups.Move(1)
	} else {
		s.groups.Move(-1)
	}
	return s.groupChosen()
}

// groupChosen looks at the group that is selected in the pane of groups.
func (s *Screen) groupChosen() []Request {
	name, ok := s.groups.Selected()
	if !ok || name == s.groupName() {
		return nil
	}
	s.look.Group, s.look.PendingFrom, s.pelStarts = name, state.ID{}, nil
	s.fill()
	return []Request{{Kind: LookNow}}
}

// open shows the selected entry whole, from the pane of entries or of pending rows.
func (s *Screen) open() []Request {
	var id state.ID
	ok := false
	switch s.focus {
	case layout.Entries:
		id, ok = s.selectedEntry()
	case layout.Pending:
		if key, selected := s.pending.Selected(); selected {
			parsed, err := state.ParseID(key)
			id, ok = parsed, err == nil
		}
	}
	if !ok {
		return nil
	}
	return []Request{{Kind: ShowEntry, ID: id}}
}

func (s *Screen) selectedEntry() (state.ID, bool) {
	key, ok := s.entries.Selected()
	if !ok {
		return state.ID{}, false
	}
	id, err := state.ParseID(key)
	return id, err == nil
}

func (s *Screen) stream() *state.Stream {
	if s.state == nil {
		return nil
	}
	return s.state.Stream(s.look.Stream)
}

// groupName is the group that is looked at: the one asked for, else the first.
func (s *Screen) groupName() string {
	st := s.stream()
	if s.look.Group != "" || st == nil || len(st.Groups) == 0 {
		return s.look.Group
	}
	return st.Groups[0].Name
}

func (s *Screen) group() (state.Group, bool) {
	st := s.stream()
	if st == nil {
		return state.Group{}, false
	}
	return st.Group(s.groupName())
}
