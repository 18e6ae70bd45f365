package state

import (
	"cmp"
	"slices"
	"time"
)

// Maybe is something that was read from the server, or the reason why it was not.
type Maybe[T comparable] struct {
	Value T
	Known bool
	Why   string // why it is not known, for a person; empty when it is known
}

// Know is a Maybe that was read.
func Know[T comparable](v T) Maybe[T] { return Maybe[T]{Value: v, Known: true} }

// Unknown is a Maybe that could not be read, and why.
func Unknown[T comparable](why string) Maybe[T] { return Maybe[T]{Why: why} }

// Or is the value when it is known, else other.
func (m Maybe[T]) Or(other T) T {
	if m.Known {
		return m.Value
	}
	return other
}

// State is what one look at the server saw. It is a value: nobody alters it once it was made.
type State struct {
	At       Instant       // the server's clock at the look (the local clock where TIME is denied)
	RTT      time.Duration // how long the look took, from sending to the last answer
	Torn     bool          // not from one MULTI: the parts may be moments apart
	Complete bool          // every entry and every pending row of every key is here, times exact
	Keys     []Key         // the watched keys that were asked for, ordered by name; an absent one has Type "none"
	Clients  []Client      // the connections asked for, ordered by name then id; nil unless asked for
}

// Key is one watched key, whole (complete scope) or as a window (streams of the explorer).
type Key struct {
	Name   string
	Type   string   // as TYPE says: stream, list, set, hash, zset, string, or none
	Denied string   // why nothing below could be read, in words; empty when it was
	Stream *Stream  // Type stream
	Items  []string // Type list: its elements from left to right
	Pairs  []Pair   // Type hash, zset, set, string: ordered by name
}

// Pair is one item of an unordered value: a hash's field and value, a sorted set's member and score,
// a set's member (value empty), or a string (name empty).
type Pair struct{ Name, Value string }

// Client is a connection as CLIENT LIST tells of it.
type Client struct {
	ID      int64
	Name    string // CLIENT SETNAME
	Addr    string
	Blocked bool   // flag b: it waits in a blocking command
	Cmd     string // its last command
}

// Stream is a stream: its counters, a window of its entries, and its groups.
type Stream struct {
	Length        Maybe[int64] // entries (XLEN)
	FirstID       Maybe[ID]    // the oldest entry's id; known and 0-0 when there are no entries
	LastID        Maybe[ID]    // last-generated-id: the newest id ever given
	EntriesAdded  Maybe[int64] // entries ever added (7.0)
	MaxDeleted    Maybe[ID]    // max-deleted-entry-id (7.0)
	Entries       Window       // some entries, or all
	Gone          []ID         // ids outside the window that were looked up and are no entries any more, ascending
	Groups        []Group      // ordered by name
	GroupsUnknown string       // why the groups could not be read; empty when they were
}

// Window is a gapless part of a stream: the entries from From to To, both included. An id inside
// without an entry here is no entry.
type Window struct {
	From, To ID
	Entries  []Entry // ascending
	Unknown  string  // why it could not be read; empty when it was
}

// Entry is one stream entry.
type Entry struct {
	ID     ID
	Fields []Field // in order, duplicates kept
	Size   int64   // bytes of all names and values; more than in Fields when these were cut
	Cut    bool    // Fields hold only the beginning of long values
}

// Field is a field of an entry. Name and value are bytes.
type Field struct{ Name, Value string }

// Group is a consumer group.
type Group struct {
	Name             string
	LastDelivered    ID           // the cursor: last-delivered-id
	EntriesRead      Maybe[int64] // the group's logical read counter (7.0); unknown where the server says nil
	Lag              Maybe[int64] // entries not delivered yet, as the server tells (7.0); nil is unknown, never 0
	Pending          Maybe[int64] // rows in the PEL
	Consumers        []Consumer   // ordered by name
	ConsumersUnknown string       // why they were not read; empty when they were
	PEL              Page         // some rows of the PEL, or all
}

// Consumer is a consumer of a group.
type Consumer struct {
	Name    string
	Pending Maybe[int64]
	Seen    Maybe[Instant] // last attempt to interact: since 7.2 any read or claim; before, the last success
	Active  Maybe[Instant] // last success (7.2); unknown before, and when there was none ("never")
}

// Page is a gapless part of a PEL: every row from From to To, both included, of one consumer or (Consumer
// empty) of all.
type Page struct {
	From, To ID
	Consumer string
	Rows     []Pending // ascending by id
	Unknown  string    // why it could not be read; empty when it was
}

// Pending is one row of a PEL: an entry delivered and not yet acknowledged.
type Pending struct {
	ID          ID
	Consumer    string  // its owner; empty when nobody owns it (XNACK)
	DeliveredAt Instant // the last delivery; how long ago is its idle time
	Deliveries  int64
}

// Key finds a watched key by its name.
func (s State) Key(name string) (Key, bool) {
	i, ok := slices.BinarySearchFunc(s.Keys, name, func(k Key, n string) int { return compareText(k.Name, n) })
	if !ok {
		return Key{}, false
	}
	return s.Keys[i], true
}

// Stream finds a watched stream; nil when the key is absent, unread, or of another type.
func (s State) Stream(name string) *Stream {
	k, _ := s.Key(name)
	return k.Stream
}

// Group finds a group of a watched stream.
func (s State) Group(stream, group string) (Group, bool) {
	st := s.Stream(stream)
	if st == nil {
		return Group{}, false
	}
	return st.Group(group)
}

// Group finds a group by name.
func (s *Stream) Group(name string) (Group, bool) {
	i, ok := slices.BinarySearchFunc(s.Groups, name, func(g Group, n string) int { return compareText(g.Name, n) })
	if !ok {
		return Group{}, false
	}
	return s.Groups[i], true
}

// Foremost names the group to look at first when nobody chose one: the one with the most pending, of equals
// the one with the largest lag, of these the first by name. It is empty when there is no group.
func (s *Stream) Foremost() string {
	if len(s.Groups) == 0 {
		return ""
	}
	return slices.MaxFunc(s.Groups, func(a, b Group) int { // the first of equals
		return cmp.Or(cmp.Compare(a.Pending.Or(0), b.Pending.Or(0)), cmp.Compare(a.Lag.Or(0), b.Lag.Or(0)))
	}).Name
}

// Entry finds an entry of the window.
func (s *Stream) Entry(id ID) (Entry, bool) {
	i, ok := slices.BinarySearchFunc(s.Entries.Entries, id, func(e Entry, id ID) int { return e.ID.Compare(id) })
	if !ok {
		return Entry{}, false
	}
	return s.Entries.Entries[i], true
}

// Present says whether id is an entry of the stream now, as far as can be told: from the window,
// from the stream's first and last id, and from ids that were looked up.
func (s *Stream) Present(id ID) Maybe[bool] {
	if s.Entries.Holds(id) {
		_, ok := s.Entry(id)
		return Know(ok)
	}
	if s.FirstID.Known && (s.FirstID.Value.IsZero() || id.Less(s.FirstID.Value)) {
		return Know(false)
	}
	if s.LastID.Known && s.LastID.Value.Less(id) {
		return Know(false)
	}
	if _, ok := slices.BinarySearchFunc(s.Gone, id, ID.Compare); ok {
		return Know(false)
	}
	return Unknown[bool]("outside the entries read")
}

// Holds says whether id lies inside the window, so that the window tells whether it is an entry.
func (w Window) Holds(id ID) bool {
	return w.Unknown == "" && !id.Less(w.From) && !w.To.Less(id)
}

// Holds says whether a row of this id and owner would be on the page.
func (p Page) Holds(id ID, consumer string) bool {
	return p.Unknown == "" && !id.Less(p.From) && !p.To.Less(id) && (p.Consumer == "" || p.Consumer == consumer)
}

// Row finds a pending row on the page.
func (p Page) Row(id ID) (Pending, bool) {
	i, ok := slices.BinarySearchFunc(p.Rows, id, func(r Pending, id ID) int { return r.ID.Compare(id) })
	if !ok {
		return Pending{}, false
	}
	return p.Rows[i], true
}

// Of gives the page's rows that consumer owns, ascending by id.
func (p Page) Of(consumer string) []Pending {
	var rows []Pending
	for _, r := range p.Rows {
		if r.Consumer == consumer {
			rows = append(rows, r)
		}
	}
	return rows
}

// Consumer finds a consumer by name.
func (g Group) Consumer(name string) (Consumer, bool) {
	i, ok := slices.BinarySearchFunc(g.Consumers, name, func(c Consumer, n string) int { return compareText(c.Name, n) })
	if !ok {
		return Consumer{}, false
	}
	return g.Consumers[i], true
}

// Idle is how long ago the row was last delivered, as XPENDING tells it; never negative.
func (p Pending) Idle(at Instant) time.Duration { return max(0, at.Sub(p.DeliveredAt)) }

func compareText(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
