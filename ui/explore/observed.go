package explore

import (
	"time"

	"pelscope/redisx/state"
	"pelscope/ui/draw"
	"pelscope/ui/text"
	"pelscope/ui/theme"
	"pelscope/ui/widget"
)

// Observed tells what a look saw. It says what happened since the last one of the same stream.
func (s *Screen) Observed(st state.State, cost Cost) {
	s.isDrawn = false
	back := s.lost != ""
	s.lost = ""
	if back {
		s.log(st.At, []text.Line{{Text: "connected again; what happened meanwhile is one step"}})
	}
	if s.state != nil && s.sameStream(*s.state, st) {
		s.log(st.At, text.Lines(state.Diff(*s.state, st), s.home()))
	}
	s.state, s.cost, s.seenAt = &st, cost, s.now
	if s.look.Group == "" {
		s.look.Group = s.groupName() // a group that comes later must not take the place of the one on the screen
	}
	s.fill()
	s.arrive()
}

// Lost tells that a look failed. What was seen last stays, with its age.
func (s *Screen) Lost(why string, now time.Time) {
	s.isDrawn = false
	s.lost, s.now = why, now
}

// sameStream says whether both looks were at the stream that is shown, so that they can be compared.
func (s *Screen) sameStream(a, b state.State) bool {
	_, inA := a.Key(s.look.Stream)
	_, inB := b.Key(s.look.Stream)
	return inA && inB
}

func (s *Screen) home() state.Place {
	return state.Place{Key: s.look.Stream, Group: s.groupName()}
}

// logged is a line of the log of changes, kept so that another theme can show it again.
type logged struct {
	stamp string // spaces where the line above has it
	line  text.Line
}

// log adds one look's changes: the time stands before the first, the others stand under it.
func (s *Screen) log(at state.Instant, lines []text.Line) {
	stamp := at.Time().Format("15:04:05.0")
	for i, l := range lines {
		if i > 0 {
			stamp = draw.Spaces(len(stamp))
		}
		s.logged = append(s.logged, logged{stamp, l})
		s.changes.Append(s.logLine(logged{stamp, l}))
	}
	if over := len(s.logged) - maxChanges; over > 0 {
		s.logged = s.logged[over:]
	}
}

func (s *Screen) logLine(l logged) string {
	return " " + s.theme.Quiet.Render(l.stamp) + "  " + s.changeStyle(l.line.Kind).Render(s.theme.Clean(l.line.Text))
}

// relog writes the log again, in another theme.
func (s *Screen) relog() {
	s.changes.Clear()
	for _, l := range s.logged {
		s.changes.Append(s.logLine(l))
	}
}

func newChanges(th *theme.Theme) *widget.Log {
	l := widget.NewLog(th, maxChanges)
	l.SetEmpty(" nothing has changed since you began to watch")
	return l
}

// maxChanges is how many lines of changes are kept.
const maxChanges = 2000
