package explore

import (
	"fmt"
	"strings"
	"time"

	"pelscope/redisx/state"
	"pelscope/ui/draw"
	"pelscope/ui/layout"
	"pelscope/ui/theme"
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
	l := layout.Explore(s.w, s.h, s.focus)
	parts := []draw.Block{draw.Lines(s.w, s.header())}
	switch {
	case len(l.Fold) == 0:
		left := draw.Above(s.pane(l, layout.Entries), s.pane(l, layout.Pending))
		right := draw.Above(s.pane(l, layout.Groups), s.pane(l, layout.Members))
		parts = append(parts, s.pane(l, layout.Tape), draw.Beside(left, right), s.pane(l, layout.Changes))
	case l.Has(layout.Tape) && s.shown(l) != layout.Tape:
		parts = append(parts, s.pane(l, layout.Tape), draw.Lines(s.w, s.tabs(l)), s.pane(l, s.shown(l)))
	default:
		parts = append(parts, draw.Lines(s.w, s.tabs(l)), s.pane(l, s.shown(l)))
	}
	return draw.Above(parts...)
}

// shown is the pane that is open among those that are folded.
func (s *Screen) shown(l layout.Layout) layout.Pane {
	for _, p := range l.Fold {
		if p == s.focus {
			return p
		}
	}
	return l.Fold[0]
}

func (s *Screen) pane(l layout.Layout, p layout.Pane) draw.Block {
	focused := s.focus == p
	switch p {
	case layout.Tape:
		return s.tapePane(l.Rects[p])
	case layout.Entries:
		return s.theme.Box(focused, "entries", s.entries.Hint(s.olderNewer()), s.entries.View(focused))
	case layout.Pending:
		return s.theme.Box(focused, "pending "+s.theme.Glyphs.Dot+" "+s.order.String(), s.pendingRight(), s.pending.View(focused))
	case layout.Groups:
		return s.theme.Box(focused, "groups", s.groups.Hint(0, 0), s.groups.View(focused))
	case layout.Members:
		return s.theme.Box(focused, "consumers", s.membersRight(), s.members.View(focused))
	}
	return s.theme.Box(focused, "changes", s.changes.Hint(), s.changes.View())
}

// olderNewer is how many entries there are beyond the window at its newer and its older end, as far as
// that is known: in the middle of a stream nobody has counted them.
func (s *Screen) olderNewer() (newer, older int64) {
	st := s.stream()
	if st == nil || !st.Length.Known || st.Entries.Unknown != "" {
		return 0, 0
	}
	beyond := max(0, st.Length.Value-int64(len(st.Entries.Entries)))
	switch {
	case st.Entries.To == state.MaxID():
		return 0, beyond
	case st.Entries.From.IsZero():
		return beyond, 0
	}
	return 0, 0
}

func (s *Screen) pendingRight() string {
	g, ok := s.group()
	if !ok {
		return ""
	}
	shown := len(g.PEL.Rows)
	switch {
	case !g.Pending.Known || g.Pending.Value <= int64(shown):
		return s.pending.Hint(0, 0)
	case len(s.pelStarts) > 0:
		return fmt.Sprintf("page %d, %s of %s", len(s.pelStarts)+1, draw.Count(int64(shown)), draw.Count(g.Pending.Value))
	}
	return fmt.Sprintf("%s of %s", draw.Count(int64(shown)), draw.Count(g.Pending.Value))
}

// membersRight counts who is there, so that a hundred names are no riddle.
func (s *Screen) membersRight() string {
	g, ok := s.group()
	if !ok || len(g.Consumers) == 0 {
		return ""
	}
	old := 0
	for _, c := range g.Consumers {
		if s.isStale(c) {
			old++
		}
	}
	if old == 0 {
		return fmt.Sprintf("%d active", len(g.Consumers))
	}
	return fmt.Sprintf("%d active, %d stale", len(g.Consumers)-old, old)
}

// header is the first line: where one is, on which server, and how it is looked at. What looking costs is
// the first thing to go when the line is too long, then what is known of the server.
func (s *Screen) header() string {
	into := s.theme.Quiet.Render(" " + s.theme.Glyphs.Into + " ")
	left := s.theme.Title.Render("pelscope") + into + s.theme.Strong.Render(s.theme.Clean(s.look.Stream))
	if g := s.groupName(); g != "" {
		left += into + s.theme.Clean(g)
	}
	dot := " " + s.theme.Glyphs.Dot + " "
	live, cost := s.liveness(dot)
	where := s.theme.Quiet.Render("   " + s.theme.Clean(s.server.Where))
	server := where + s.theme.Quiet.Render(dot+strings.Join(s.serverWords(), dot))
	line, right := left, live
	for _, try := range [][2]string{{left + server, live + cost}, {left + server, live}, {left + where, live}, {left, live + cost}} {
		if draw.Width(try[0])+1+draw.Width(try[1]) <= s.w {
			line, right = try[0], try[1]
			break
		}
	}
	return s.theme.Fit(line, max(0, s.w-draw.Width(right)-1)) + " " + right
}

// serverWords are what to know of the server besides its address.
func (s *Screen) serverWords() []string {
	words := []string{s.theme.Clean(s.server.What)}
	if s.server.ReadOnly {
		words = append(words, "read-only")
	}
	if s.server.Note != "" {
		words = append(words, s.theme.Clean(s.server.Note))
	}
	return words
}

// overdue is how much longer than the interval an answer may take before what is shown counts as stale.
const overdue = 2 * time.Second

// isOverdue says whether the server has been asked and keeps silent, so that what is shown grows old.
func (s *Screen) isOverdue() bool {
	return s.state != nil && !s.paused && !s.seenAt.IsZero() && s.now.Sub(s.seenAt) > s.interval+overdue
}

// staleness says how old what is shown is.
func (s *Screen) staleness() string {
	if s.state == nil || s.seenAt.IsZero() {
		return ""
	}
	return "stale " + draw.Age(s.now.Sub(s.seenAt)) + ", "
}

// liveness says whether what is shown is fresh, and what looking costs. What matters most stands first,
// for the narrow screens on which the rest is cut.
func (s *Screen) liveness(dot string) (live, cost string) {
	switch {
	case s.lost != "":
		words := s.staleness() + "retrying: " + s.theme.Clean(firstSentence(s.lost))
		return s.theme.Bad.Render(s.theme.Fit(words, min(draw.Width(words), max(24, s.w-24)))), ""
	case s.isOverdue():
		return s.theme.Warn.Render(s.staleness() + "no answer yet"), ""
	case s.paused:
		return s.theme.Warn.Render("paused"), ""
	case s.state == nil:
		return s.theme.Quiet.Render(s.looking()), ""
	}
	words := "live " + draw.Age(s.interval)
	if s.state.Torn {
		words = "torn" + dot + words
	}
	cost = fmt.Sprintf("%s%d commands%s%s", dot, s.cost.Commands, dot, draw.Milliseconds(s.cost.Took))
	return s.theme.Quiet.Render(words), s.theme.Quiet.Render(cost)
}

func (s *Screen) looking() string { return "looking" + s.theme.Glyphs.Cut }

// firstSentence keeps the reason of an error and leaves the server's name, which stands beside it.
func firstSentence(s string) string {
	if _, reason, ok := strings.Cut(s, ": "); ok {
		s = reason
	}
	s, _, _ = strings.Cut(s, " (")
	return s
}

// tabs is the line that names the panes folded into one place. The open one is always among those that
// there is room for.
func (s *Screen) tabs(l layout.Layout) string {
	shown, total := 0, 0
	for i, p := range l.Fold {
		total += 3 + len(p)
		if p == s.shown(l) {
			shown = total
		}
		if i == 0 {
			total -= 2
		}
	}
	line := s.tabLine(l)
	if total <= s.w || shown < s.w-1 {
		return line
	}
	from := shown - s.w + 3
	return s.theme.Quiet.Render(s.theme.Glyphs.Cut) + draw.Cut(line, from, from+s.w-1)
}

func (s *Screen) tabLine(l layout.Layout) string {
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

// changeStyle is the colour of a change in the log.
func (s *Screen) changeStyle(k state.Kind) theme.Style {
	switch k {
	case state.KindCursorMoved:
		return s.theme.Cursor
	case state.KindPendingAdded, state.KindOwner, state.KindDeliveries, state.KindRedelivered:
		return s.theme.Pending
	case state.KindPendingGone:
		return s.theme.Passed
	case state.KindEntryAdded:
		return s.theme.Undelivered
	case state.KindSetBack, state.KindGroupDestroyed, state.KindConsumerVanished, state.KindKeyVanished:
		return s.theme.Warn
	}
	return s.theme.Text
}

// tapePane draws the stream as a strip, with what a person wants to know first beside its name.
func (s *Screen) tapePane(r layout.Rect) draw.Block {
	title := s.theme.Clean(s.look.Stream)
	if st := s.stream(); st != nil {
		length := "entries unknown"
		if st.Length.Known {
			length = draw.Plural(st.Length.Value, "entry", "entries")
		}
		title += " " + s.theme.Glyphs.Dot + " " + length
		if st.GroupsUnknown == "" {
			title += " " + s.theme.Glyphs.Dot + " " + draw.Plural(int64(len(st.Groups)), "group", "groups")
		}
	}
	var inner draw.Block
	if s.stream() != nil {
		inner = s.tape.View(s.theme).Size(r.W-2, r.H-2)
	} else {
		inner = draw.New(r.W-2, r.H-2, s.theme.Warn.Render(s.noStream()))
	}
	return s.theme.Box(s.focus == layout.Tape, title, "", inner)
}

// buildTape lays the strip out for the tape's place.
func (s *Screen) buildTape() {
	s.isDrawn = false
	r := layout.Explore(s.w, s.h, s.focus).Rects[layout.Tape]
	if st := s.stream(); st != nil && r.W > 2 {
		s.tape = tape.Build(st, s.groupName(), s.state.At, r.W-2)
	}
}
