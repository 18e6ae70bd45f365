package resp

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Quote writes one argument so that redis-cli reads back exactly these bytes. A plain word stays as it
// is, printable text of any script included; everything else is put in double quotes, what is not
// printable as \xNN.
func Quote(arg string) string {
	if isPlain(arg) {
		return arg
	}
	b := make([]byte, 0, len(arg)+2)
	b = append(b, '"')
	for i := 0; i < len(arg); {
		r, size := utf8.DecodeRuneInString(arg[i:])
		if size > 1 && unicode.IsPrint(r) {
			b = append(b, arg[i:i+size]...)
			i += size
			continue
		}
		b = appendEscaped(b, arg[i])
		i++
	}
	return string(append(b, '"'))
}

// Join writes a command line of these arguments; Split gives them back.
func Join(args []string) string {
	quoted := make([]string, len(args))
	for i, a := range args {
		quoted[i] = Quote(a)
	}
	return strings.Join(quoted, " ")
}

func isPlain(s string) bool {
	if s == "" {
		return false
	}
	for i, r := range s {
		switch {
		case r == '"' || r == '\'' || r == '\\' || r == ' ':
			return false
		case r == utf8.RuneError:
			if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
				return false
			}
		case !unicode.IsPrint(r):
			return false
		}
	}
	return true
}

// SplitError tells why a line is no list of arguments. At is the byte at which the trouble begins.
type SplitError struct {
	At     int
	Reason string
}

// Error gives the reason and the column, counted from 1.
func (e *SplitError) Error() string { return fmt.Sprintf("%s (column %d)", e.Reason, e.At+1) }

// Split cuts a line into arguments by redis-cli's rules: words stand between white space; within
// double quotes \n, \r, \t, \a, \b, \xNN and any escaped character are read, within single quotes only
// \'; a quote may open within a word, and a closing one must be followed by white space or the end.
// The error is a *SplitError.
func Split(line string) ([]string, error) {
	args := []string{}
	for i := 0; ; {
		for i < len(line) && isSpace(line[i]) {
			i++
		}
		if i == len(line) {
			return args, nil
		}
		word, next, err := splitWord(line, i)
		if err != nil {
			return nil, err
		}
		args = append(args, word)
		i = next
	}
}

// splitWord reads one argument that starts at i and returns where the next one may start.
func splitWord(line string, i int) (word string, next int, err error) {
	var b []byte
	for i < len(line) {
		switch c := line[i]; c {
		case ' ', '\n', '\r', '\t':
			return string(b), i + 1, nil
		case '"', '\'':
			text, end, err := splitQuoted(line, i)
			if err != nil {
				return "", 0, err
			}
			return string(b) + text, end, nil
		default:
			b = append(b, c)
			i++
		}
	}
	return string(b), i, nil
}

// splitQuoted reads from the opening quote at i to behind the closing one.
func splitQuoted(line string, open int) (text string, next int, err error) {
	quote := line[open]
	var b []byte
	for i := open + 1; i < len(line); {
		c := line[i]
		switch {
		case c == quote:
			if i+1 < len(line) && !isSpace(line[i+1]) {
				return "", 0, &SplitError{At: i + 1, Reason: "a closing quote must be followed by a space"}
			}
			return string(b), i + 1, nil
		case c == '\\' && quote == '\'' && strings.HasPrefix(line[i:], `\'`):
			b = append(b, '\'')
			i += 2
		case c == '\\' && quote == '"' && i+1 < len(line):
			var size int
			c, size = unescape(line[i:])
			b = append(b, c)
			i += size
		default:
			b = append(b, c)
			i++
		}
	}
	return "", 0, &SplitError{At: open, Reason: fmt.Sprintf("unbalanced quotes: no closing %c for this one", quote)}
}

// unescape reads the escape at the front of s (a backslash and at least one byte) and its length.
func unescape(s string) (c byte, size int) {
	if len(s) >= 4 && s[1] == 'x' {
		hi, okHi := hexDigit(s[2])
		lo, okLo := hexDigit(s[3])
		if okHi && okLo {
			return hi<<4 | lo, 4
		}
	}
	switch s[1] {
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'b':
		return '\b', 2
	case 'a':
		return '\a', 2
	}
	return s[1], 2
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

// isSpace is C's isspace.
func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }
