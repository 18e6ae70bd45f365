package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"pelscope/lessons"
	"pelscope/ui/home"
	"pelscope/ui/intent"
	"pelscope/ui/popup"
)

// refreshHome tells the home screen what there is and how far one is.
func (m *Model) refreshHome() {
	items := make([]home.Item, 0, len(m.d.Lessons)+1)
	for _, l := range m.d.Lessons {
		items = append(items, m.lessonItem(l))
	}
	items = append(items, home.Item{
		Title: "Explore a server…", Action: home.OpenServer,
		Summary: "A read-only window on a stream of your own: its entries, each group's cursor, and who holds what is pending. " +
			"Looking changes nothing on the server.\n\nFrom the shell: pelscope HOST:PORT, or pelscope redis://… ",
	})
	m.home.SetItems(items)
}

func (m *Model) lessonItem(l *lessons.Lesson) home.Item {
	it := home.Item{ID: l.ID, Title: l.ID, Minutes: l.Minutes}
	if w, ok := l.Words["en"]; ok {
		it.Title, it.Summary = w.Title, w.Summary
	}
	through, aided := 0, false
	of := m.d.Progress.Of(l.ID)
	for _, step := range l.Steps {
		if p := of.Steps[step.ID]; p.Done() || !p.SolutionSeen.IsZero() {
			through, aided = through+1, aided || !p.Unaided()
		}
	}
	switch {
	case through == 0:
	case through < len(l.Steps):
		it.Status, it.Detail = home.Begun, fmt.Sprintf("%d/%d", through, len(l.Steps))
	case aided:
		it.Status, it.Detail = home.Done, "seen"
		it.Summary += "\n\nYou have been through all of it, the challenge with its solution."
	default:
		it.Status, it.Detail = home.Done, "done"
	}
	return it
}

func (m *Model) homeDo(i intent.Intent) tea.Cmd {
	it, ok := m.home.Selected()
	switch {
	case i == intent.Open && ok && it.Action == home.OpenLesson:
		return m.openLesson(it.ID)
	case i == intent.Open && ok:
		m.askServer("", "")
		return nil
	case i == intent.Reset && ok && it.Action == home.OpenLesson:
		m.push(popup.NewConfirm(m.theme, "forget", "Forget what you have done of "+m.theme.Clean(it.Title)+"?"), func(m *Model, _ string) tea.Cmd {
			m.keep(m.d.Progress.Reset(it.ID))
			m.refreshHome()
			return nil
		})
		return nil
	}
	m.home.Do(i)
	return nil
}

// askServer asks which server to explore; wrong says why the one typed before did not do. The password in
// that one is not shown; it is used again unless the person types another.
func (m *Model) askServer(typed, wrong string) {
	p := popup.NewAsk(m.theme, "explore a server", "HOST:PORT, redis://, rediss:// (TLS), valkey:// or unix:///path. Nothing is written to it.")
	shown, password := hidePassword(typed)
	p.SetValue(shown)
	p.Wrong(m.theme.Clean(wrong))
	m.push(p, func(m *Model, server string) tea.Cmd {
		m.note = "connecting…"
		return m.connect(putPassword(server, password))
	})
}

// keep tells when progress could not be written; it is kept in memory all the same.
func (m *Model) keep(err error) {
	if err != nil {
		m.note = "progress could not be saved: " + err.Error()
	}
}
