package explore

import (
	"pelscope/redisx/state"
	"pelscope/ui/layout"
	"pelscope/ui/text"
	"pelscope/ui/widget"
)

// Focus is the pane that keys move in.
func (s *Screen) Focus() layout.Pane { return s.focus }

// Selected is the key of the selected row of a pane; empty when there is none.
func (s *Screen) Selected(p layout.Pane) string {
	t := map[layout.Pane]*widget.Table{layout.Entries: s.entries, layout.Pending: s.pending, layout.Members: s.members, layout.Groups: s.groups}[p]
	key, _ := t.Selected()
	return key
}

// LogLines are the lines of the log of changes, without their times.
func (s *Screen) LogLines() []string {
	var out []string
	for _, l := range s.logged {
		out = append(out, l.line.Text)
	}
	return out
}

// LinesOf is what the log says of changes.
func LinesOf(changes []state.Change, home state.Place) []string {
	var out []string
	for _, l := range text.Lines(changes, home) {
		out = append(out, l.Text)
	}
	return out
}
