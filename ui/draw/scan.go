package draw

import (
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// kind is what stands next in a string.
type kind uint8

const (
	text  kind = iota // one grapheme cluster that every terminal shows alike
	style             // one SGR sequence (colour, bold, …): no columns
	bad               // bytes that must not be printed as they are
)

// ambiguousWide says that this process was told (RUNEWIDTH_EASTASIAN) to count characters of
// ambiguous width, the box lines among them, as two columns. It is read once and never written.
var ambiguousWide = ansi.StringWidth("■") != 1

// AmbiguousWide says whether box lines and blocks count two columns here, because the environment
// says that the terminal is set up so. Then ASCII glyphs are the ones that line up.
func AmbiguousWide() bool { return ambiguousWide }

// next tells what s, which is not empty, begins with: how many bytes belong to it, how many columns
// it takes, and what it is.
func next(s string) (size, width int, k kind) {
	c := s[0]
	if c < utf8.RuneSelf {
		switch {
		case c == 0x1b:
			if n := sgr(s); n > 0 {
				return n, 0, style
			}
			return 1, 0, bad
		case c < 0x20 || c == 0x7f:
			return 1, 0, bad
		case len(s) == 1 || s[1] < utf8.RuneSelf:
			return 1, 1, text
		}
	}
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n <= 1 {
		return 1, 0, bad
	}
	if w := simple(r); w > 0 {
		if n == len(s) {
			return n, w, text
		}
		if s[n] < utf8.RuneSelf {
			return n, w, text
		}
		if after, _ := utf8.DecodeRuneInString(s[n:]); simple(after) > 0 {
			return n, w, text
		}
	}
	cluster, width := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	if !agreed(cluster, width) {
		return len(cluster), 0, bad
	}
	return len(cluster), width, text
}

// simple is the width of a character that never joins its neighbours, or 0 when that takes a closer
// look. It is the fast way for what fills a screen: ASCII, Latin, box lines, Hangul, kana, Han.
func simple(r rune) int {
	switch {
	case r >= 0x20 && r < 0x7f:
		return 1
	case r >= 0xac00 && r <= 0xd7a3, r >= 0x4e00 && r <= 0x9fff, r >= 0x3041 && r <= 0x3096, r >= 0x30a1 && r <= 0x30fa:
		return 2
	case ambiguousWide:
		return 0
	case r >= 0x2500 && r <= 0x25fc, r >= 0xc0 && r <= 0x24f, r == '…', r == '·':
		return 1
	}
	return 0
}

// maxMarks is how many combining marks a cluster may carry. Real writing needs few; a pile of them
// grows over the lines above and below.
const maxMarks = 4

// agreed says whether a cluster may be printed: its width by graphemes, which is given, is the one by
// wcwidth too, it is at least one column, nothing in it is invisible or turns the writing round, and it
// stays the same cluster whatever is set before or behind it.
func agreed(cluster string, width int) bool {
	if width < 1 || width > 2 {
		return false
	}
	runes := 0
	for i, r := range cluster {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(cluster[i:]); n <= 1 {
				return false
			}
		}
		if odd(r) {
			return false
		}
		if runes++; runes > 1+maxMarks {
			return false
		}
	}
	return ansi.StringWidthWc(cluster) == width && !sticky(cluster)
}

// sticky says whether a cluster would become part of another one when a cut or a neighbouring pane sets
// other text beside it: it begins with what attaches to any letter, or ends with what takes one in.
func sticky(cluster string) bool {
	first, size := utf8.DecodeRuneInString(cluster)
	last, _ := utf8.DecodeLastRuneInString(cluster)
	switch {
	case first >= 0x300 && joins("a", cluster):
		return true
	case size == len(cluster) && first >= 0x1f1e6 && first <= 0x1f1ff: // half a flag
		return true
	case last >= 0x1100 && last <= 0x115f, last >= 0xa960 && last <= 0xa97c: // a Hangul syllable's beginning
		return true
	case first >= 0x1160 && first <= 0x11ff, first >= 0xd7b0 && first <= 0xd7ff: // its middle or end
		return true
	}
	return last >= 0x600 && (joins(cluster, "a") || joins(cluster, "क"))
}

// joins says whether b, set behind a, becomes part of a's cluster.
func joins(a, b string) bool {
	var buf [64]byte
	both := append(append(buf[:0], a...), b...)
	cluster, _ := ansi.FirstGraphemeCluster(both, ansi.GraphemeWidth)
	return len(cluster) > len(a)
}

// odd says of a character that it is a control, a bidirectional control, a line or paragraph
// separator, private, unassigned, or takes part in a line without being seen.
func odd(r rune) bool {
	if !unicode.IsGraphic(r) { // controls, formats (bidi, joiners, soft hyphen), U+2028/9, private use, unassigned
		return true
	}
	switch {
	case r == 0x34f, r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0, r == 0x17b4, r == 0x17b5: // fillers and joiners
		return true
	case r >= 0x180b && r <= 0x180f, r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0100 && r <= 0xe01ef: // variation selectors
		return true
	}
	return false
}

// sgr is the length of the SGR sequence that s begins with, or 0. Anything else that begins with ESC
// is none of ours.
func sgr(s string) int {
	if len(s) < 3 || s[1] != '[' {
		return 0
	}
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case c == 'm':
			return i + 1
		case (c < '0' || c > '9') && c != ';' && c != ':':
			return 0
		}
	}
	return 0
}
