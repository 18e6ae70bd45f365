package explore

import (
	"slices"

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
	before, _ := t.Selected()
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
	after, _ := t.Selected()
	switch s.focus {
	case layout.Entries:
		return s.entriesMoved(i)
	case layout.Pending:
		return s.pendingMoved(i, before == after)
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

// goal is the entry that shall be selected as soon as it is fetched: this one, or the oldest.
type goal struct {
	id     state.ID
	oldest bool
}

// entriesMoved moves the window when the selection came near its edge, and to the stream's very ends
// on home and end. The newest entry is the first row.
func (s *Screen) entriesMoved(i intent.Intent) []Request {
	s.goal = goal{}
	st := s.stream()
	if st == nil || len(st.Entries.Entries) == 0 {
		return nil
	}
	switch i {
	case intent.Top:
		return s.goNewest()
	case intent.Bottom:
		return s.goOldest(st)
	}
	id, ok := s.selectedEntry()
	if !ok || s.entries.Following() {
		return nil
	}
	if s.look.Tail { // from now on this entry stays in view, however many come
		s.look.Tail, s.look.Anchor = false, id
	}
	list := st.Entries.Entries
	atOldest := !st.Entries.From.IsZero() && id.Compare(list[min(edge, len(list)-1)].ID) <= 0
	atNewest := st.Entries.To != state.MaxID() && id.Compare(list[max(0, len(list)-1-edge)].ID) >= 0
	if !atOldest && !atNewest {
		return nil
	}
	s.look.Anchor = id
	return []Request{{Kind: LookNow}}
}

func (s *Screen) goNewest() []Request {
	s.goal = goal{}
	s.look.Tail, s.look.Anchor = true, state.ID{}
	s.entries.Home()
	return []Request{{Kind: LookNow}}
}

func (s *Screen) goOldest(st *state.Stream) []Request {
	s.look.Tail, s.look.Anchor = false, state.ID{Seq: 1}
	if st.FirstID.Known && !st.FirstID.Value.IsZero() {
		s.look.Anchor = st.FirstID.Value
	}
	if st.Entries.From.IsZero() {
		s.entries.End()
		return nil
	}
	s.goal = goal{oldest: true}
	return []Request{{Kind: LookNow}}
}

// goCursor goes to the entry that the group was given last; before the first one is the oldest end.
func (s *Screen) goCursor() []Request {
	g, ok := s.group()
	if !ok {
		return nil
	}
	if g.LastDelivered.IsZero() {
		return s.goOldest(s.stream())
	}
	s.goal = goal{id: g.LastDelivered}
	s.look.Tail, s.look.Anchor = false, g.LastDelivered
	s.reachGoal()
	return []Request{{Kind: LookNow}}
}

// reachGoal selects the entry that was to be gone to, if it is fetched by now.
func (s *Screen) reachGoal() {
	st := s.stream()
	if s.goal == (goal{}) || st == nil || len(st.Entries.Entries) == 0 {
		return
	}
	if s.goal.oldest {
		if st.Entries.From.IsZero() {
			s.entries.End()
			s.goal = goal{}
		}
		return
	}
	list := st.Entries.Entries
	if !st.Entries.Holds(s.goal.id) {
		return
	}
	at, _ := slices.BinarySearchFunc(list, s.goal.id, func(e state.Entry, id state.ID) int { return e.ID.Compare(id) })
	if at == len(list) || at > 0 && list[at].ID != s.goal.id {
		at-- // it is deleted: the one before it
	}
	key := list[at].ID.String()
	s.entries.Select(key)
	s.entries.Move(-1) // brings what stands above into view: the cursor's own line
	s.entries.Select(key)
	s.goal = goal{}
}

// arrive carries out what had to wait until more was fetched.
func (s *Screen) arrive() {
	s.reachGoal()
	s.turnPage()
}

// jump goes to the group's cursor, or to the newest entries.
func (s *Screen) jump(toCursor bool) []Request {
	if toCursor {
		return s.goCursor()
	}
	return s.goNewest()
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
	s.look.Group, s.look.PendingFrom, s.pelStarts, s.pelTurn = name, state.ID{}, nil, turnToTop
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

// groupName is the group that is looked at: the one asked for, else the foremost.
func (s *Screen) groupName() string {
	st := s.stream()
	if s.look.Group != "" || st == nil {
		return s.look.Group
	}
	return st.Foremost()
}

func (s *Screen) group() (state.Group, bool) {
	st := s.stream()
	if st == nil {
		return state.Group{}, false
	}
	return st.Group(s.groupName())
}
