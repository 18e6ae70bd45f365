package explore

import (
	"pelscope/redisx/state"
	"pelscope/ui/text"
)

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
