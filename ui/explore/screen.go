package explore

import (
	"time"

	"pelscope/redisx/state"
	"pelscope/ui/draw"
	"pelscope/ui/intent"
	"pelscope/ui/layout"
	"pelscope/ui/theme"
	"pelscope/ui/widget"
	"pelscope/ui/widget/tape"
)

// Server is what the header says of the server.
type Server struct {
	Where    string // its address, without secrets
	What     string // product and version
	ReadOnly bool
	Note     string // what a person should know of this connection, such as "replica"; may be empty
}

// Cost is what one look took.
type Cost struct {
	Commands int
	Took     time.Duration
}

// Request is something that the screen asks of the program.
type Request struct {
	Kind RequestKind
	ID   state.ID // ShowEntry
}

// RequestKind is a sort of request.
type RequestKind uint8

// The requests there are.
const (
	LookNow      RequestKind = iota // observe at once, since what to look at changed
	ShowEntry                       // the entry ID of this stream, whole
	PickStream                      // let the person choose another stream
	ShowCommands                    // the commands that were sent
	Leave                           // home
)

// Screen is the explorer. Make one with New.
type Screen struct {
	theme  *theme.Theme
	server Server
	w, h   int
	focus  layout.Pane

	look     Look
	interval time.Duration
	paused   bool

	state  *state.State // the last one; nil before the first
	cost   Cost
	lost   string    // why the last look failed; empty when it did not
	now    time.Time // the local clock, as messages tell it
	seenAt time.Time // when state was seen, by the local clock

	goal      goal       // where the selected entry shall be once it is fetched
	pelStarts []state.ID // the first ids of the pages before this one
	pelTurn   turn       // which row shall be selected once the page is turned
	pelBefore state.ID   // having gone back: where the page after begins
	order     order
	oneTime   bool // this server tells one time of a consumer, not two

	entries, pending, members, groups *widget.Table
	changes                           *widget.Log
	logged                            []logged
	tape                              tape.Tape

	drawn   draw.Block
	isDrawn bool
}

// DefaultInterval is how often the explorer looks unless told otherwise.
const DefaultInterval = time.Second

// New makes an explorer of a stream. A group of "" means the foremost.
func New(th *theme.Theme, server Server, stream, group string) *Screen {
	s := &Screen{
		theme: th, server: server, interval: DefaultInterval, focus: layout.Entries,
		look:    Look{Stream: stream, Group: group, Tail: true},
		entries: newEntries(th), pending: newPending(th), members: newMembers(th), groups: newGroups(th),
		changes: newChanges(th),
	}
	s.fill()
	return s
}

// SetTheme changes colours and glyphs.
func (s *Screen) SetTheme(th *theme.Theme) {
	s.theme = th
	for _, t := range s.tables() {
		t.SetTheme(th)
	}
	s.changes.SetTheme(th)
	s.relog()
	s.fill()
}

// SetSize tells the size of the whole screen, header and footer among it.
func (s *Screen) SetSize(w, h int) {
	s.w, s.h = w, h
	s.arrange()
}

// Tick tells the local time, so that what is stale says its age.
func (s *Screen) Tick(now time.Time) {
	s.now = now
	if s.lost != "" || s.isOverdue() {
		s.isDrawn = false
	}
}

// Interval is how long to wait between two looks; ok is false while paused.
func (s *Screen) Interval() (d time.Duration, ok bool) { return s.interval, !s.paused }

// State is what is shown; nil before the first look.
func (s *Screen) State() *state.State { return s.state }

func (s *Screen) tables() []*widget.Table {
	return []*widget.Table{s.entries, s.pending, s.members, s.groups}
}

// arrange gives every pane its size.
func (s *Screen) arrange() {
	s.isDrawn = false
	if layout.TooSmall(s.w, s.h) {
		return
	}
	l := layout.Explore(s.w, s.h, s.focus)
	inner := func(p layout.Pane) (int, int) { r := l.Rects[p]; return max(0, r.W-2), max(0, r.H-2) }
	s.entries.SetSize(inner(layout.Entries))
	s.pending.SetSize(inner(layout.Pending))
	s.members.SetSize(inner(layout.Members))
	s.groups.SetSize(inner(layout.Groups))
	s.changes.SetSize(inner(layout.Changes))
	s.buildTape()
}

// Do carries out an intent and says what it asks of the program.
func (s *Screen) Do(i intent.Intent) []Request {
	s.isDrawn = false
	switch i {
	case intent.NextPane, intent.PrevPane:
		s.turnFocus(i == intent.NextPane)
	case intent.Up, intent.Down, intent.PageUp, intent.PageDown, intent.Top, intent.Bottom:
		return s.move(i)
	case intent.Open:
		return s.open()
	case intent.NextGroup, intent.PrevGroup:
		return s.turnGroup(i == intent.NextGroup)
	case intent.GoCursor, intent.GoTail:
		return s.jump(i == intent.GoCursor)
	case intent.Sort:
		s.order = s.order.next()
		s.fillPending()
	case intent.Pause:
		s.paused = !s.paused
		if !s.paused {
			return []Request{{Kind: LookNow}}
		}
	case intent.Faster, intent.Slower:
		s.setInterval(i == intent.Faster)
		if !s.paused {
			return []Request{{Kind: LookNow}} // what was waited for may be a minute away
		}
	case intent.Refresh:
		return []Request{{Kind: LookNow}}
	case intent.NextStream:
		return []Request{{Kind: PickStream}}
	case intent.Commands:
		return []Request{{Kind: ShowCommands}}
	case intent.Back:
		return []Request{{Kind: Leave}}
	}
	return nil
}

// The panes in the order in which tab goes through them.
func (s *Screen) panes() []layout.Pane {
	l := layout.Explore(s.w, s.h, s.focus)
	if len(l.Fold) > 0 {
		return l.Fold
	}
	return []layout.Pane{layout.Entries, layout.Pending, layout.Groups, layout.Members, layout.Changes}
}

func (s *Screen) turnFocus(forward bool) {
	panes := s.panes()
	at := 0
	for i, p := range panes {
		if p == s.focus {
			at = i
		}
	}
	step := 1
	if !forward {
		step = len(panes) - 1
	}
	s.focus = panes[(at+step)%len(panes)]
	s.arrange()
}

// The steps of the interval between two looks.
func intervals() []time.Duration {
	const ms = time.Millisecond
	return []time.Duration{100 * ms, 250 * ms, 500 * ms, time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 30 * time.Second, time.Minute}
}

func (s *Screen) setInterval(faster bool) {
	steps := intervals()
	at := 0
	for i, d := range steps {
		if d <= s.interval {
			at = i
		}
	}
	if faster {
		at--
	} else {
		at++
	}
	s.interval = steps[max(0, min(at, len(steps)-1))]
}
