package learn

import (
	"fmt"
	"strings"

	"pelscope/ui/draw"
	"pelscope/ui/layout"
	"pelscope/ui/widget/tape"
)

// View draws the screen without its last line, the footer.
func (s *Screen) View() draw.Block {
	if !s.isDrawn {
		s.drawn, s.isDrawn = s.draw(), true
	}
	return s.drawn
}

func (s *Screen) draw() draw.Block {
	l := layout.Learn(s.w, s.h, s.focus)
	header := draw.Lines(s.w, s.header())
	if len(l.Fold) > 0 {
		return draw.Above(header, draw.Lines(s.w, s.tabs(l)), s.pane(l, s.shown(l)))
	}
	lower := draw.Beside(s.pane(l, layout.Workers), s.pane(l, layout.Ledger))
	if l.Rects[layout.Ledger].X == l.Rects[layout.Workers].X {
		lower = draw.Above(s.pane(l, layout.Workers), s.pane(l, layout.Ledger))
	}
	right := draw.Above(s.pane(l, layout.Tape), s.pane(l, layout.Pending), lower)
	return draw.Above(header, draw.Beside(s.pane(l, layout.Story), right), s.pane(l, layout.Changes))
}

func (s *Screen) shown(l layout.Layout) layout.Pane {
	for _, p := range l.Fold {
		if p == s.focus {
			return p
		}
	}
	return l.Fold[0]
}

func (s *Screen) pane(l layout.Layout, p layout.Pane) draw.Block {
	r := l.Rects[p]
	w, h := max(1, r.W-2), max(1, r.H-2)
	switch p {
	case layout.Story:
		return s.storyPane(w, h)
	case layout.Changes:
		title := "what changed"
		if s.session != nil && !s.session.Finished() && s.session.Step().Challenge() {
			title = "your commands"
		}
		return s.theme.Box(false, title, s.replyNote(), s.changed(w, h))
	case layout.Pending:
		return s.list("pending "+s.theme.Glyphs.Dot+" by consumer", w, h, s.pendingLines(w-2))
	case layout.Workers:
		return s.list("workers", w, h, s.workerLines(w-2))
	case layout.Ledger:
		return s.list(s.ledgerTitle(), w, h, s.ledgerLines())
	}
	return s.tapePane(w, h)
}

func (s *Screen) replyNote() string {
	if len(s.last.Sent) == 0 {
		return ""
	}
	return "r shows the reply"
}

// list is a box of lines, with what does not fit counted.
func (s *Screen) list(title string, w, h int, lines []string) draw.Block {
	if len(lines) > h && h > 1 {
		lines = append(lines[:h-1:h-1], s.theme.Quiet.Render(fmt.Sprintf("%s%d more", s.theme.Glyphs.Down, len(lines)-h+1)))
	}
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return s.theme.Box(false, title, "", s.theme.Block(w, h, lines...))
}

func (s *Screen) tapePane(w, h int) draw.Block {
	home := s.lesson.Home()
	st := s.state()
	stream := st.Stream(home.Key)
	title := s.theme.Clean(home.Key)
	if stream == nil {
		words := "no such key yet"
		if s.session == nil {
			words = ""
		}
		return s.theme.Box(false, title, "", s.theme.Block(w, h, s.theme.Quiet.Render(" "+words)))
	}
	if stream.Length.Known {
		title += " " + s.theme.Glyphs.Dot + " " + draw.Plural(stream.Length.Value, "entry", "entries")
	}
	return s.theme.Box(false, title, "", tape.Build(stream, home.Group, st.At, w).View(s.theme).Size(w, h))
}

// storyPane shows a stretch of the story, with the marked line in it.
func (s *Screen) storyPane(w, h int) draw.Block {
	c := s.story(max(1, w-2))
	top := max(0, min(s.scroll, len(c.lines)-h))
	if c.mark >= 0 && (c.mark < top || c.mark >= top+h) {
		top = max(0, min(c.mark-h/2, len(c.lines)-h))
	}
	if s.scroll > len(c.lines) {
		s.scroll = max(0, len(c.lines)-h)
	}
	visible := c.lines[top:min(len(c.lines), top+h)]
	lines := make([]string, 0, len(visible))
	for _, line := range visible {
		lines = append(lines, " "+line)
	}
	hint := ""
	if top > 0 {
		hint = s.theme.Glyphs.Up
	}
	if below := len(c.lines) - top - h; below > 0 {
		hint += fmt.Sprintf("%s%d", s.theme.Glyphs.Down, below)
	}
	return s.theme.Box(true, s.stepTitle(), hint, s.theme.Block(w, h, lines...))
}

func (s *Screen) stepTitle() string {
	if s.session == nil || s.session.Finished() {
		return s.theme.Clean(s.words().Title)
	}
	step := s.session.Step()
	title := s.words().Steps[step.ID].Title
	return s.theme.Clean(or(title, step.ID))
}

func (s *Screen) header() string {
	into := s.theme.Quiet.Render(" " + s.theme.Glyphs.Into + " ")
	left := s.theme.Title.Render("pelscope") + into + s.theme.Strong.Render(s.theme.Clean(s.words().Title))
	if s.session != nil && !s.session.Finished() {
		left += into + fmt.Sprintf("step %d of %d", s.session.Index()+1, len(s.lesson.Steps))
	}
	right := s.theme.Quiet.Render(s.theme.Clean(s.lab))
	room := max(0, s.w-draw.Width(right)-1)
	return s.theme.Fit(left, room) + " " + right
}

func (s *Screen) tabs(l layout.Layout) string {
	var b strings.Builder
	for i, p := range l.Fold {
		if i > 0 {
			b.WriteString("  ")
		}
		if p == s.shown(l) {
			s.theme.Accent.Apply(&b, s.theme.Glyphs.Chosen+string(p))
			continue
		}
		s.theme.Quiet.Apply(&b, " "+string(p))
	}
	return b.String()
}
