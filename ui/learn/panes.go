package learn

import (
	"fmt"
	"slices"
	"strings"

	"pelscope/lessons"
	"pelscope/redisx/state"
	"pelscope/ui/draw"
)

// pendingLines is the PEL by consumer.
func (s *Screen) pendingLines(w int) []string {
	home := s.lesson.Home()
	st := s.state()
	g, ok := st.Group(home.Key, home.Group)
	if !ok {
		return []string{s.theme.Quiet.Render("no group yet")}
	}
	if len(g.PEL.Rows) == 0 {
		return []string{s.theme.Quiet.Render("nothing is pending")}
	}
	names := []string{}
	for _, c := range g.Consumers {
		names = append(names, c.Name)
	}
	if len(g.PEL.Of("")) > 0 {
		names = append(names, "")
	}
	nameW, idW := 5, 3
	for _, r := range g.PEL.Rows {
		nameW = max(nameW, draw.Width(s.theme.Clean(or(r.Consumer, "nobody"))))
		idW = max(idW, len(r.ID.String()))
	}
	nameW, idW = min(nameW, w/3), min(idW, w/2)
	var lines []string
	for _, name := range names {
		for _, r := range g.PEL.Of(name) {
			style := s.theme.Owner(r.Consumer)
			line := style.Render(s.theme.Fit(s.theme.Clean(or(r.Consumer, "nobody")), nameW)) + "  " +
				s.theme.FitTail(r.ID.String(), idW) + "  " +
				s.theme.Fit(s.theme.Glyphs.Times+fmt.Sprint(r.Deliveries), 4) + " " +
				s.theme.FitRight(draw.Age(r.Idle(st.At).Truncate(1e9)), 5) + "  " + s.event(st.Stream(home.Key), r.ID)
			lines = append(lines, line)
		}
	}
	return lines
}

// event is what an entry is about, in a word or two.
func (s *Screen) event(st *state.Stream, id state.ID) string {
	e, ok := st.Entry(id)
	if !ok {
		return s.theme.Bad.Render("deleted")
	}
	for _, f := range e.Fields {
		if f.Name == "event" {
			return s.theme.Quiet.Render(s.theme.Clean(f.Value))
		}
	}
	return s.theme.Quiet.Render(s.theme.Clean(fieldsOf(e)))
}

// workerLines is what the server knows of each worker: whether it is connected, whether it waits in a
// read, what it holds.
func (s *Screen) workerLines(w int) []string {
	st := s.state()
	home := s.lesson.Home()
	g, _ := st.Group(home.Key, home.Group)
	names := s.actors()
	if len(names) == 0 {
		return []string{s.theme.Quiet.Render(nobody)}
	}
	nameW := 5
	for _, n := range names {
		nameW = max(nameW, draw.Width(s.theme.Clean(n)))
	}
	nameW = min(nameW, w/2)
	var lines []string
	for _, n := range names {
		mark, words := s.connection(st, n)
		holds := ""
		if c, ok := g.Consumer(n); ok && c.Pending.Or(0) > 0 {
			holds = fmt.Sprintf(", holds %d", c.Pending.Value)
		}
		lines = append(lines, s.theme.Owner(n).Render(s.theme.Fit(s.theme.Clean(n), nameW))+" "+mark+" "+s.theme.Clean(words+holds))
	}
	return lines
}

// workerItems is each worker in a few columns.
func (s *Screen) workerItems() []string {
	st := s.state()
	home := s.lesson.Home()
	g, _ := st.Group(home.Key, home.Group)
	names := s.actors()
	if len(names) == 0 {
		return []string{s.theme.Quiet.Render(nobody)}
	}
	var items []string
	for _, n := range names {
		mark, words := s.connection(st, n)
		switch words {
		case connected:
			words = ""
		case unconnected:
			words = " gone"
		default:
			words = " waits"
		}
		if c, ok := g.Consumer(n); ok && c.Pending.Or(0) > 0 {
			words += fmt.Sprintf(" holds %d", c.Pending.Value)
		}
		items = append(items, s.theme.Owner(n).Render(s.theme.Clean(n))+" "+mark+words)
	}
	return items
}

// packedLedger is the ledger, and the other keys, in few lines.
func (s *Screen) packedLedger(w int) []string {
	var items []string
	for _, effect := range lessons.LedgerCounts(s.state(), s.lesson.Ledger()) {
		items = append(items, s.effect(effect))
	}
	lines := pack(items, w)
	if s.lesson.Ledger() != "" && len(lines) == 0 {
		lines = append(lines, s.theme.Quiet.Render("nothing yet"))
	}
	return append(lines, s.otherKeys()...)
}

// effect is an event and how often it was done; more than once stands out.
func (s *Screen) effect(e lessons.Effect) string {
	style := s.theme.Text
	if e.Times > 1 {
		style = s.theme.Bad
	}
	return style.Render(s.theme.Clean(e.Event) + " " + s.theme.Glyphs.Times + fmt.Sprint(e.Times))
}

// The words for what CLIENT LIST says of a worker.
const (
	connected   = "connected"
	unconnected = "no connection"
	nobody      = "nobody has connected yet"
)

// connection is what CLIENT LIST says of a name.
func (s *Screen) connection(st state.State, name string) (mark, words string) {
	for _, c := range st.Clients {
		if c.Name != name {
			continue
		}
		if c.Blocked {
			return s.theme.Undelivered.Render(s.theme.Glyphs.Undelivered), "waits in " + strings.ToUpper(c.Cmd)
		}
		return s.theme.Good.Render(s.theme.Glyphs.Passed), connected
	}
	return s.theme.Bad.Render(s.theme.Glyphs.Bad), unconnected
}

// ledgerTitle and ledgerLines show what else the world holds: first of all what the application did.
func (s *Screen) ledgerTitle() string {
	if s.lesson.Ledger() != "" {
		return "ledger " + s.theme.Glyphs.Dot + " done outside"
	}
	return "other keys"
}

func (s *Screen) ledgerLines() []string {
	st := s.state()
	var lines []string
	for _, effect := range lessons.LedgerCounts(st, s.lesson.Ledger()) {
		by := []string{}
		for _, item := range effect.Items {
			if words := strings.Fields(item); len(words) > 1 {
				by = append(by, words[1])
			}
		}
		line := s.effect(effect)
		if len(by) > 0 {
			line += s.theme.Quiet.Render("  by " + s.theme.Clean(strings.Join(by, ", ")))
		}
		lines = append(lines, line)
	}
	if s.lesson.Ledger() != "" && len(lines) == 0 {
		lines = append(lines, s.theme.Quiet.Render("nothing yet"))
	}
	lines = append(lines, s.otherKeys()...)
	if len(lines) == 0 {
		lines = append(lines, s.theme.Quiet.Render("none"))
	}
	return lines
}

// otherKeys are the keys of the world besides the stream and the ledger.
func (s *Screen) otherKeys() []string {
	var lines []string
	for _, t := range s.lesson.World {
		if t.Name != s.lesson.Ledger() && t.Name != s.lesson.Home().Key {
			lines = append(lines, s.keyLines(s.state(), t.Name)...)
		}
	}
	return lines
}

// keyLines is another key of the world and what it holds.
func (s *Screen) keyLines(st state.State, name string) []string {
	k, _ := st.Key(name)
	title := s.theme.Title.Render(s.theme.Clean(name))
	if k.Type == "none" || k.Type == "" {
		return []string{title + s.theme.Quiet.Render(" does not exist")}
	}
	lines := []string{title + s.theme.Quiet.Render(" "+k.Type)}
	if k.Stream != nil {
		for _, e := range slices.Backward(k.Stream.Entries.Entries) { // the newest is what one looks for
			lines = append(lines, " "+e.ID.String()+" "+s.theme.Quiet.Render(s.theme.Clean(fieldsOf(e))))
		}
	}
	for _, item := range k.Items {
		lines = append(lines, " "+s.theme.Clean(item))
	}
	for _, p := range k.Pairs {
		lines = append(lines, " "+s.theme.Clean(strings.TrimSpace(p.Name+" "+p.Value)))
	}
	return lines
}
