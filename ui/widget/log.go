package widget

import (
	"pelscope/ui/draw"
	"pelscope/ui/theme"
)

// Log is lines that are only ever appended, the newest at the bottom: changes, commands. It holds the
// last ones up to its capacity. Until the user scrolls up it follows the newest; scrolled up it stays on
// the lines it shows, whatever is appended, until these are dropped.
type Log struct {
	theme    *theme.Theme
	empty    string
	capacity int
	w, h     int

	lines []string // the last ones, oldest first
	first uint64   // the number of lines[0], counted since the beginning
	top   uint64   // the number of the first line on the screen, unless following
	held  bool     // not following

	valid bool
	block draw.Block
}

// NewLog makes a log that holds at most capacity lines.
func NewLog(th *theme.Theme, capacity int) *Log { return &Log{theme: th, capacity: max(1, capacity)} }

// SetTheme changes colours and glyphs; lines that are there keep the styles they were given.
func (l *Log) SetTheme(th *theme.Theme) { l.theme, l.valid = th, false }

// SetEmpty sets the words that stand where there are no lines.
func (l *Log) SetEmpty(words string) { l.empty, l.valid = words, false }

// SetSize sets the columns and lines of the view. The line at the bottom stays there.
func (l *Log) SetSize(w, h int) {
	if w == l.w && h == l.h {
		return
	}
	if l.held {
		if bottom := l.top + uint64(l.h); bottom > uint64(max(0, h)) {
			l.top = bottom - uint64(max(0, h))
		} else {
			l.top = 0
		}
	}
	l.w, l.h, l.valid = max(0, w), max(0, h), false
	l.clamp()
}

// Append adds lines, clean text that may hold SGR sequences; each is cut to the width when drawn.
func (l *Log) Append(lines ...string) {
	if len(lines) == 0 {
		return
	}
	l.lines = append(l.lines, lines...)
	if over := len(l.lines) - l.capacity; over > 0 {
		if over > l.capacity/4 || cap(l.lines) > 4*l.capacity {
			l.lines = append(make([]string, 0, 2*l.capacity), l.lines[over:]...)
		} else {
			clear(l.lines[:over])
			l.lines = l.lines[over:]
		}
		l.first += uint64(over)
	}
	l.valid = false
	l.clamp()
}

// Clear drops every line.
func (l *Log) Clear() {
	l.first += uint64(len(l.lines))
	l.lines, l.held, l.valid = nil, false, false
}

// Len is how many lines there are.
func (l *Log) Len() int { return len(l.lines) }

// Following says whether the newest line is always shown.
func (l *Log) Following() bool { return !l.held }

// Scroll moves the view by n lines, down when n is positive. At the bottom it follows again.
func (l *Log) Scroll(n int) {
	top := l.start() + n
	l.held = true
	l.top = l.first + uint64(max(0, top))
	l.valid = false
	l.clamp()
}

// Page scrolls by n screens.
func (l *Log) Page(n int) { l.Scroll(n * max(1, l.h-1)) }

// Home scrolls to the oldest line that is there.
func (l *Log) Home() { l.Scroll(-len(l.lines)) }

// End goes to the newest line and follows.
func (l *Log) End() { l.held, l.valid = false, false }

// Hidden is how many lines stand above and below what is on the screen.
func (l *Log) Hidden() (above, below int) {
	start := l.start()
	return start, max(0, len(l.lines)-start-l.h)
}

// Hint says how many lines are hidden, as "↑12 ↓3"; empty when none are.
func (l *Log) Hint() string {
	above, below := l.Hidden()
	hint := ""
	if above > 0 {
		hint = l.theme.Glyphs.Up + draw.Count(int64(above))
	}
	if below > 0 {
		if hint != "" {
			hint += " "
		}
		hint += l.theme.Glyphs.Down + draw.Count(int64(below))
	}
	return hint
}

// clamp keeps the held top inside the lines, and follows again when it reaches the bottom.
func (l *Log) clamp() {
	if !l.held {
		return
	}
	l.top = max(l.top, l.first)
	if last := l.first + uint64(max(0, len(l.lines)-l.h)); l.top >= last {
		l.held = false
	}
}

// start is the first line on the screen, as an index.
func (l *Log) start() int {
	if l.held {
		return int(l.top - l.first)
	}
	return max(0, len(l.lines)-l.h)
}

// View draws the log.
func (l *Log) View() draw.Block {
	if l.valid {
		return l.block
	}
	if len(l.lines) == 0 {
		l.block = l.theme.Block(l.w, l.h, l.theme.Quiet.Render(l.theme.Fit(l.empty, l.w)))
	} else {
		start := l.start()
		l.block = l.theme.Block(l.w, l.h, l.lines[start:min(len(l.lines), start+l.h)]...)
	}
	l.valid = true
	return l.block
}
