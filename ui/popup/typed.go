package popup

import (
	"pelscope/ui/draw"
	"pelscope/ui/intent"
	"pelscope/ui/theme"
	"pelscope/ui/widget"
)

// Ask is a line to type; its answer is that line.
type Ask struct {
	theme *theme.Theme
	title string
	help  []string
	input *widget.Input
	wrong string
}

// NewAsk makes a popup that asks for a line. help is clean text above it.
func NewAsk(th *theme.Theme, title string, help ...string) *Ask {
	return &Ask{theme: th, title: title, help: help, input: widget.NewInput(th, "> ")}
}

// Wrong shows why the last answer was not taken, so that it can be mended.
func (p *Ask) Wrong(words string) { p.wrong = words }

// SetValue puts a text into the line.
func (p *Ask) SetValue(s string) { p.input.SetValue(s) }

// Mode implements Popup.
func (p *Ask) Mode() intent.Mode { return intent.Ask }

// Key implements Popup.
func (p *Ask) Key(name, text string) { p.input.Key(name, text) }

// SetTheme implements Popup.
func (p *Ask) SetTheme(th *theme.Theme) {
	p.theme = th
	p.input.SetTheme(th)
}

// Do implements Popup.
func (p *Ask) Do(i intent.Intent) (done bool, answer string, ok bool) {
	switch i {
	case intent.Submit:
		if v := p.input.Value(); v != "" {
			return true, v, true
		}
	case intent.Back:
		return true, "", false
	}
	return false, "", false
}

// View implements Popup. On a low screen the help goes first, and then the end of what was wrong: the line
// that is typed is always in sight.
func (p *Ask) View(w, h int) draw.Block {
	inner := max(1, min(w-4, 72)-2)
	p.input.SetWidth(inner - 2)
	above, below := []string{""}, []string{""}
	for _, words := range p.help {
		above = append(above, inset(words, inner, p.theme.Quiet)...)
	}
	above = append(above, "")
	if p.wrong != "" {
		below = append(below, inset(p.wrong, inner, p.theme.Bad)...)
	}
	room := h - 3 // borders and the line itself
	if len(above)+len(below) > room {
		above = []string{""}
	}
	below = cutLines(p.theme, below, room-len(above))
	lines := append(append(above, " "+p.input.View(true)), below...)
	return p.theme.Box(true, p.title, "", p.theme.Block(inner, len(lines), lines...))
}

// Pick is a list to pick from; its answer is what was picked.
type Pick struct {
	theme *theme.Theme
	title string
	note  string
	table *widget.Table
}

// NewPick makes a list. note is clean text under it; empty says nothing.
func NewPick(th *theme.Theme, title, note string, items []string) *Pick {
	t := widget.NewTable(th, widget.Column{Min: 4, Grow: 1, Middle: true})
	rows := make([]widget.Row, 0, len(items))
	for _, it := range items {
		rows = append(rows, widget.Row{Key: it, Cells: []widget.Cell{{Text: th.Clean(it)}}})
	}
	t.SetEmpty("none")
	t.SetRows(rows)
	return &Pick{theme: th, title: title, note: note, table: t}
}

// Select puts the cursor on an item.
func (p *Pick) Select(item string) { p.table.Select(item) }

// Mode implements Popup.
func (p *Pick) Mode() intent.Mode { return intent.Choose }

// Key implements Popup; there is nothing to type.
func (p *Pick) Key(string, string) {}

// SetTheme implements Popup.
func (p *Pick) SetTheme(th *theme.Theme) {
	p.theme = th
	p.table.SetTheme(th)
}

// Do implements Popup.
func (p *Pick) Do(i intent.Intent) (done bool, answer string, ok bool) {
	switch i {
	case intent.Up:
		p.table.Move(-1)
	case intent.Down:
		p.table.Move(1)
	case intent.PageUp:
		p.table.Page(-1)
	case intent.PageDown:
		p.table.Page(1)
	case intent.Top:
		p.table.Home()
	case intent.Bottom:
		p.table.End()
	case intent.Open:
		key, chosen := p.table.Selected()
		return chosen, key, chosen
	case intent.Back:
		return true, "", false
	}
	return false, "", false
}

// View implements Popup.
func (p *Pick) View(w, h int) draw.Block {
	inner := max(1, min(w-4, 60)-2)
	p.table.SetSize(inner, max(1, min(p.table.Len(), h-6)))
	body := p.table.View(true)
	if p.note != "" {
		body = draw.Above(body, draw.Lines(inner, p.theme.Quiet.Render(p.theme.Fit(" "+p.note, inner))))
	}
	return p.theme.Box(true, p.title, p.table.Hint(0, 0), body)
}
