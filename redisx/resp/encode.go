package resp

import (
	"strconv"
	"strings"
)

// Append appends the value's bytes in protocol 2 or 3. In protocol 2 a Map, Set or Push becomes a flat
// array, a Double, Big or Verbatim a bulk string, a Bool an integer and a Nil the nil string; in
// protocol 3 every nil is "_".
func Append(dst []byte, v Value, proto int) []byte {
	if proto >= 3 {
		return append3(dst, v)
	}
	return append2(dst, v)
}

// AppendCommand appends a command as a client sends it: an array of bulk strings.
func AppendCommand(dst []byte, args []string) []byte {
	dst = header(dst, '*', len(args))
	for _, a := range args {
		dst = bulk(dst, '$', a)
	}
	return dst
}

func append2(dst []byte, v Value) []byte {
	switch v.Kind {
	case Nil, NilBulk:
		return append(dst, "$-1\r\n"...)
	case NilArray:
		return append(dst, "*-1\r\n"...)
	case Int, Bool:
		return number(dst, v.Int)
	case Double, Big, Verbatim, Bulk:
		return bulk(dst, '$', v.Text())
	case Status:
		return line(dst, '+', v.Str)
	case Error:
		return line(dst, '-', v.Str)
	}
	dst = header(dst, '*', len(v.Elems))
	for _, e := range v.Elems {
		dst = append2(dst, e)
	}
	return dst
}

func append3(dst []byte, v Value) []byte {
	switch v.Kind {
	case Nil, NilBulk, NilArray:
		return append(dst, "_\r\n"...)
	case Int:
		return number(dst, v.Int)
	case Bool:
		if v.Int != 0 {
			return append(dst, "#t\r\n"...)
		}
		return append(dst, "#f\r\n"...)
	case Double:
		return line(dst, ',', v.doubleText())
	case Big:
		return line(dst, '(', v.Str)
	case Verbatim:
		return bulk(dst, '=', v.Str)
	case Bulk:
		return bulk(dst, '$', v.Str)
	case Status:
		return line(dst, '+', v.Str)
	case Error:
		return line(dst, '-', v.Str)
	case Map:
		dst = header(dst, '%', len(v.Elems)/2)
	case Set:
		dst = header(dst, '~', len(v.Elems))
	case Push:
		dst = header(dst, '>', len(v.Elems))
	default:
		dst = header(dst, '*', len(v.Elems))
	}
	for _, e := range v.Elems {
		dst = append3(dst, e)
	}
	return dst
}

func header(dst []byte, first byte, n int) []byte {
	dst = append(dst, first)
	dst = strconv.AppendInt(dst, int64(n), 10)
	return append(dst, '\r', '\n')
}

func number(dst []byte, n int64) []byte {
	dst = append(dst, ':')
	dst = strconv.AppendInt(dst, n, 10)
	return append(dst, '\r', '\n')
}

func bulk(dst []byte, first byte, s string) []byte {
	dst = header(dst, first, len(s))
	dst = append(dst, s...)
	return append(dst, '\r', '\n')
}

// line writes a value of one line. A line break inside would end it early and let the rest be read as
// another reply, so it becomes a space, as in Redis.
func line(dst []byte, first byte, s string) []byte {
	if strings.ContainsAny(s, "\r\n") {
		s = strings.NewReplacer("\r", " ", "\n", " ").Replace(s)
	}
	dst = append(dst, first)
	dst = append(dst, s...)
	return append(dst, '\r', '\n')
}
