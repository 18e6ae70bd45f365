// Package popup holds what is laid over a screen: a text to read, a list to pick from, a line to type, a
// question to answer.
//
// A popup does no I/O: it is told intents and typed text, and says when it is done and with what. It
// imports the widgets, draw, theme and intent.
package popup

import (
	"pelscope/ui/draw"
	"pelscope/ui/intent"
	"pelscope/ui/theme"
	"pelscope/ui/widget"
)

// Popup is something laid over a screen.
type Popup interface {
	Mode() intent.Mode
	// Do carries out an intent. When done, the popup is closed, and answer says what was chosen or typed
	// (ok is false when it was left without an answer).
	Do(i intent.Intent) (done bool, answer string, ok bool)
	// Key takes a key that is not bound: its name and the text it types.
	Key(name, text string)
	SetTheme(th *theme.Theme)
	// View draws the popup for a screen of w columns and h lines; it is never larger.
	View(w, h int) draw.Block
}

// Text is something to read.
type Text struct {
	theme *theme.Theme
	title string
	lines func(th *theme.Theme, w int) []string
	log   *widget.Log
	width int
}

// NewText makes a popup to read. lines gives its lines at a width, clean and styled.
func NewText(th *theme.Theme, title string, lines func(th *theme.Theme, w int) []string) *Text {
	return &Text{theme: th, title: title, lines: lines}
}

// Mode implements Popup.
func (p *Text) Mode() intent.Mode { return intent.Popup }

// Key implements Popup; there is nothing to type.
func (p *Text) Key(string, string) {}

// SetTheme implements Popup.
func (p *Text) SetTheme(th *theme.Theme) { p.theme, p.log = th, nil }

// Do implements Popup.
func (p *Text) Do(i intent.Intent) (done bool, answer string, ok bool) {
	if p.log == nil {
		return i == intent.Back, "", false
	}
	switch i {
	case intent.Up:
		p.log.Scroll(-1)
	case intent.Down:
		p.log.Scroll(1)
	case intent.PageUp:
		p.log.Page(-1)
	case intent.PageDown:
		p.log.Page(1)
	case intent.Top:
		p.log.Home()
	case intent.Bottom:
		p.log.End()
	}
	return i == intent.Back, "", false
}

// maxWidth keeps lines short enough to be read.
const maxWidth = 100

// View implements Popup.
func (p *Text) View(w, h int) draw.Block {
	inner := max(1, min(w-4, maxWidth)-2)
	if p.log == nil || p.width != inner {
		p.width = inner
		lines := p.lines(p.theme, inner-2)
		p.log = widget.NewLog(p.theme, max(1, len(lines)))
		for i := range lines {
			lines[i] = " " + lines[i]
		}
		p.log.SetSize(inner, max(1, min(len(lines), h-4)))
		p.log.Append(lines...)
		p.log.Home()
	}
	p.log.SetSize(inner, max(1, min(p.log.Len(), h-4)))
	return p.theme.Box(true, p.title, p.log.Hint(), p.log.View())
}

// Confirm is a question to answer with yes or no; its answer is "yes".
type Confirm struct {
	theme     *theme.Theme
	title     string
	questions []string
}

// NewConfirm makes a question. The lines are clean.
func NewConfirm(th *theme.Theme, title string, lines ...string) *Confirm {
	return &Confirm{theme: th, title: title, questions: lines}
}

// Mode implements Popup.
func (p *Confirm) Mode() intent.Mode { return intent.Confirm }

// Key implements Popup; only y and n do something.
func (p *Confirm) Key(string, string) {}

// SetTheme implements Popup.
func (p *Confirm) SetTheme(th *theme.Theme) { p.theme = th }

// Do implements Popup.
func (p *Confirm) Do(i intent.Intent) (done bool, answer string, ok bool) {
	switch i {
	case intent.Yes:
		return true, "yes", true
	case intent.No, intent.Back:
		return true, "", false
	}
	return false, "", false
}

// View implements Popup.
func (p *Confirm) View(w, h int) draw.Block {
	inner := max(1, min(w-4, 64)-2)
	var lines []string
	for _, q := range p.questions {
		lines = append(lines, inset(q, inner, theme.Style{})...)
	}
	lines = cutLines(p.theme, lines, h-5)
	lines = append([]string{""}, append(lines, "", " "+p.theme.Keys(max(0, inner-2), "y", "yes", "n", "no"))...)
	return p.theme.Box(true, p.title, "", p.theme.Block(inner, len(lines), lines...))
}

// inset breaks clean words into lines that leave a column free at either side.
func inset(words string, inner int, style theme.Style) []string {
	var lines []string
	for _, line := range draw.Wrap(words, inner-2) {
		lines = append(lines, " "+style.Render(line))
	}
	return lines
}

// cutLines keeps at most n lines, the last of them saying that there were more.
func cutLines(th *theme.Theme, lines []string, n int) []string {
	if len(lines) <= n {
		return lines
	}
	if n < 1 {
		return nil
	}
	return append(lines[:n-1:n-1], " "+th.Quiet.Render(th.Glyphs.Cut))
}
