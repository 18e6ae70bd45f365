package explore

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"pelscope/redisx/state"
	"pelscope/ui/draw"
	"pelscope/ui/theme"
)

// The bounds of an entry that is shown whole, in bytes: of one value, and of all. They keep a huge entry
// from holding the screen; what is left out is said.
const (
	maxValue = 64 << 10
	maxEntry = 256 << 10
)

// EntryLines is an entry whole, in lines of at most w columns: every field in its order with its value's
// size, no number read into a text, and each byte to be told from every other.
func EntryLines(th *theme.Theme, e state.Entry, w int) []string {
	dot := " " + th.Glyphs.Dot + " "
	first := draw.Plural(int64(len(e.Fields)), "field", "fields") + dot + draw.Bytes(e.Size)
	if at, ok := e.ID.Date(); ok {
		first += dot + at.Format("2006-01-02 15:04:05.000 UTC")
	}
	lines := []string{th.Quiet.Render(th.Fit(first, w)), ""}
	left := maxEntry
	for i, f := range e.Fields {
		if left <= 0 {
			more := draw.Plural(int64(len(e.Fields)-i), "more field", "more fields")
			return append(lines, th.Quiet.Render(th.Fit(th.Glyphs.Cut+" "+more, w)))
		}
		added := fieldLines(th, f, w, dot)
		lines = append(lines, added...)
		left -= min(len(f.Name), maxValue) + min(len(f.Value), maxValue) + 16
	}
	return lines
}

func fieldLines(th *theme.Theme, f state.Field, w int, dot string) []string {
	name, oddName := exactly(th, head(f.Name, maxValue))
	value, oddValue := exactly(th, head(f.Value, maxValue))
	about := draw.Bytes(int64(len(f.Value)))
	if oddName || oddValue {
		about += dot + `escaped, a \ as \\`
	}
	if len(f.Name) > maxValue {
		name += th.Glyphs.Cut
	}
	if len(f.Value) > maxValue {
		value += th.Glyphs.Cut
		about += dot + "the first " + draw.Bytes(maxValue)
	}
	lines := broken(th.Title, "", name, w)
	if last := len(lines) - 1; last == 0 && draw.Width(name)+draw.Width(dot+about) <= w {
		lines[0] += th.Quiet.Render(dot + about)
	} else {
		lines = append(lines, th.Quiet.Render(th.Fit(about, min(w, draw.Width(about)))))
	}
	return append(lines, broken(theme.Style{}, "  ", value, w)...)
}

// broken breaks a text into lines of at most w columns, wherever they are full, so that no space is lost.
func broken(style theme.Style, indent, text string, w int) []string {
	var lines []string
	for line := range strings.SplitSeq(ansi.Hardwrap(text, max(1, w-len(indent)), true), "\n") {
		lines = append(lines, indent+style.Render(line))
	}
	return lines
}

// exactly shows bytes as they are where all of them are plain text. Where some are not, they are escaped,
// and a backslash is doubled, so that an escape and a text that only looks like one differ.
func exactly(th *theme.Theme, s string) (text string, escaped bool) {
	if text = th.Clean(s); text == s {
		return text, false
	}
	return th.Clean(strings.ReplaceAll(s, `\`, `\\`)), true
}
