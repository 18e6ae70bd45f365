package stream

import (
	"errors"
	"iter"
	"math"
	"sort"
)

// ErrIDTooSmall is returned by Append for an id that does not come after the last one.
var ErrIDTooSmall = errors.New("the id is not after the stream's last id")

// maxNodeBytes is the largest listpack that Redis allows whatever the configuration says; an entry
// with more bytes than this in names and values cannot be stored.
const maxNodeBytes = 1 << 30

// Limits say when a node is full: stream-node-max-entries and stream-node-max-bytes. 0 is no limit.
type Limits struct {
	NodeMaxEntries int64
	NodeMaxBytes   int64
}

// DefaultLimits are those of a Redis that was not configured otherwise: 100 entries, 4096 bytes.
func DefaultLimits() Limits { return Limits{NodeMaxEntries: 100, NodeMaxBytes: 4096} }

// nodeBytes is how large a node may grow.
func (l Limits) nodeBytes() int {
	if l.NodeMaxBytes <= 0 || l.NodeMaxBytes > maxNodeBytes {
		return maxNodeBytes
	}
	return int(l.NodeMaxBytes)
}

// Stream is one stream with its consumer groups. Make it with New.
type Stream struct {
	nodes      []*node // in order of id; after a trim by id one may hold tombstones only, as in Redis
	length     int     // live entries
	first      ID      // of the first live entry, 0-0 when there is none
	last       ID      // last-generated-id, which never goes back
	maxDeleted ID      // the largest id ever deleted (not trimmed)
	added      int64   // how many entries were ever added
	groups     []*Group
	idmp       idempotency

	bytes        int    // of all nodes
	nodesChanged uint64 // rises whenever a node comes or goes
	radix        int    // RadixNodes when nodesChanged was radixOf; 0 before it was first asked
	radixOf      uint64
}

// New is an empty stream.
func New() *Stream { return &Stream{idmp: newIdempotency()} }

// Len is the number of entries.
func (s *Stream) Len() int { return s.length }

// FirstID is the id of the first entry, 0-0 when there is none (recorded-first-entry-id).
func (s *Stream) FirstID() ID { return s.first }

// LastID is the largest id ever given to an entry or set by XSETID (last-generated-id).
func (s *Stream) LastID() ID { return s.last }

// MaxDeletedID is the largest id that was ever deleted (max-deleted-entry-id).
func (s *Stream) MaxDeletedID() ID { return s.maxDeleted }

// EntriesAdded is how many entries were ever added (entries-added).
func (s *Stream) EntriesAdded() int64 { return s.added }

// Nodes is in how many nodes the entries stand (radix-tree-keys).
func (s *Stream) Nodes() int { return len(s.nodes) }

// SetID sets what XSETID sets: the last id, and, where they are given, the number of entries ever
// added (-1 leaves it) and the largest deleted id (0-0 leaves it).
func (s *Stream) SetID(last ID, added int64, maxDeleted ID) {
	s.last = last
	if added != -1 {
		s.added = added
	}
	if !maxDeleted.IsZero() {
		s.maxDeleted = maxDeleted
	}
}

// NextID is the id that `*` gets at the time now (ms since 1970): now-0, or the one after the last
// id where that is not in the past. ok is false when there is no id left.
func (s *Stream) NextID(now int64) (id ID, ok bool) {
	if now > 0 && uint64(now) > s.last.MS {
		return ID{MS: uint64(now)}, true
	}
	return s.last.Next()
}

// NextSeq is the id that `ms-*` gets. ok is false when there is none after the last id.
func (s *Stream) NextSeq(ms uint64) (id ID, ok bool) {
	if ms != s.last.MS {
		id = ID{MS: ms}
		return id, s.last.Less(id)
	}
	if s.last.Seq == math.MaxUint64 {
		return ID{}, false
	}
	return ID{ms, s.last.Seq + 1}, true
}

// Append adds an entry. Fields are names and values in turn. An id that is not after the last one is
// refused with ErrIDTooSmall.
func (s *Stream) Append(id ID, fields []string, lim Limits) error {
	if !s.last.Less(id) {
		return ErrIDTooSmall
	}
	if n := len(s.nodes); n > 0 && !s.nodes[n-1].full(fields, lim) {
		s.bytes += s.nodes[n-1].append(id, fields)
	} else {
		if n > 0 {
			s.nodes[n-1].close()
		}
		fresh := newNode(id, fields)
		s.nodes = append(s.nodes, fresh)
		s.bytes += fresh.bytes
		s.nodesChanged++
	}
	s.length++
	s.added++
	s.last = id
	if s.length == 1 {
		s.first = id
	}
	return nil
}

// TooLarge says whether an entry with these fields is more than Redis can store (1 GiB).
func TooLarge(fields []string) bool {
	size := 0
	for _, f := range fields {
		size += len(f)
	}
	return size > maxNodeBytes
}

// nodeOf is the place of the last node that begins at or before id, or 0.
func (s *Stream) nodeOf(id ID) int {
	i := sort.Search(len(s.nodes), func(i int) bool { return id.Less(s.nodes[i].master) })
	return max(0, i-1)
}

// find is where the live entry id stands.
func (s *Stream) find(id ID) (n, i int, ok bool) {
	n = s.nodeOf(id)
	if n == len(s.nodes) {
		return 0, 0, false
	}
	at := s.nodes[n]
	i = at.seek(id)
	return n, i, i < len(at.entries) && at.entries[i].id == id && !at.entries[i].deleted
}

// Has says whether the stream holds the entry.
func (s *Stream) Has(id ID) bool {
	_, _, ok := s.find(id)
	return ok
}

// Get is the entry id.
func (s *Stream) Get(id ID) (Entry, bool) {
	n, i, ok := s.find(id)
	if !ok {
		return Entry{}, false
	}
	return s.nodes[n].entry(i), true
}

// entry is entry i of the node.
func (n *node) entry(i int) Entry {
	return Entry{ID: n.entries[i].id, Fields: n.entries[i].unpack(n.names)}
}

// Range yields the entries from one id to another, both included, in order. The stream must not be
// altered meanwhile.
func (s *Stream) Range(from, to ID) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for n, i := range s.forward(from) {
			if to.Less(s.nodes[n].entries[i].id) || !yield(s.nodes[n].entry(i)) {
				return
			}
		}
	}
}

// forward yields the places of the live entries from an id on.
func (s *Stream) forward(from ID) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		first := s.nodeOf(from)
		for n := first; n < len(s.nodes); n++ {
			at, i := s.nodes[n], 0
			if n == first {
				i = at.seek(from)
			}
			for ; i < len(at.entries); i++ {
				if !at.entries[i].deleted && !yield(n, i) {
					return
				}
			}
		}
	}
}

// RangeReverse yields the entries from one id to another, both included, the last one first.
func (s *Stream) RangeReverse(from, to ID) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		first := s.nodeOf(to)
		for n := first; n >= 0 && n < len(s.nodes); n-- {
			at := s.nodes[n]
			i := len(at.entries) - 1
			if n == first {
				i = sort.Search(len(at.entries), func(i int) bool { return to.Less(at.entries[i].id) }) - 1
			}
			for ; i >= 0; i-- {
				e := &at.entries[i]
				if e.deleted {
					continue
				}
				if e.id.Less(from) || !yield(at.entry(i)) {
					return
				}
			}
		}
	}
}

// LastEntryID is the id of the last entry that is still there.
func (s *Stream) LastEntryID() (ID, bool) {
	for n := len(s.nodes) - 1; n >= 0; n-- {
		at := s.nodes[n]
		for i := len(at.entries) - 1; i >= 0; i-- {
			if !at.entries[i].deleted {
				return at.entries[i].id, true
			}
		}
	}
	return ID{}, false
}

// Delete removes the entry and says whether it was there. Who has it pending keeps it so.
func (s *Stream) Delete(id ID) bool {
	n, i, ok := s.find(id)
	if !ok {
		return false
	}
	if s.nodes[n].live == 1 {
		s.dropNode(n)
	} else {
		s.bytes += s.nodes[n].bury(i)
	}
	s.length--
	if s.maxDeleted.Less(id) {
		s.maxDeleted = id
	}
	if id == s.first {
		s.findFirst()
	}
	return true
}

// findFirst sets the first id anew after entries went from the head.
func (s *Stream) findFirst() {
	s.first = ID{}
	for n, i := range s.forward(ID{}) {
		s.first = s.nodes[n].entries[i].id
		return
	}
}
