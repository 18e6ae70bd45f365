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
	l := s.layout()
	header := draw.Lines(s.w, s.header())
	if len(l.Fold) > 0 {
		return draw.Above(header, draw.Lines(s.w, s.tabs(l)), s.pane(l, s.shown(l)))
	}
	right := s.pane(l, layout.Server)
	if !l.Has(layout.Server) {
		lower := draw.Beside(s.pane(l, layout.Workers), s.pane(l, layout.Ledger))
		right = draw.Above(s.pane(l, layout.Tape), s.pane(l, layout.Pending), lower)
	}
	upper := draw.Above(header, draw.Beside(s.pane(l, layout.Story), right))
	if !l.Has(layout.Changes) {
		return upper
	}
	return draw.Above(upper, s.pane(l, layout.Changes))
}

// layout says where the panes stand. Before there is anything to tell of a step, the story has the room.
func (s *Screen) layout() layout.Layout {
	told := s.session != nil && (s.session.Ran() || !s.session.Finished() && s.session.Step().Challenge())
	return layout.Learn(s.w, s.h, s.focus, told)
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
	case layout.Server:
		return s.serverPane(w, h)
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
	return s.theme.Box(false, s.streamTitle(), "", s.tape(w).Size(w, h))
}

// streamTitle names the lesson's stream and its length.
func (s *Screen) streamTitle() string {
	home := s.lesson.Home()
	title := s.theme.Clean(home.Key)
	if stream := s.state().Stream(home.Key); stream != nil && stream.Length.Known {
		title += " " + s.theme.Glyphs.Dot + " " + draw.Plural(stream.Length.Value, "entry", "entries")
	}
	return title
}

// tape is the lesson's stream as a strip, two lines.
func (s *Screen) tape(w int) draw.Block {
	home := s.lesson.Home()
	st := s.state()
	stream := st.Stream(home.Key)
	switch {
	case stream != nil:
		return tape.Build(stream, home.Group, st.At, w).View(s.theme)
	case s.session == nil:
		return draw.Blank(w, 2)
	}
	return s.theme.Block(w, 2, s.theme.Quiet.Render(" no such key yet"))
}

// serverPane shows tape, pending entries, workers and ledger in one frame: workers and ledger are packed
// into as few lines as they need, and the pending entries have what is left.
func (s *Screen) serverPane(w, h int) draw.Block {
	inner := w - 2
	pending, workers, ledger := s.pendingLines(inner), pack(s.workerItems(), inner), s.packedLedger(inner)
	room := max(3, h-5) // besides the tape and a title for each of the three
	shownWorkers := min(len(workers), max(1, room/4))
	shownLedger := min(len(ledger), max(1, room/3))
	shownPending := min(len(pending), max(1, room-shownWorkers-shownLedger))
	shownWorkers = min(len(workers), room-shownPending-shownLedger)
	shownLedger = min(len(ledger), room-shownPending-shownWorkers)
	lines := s.section("pending", w, pending, shownPending)
	lines = append(lines, s.section("workers", w, workers, shownWorkers)...)
	lines = append(lines, s.section(s.ledgerTitle(), w, ledger, shownLedger)...)
	body := draw.Above(s.tape(w), s.theme.Block(w, max(0, h-2), lines...))
	return s.theme.Box(false, s.streamTitle(), "", body.Size(w, h))
}

// pack sets items on as few lines of w columns as they need.
func pack(items []string, w int) []string {
	var lines []string
	used := 0
	for _, it := range items {
		width := draw.Width(it)
		if len(lines) == 0 || used+3+width > w {
			lines, used = append(lines, it), width
			continue
		}
		lines[len(lines)-1] += "   " + it
		used += 3 + width
	}
	return lines
}

// section is a title and n of its lines, the last of them a count of what is left out.
func (s *Screen) section(title string, w int, lines []string, n int) []string {
	head := title
	if n < len(lines) {
		head += fmt.Sprintf(" %s%d more", s.theme.Glyphs.Down, len(lines)-n)
	}
	out := []string{s.theme.Quiet.Render(head + " " + strings.Repeat(s.theme.Glyphs.Rule, max(0, w-draw.Width(head)-1)))}
	for _, line := range lines[:n] {
		out = append(out, " "+line)
	}
	return out
}

// storyPane shows a stretch of the story, with the marked line in it.
func (s *Screen) storyPane(w, h int) draw.Block {
	c := s.story(max(1, w-2))
	top := max(0, min(s.scroll, len(c.lines)-h))
	if !s.free && c.mark >= 0 && (c.mark < top || c.mark >= top+h) {
		top = max(0, min(c.mark-h/2, len(c.lines)-h))
	}
	s.top = top
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

// header is the first line: where one is in which lesson, and on which server. On a narrow screen the name
// of the program goes first, then the title, then the server's version.
func (s *Screen) header() string {
	into := s.theme.Quiet.Render(" " + s.theme.Glyphs.Into + " ")
	title := s.theme.Clean(s.words().Title)
	step := ""
	if s.session != nil && !s.session.Finished() {
		step = fmt.Sprintf("step %d of %d", s.session.Index()+1, len(s.lesson.Steps))
	}
	lab := s.theme.Clean(s.lab)
	kind, _, _ := strings.Cut(lab, ",")
	first := s.theme.Title.Render("pelscope") + into
	for _, try := range []struct{ first, lab string }{{first, lab}, {"", lab}, {first, kind}, {"", kind}} {
		right := s.theme.Quiet.Render(try.lab)
		last := step
		if step != "" {
			last = into + step
		}
		room := s.w - draw.Width(try.first) - draw.Width(last) - draw.Width(right) - 2
		if n := min(draw.Width(title), room); n >= min(draw.Width(title), leastTitle) {
			left := try.first + s.theme.Strong.Render(s.theme.Fit(title, n)) + last
			return s.theme.Fit(left, s.w-draw.Width(right)-2) + "  " + right
		}
	}
	right := s.theme.Quiet.Render(kind)
	return s.theme.Fit(or(step, title), max(0, s.w-draw.Width(right)-2)) + "  " + right
}

// leastTitle is how much of a long title is worth showing.
const leastTitle = 16

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
