package resp

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// The limits of one reply. What goes beyond is an error, not an allocation.
const (
	MaxDepth    = 32        // aggregates within aggregates
	MaxBulk     = 512 << 20 // bytes of one string: Redis's own limit (proto-max-bulk-len)
	MaxElements = 16 << 20  // values in one reply
	maxLine     = 1 << 20   // bytes of a status, an error or a number
)

// ProtocolError tells that bytes were not RESP, or beyond the limits.
type ProtocolError struct{ Reason string }

// Error says what was wrong with the bytes.
func (e *ProtocolError) Error() string { return "RESP: " + e.Reason }

func protocolErrorf(format string, args ...any) error {
	return &ProtocolError{Reason: fmt.Sprintf(format, args...)}
}

// Decode reads one value from the front of b and returns what follows it. Bytes that end too early
// give io.ErrUnexpectedEOF (no bytes at all: io.EOF), bytes that are not RESP a *ProtocolError.
// Attributes ("|") are read and dropped, as hiredis does.
func Decode(b []byte) (v Value, rest []byte, err error) {
	if len(b) == 0 {
		return Value{}, b, io.EOF
	}
	src := &sliceSource{b: b}
	d := decoder{src: src, left: MaxElements}
	v, err = d.value(0)
	if err != nil {
		return Value{}, b, err
	}
	return v, src.b, nil
}

// Reader reads values from a stream.
type Reader struct{ src streamSource }

// NewReader returns a Reader of r; it buffers.
func NewReader(r io.Reader) *Reader { return &Reader{src: streamSource{r: bufio.NewReader(r)}} }

// Read waits for the next value. It returns io.EOF when the stream ends between two values and
// io.ErrUnexpectedEOF when it ends within one; after a *ProtocolError the stream is unusable.
func (r *Reader) Read() (Value, error) {
	if _, err := r.src.r.Peek(1); err != nil {
		return Value{}, err
	}
	d := decoder{src: &r.src, left: MaxElements}
	return d.value(0)
}

// Buffered is the number of bytes that were read from the stream and not yet decoded.
func (r *Reader) Buffered() int { return r.src.r.Buffered() }

// source gives a decoder its bytes.
type source interface {
	line() (string, error)      // up to and without CRLF
	take(n int) (string, error) // n bytes, and the CRLF after them
}

type sliceSource struct{ b []byte }

func (s *sliceSource) line() (string, error) {
	i := bytes.IndexByte(s.b, '\n')
	if i < 0 {
		if len(s.b) > maxLine {
			return "", protocolErrorf("a line of more than %d bytes", maxLine)
		}
		return "", io.ErrUnexpectedEOF
	}
	l, err := trimLine(s.b[:i+1])
	s.b = s.b[i+1:]
	return l, err
}

func (s *sliceSource) take(n int) (string, error) {
	if len(s.b) < n+2 {
		return "", io.ErrUnexpectedEOF
	}
	if s.b[n] != '\r' || s.b[n+1] != '\n' {
		return "", protocolErrorf("a string of %d bytes is not followed by CRLF", n)
	}
	t := string(s.b[:n])
	s.b = s.b[n+2:]
	return t, nil
}

type streamSource struct{ r *bufio.Reader }

func (s *streamSource) line() (string, error) {
	var l []byte
	for {
		part, err := s.r.ReadSlice('\n')
		l = append(l, part...)
		if len(l) > maxLine+2 {
			return "", protocolErrorf("a line of more than %d bytes", maxLine)
		}
		if err == nil {
			return trimLine(l)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return "", midValue(err)
		}
	}
}

// take copies through a growing buffer, so that a length that was only claimed costs no memory.
func (s *streamSource) take(n int) (string, error) {
	var b strings.Builder
	if n <= 64<<10 {
		b.Grow(n)
	}
	if _, err := io.CopyN(&b, s.r, int64(n)); err != nil {
		return "", midValue(err)
	}
	var end [2]byte
	if _, err := io.ReadFull(s.r, end[:]); err != nil {
		return "", midValue(err)
	}
	if end != [2]byte{'\r', '\n'} {
		return "", protocolErrorf("a string of %d bytes is not followed by CRLF", n)
	}
	return b.String(), nil
}

func midValue(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func trimLine(l []byte) (string, error) {
	if len(l) < 2 || l[len(l)-2] != '\r' {
		return "", protocolErrorf("a line that does not end with CRLF")
	}
	if len(l) > maxLine+2 {
		return "", protocolErrorf("a line of more than %d bytes", maxLine)
	}
	return string(l[:len(l)-2]), nil
}

// decoder reads one value; left counts down what it may still hold.
type decoder struct {
	src  source
	left int
}

func (d *decoder) value(depth int) (Value, error) {
	for {
		l, err := d.src.line()
		if err != nil {
			return Value{}, err
		}
		if l == "" {
			return Value{}, protocolErrorf("an empty line where a value should start")
		}
		if l[0] != '|' {
			return d.typed(l[0], l[1:], depth)
		}
		if _, err := d.aggregate(Map, l[1:], 2, depth); err != nil {
			return Value{}, err
		}
	}
}

func (d *decoder) typed(first byte, rest string, depth int) (Value, error) {
	switch first {
	case '+':
		return StatusOf(rest), nil
	case '-':
		return Value{Kind: Error, Str: rest}, nil
	case ':':
		n, err := strconv.ParseInt(rest, 10, 64)
		if err != nil {
			return Value{}, protocolErrorf("%q is not an integer", clip(rest))
		}
		return Integer(n), nil
	case '$':
		return d.bulk(Bulk, rest)
	case '=':
		return d.bulk(Verbatim, rest)
	case '*':
		return d.aggregate(Array, rest, 1, depth)
	case '~':
		return d.aggregate(Set, rest, 1, depth)
	case '>':
		return d.aggregate(Push, rest, 1, depth)
	case '%':
		return d.aggregate(Map, rest, 2, depth)
	}
	return scalar3(first, rest)
}

// scalar3 reads what RESP3 added that fits on one line.
func scalar3(first byte, rest string) (Value, error) {
	switch first {
	case '_':
		if rest == "" {
			return NilValue(), nil
		}
	case '#':
		if rest == "t" || rest == "f" {
			return BoolOf(rest == "t"), nil
		}
	case ',':
		if f, ok := parseDouble(rest); ok {
			return Value{Kind: Double, Str: rest, Float: f}, nil
		}
	case '(':
		if isInteger(rest) {
			return Value{Kind: Big, Str: rest}, nil
		}
	}
	return Value{}, protocolErrorf("%q is no RESP value", clip(string(first)+rest))
}

func (d *decoder) bulk(kind Kind, length string) (Value, error) {
	n, err := strconv.Atoi(length)
	switch {
	case err != nil || n < -1:
		return Value{}, protocolErrorf("%q is not the length of a string", clip(length))
	case n == -1:
		return NilBulkValue(), nil
	case n > MaxBulk:
		return Value{}, protocolErrorf("a string of %d bytes, more than %d", n, MaxBulk)
	}
	s, err := d.src.take(n)
	if err != nil {
		return Value{}, err
	}
	if kind == Verbatim && (len(s) < 4 || s[3] != ':') {
		return Value{}, protocolErrorf("a verbatim string without its format")
	}
	return Value{Kind: kind, Str: s}, nil
}

func (d *decoder) aggregate(kind Kind, length string, per, depth int) (Value, error) {
	n, err := strconv.Atoi(length)
	switch {
	case err != nil || n < -1:
		return Value{}, protocolErrorf("%q is not a number of elements", clip(length))
	case n == -1:
		return NilArrayValue(), nil
	case depth >= MaxDepth:
		return Value{}, protocolErrorf("more than %d levels", MaxDepth)
	case n > d.left/per:
		return Value{}, protocolErrorf("more than %d elements", MaxElements)
	}
	n *= per
	d.left -= n
	elems := make([]Value, 0, min(n, 64))
	for range n {
		e, err := d.value(depth + 1)
		if err != nil {
			return Value{}, err
		}
		elems = append(elems, e)
	}
	return Value{Kind: kind, Elems: elems}, nil
}

// parseDouble reads what RESP3 allows: no hexadecimal, no underscores, and inf, -inf, nan.
func parseDouble(s string) (float64, bool) {
	switch strings.ToLower(s) {
	case "inf", "+inf":
		return math.Inf(1), true
	case "-inf":
		return math.Inf(-1), true
	case "nan", "-nan":
		return math.NaN(), true
	}
	if s == "" || strings.Trim(s, "0123456789+-.eE") != "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}

func isInteger(s string) bool {
	digits := strings.TrimPrefix(strings.TrimPrefix(s, "-"), "+")
	return digits != "" && len(s)-len(digits) <= 1 && strings.Trim(digits, "0123456789") == ""
}

func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}
