package draw

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Mark is what stands where text was cut, one column. Themes that are ASCII only have their own.
const Mark = "…"

// Width is how many columns s takes. SGR sequences take none; what Fit would escape counts as it
// would then be.
func Width(s string) int {
	w := 0
	for i := 0; i < len(s); {
		if c := s[i]; c >= 0x20 && c < 0x7f && (i+1 == len(s) || s[i+1] < utf8.RuneSelf) {
			w++
			i++
			continue
		}
		n, cols, k := next(s[i:])
		if k == bad {
			cols = Width(Clean(s[i : i+n]))
		}
		w += cols
		i += n
	}
	return w
}

// Fit makes s exactly w columns: spaces at its end, or a cut at its end marked with Mark. Like all its
// kin it expects clean text with SGR sequences and escapes whatever else it meets.
func Fit(s string, w int) string { return FitMark(s, w, Mark) }

// FitMark is Fit with another mark for the cut.
func FitMark(s string, w int, mark string) string {
	if s = printable(s); Width(s) == w {
		return s
	}
	var sb strings.Builder
	sb.Grow(w + len(s)/2)
	AppendFit(&sb, s, w, mark)
	return sb.String()
}

// AppendFit writes FitMark(s, w, mark) to sb.
func AppendFit(sb *strings.Builder, s string, w int, mark string) {
	s = printable(s)
	switch have := Width(s); {
	case w <= 0:
		styles(sb, s)
	case have == w:
		sb.WriteString(s)
	case have < w:
		sb.WriteString(s)
		spaces(sb, w-have)
	default:
		mark, mw := usable(mark, w)
		cutStyled(sb, s, 0, w-mw, mark)
	}
}

// FitRight makes s exactly w columns with s at the right; a cut is at its end, as with Fit.
func FitRight(s string, w int, mark string) string {
	s = printable(s)
	have := Width(s)
	if have >= w {
		return FitMark(s, w, mark)
	}
	return strings.Repeat(" ", w-have) + s
}

// FitTail makes s exactly w columns and, when it must cut, keeps the end: of an id the end is what
// tells it from its neighbours.
func FitTail(s string, w int, mark string) string {
	s = printable(s)
	have := Width(s)
	if have <= w || w <= 0 {
		return FitMark(s, w, mark)
	}
	mark, mw := usable(mark, w)
	var sb strings.Builder
	sb.WriteString(mark)
	cutStyled(&sb, s, have-w+mw, have, "")
	return sb.String()
}

// FitMiddle makes s, plain text without styles, exactly w columns and, when it must cut, keeps both
// its ends.
func FitMiddle(s string, w int, mark string) string {
	s = printable(s)
	have := Width(s)
	if have <= w || w < 4 {
		return FitMark(s, w, mark)
	}
	mark, mw := usable(mark, w)
	tail := (w - mw) / 2
	var sb strings.Builder
	cutStyled(&sb, s, 0, w-mw-tail, mark)
	cutStyled(&sb, s, have-tail, have, "")
	return sb.String()
}

// Cut gives the columns of s from from to, but not including, to: a window on a long line. The result
// is exactly to-from columns; half a wide character at an edge becomes a space, and the styles in force
// stay as they were.
func Cut(s string, from, to int) string {
	var sb strings.Builder
	cutStyled(&sb, printable(s), max(0, from), to, "")
	return sb.String()
}

// Wrap breaks s, clean text, into lines of at most w columns, between words where that is possible, never
// at a hyphen.
// There is always at least one line.
func Wrap(s string, w int) []string {
	if w < 1 {
		return []string{""}
	}
	var lines []string
	for para := range strings.SplitSeq(s, "\n") {
		held := strings.ReplaceAll(printable(para), "-", noBreak)
		for line := range strings.SplitSeq(ansi.Wrap(held, w, ""), "\n") {
			lines = append(lines, strings.ReplaceAll(strings.TrimRight(line, " "), noBreak, "-"))
		}
	}
	return lines
}

// noBreak stands for a hyphen while lines are broken: ids such as 4-0 stay whole. It is a rune of private
// use, which no clean text has and which is one column wide.
const noBreak = "\uE010"

// cutStyled writes the columns [from, to) of s, filled with spaces, and mark behind them; every SGR
// sequence of s is kept, so that what was begun is also ended.
func cutStyled(sb *strings.Builder, s string, from, to int, mark string) {
	col, at := 0, from // at: the next column to be written
	for i := 0; i < len(s); {
		n, w, k := next(s[i:])
		if k == style {
			sb.WriteString(s[i : i+n])
			i += n
			continue
		}
		if end := col + w; at < to && end > at {
			if col >= at && end <= to {
				spaces(sb, col-at)
				sb.WriteString(s[i : i+n])
				at = end
			} else {
				spaces(sb, min(end, to)-at)
				at = min(end, to)
			}
			if at == to {
				sb.WriteString(mark)
				mark = ""
			}
		}
		col += w
		i += n
	}
	spaces(sb, to-at)
	sb.WriteString(mark)
}

// printable is s with everything escaped that is neither text nor style.
func printable(s string) string {
	for i := 0; i < len(s); {
		if c := s[i]; c >= 0x20 && c < 0x7f && (i+1 == len(s) || s[i+1] < utf8.RuneSelf) {
			i++
			continue
		}
		n, _, k := next(s[i:])
		if k == bad {
			return escapeBad(s, i)
		}
		i += n
	}
	return s
}

func escapeBad(s string, from int) string {
	var sb strings.Builder
	sb.Grow(len(s) + 16)
	sb.WriteString(s[:from])
	for rest := s[from:]; rest != ""; {
		n, _, k := next(rest)
		if k == bad {
			takeApart(&sb, rest[:n])
		} else {
			sb.WriteString(rest[:n])
		}
		rest = rest[n:]
	}
	return sb.String()
}

// styles writes only the SGR sequences of s.
func styles(sb *strings.Builder, s string) {
	for i := 0; i < len(s); {
		n, _, k := next(s[i:])
		if k == style {
			sb.WriteString(s[i : i+n])
		}
		i += n
	}
}

// usable is the mark and its width, or none where the mark leaves no room for a text.
func usable(mark string, w int) (string, int) {
	if mw := Width(mark); mw <= w {
		return mark, mw
	}
	return "", 0
}

const blank = "                                                                                                    "

// spaces writes n spaces.
func spaces(sb *strings.Builder, n int) {
	for n > len(blank) {
		sb.WriteString(blank)
		n -= len(blank)
	}
	if n > 0 {
		sb.WriteString(blank[:n])
	}
}

// Spaces is a string of n spaces; none when n is not positive.
func Spaces(n int) string {
	if n <= 0 {
		return ""
	}
	if n <= len(blank) {
		return blank[:n]
	}
	return strings.Repeat(" ", n)
}
