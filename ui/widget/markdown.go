package widget

import (
	"strings"

	"pelscope/ui/draw"
	"pelscope/ui/theme"
)

// Markdown sets a text in lines of at most w columns: paragraphs, lists, fenced code as it is, `code` and
// **strong** within a line. The text is our own, not Redis's.
func Markdown(th *theme.Theme, source string, w int) []string {
	var out []string
	var para []string
	flush := func() {
		if len(para) == 0 {
			return
		}
		if len(out) > 0 && out[len(out)-1] != "" && !listItem(para[0]) {
			out = append(out, "")
		}
		out = append(out, setParagraph(th, strings.Join(para, " "), w)...)
		para = nil
	}
	fenced := false
	for _, line := range strings.Split(strings.TrimRight(source, "\n"), "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "```"):
			flush()
			if !fenced && len(out) > 0 {
				out = append(out, "")
			}
			fenced = !fenced
		case fenced:
			out = append(out, th.Fit(th.Command.Render(th.Clean(strings.ReplaceAll(line, "\t", "  "))), w))
		case trimmed == "":
			flush()
		case listItem(trimmed):
			flush()
			para = []string{trimmed}
		default:
			para = append(para, trimmed)
		}
	}
	flush()
	return out
}

func listItem(s string) bool { return strings.HasPrefix(s, "- ") }

func setParagraph(th *theme.Theme, s string, w int) []string {
	indent := ""
	if listItem(s) {
		s, indent = th.Glyphs.Bullet+" "+s[2:], "  "
	}
	lines := wrapMarked(th, s, max(1, w-len(indent)))
	for i := range lines {
		if i > 0 {
			lines[i] = indent + lines[i]
		}
	}
	return lines
}

// wrapMarked breaks a paragraph into lines and gives `code` and **strong** their styles. The marks take
// no room.
func wrapMarked(th *theme.Theme, s string, w int) []string {
	var plain strings.Builder
	var styles []theme.Style // of each rune of plain
	style := th.Text
	for len(s) > 0 {
		switch {
		case strings.HasPrefix(s, "**"):
			style, s = toggle(style, th.Strong, th.Text), s[2:]
		case s[0] == '`':
			style, s = toggle(style, th.Command, th.Text), s[1:]
		default:
			size := runeSize(s)
			plain.WriteString(s[:size])
			styles = append(styles, style)
			s = s[size:]
		}
	}
	return restyle(draw.Wrap(plain.String(), w), plain.String(), styles)
}

func toggle(now, to, back theme.Style) theme.Style {
	if now == to {
		return back
	}
	return to
}

func runeSize(s string) int {
	for i := range s {
		if i > 0 {
			return i
		}
	}
	return len(s)
}

// restyle puts each rune's style back onto the wrapped lines. Wrapping drops only spaces.
func restyle(lines []string, plain string, styles []theme.Style) []string {
	runes := []rune(plain)
	at := 0
	out := make([]string, 0, len(lines))
	for _, line := range lines {
		var b strings.Builder
		var run strings.Builder
		var style theme.Style
		for _, r := range line {
			for at < len(runes) && runes[at] != r {
				at++
			}
			now := style
			if at < len(styles) {
				now = styles[at]
			}
			if now != style {
				style.Apply(&b, run.String())
				run.Reset()
				style = now
			}
			run.WriteRune(r)
			at++
		}
		style.Apply(&b, run.String())
		out = append(out, b.String())
	}
	return out
}
