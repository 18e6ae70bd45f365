package resp

import (
	"strconv"
	"strings"
)

// Print writes the value as redis-cli prints a reply on a terminal: nested elements numbered and
// indented, strings quoted with what is not printable escaped, one line break at the end of each
// line. Nothing in the result but those line breaks, and what a status, an error or a verbatim string
// holds, is unescaped: clean it before it reaches a terminal.
func Print(v Value) string {
	var b strings.Builder
	printValue(&b, v, "")
	return b.String()
}

func printValue(b *strings.Builder, v Value, indent string) {
	switch v.Kind {
	case Error:
		b.WriteString("(error) " + v.Str + "\n")
	case Status, Big:
		b.WriteString(v.Str + "\n")
	case Int:
		b.WriteString("(integer) " + strconv.FormatInt(v.Int, 10) + "\n")
	case Double:
		b.WriteString("(double) " + v.doubleText() + "\n")
	case Bulk:
		b.WriteString(Repr(v.Str) + "\n")
	case Verbatim:
		b.WriteString(v.Text() + "\n")
	case Bool:
		if v.Int != 0 {
			b.WriteString("(true)\n")
		} else {
			b.WriteString("(false)\n")
		}
	case Array, Map, Set, Push:
		printAggregate(b, v, indent)
	default:
		b.WriteString("(nil)\n")
	}
}

func printAggregate(b *strings.Builder, v Value, indent string) {
	if len(v.Elems) == 0 {
		b.WriteString(map[Kind]string{Array: "(empty array)\n", Map: "(empty hash)\n",
			Set: "(empty set)\n", Push: "(empty push)\n"}[v.Kind])
		return
	}
	per, mark := 1, ") "
	switch v.Kind {
	case Map:
		per, mark = 2, "# "
	case Set:
		mark = "~ "
	}
	width := len(strconv.Itoa(len(v.Elems) / per))
	inner := indent + strings.Repeat(" ", width+2)
	for i := 0; i+per <= len(v.Elems); i += per {
		if i > 0 {
			b.WriteString(indent)
		}
		n := strconv.Itoa(i/per + 1)
		b.WriteString(strings.Repeat(" ", width-len(n)) + n + mark)
		if per == 1 {
			printValue(b, v.Elems[i], inner)
			continue
		}
		var key strings.Builder
		printValue(&key, v.Elems[i], inner)
		b.WriteString(strings.TrimSuffix(key.String(), "\n") + " => ")
		if severalLines(v.Elems[i+1]) {
			b.WriteString("\n" + inner)
		}
		printValue(b, v.Elems[i+1], inner)
	}
}

// severalLines says whether a map's value starts on a line of its own.
func severalLines(v Value) bool {
	switch {
	case v.Len() > 1 && v.IsAggregate():
		return true
	case len(v.Elems) == 0:
		return false
	}
	return severalLines(v.Elems[len(v.Elems)-1])
}

// Repr quotes bytes as redis-cli prints a string: in double quotes, printable ASCII as it is, the rest
// as \n, \r, \t, \a, \b or \xNN.
func Repr(s string) string {
	b := make([]byte, 0, len(s)+2)
	b = append(b, '"')
	for i := range len(s) {
		b = appendEscaped(b, s[i])
	}
	return string(append(b, '"'))
}

func appendEscaped(b []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	switch c {
	case '\\', '"':
		return append(b, '\\', c)
	case '\n':
		return append(b, `\n`...)
	case '\r':
		return append(b, `\r`...)
	case '\t':
		return append(b, `\t`...)
	case '\a':
		return append(b, `\a`...)
	case '\b':
		return append(b, `\b`...)
	}
	if c >= 0x20 && c < 0x7f {
		return append(b, c)
	}
	return append(b, '\\', 'x', hex[c>>4], hex[c&15])
}
