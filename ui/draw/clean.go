package draw

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Clean makes s, whatever bytes it is, safe to print and certain in width. It is the one cleaner for
// values, field names, keys, groups, consumers, errors and anything else that the program did not
// write itself, on the screen and in plain output alike.
//
// Newline, carriage return and tab become \n, \r and \t. Everything else that is not plainly visible
// becomes its bytes as \xNN, the way redis-cli prints them: control bytes and ESC, C1 (U+0080 to
// U+009F), bidirectional controls, U+2028 and U+2029, zero-width and invisible characters, invalid
// UTF-8, and whatever of a grapheme cluster terminals give different widths to (an emoji sequence
// falls apart into its emoji). Text without any of these is given back as it is; cleaning twice is
// cleaning once. A backslash stays a backslash: where the exact bytes matter, quote instead.
func Clean(s string) string { return clean(s, false) }

// CleanASCII is Clean for a terminal that shows ASCII only: every other byte becomes \xNN.
func CleanASCII(s string) string { return clean(s, true) }

func clean(s string, ascii bool) string {
	dirty := firstDirty(s, ascii)
	if dirty < 0 {
		return s
	}
	var sb strings.Builder
	sb.Grow(len(s) + 16)
	sb.WriteString(s[:dirty])
	for rest := s[dirty:]; rest != ""; {
		n, _, k := next(rest)
		switch {
		case k == text && (!ascii || n == 1):
			sb.WriteString(rest[:n])
		case k == bad && !ascii:
			takeApart(&sb, rest[:n])
		default:
			escape(&sb, rest[:n])
		}
		rest = rest[n:]
	}
	return sb.String()
}

// firstDirty is where the first byte to be escaped stands, at the beginning of its cluster; -1 when
// there is none.
func firstDirty(s string, ascii bool) int {
	for i := 0; i < len(s); {
		if c := s[i]; c >= 0x20 && c < 0x7f && (i+1 == len(s) || s[i+1] < utf8.RuneSelf) {
			i++
			continue
		}
		n, _, k := next(s[i:])
		if k != text || ascii && n > 1 {
			return i
		}
		i += n
	}
	return -1
}

// escape writes each byte of s in a visible form.
func escape(sb *strings.Builder, s string) {
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\n':
			sb.WriteString(`\n`)
		case c == '\r':
			sb.WriteString(`\r`)
		case c == '\t':
			sb.WriteString(`\t`)
		case c >= 0x20 && c < 0x7f:
			sb.WriteByte(c)
		default:
			const hex = "0123456789abcdef"
			sb.WriteString(`\x`)
			sb.WriteByte(hex[c>>4])
			sb.WriteByte(hex[c&15])
		}
	}
}

// takeApart writes a cluster that can't be printed as one: the characters in it that are certain by
// themselves, with everything between them escaped.
func takeApart(sb *strings.Builder, cluster string) {
	apart := true // what was written last is ASCII, so that nothing can join it
	for cluster != "" {
		r, n := utf8.DecodeRuneInString(cluster)
		one := cluster[:n]
		valid := r != utf8.RuneError || n > 1
		if apart && valid && agreed(one, ansi.StringWidth(one)) {
			sb.WriteString(one)
			apart = false
		} else {
			escape(sb, one)
			apart = true
		}
		cluster = cluster[n:]
	}
}
