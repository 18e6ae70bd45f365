package theme

import (
	"image/color"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// Style is one way to show text: what is written before it and after it. After it, only what was begun
// is ended, so that a style may stand inside another one (a coloured id on a selected row).
type Style struct{ On, Off string }

// Apply writes text in this style to sb. The text is written as it is: foreign text goes through Clean
// first.
func (s Style) Apply(sb *strings.Builder, text string) {
	if text == "" {
		return
	}
	sb.WriteString(s.On)
	sb.WriteString(text)
	sb.WriteString(s.Off)
}

// Render is text in this style.
func (s Style) Render(text string) string {
	if text == "" {
		return ""
	}
	return s.On + text + s.Off
}

// look is a style before it is worked out.
type look struct {
	fg, bg                           string // colours as #rrggbb; empty for the terminal's own
	bold, underline, reverse, struck bool
}

// style works a look out.
func (l look) style() Style {
	var on, off ansi.Style
	if l.bold {
		on, off = on.Bold(), off.Normal()
	}
	if l.underline {
		on, off = on.Underline(true), off.Underline(false)
	}
	if l.reverse {
		on, off = on.Reverse(true), off.Reverse(false)
	}
	if l.struck {
		on, off = on.Strikethrough(true), off.Strikethrough(false)
	}
	if l.fg != "" {
		on, off = on.ForegroundColor(rgb(l.fg)), off.ForegroundColor(nil)
	}
	if l.bg != "" {
		on, off = on.BackgroundColor(rgb(l.bg)), off.BackgroundColor(nil)
	}
	if len(on) == 0 {
		return Style{}
	}
	return Style{On: on.String(), Off: off.String()}
}

func rgb(hex string) color.Color { return lipgloss.Color(hex) }
