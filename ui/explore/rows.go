package explore

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"pelscope/redisx/state"
	"pelscope/ui/draw"
	"pelscope/ui/theme"
	"pelscope/ui/widget"
)

// From when on a row is marked. These only mark; nothing is decided by them.
const (
	longIdle    = time.Minute     // a pending entry nobody has touched
	manyTries   = 3               // deliveries of an entry
	poisonTries = 10              // deliveries of an entry that surely fails everywhere
	stale       = 5 * time.Minute // a consumer not seen
)

func newEntries(th *theme.Theme) *widget.Table {
	t := widget.NewTable(th,
		widget.Column{Title: "id", Min: 9, Tail: true},
		widget.Column{Min: 1, Max: 2},
		widget.Column{Title: "held by", Min: 8, Max: 30, Priority: 2},
		widget.Column{Title: "fields", Min: 8, Grow: 1, Priority: 1},
	)
	t.SetFollow(widget.FollowFirst)
	return t
}

func newMembers(th *theme.Theme) *widget.Table {
	return widget.NewTable(th, memberColumns(true)...)
}

// memberColumns are the columns of consumers. Servers before 7.2 tell only one of the two times, and
// mean the last success by it.
func memberColumns(both bool) []widget.Column {
	columns := []widget.Column{
		{Title: "consumer", Min: 12, Grow: 1, Middle: true},
		{Title: "pending", Min: 7, Right: true},
		{Title: "idle", Min: 4, Right: true, Priority: 1},
		{Title: "inactive", Min: 8, Right: true, Priority: 2},
		{Min: 1, Max: 1, Priority: 3},
	}
	if !both {
		columns[3].Min, columns[3].Max, columns[3].Title = 1, 1, ""
	}
	return columns
}

// setMemberColumns leaves out the times that this server does not tell.
func (s *Screen) setMemberColumns(g state.Group) {
	both := slices.ContainsFunc(g.Consumers, func(c state.Consumer) bool {
		return c.Active.Known || strings.Contains(c.Active.Why, "never")
	})
	if both == s.oneTime {
		s.oneTime = !both
		s.members.SetColumns(memberColumns(both)...)
	}
}

func newGroups(th *theme.Theme) *widget.Table {
	return widget.NewTable(th,
		widget.Column{Title: "group", Min: 10, Grow: 1, Middle: true},
		widget.Column{Title: "cursor", Min: 9, Tail: true, Priority: 2},
		widget.Column{Title: "pending", Min: 7, Right: true},
		widget.Column{Title: "lag", Min: 3, Right: true},
	)
}

// fill gives every table its rows from the last State.
func (s *Screen) fill() {
	s.isDrawn = false
	s.fillGroups()
	s.fillMembers()
	s.fillPending()
	s.fillEntries()
	s.buildTape()
}

func (s *Screen) fillGroups() {
	st := s.stream()
	if st == nil {
		s.groups.SetEmpty(s.noStreamSo("no groups"))
		s.groups.SetRows(nil)
		return
	}
	s.groups.SetEmpty(or(st.GroupsUnknown, "no consumer group: XGROUP CREATE makes one"))
	rows := make([]widget.Row, 0, len(st.Groups))
	for _, g := range st.Groups {
		lag := s.figure(g.Lag)
		if g.Lag.Or(0) > 0 {
			lag.Style = s.theme.Undelivered
		}
		pending := s.figure(g.Pending)
		if g.Pending.Or(0) > 0 {
			pending.Style = s.theme.Pending
		}
		rows = append(rows, widget.Row{Key: g.Name, Cells: []widget.Cell{
			{Text: s.theme.Clean(g.Name)}, {Text: g.LastDelivered.String(), Style: s.theme.Quiet}, pending, lag,
		}})
	}
	s.groups.SetRows(rows)
	s.groups.Select(s.groupName())
}

// figure shows a counter, or that it could not be read.
func (s *Screen) figure(n state.Maybe[int64]) widget.Cell {
	if !n.Known {
		return widget.Cell{Text: "unknown", Style: s.theme.Quiet}
	}
	return widget.Cell{Text: draw.Count(n.Value)}
}

func (s *Screen) fillMembers() {
	g, ok := s.group()
	if !ok {
		s.members.SetEmpty(s.noGroupSo("no consumers"))
		s.members.SetRows(nil)
		return
	}
	s.members.SetEmpty(or(g.ConsumersUnknown, "no consumer yet: the first read makes one"))
	if len(g.Consumers) > 0 {
		s.setMemberColumns(g)
	}
	list := slices.Clone(g.Consumers)
	slices.SortStableFunc(list, func(a, b state.Consumer) int { return cmp.Compare(s.rank(a), s.rank(b)) })
	rows := make([]widget.Row, 0, len(list))
	for _, c := range list {
		rows = append(rows, s.memberRow(c))
	}
	s.members.SetRows(rows)
}

// rank puts who holds something or was seen lately before those that are neither.
func (s *Screen) rank(c state.Consumer) int {
	switch {
	case !s.isStale(c):
		return 0
	case c.Pending.Or(0) > 0:
		return 1
	}
	return 2
}

func (s *Screen) isStale(c state.Consumer) bool {
	return c.Seen.Known && s.state.At.Sub(c.Seen.Value) >= stale
}

func (s *Screen) memberRow(c state.Consumer) widget.Row {
	mark, style := "", s.theme.Text
	inactive := s.since(c.Active)
	if s.oneTime {
		inactive = ""
	}
	if c.Pending.Or(0) > 0 && s.longInactive(c) {
		mark = s.theme.Glyphs.Warn
	} else if s.isStale(c) {
		style = s.theme.Quiet
	}
	pending := s.figure(c.Pending)
	if c.Pending.Or(0) > 0 {
		pending.Style = s.theme.Owner(c.Name)
	}
	return widget.Row{Key: c.Name, Style: style, Cells: []widget.Cell{
		{Text: s.theme.Clean(c.Name), Style: s.theme.Owner(c.Name)}, pending,
		{Text: s.since(c.Seen)}, {Text: inactive}, {Text: mark, Style: s.theme.Warn},
	}}
}

// longInactive says whether a consumer has done nothing for long, by the best of what the server tells.
func (s *Screen) longInactive(c state.Consumer) bool {
	last := c.Active
	if !last.Known {
		last = c.Seen
	}
	return last.Known && s.state.At.Sub(last.Value) >= longIdle
}

func (s *Screen) since(t state.Maybe[state.Instant]) string {
	if !t.Known {
		if strings.Contains(t.Why, "never") {
			return "never"
		}
		return s.theme.Glyphs.Unknown
	}
	return draw.Age(max(0, s.state.At.Sub(t.Value)))
}

// fieldsShown is how many columns of an entry's fields are worked out for a row, and bytesShown how many
// bytes of one name or value: more than these columns even where each takes several bytes.
const (
	fieldsShown = 500
	bytesShown  = 4 * fieldsShown
)

// fields writes an entry's fields in their order on one line.
func (s *Screen) fields(e state.Entry) string {
	var b strings.Builder
	width := 0
	for i, f := range e.Fields {
		if i > 0 {
			b.WriteByte(' ')
		}
		name, value := s.clean(f.Name), s.clean(f.Value)
		s.theme.Quiet.Apply(&b, name+"=")
		b.WriteString(value)
		if width += draw.Width(name) + draw.Width(value) + 2; width > fieldsShown && i < len(e.Fields)-1 {
			b.WriteString(" " + s.theme.Glyphs.Cut)
			break
		}
	}
	return b.String()
}

// clean makes foreign bytes printable. What no row is wide enough for is cut before, and marked.
func (s *Screen) clean(text string) string {
	if len(text) <= bytesShown {
		return s.theme.Clean(text)
	}
	return s.theme.Clean(head(text, bytesShown)) + s.theme.Glyphs.Cut
}

// head is at most the first n bytes of s, no character cut in two.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for cut := n; cut > n-utf8.UTFMax; cut-- {
		if utf8.RuneStart(s[cut]) {
			return s[:cut]
		}
	}
	return s[:n] // no text at all
}

// fillEntries shows the window, newest first, with the cursors of all groups as lines between.
func (s *Screen) fillEntries() {
	st := s.stream()
	if st == nil {
		s.entries.SetEmpty(s.noStream())
		s.entries.SetRows(nil)
		return
	}
	s.entries.SetEmpty(or(st.Entries.Unknown, "no entries"))
	if st.Entries.Unknown != "" {
		s.entries.SetRows(nil)
		return
	}
	list := st.Entries.Entries
	rows := make([]widget.Row, 0, len(list)+len(st.Groups))
	cursors := s.cursors(st)
	for i := len(list) - 1; i >= 0; i-- {
		e := list[i]
		for len(cursors) > 0 && !cursors[0].at.Less(e.ID) {
			rows = append(rows, s.cursorRow(cursors[0]))
			cursors = cursors[1:]
		}
		rows = append(rows, widget.Row{Key: e.ID.String(), Fill: func() []widget.Cell { return s.entryCells(e) }})
	}
	if st.Entries.From.IsZero() {
		for _, c := range cursors {
			rows = append(rows, s.cursorRow(c))
		}
	}
	s.entries.SetRows(rows)
}

// cursor is where one or several groups' cursors stand.
type cursor struct {
	at    state.ID
	names []string
	own   bool // the group that is looked at is among them
}

// cursors gives the cursors in view, newest first.
func (s *Screen) cursors(st *state.Stream) []cursor {
	var out []cursor
	for _, g := range st.Groups {
		if st.Entries.To.Less(g.LastDelivered) {
			continue // newer than what is shown
		}
		i := slices.IndexFunc(out, func(c cursor) bool { return c.at == g.LastDelivered })
		if i < 0 {
			out = append(out, cursor{at: g.LastDelivered})
			i = len(out) - 1
		}
		out[i].names = append(out[i].names, g.Name)
		out[i].own = out[i].own || g.Name == s.groupName()
	}
	slices.SortFunc(out, func(a, b cursor) int { return b.at.Compare(a.at) })
	return out
}

func (s *Screen) cursorRow(c cursor) widget.Row {
	words := possessive(s.theme.Clean(strings.Join(c.names, ", "))) + " cursor"
	if len(c.names) > 3 {
		words = strconv.Itoa(len(c.names)) + " groups' cursors"
	}
	style := s.theme.CursorOther
	if c.own {
		style = s.theme.Cursor
	}
	return widget.Row{Key: "cursor " + c.at.String(), Rule: words, Style: style}
}

func possessive(name string) string {
	if strings.HasSuffix(name, "s") {
		return name + "'"
	}
	return name + "'s"
}

func (s *Screen) entryCells(e state.Entry) []widget.Cell {
	glyph, style, held := s.entryState(e.ID)
	return []widget.Cell{
		{Text: e.ID.String(), Style: style}, {Text: glyph, Style: style}, {Text: held, Style: style}, {Text: s.fields(e)},
	}
}

// entryState says what the group has done with an entry: its sign, its style, and who holds it.
func (s *Screen) entryState(id state.ID) (glyph string, style theme.Style, held string) {
	g, ok := s.group()
	if !ok {
		return " ", s.theme.Text, ""
	}
	if r, pending := g.PEL.Row(id); pending {
		owner := s.ownerText(r.Consumer)
		owner = s.theme.FitMiddle(owner, min(draw.Width(owner), ownerShown))
		text := owner + " " + s.theme.Glyphs.Times + draw.Count(r.Deliveries) + " " + draw.Age(r.Idle(s.state.At))
		return s.theme.Glyphs.Pending, s.theme.Owner(r.Consumer), text
	}
	switch {
	case g.LastDelivered.Less(id):
		return s.theme.Glyphs.Undelivered, s.theme.Undelivered, ""
	case !g.PEL.Holds(id, "") && g.Pending.Or(1) > 0:
		return s.theme.Glyphs.Unknown, s.theme.Quiet, ""
	}
	return s.theme.Glyphs.Passed, s.theme.Passed, ""
}

// ownerShown is how many columns an owner's name has beside an entry, so that the count and the idle time
// behind it are not cut.
const ownerShown = 18

// noStream says why there is no stream to show.
func (s *Screen) noStream() string {
	if s.state == nil {
		return s.looking()
	}
	k, ok := s.state.Key(s.look.Stream)
	name := s.theme.Clean(s.look.Stream)
	switch {
	case ok && k.Denied != "":
		return k.Denied
	case !ok || k.Type == "none":
		return "there is no key " + name + " now; it is shown as soon as there is"
	}
	return name + " is a " + k.Type + " now, not a stream"
}

// noStreamSo says why a pane that needs the stream is empty, as far as that is known.
func (s *Screen) noStreamSo(so string) string {
	if s.state == nil {
		return s.looking()
	}
	if k, ok := s.state.Key(s.look.Stream); ok && k.Denied != "" {
		return k.Denied
	}
	return "no stream, so " + so
}

// noGroupSo says why a pane that needs the group is empty, as far as that is known.
func (s *Screen) noGroupSo(so string) string {
	st := s.stream()
	switch {
	case st == nil:
		return s.noStreamSo(so)
	case st.GroupsUnknown != "":
		return st.GroupsUnknown
	case s.look.Group != "":
		return "there is no group " + s.theme.Clean(s.look.Group) + " now"
	}
	return "no group, so " + so
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
