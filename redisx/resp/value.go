package resp

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Kind says which RESP type a Value is.
type Kind byte

// The kinds, each with its first byte on the wire.
const (
	Nil      Kind = iota // _ (RESP3): also the zero Value
	NilBulk              // $-1 (RESP2)
	NilArray             // *-1 (RESP2)
	Status               // +
	Error                // -
	Int                  // :
	Bulk                 // $
	Array                // *
	Map                  // % (RESP3)
	Set                  // ~ (RESP3)
	Double               // , (RESP3)
	Bool                 // # (RESP3)
	Big                  // ( (RESP3)
	Verbatim             // = (RESP3)
	Push                 // > (RESP3)
)

var kindNames = [...]string{"nil", "nil-bulk", "nil-array", "status", "error", "int", "bulk", "array",
	"map", "set", "double", "bool", "big", "verbatim", "push"}

// String names the kind for messages.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind(%d)", byte(k))
}

// Value is one RESP value.
//
// Str holds the bytes of a Status, Error, Bulk, Big or Verbatim (the last with its format in front:
// "txt:…") and the text of a Double as it was sent. Int holds an Int, and a Bool as 0 or 1. Float
// holds a Double. Elems holds what an Array, Set or Push contains, and a Map as key, value, key,
// value … in the order in which it was sent.
type Value struct {
	Kind  Kind
	Str   string
	Int   int64
	Float float64
	Elems []Value
}

// NilValue is RESP3's nil.
func NilValue() Value { return Value{Kind: Nil} }

// NilBulkValue is the nil string of RESP2.
func NilBulkValue() Value { return Value{Kind: NilBulk} }

// NilArrayValue is the nil array of RESP2.
func NilArrayValue() Value { return Value{Kind: NilArray} }

// OK is the status "OK".
func OK() Value { return StatusOf("OK") }

// StatusOf is a simple string such as OK or QUEUED.
func StatusOf(s string) Value { return Value{Kind: Status, Str: s} }

// Errorf is an error reply; its text starts with the error's code ("ERR …", "WRONGTYPE …").
func Errorf(format string, args ...any) Value {
	return Value{Kind: Error, Str: fmt.Sprintf(format, args...)}
}

// Str is a bulk string.
func Str(s string) Value { return Value{Kind: Bulk, Str: s} }

// Integer is a 64-bit integer.
func Integer(n int64) Value { return Value{Kind: Int, Int: n} }

// DoubleOf is a double, written as Redis writes it (the shortest text that reads back equal).
func DoubleOf(f float64) Value { return Value{Kind: Double, Str: FormatDouble(f), Float: f} }

// BoolOf is a boolean.
func BoolOf(b bool) Value {
	v := Value{Kind: Bool}
	if b {
		v.Int = 1
	}
	return v
}

// VerbatimText is a verbatim string of format txt.
func VerbatimText(s string) Value { return Value{Kind: Verbatim, Str: "txt:" + s} }

// ArrayOf is an array of these elements.
func ArrayOf(elems ...Value) Value { return Value{Kind: Array, Elems: elems} }

// StrArray is an array of bulk strings.
func StrArray(ss []string) Value { return Value{Kind: Array, Elems: bulks(ss)} }

// SetOf is a set of these elements.
func SetOf(elems ...Value) Value { return Value{Kind: Set, Elems: elems} }

// PushOf is an out-of-band message.
func PushOf(elems ...Value) Value { return Value{Kind: Push, Elems: elems} }

// MapOf is a map of key, value, key, value … in this order. It panics on an odd number: that is a
// mistake of the program, not of its input.
func MapOf(pairs ...Value) Value {
	if len(pairs)%2 != 0 {
		panic("resp.MapOf: a key without its value")
	}
	return Value{Kind: Map, Elems: pairs}
}

func bulks(ss []string) []Value {
	vs := make([]Value, len(ss))
	for i, s := range ss {
		vs[i] = Str(s)
	}
	return vs
}

// IsNil says whether the value is one of the three nils.
func (v Value) IsNil() bool { return v.Kind == Nil || v.Kind == NilBulk || v.Kind == NilArray }

// IsError says whether the value is an error reply.
func (v Value) IsError() bool { return v.Kind == Error }

// IsAggregate says whether the value can hold elements.
func (v Value) IsAggregate() bool {
	return v.Kind == Array || v.Kind == Map || v.Kind == Set || v.Kind == Push
}

// Len is the number of elements of an Array, Set or Push, the number of pairs of a Map, and otherwise
// the number of bytes of the value's text.
func (v Value) Len() int {
	switch v.Kind {
	case Map:
		return len(v.Elems) / 2
	case Array, Set, Push:
		return len(v.Elems)
	}
	return len(v.Text())
}

// Text is the text of a scalar: the bytes of a string, the digits of a number, "" for a nil and for
// an aggregate.
func (v Value) Text() string {
	switch v.Kind {
	case Int, Bool:
		return strconv.FormatInt(v.Int, 10)
	case Double:
		return v.doubleText()
	case Verbatim:
		if len(v.Str) >= 4 {
			return v.Str[4:]
		}
		return v.Str
	case Status, Error, Bulk, Big:
		return v.Str
	}
	return ""
}

// Int64 reads the value as an integer: an Int, or a string of digits.
func (v Value) Int64() (int64, bool) {
	if v.Kind == Int {
		return v.Int, true
	}
	if v.Kind != Bulk && v.Kind != Status {
		return 0, false
	}
	n, err := strconv.ParseInt(v.Str, 10, 64)
	return n, err == nil
}

// Float64 reads the value as a number: a Double, an Int, or a string holding a number.
func (v Value) Float64() (float64, bool) {
	switch v.Kind {
	case Double:
		return v.Float, true
	case Int:
		return float64(v.Int), true
	case Bulk, Status:
		f, err := strconv.ParseFloat(v.Str, 64)
		return f, err == nil
	}
	return 0, false
}

// Field looks a name up in a Map, or in the flat name, value, name, value … Array that RESP2 has in
// its place. Of several equal names it gives the first.
func (v Value) Field(name string) (Value, bool) {
	if v.Kind != Map && v.Kind != Array {
		return Value{}, false
	}
	for i := 0; i+1 < len(v.Elems); i += 2 {
		if k := v.Elems[i]; !k.IsAggregate() && !k.IsNil() && k.Text() == name {
			return v.Elems[i+1], true
		}
	}
	return Value{}, false
}

func (v Value) doubleText() string {
	if v.Str != "" {
		return v.Str
	}
	return FormatDouble(v.Float)
}

// FormatDouble writes a double as Redis 8 does: inf, -inf, nan, a whole number of up to 62 bits without
// a point, otherwise the shortest digits that read back equal.
func FormatDouble(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case math.IsNaN(f):
		return "nan"
	case f == math.Trunc(f) && math.Abs(f) < 1<<62:
		return strconv.FormatInt(int64(f), 10)
	}
	return grisuText(f)
}

// grisuText lays the shortest digits out as Redis's fpconv_dtoa does: plain while that needs fewer
// than about seven extra zeros, with an exponent otherwise.
func grisuText(f float64) string {
	s := strconv.FormatFloat(math.Abs(f), 'e', -1, 64) // d.ddde±xx
	mantissa, expText, _ := strings.Cut(s, "e")
	digits := strings.Replace(mantissa, ".", "", 1)
	exp10, err := strconv.Atoi(expText)
	if err != nil {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	k := exp10 - (len(digits) - 1) // value = digits × 10^k
	sign := ""
	if f < 0 {
		sign = "-"
	}
	abs := exp10
	if abs < 0 {
		abs = -abs
	}
	switch {
	case k >= 0 && abs < len(digits)+7:
		return sign + digits + strings.Repeat("0", k)
	case k < 0 && (k > -7 || abs < 4):
		if at := len(digits) + k; at > 0 {
			return sign + digits[:at] + "." + digits[at:]
		}
		return sign + "0." + strings.Repeat("0", -(len(digits)+k)) + digits
	}
	e := "e+"
	if exp10 < 0 {
		e = "e-"
	}
	if len(digits) > 1 {
		digits = digits[:1] + "." + digits[1:]
	}
	return sign + digits + e + strconv.Itoa(abs)
}
