package stream

import (
	"cmp"
	"math"
	"strconv"
)

// ID is an entry's id: milliseconds and a sequence number, two unsigned 64-bit numbers.
type ID struct {
	MS  uint64
	Seq uint64
}

// MaxID is the largest id there can be.
func MaxID() ID { return ID{MS: math.MaxUint64, Seq: math.MaxUint64} }

// String is the id as Redis prints it, "ms-seq".
func (id ID) String() string {
	buf := make([]byte, 0, 41)
	buf = strconv.AppendUint(buf, id.MS, 10)
	buf = append(buf, '-')
	return string(strconv.AppendUint(buf, id.Seq, 10))
}

// Compare is -1, 0 or +1 as id stands before, at or after other.
func (id ID) Compare(other ID) int {
	if c := cmp.Compare(id.MS, other.MS); c != 0 {
		return c
	}
	return cmp.Compare(id.Seq, other.Seq)
}

// Less says whether id stands before other.
func (id ID) Less(other ID) bool {
	return id.MS < other.MS || id.MS == other.MS && id.Seq < other.Seq
}

// IsZero says whether id is 0-0, which no entry can have.
func (id ID) IsZero() bool { return id == ID{} }

// Next is the smallest id after id. After the largest there is none: it wraps to 0-0 and ok is false.
func (id ID) Next() (next ID, ok bool) {
	if id.Seq < math.MaxUint64 {
		return ID{id.MS, id.Seq + 1}, true
	}
	if id.MS < math.MaxUint64 {
		return ID{id.MS + 1, 0}, true
	}
	return ID{}, false
}

// Prev is the largest id before id. Before 0-0 there is none: it wraps to the largest id and ok is
// false.
func (id ID) Prev() (prev ID, ok bool) {
	if id.Seq > 0 {
		return ID{id.MS, id.Seq - 1}, true
	}
	if id.MS > 0 {
		return ID{id.MS - 1, math.MaxUint64}, true
	}
	return MaxID(), false
}
