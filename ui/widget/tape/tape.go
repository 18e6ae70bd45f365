// Package tape draws a stream as a strip, oldest left: what was delivered, what is pending and with whom,
// what was not delivered yet, and each group's cursor standing between two entries.
//
//	··■■■■■■◆■■■■◆◆■■■■■┃□□□□□□
//	                    ▲ last-delivered-id 1735200000412-0     lag 6   pending 3   oldest 4m12s
//
// Inside the window of entries that were read, a cell is an entry. Outside, a cell stands for a span of
// ids: placed by lag and entries-read where the server tells them, by the ids' milliseconds otherwise, and
// set off by ≈. What is not known is said to be unknown.
//
// Build is pure and knows no colours; View draws. The package imports redisx/state, draw and theme.
package tape

import (
	"time"

	"pelscope/redisx/state"
)

// Kind is what a cell shows.
type Kind uint8

const (
	Blank          Kind = iota // nothing: the stream is shorter than the strip
	Passed                     // delivered to the group and not pending, as far as was read
	Pending                    // in the group's PEL
	PendingDeleted             // in the PEL, but no entry any more
	Undelivered                // behind the cursor
	Entry                      // an entry, where there is no group to see it by
	Gone                       // entries that were there before the oldest one
	Cursor                     // the group's cursor: last-delivered-id
	CursorOther                // another group's
	Seam                       // between exact and approximate cells
)

// Cell is one column of the strip.
type Cell struct {
	Kind   Kind
	Owner  string   // of Pending and PendingDeleted; empty when nobody owns it
	Group  string   // of a cursor
	ID     state.ID // the entry's, the cursor's, or the first of a span
	Count  int64    // entries that the cell stands for; 0 where it is none
	Approx bool     // it stands for a span, or its place is worked out
}

// Owner is how many of the pending entries that were read a consumer owns.
type Owner struct {
	Name  string
	Count int
}

// Tape is a stream and a group ready to be drawn.
type Tape struct {
	Cells []Cell // exactly as many as the width asked for
	Group string // empty when the stream is shown without one

	LastDelivered state.ID
	Lag           state.Maybe[int64]
	Pending       state.Maybe[int64]
	Oldest        state.Maybe[time.Duration] // the longest idle time of the pending entries that were read
	AtLeast       bool                       // there are pending entries that were not read, so that Oldest may be more
	Owners        []Owner                    // by name
	Span          int64                      // entries that an approximate cell stands for; 0 when there is none or it is unknown
	Empty         bool                       // the stream has no entries
	NoGroups      bool                       // the stream has no groups
	Trouble       string                     // why there is no strip or no cursor, in words
}

// Build lays stream out in width cells as group sees it; with group "" only the entries. at is the server's
// clock when the stream was read. The other groups' cursors are marked too.
func Build(stream *state.Stream, group string, at state.Instant, width int) Tape {
	t := Tape{Group: group, Cells: make([]Cell, max(0, width))}
	if stream == nil {
		t.Trouble = "no stream"
		return t
	}
	v := view{stream: stream}
	if g, ok := stream.Group(group); ok {
		v.group, v.grouped = g, true
		t.measure(g, at)
	} else if group != "" {
		t.Trouble = "group not read"
		if stream.GroupsUnknown != "" {
			t.Trouble += ": " + stream.GroupsUnknown
		}
	}
	t.NoGroups = stream.GroupsUnknown == "" && len(stream.Groups) == 0
	t.Empty = stream.Length.Known && stream.Length.Value == 0
	if w := stream.Entries; w.Unknown != "" && !(stream.FirstID.Known && stream.LastID.Known) {
		t.Trouble = "entries not read: " + w.Unknown
		return t
	}
	cells, span := v.lay(width)
	copy(t.Cells, cells)
	t.Span = span
	return t
}

// measure takes the group's figures.
func (t *Tape) measure(g state.Group, at state.Instant) {
	t.LastDelivered, t.Lag, t.Pending = g.LastDelivered, g.Lag, g.Pending
	counts := map[string]int{}
	oldest := time.Duration(-1)
	for _, row := range g.PEL.Rows {
		counts[row.Consumer]++
		oldest = max(oldest, row.Idle(at))
	}
	t.Owners = sorted(counts)
	t.AtLeast = !whole(g)
	switch {
	case oldest >= 0:
		t.Oldest = state.Know(oldest)
	case g.PEL.Unknown != "":
		t.Oldest = state.Unknown[time.Duration](g.PEL.Unknown)
	}
}

// whole says whether every pending entry of the group was read.
func whole(g state.Group) bool {
	return g.PEL.Unknown == "" && g.Pending.Known && g.Pending.Value <= int64(len(g.PEL.Rows))
}

// CursorAt is the column of the group's cursor, or -1.
func (t Tape) CursorAt() int {
	for i, c := range t.Cells {
		if c.Kind == Cursor {
			return i
		}
	}
	return -1
}
