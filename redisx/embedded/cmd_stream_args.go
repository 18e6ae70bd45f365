package embedded

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"pelscope/redisx/embedded/stream"
	"pelscope/redisx/resp"
)

// refusal is an error reply in Redis's words, its code included.
type refusal string

func (r refusal) Error() string { return string(r) }

// refuse makes an "ERR" refusal.
func refuse(format string, args ...any) error { return refusal("ERR " + fmt.Sprintf(format, args...)) }

// The refusals that several stream commands share.
const (
	errSyntaxRefusal   = refusal("ERR syntax error")
	errNoKeyRefusal    = refusal("ERR no such key")
	errNotInt          = refusal("ERR value is not an integer or out of range")
	errInvalidStreamID = refusal("ERR Invalid stream ID specified as stream command argument")
	errWrongTypeStream = refusal("WRONGTYPE Operation against a key holding the wrong kind of value")
)

// refusable makes a handler of a function that refuses by returning an error.
func refusable(f func(*call) (resp.Value, error)) handler {
	return func(c *call) resp.Value {
		v, err := f(c)
		if err != nil {
			return refusalValue(err)
		}
		return v
	}
}

// refusalValue is an error as a reply.
func refusalValue(err error) resp.Value {
	var r refusal
	if errors.As(err, &r) {
		return resp.Value{Kind: resp.Error, Str: string(r)}
	}
	return resp.Errorf("ERR %s", err)
}

// cText is s as C prints it in an error: up to its first zero byte.
func cText(s string) string {
	text, _, _ := strings.Cut(s, "\x00")
	return text
}

// isWord says whether an argument is this option, in whatever case.
func isWord(arg, word string) bool { return strings.EqualFold(arg, word) }

// strictInt reads a number as Redis does for arguments: plain decimal, no plus, no leading zeros.
func strictInt(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || strconv.FormatInt(n, 10) != s {
		return 0, errNotInt
	}
	return n, nil
}

// strictIntOr is strictInt with the command's own words for what is no number.
func strictIntOr(s, message string) (int64, error) {
	n, err := strictInt(s)
	if err != nil {
		return 0, refuse("%s", message)
	}
	return n, nil
}

// idUnsigned reads one half of an id. What is no plain number goes through C's strtoull in Redis,
// which takes leading zeros and spaces, a plus, and even a minus.
func idUnsigned(s string) (uint64, bool) {
	if n, err := strictInt(s); err == nil {
		return uint64(n), n >= 0
	}
	s = strings.TrimLeft(s, " \t\n\v\f\r")
	negative := strings.HasPrefix(s, "-")
	if negative || strings.HasPrefix(s, "+") {
		s = s[1:]
	}
	if s == "" || s[0] < '0' || s[0] > '9' {
		return 0, false
	}
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return 0, false
	}
	if negative {
		n = -n
	}
	return n, true
}

// idForm says which forms of an id an argument may have.
type idForm int

const (
	plainID    idForm = iota // ms-seq or ms
	rangeID                  // also - and +
	autoSeqID                // also ms-*
	maxIDBytes = 127
)

// parseID reads an id; missing is the sequence of an id that has only milliseconds. auto says that
// the sequence was a star.
func parseID(s string, form idForm, missing uint64) (id stream.ID, auto bool, err error) {
	if len(s) > maxIDBytes {
		return stream.ID{}, false, errInvalidStreamID
	}
	s = cText(s)
	if s == "-" || s == "+" {
		if form != rangeID {
			return stream.ID{}, false, errInvalidStreamID
		}
		if s == "+" {
			return stream.MaxID(), false, nil
		}
		return stream.ID{}, false, nil
	}
	ms, seq, both := strings.Cut(s, "-")
	id.Seq = missing
	ok := true
	if id.MS, ok = idUnsigned(ms); !ok {
		return stream.ID{}, false, errInvalidStreamID
	}
	switch {
	case both && seq == "*" && form == autoSeqID:
		id.Seq, auto = 0, true
	case both:
		id.Seq, ok = idUnsigned(seq)
	}
	if !ok {
		return stream.ID{}, false, errInvalidStreamID
	}
	return id, auto, nil
}

// parsePlainID reads an id that must be one; its missing sequence is 0.
func parsePlainID(s string) (stream.ID, error) {
	id, _, err := parseID(s, plainID, 0)
	return id, err
}

// parseIDs reads a list of ids, all of them or none.
func parseIDs(args []string) ([]stream.ID, error) {
	ids := make([]stream.ID, len(args))
	for i, a := range args {
		var err error
		if ids[i], err = parsePlainID(a); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// intervalStart reads the lower end of an interval, where "(" excludes the id itself.
func intervalStart(s string) (stream.ID, error) {
	if len(s) > 1 && s[0] == '(' {
		id, _, err := parseID(s[1:], plainID, 0)
		if err != nil {
			return id, err
		}
		id, ok := id.Next()
		if !ok {
			return id, refuse("invalid start ID for the interval")
		}
		return id, nil
	}
	id, _, err := parseID(s, rangeID, 0)
	return id, err
}

// intervalEnd reads the upper end of an interval.
func intervalEnd(s string) (stream.ID, error) {
	if len(s) > 1 && s[0] == '(' {
		id, _, err := parseID(s[1:], plainID, math.MaxUint64)
		if err != nil {
			return id, err
		}
		id, ok := id.Prev()
		if !ok {
			return id, refuse("invalid end ID for the interval")
		}
		return id, nil
	}
	id, _, err := parseID(s, rangeID, math.MaxUint64)
	return id, err
}
