package state

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// ID is a stream entry's id: two unsigned 64-bit numbers. The first is by custom, not by rule, the
// server's milliseconds since 1970.
type ID struct {
	MS  uint64
	Seq uint64
}

// MaxID is the largest id there can be, 18446744073709551615-18446744073709551615.
func MaxID() ID { return ID{MS: math.MaxUint64, Seq: math.MaxUint64} }

// ParseID reads "ms-seq" or "ms" (which means "ms-0"), digits only, as Redis prints them.
func ParseID(s string) (ID, error) {
	ms, seq, both := strings.Cut(s, "-")
	id := ID{}
	var err error
	if id.MS, err = strconv.ParseUint(ms, 10, 64); err != nil {
		return ID{}, fmt.Errorf("%q is no stream id: want two numbers like 1735200000412-0", s)
	}
	if both {
		if id.Seq, err = strconv.ParseUint(seq, 10, 64); err != nil {
			return ID{}, fmt.Errorf("%q is no stream id: want two numbers like 1735200000412-0", s)
		}
	}
	return id, nil
}

// String is the id as Redis prints it, "ms-seq".
func (id ID) String() string {
	return strconv.FormatUint(id.MS, 10) + "-" + strconv.FormatUint(id.Seq, 10)
}

// Compare is -1, 0 or +1 as id stands before, at or after other in a stream.
func (id ID) Compare(other ID) int {
	if c := cmp.Compare(id.MS, other.MS); c != 0 {
		return c
	}
	return cmp.Compare(id.Seq, other.Seq)
}

// Less says whether id stands before other.
func (id ID) Less(other ID) bool { return id.Compare(other) < 0 }

// IsZero says whether id is 0-0, which no entry can have.
func (id ID) IsZero() bool { return id == ID{} }

// Next is the smallest id after id. It carries from the sequence into the milliseconds and stays at
// the largest, where ok is false.
func (id ID) Next() (next ID, ok bool) {
	switch {
	case id.Seq < math.MaxUint64:
		return ID{id.MS, id.Seq + 1}, true
	case id.MS < math.MaxUint64:
		return ID{id.MS + 1, 0}, true
	}
	return id, false
}

// Prev is the largest id before id; at 0-0 it stays and ok is false.
func (id ID) Prev() (prev ID, ok bool) {
	switch {
	case id.Seq > 0:
		return ID{id.MS, id.Seq - 1}, true
	case id.MS > 0:
		return ID{id.MS - 1, math.MaxUint64}, true
	}
	return id, false
}

// Date is the moment that the id's milliseconds mean, when they can be a date at all: ids are free
// to be any number, so outside 2000 to 2200 there is none.
func (id ID) Date() (at time.Time, ok bool) {
	const from, to = 946_684_800_000, 7_258_118_400_000
	if id.MS < from || id.MS >= to {
		return time.Time{}, false
	}
	return time.UnixMilli(int64(id.MS)).UTC(), true
}

// Instant is a moment on the server's clock, in milliseconds since 1970, as Redis keeps delivery,
// seen and active times.
type Instant int64

// Sub is how long t is after u.
func (t Instant) Sub(u Instant) time.Duration { return time.Duration(t-u) * time.Millisecond }

// Add is t moved by d, which is cut to whole milliseconds.
func (t Instant) Add(d time.Duration) Instant { return t + Instant(d/time.Millisecond) }

// Time is t as a time in UTC.
func (t Instant) Time() time.Time { return time.UnixMilli(int64(t)).UTC() }
