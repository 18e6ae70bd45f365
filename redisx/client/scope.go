package client

import (
	"fmt"

	"pelscope/redisx/state"
)

// Bounds of a look. Windows and pages are asked for with a COUNT, always.
const (
	DefaultCount = 100     // entries of a window, rows of a page
	MaxCount     = 2000    // at most
	MaxLookups   = 10      // pending ids a look finds out about that lie outside the window
	MaxComplete  = 100_000 // entries of a stream that is looked at whole
	MaxValue     = 4 << 10 // bytes kept of one value in a window
	MaxFields    = 500     // fields kept of one entry in a window
	maxGone      = 1000    // ids remembered as gone
	maxPresent   = 5000    // ids remembered as still there
)

// Scope is what Observe looks at: some keys whole (lessons, tests), or a window on one stream (the
// explorer).
type Scope struct {
	// Keys are looked at whole, in one MULTI. When there are any, Stream is not looked at.
	Keys []string

	// Clients is the beginning of the names of connections to list; empty lists none.
	Clients string

	// Stream is looked at through a window: its counters, all groups, one group's consumers and a page of
	// its PEL, some entries.
	Stream  string
	Group   string // the group; empty is the foremost: see state.Stream.Foremost
	Entries Window
	Pending Page

	// Prev is the last State of this stream. Its entries are used again when nothing moved, and only
	// new ones are fetched; ids known to be gone are carried on.
	Prev *state.State
}

// Window says which entries to look at. The zero Window is the newest DefaultCount.
type Window struct {
	Anchor state.ID // where the window is; 0-0 is the tail
	Tail   bool     // the newest Count entries, whatever the anchor
	Before int      // entries before the anchor
	After  int      // entries from the anchor on, itself included; 0 is Count
	Count  int      // 0 is DefaultCount
}

// Page says which rows of the group's PEL to look at. The zero Page is the first DefaultCount of all
// consumers.
type Page struct {
	From     state.ID // the first id
	Consumer string   // only this consumer's rows; empty is all
	Count    int      // 0 is DefaultCount
}

// TooLargeError tells that a stream is too long to be looked at whole.
type TooLargeError struct {
	Key     string
	Entries int64
}

// Error is one sentence.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%s has %d entries: a stream of more than %d is not looked at whole", e.Key, e.Entries, MaxComplete)
}

func countOr(n, otherwise int) int {
	if n <= 0 {
		n = otherwise
	}
	return min(n, MaxCount)
}

func (w Window) tail() bool { return w.Tail || w.Anchor.IsZero() }

// sides is how many entries lie before the anchor and from it on.
func (w Window) sides() (before, after int) {
	return min(max(w.Before, 0), MaxCount), countOr(w.After, countOr(w.Count, DefaultCount))
}
