package learn

import (
	"fmt"
	"slices"
	"strings"

	"pelscope/lessons"
	"pelscope/redisx/resp"
	"pelscope/redisx/state"
	"pelscope/ui/draw"
	"pelscope/ui/intent"
	"pelscope/ui/text"
)

// row is one line of what changed: a cell before and after, and what the learner had said.
type row struct {
	cell, was, now string
	yours          string
	verdict        lessons.Verdict
	note           string // instead of was and now
	what           state.Kind
	id             state.ID
}

// changedPage is how many rows a key moves what changed.
const changedPage = 3

// changed draws the pane of what the last command changed: the commands stay, the rows scroll.
func (s *Screen) changed(w, h int) draw.Block {
	var lines []string
	if s.session != nil && !s.session.Finished() && s.session.Step().Challenge() {
		lines = append(lines, s.promptLine(w))
	}
	lines = append(lines, s.sentLines(w, max(1, h/3))...)
	rows := s.rows()
	var below []string
	if len(rows) > 0 {
		below = s.table(rows, w)
	} else if len(s.last.Sent) > 0 {
		below = append(below, s.theme.Quiet.Render(" nothing changed"))
	}
	for _, n := range s.last.Notes {
		below = append(below, s.theme.Quiet.Render(" "+s.theme.Clean(n)))
	}
	room := max(1, h-len(lines))
	s.hidden = max(0, len(below)-room)
	s.more = min(s.more, s.hidden)
	below = below[s.more:]
	if len(below) > room {
		over := len(below) - room + 1
		key := "]"
		if s.Mode() == intent.Prompt {
			key = "pgdown"
		}
		below = append(below[:room-1:room-1], s.theme.Quiet.Render(fmt.Sprintf(" %s%d more: %s", s.theme.Glyphs.Down, over, key)))
	}
	return s.theme.Block(w, h, append(lines, below...)...)
}

func (s *Screen) promptLine(w int) string {
	name := s.theme.Clean(s.ActorName())
	s.prompt.SetPrompt(" " + s.theme.Owner(s.ActorName()).Render(name+"> "))
	s.prompt.SetWidth(w)
	return s.prompt.View(s.typing && s.Mode() == intent.Prompt)
}

// sentLines shows the last commands exactly as they were sent, each with its reply in short.
func (s *Screen) sentLines(w, most int) []string {
	sent := s.last.Sent
	var lines []string
	if hidden := len(sent) - most; hidden > 0 {
		lines = append(lines, s.theme.Quiet.Render(fmt.Sprintf(" %d commands before", hidden)))
		sent = sent[hidden:]
	}
	for _, c := range sent {
		reply := s.theme.Clean(replyInShort(c))
		room := max(10, w-draw.Width(reply)-4)
		style := s.theme.Quiet
		if c.Reply.Kind == resp.Error || c.Err != nil {
			style = s.theme.Bad
		}
		command := s.theme.Owner(c.Actor).Render(s.theme.Clean(c.Actor)+"> ") + s.theme.Command.Render(s.theme.Clean(c.Typed()))
		lines = append(lines, " "+s.theme.Fit(command, room)+"  "+style.Render(reply)+" ")
	}
	return lines
}

// replyInShort is a reply on less than a line; the whole of it is on a key.
func replyInShort(c lessons.Sent) string {
	switch {
	case c.Err != nil:
		return "no reply: " + c.Err.Error()
	case c.Waiting:
		return "waits…"
	}
	printed := strings.TrimSpace(resp.Print(c.Reply))
	if !strings.Contains(printed, "\n") && len(printed) <= 60 {
		return printed
	}
	n := entriesIn(c.Reply)
	if n > 0 {
		return draw.Plural(int64(n), "entry", "entries")
	}
	return "r shows the reply"
}

// entriesIn counts the stream entries in a reply: of XRANGE and XCLAIM (id, fields), or of XREAD and
// XREADGROUP (key, entries).
func entriesIn(v resp.Value) int {
	n := 0
	for _, e := range v.Elems {
		if len(e.Elems) < 2 {
			continue
		}
		if _, err := state.ParseID(e.Elems[0].Text()); err == nil && strings.Contains(e.Elems[0].Text(), "-") {
			n++
		} else {
			n += entriesIn(e.Elems[1])
		}
	}
	return n
}

// rows are the predicted cells, then everything else that changed.
func (s *Screen) rows() []row {
	var out []row
	told := map[string]bool{}
	for _, g := range s.last.Answers {
		cell := s.session.Expand(g.Cell.String())
		out = append(out, row{cell: cell, was: g.Was, now: g.Now, yours: g.Yours, verdict: g.Verdict})
		told[cell] = true
	}
	for _, c := range s.last.Changes {
		r, ok := s.rowOf(c)
		if !ok || told[r.cell] {
			continue
		}
		r.what, r.id = c.Kind(), c.Place().ID
		out = append(out, r)
	}
	return runs(byKind(out))
}

// byKind puts rows of one kind of change together, kinds in the order in which they first came.
func byKind(rows []row) []row {
	first := map[state.Kind]int{}
	for i, r := range rows {
		if _, seen := first[r.what]; !seen {
			first[r.what] = i
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int { return first[a.what] - first[b.what] })
	return rows
}

// fewRows is how many rows that say the same of different entries still stand one by one.
const fewRows = 3

// runs puts many rows in a row that say the same of different entries into one.
func runs(rows []row) []row {
	var out []row
	for i := 0; i < len(rows); {
		j := i + 1
		for j < len(rows) && sameBut(rows[i], rows[j]) {
			j++
		}
		if j-i <= fewRows {
			out = append(out, rows[i:j]...)
		} else {
			r := rows[i]
			r.cell = fmt.Sprintf("%d × %s", j-i, strings.Replace(r.cell, r.id.String(), r.id.String()+" … "+rows[j-1].id.String(), 1))
			out = append(out, r)
		}
		i = j
	}
	return out
}

// sameBut says whether two rows say the same of two entries.
func sameBut(a, b row) bool {
	if a.id.IsZero() || b.id.IsZero() || a.what != b.what || a.verdict != "" || b.verdict != "" {
		return false
	}
	return a.what == state.KindEntryAdded || a.was == b.was && a.now == b.now
}

// rowOf tells a change as a cell before and after; false for what other rows say already.
func (s *Screen) rowOf(c state.Change) (row, bool) {
	home := s.lesson.Home()
	name := func(what string) string { return text.Place(what, c.Place(), home) }
	switch c := c.(type) {
	case state.CursorMoved:
		return row{cell: name("cursor"), was: c.From.String(), now: c.To.String()}, true
	case state.PendingAdded:
		return row{cell: name("pending"), was: "none", now: fmt.Sprintf("%s %s%d", c.Row.Consumer, s.theme.Glyphs.Times, c.Row.Deliveries)}, true
	case state.PendingGone:
		now := "none"
		if c.Cause != "" {
			now = "none (" + c.Cause + ")"
		}
		return row{cell: name("pending"), was: c.Row.Consumer, now: now}, true
	case state.OwnerChanged:
		return row{cell: name("owner"), was: or(c.From, "nobody"), now: or(c.To, "nobody")}, true
	case state.DeliveriesChanged:
		return row{cell: name("deliveries"), was: fmt.Sprint(c.From), now: fmt.Sprint(c.To)}, true
	case state.Redelivered:
		return row{cell: name("idle"), was: draw.Age(s.last.After.At.Sub(c.From)), now: draw.Age(max(0, s.last.After.At.Sub(c.To)))}, true
	case state.EntryAdded:
		return row{cell: name("entry"), was: "none", now: fieldsOf(c.Entry)}, true
	case state.EntryGone:
		return row{cell: name("entry"), was: "present", now: "gone"}, true
	case state.Moved[int64]:
		if c.Gauge == state.KindLag {
			return row{cell: name("lag"), was: text.Known(c.From), now: text.Known(c.To)}, true
		}
		return row{}, false
	}
	if c.Kind().Derived() {
		return row{}, false
	}
	return row{note: text.Change(c, home)}, true
}

func fieldsOf(e state.Entry) string {
	var parts []string
	for _, f := range e.Fields {
		parts = append(parts, f.Name+"="+f.Value)
	}
	return strings.Join(parts, " ")
}

// table sets the rows in columns.
func (s *Screen) table(rows []row, w int) []string {
	withYours := false
	cellW, wasW := 8, 5
	for _, r := range rows {
		withYours = withYours || r.verdict != ""
		cellW = max(cellW, draw.Width(s.theme.Clean(r.cell)))
		wasW = max(wasW, draw.Width(s.theme.Clean(r.was)))
	}
	cellW, wasW = min(cellW, w/3), min(wasW, w/4)
	nowW := max(6, min(w-cellW-wasW-8, 26))
	head := " " + s.theme.Fit("cell", cellW) + "  " + s.theme.Fit("was", wasW) + "    now"
	if withYours {
		head = " " + s.theme.Fit("cell", cellW) + "  " + s.theme.Fit("was", wasW) + "    " + s.theme.Fit("now", nowW) + " yours"
	}
	var lines, notes []string
	for _, r := range rows {
		line := s.tableRow(r, cellW, wasW, nowW, withYours)
		if r.note != "" {
			notes = append(notes, line)
			continue
		}
		if len(lines) == 0 {
			lines = append(lines, s.theme.Quiet.Render(head))
		}
		lines = append(lines, line)
	}
	return append(lines, notes...)
}

func (s *Screen) tableRow(r row, cellW, wasW, nowW int, withYours bool) string {
	th := s.theme
	if r.note != "" {
		return " " + th.Changed.Render(th.Clean(r.note))
	}
	sign, style := th.Glyphs.Arrow, th.Changed
	if r.was == r.now {
		sign, style = "=", th.Text
	}
	sign = th.Fit(sign, 2)
	now := style.Render(th.Clean(r.now))
	line := " " + th.Fit(th.Clean(r.cell), cellW) + "  " + th.Fit(th.Clean(r.was), wasW) + " " + th.Quiet.Render(sign) + " "
	if !withYours {
		return line + now
	}
	line += th.Fit(now, nowW) + " "
	switch r.verdict {
	case lessons.VerdictRight:
		line += th.Good.Render(th.Clean(r.yours) + "  " + th.Glyphs.Good + " right")
	case lessons.VerdictWrong:
		line += th.Bad.Render(th.Clean(r.yours) + "  " + th.Glyphs.Bad + " wrong")
	case lessons.VerdictNone:
		line += th.Quiet.Render("not answered")
	}
	return line
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
