package stream

import (
	"iter"
	"slices"
	"strings"
)

// NeverActive is a consumer's ActiveTime when it never got or claimed an entry.
const NeverActive = -1

// Consumer is one reader of a group.
type Consumer struct {
	Name       string
	SeenTime   int64 // when it last asked for something, ms since 1970
	ActiveTime int64 // when it last got something, or NeverActive
	pending    pendingList
}

// PendingLen is how many entries it has pending.
func (c *Consumer) PendingLen() int { return c.pending.len() }

// Pending yields what it has pending from an id on, in order of id. Nothing may be altered meanwhile.
func (c *Consumer) Pending(from ID) iter.Seq[*Pending] { return c.pending.from(from) }

// Group is a consumer group: a cursor, who reads, and what was delivered and not acknowledged.
type Group struct {
	name        string
	lastID      ID    // last-delivered-id, the cursor
	entriesRead int64 // how many entries were delivered, counted from the first ever, or UnknownEntriesRead
	pending     pendingList
	byTime      pendingList
	deliveries  uint64      // so far, for the order of those at the same time
	consumers   []*Consumer // in order of name
}

// Name is the group's name.
func (g *Group) Name() string { return g.name }

// LastID is the group's cursor (last-delivered-id).
func (g *Group) LastID() ID { return g.lastID }

// EntriesRead is the group's count of entries delivered, or UnknownEntriesRead.
func (g *Group) EntriesRead() int64 { return g.entriesRead }

// SetID puts the cursor somewhere else (XGROUP SETID).
func (g *Group) SetID(id ID, entriesRead int64) { g.lastID, g.entriesRead = id, entriesRead }

// AdvanceTo moves the cursor forward to id, if it is forward, without touching the count (XCLAIM
// LASTID).
func (g *Group) AdvanceTo(id ID) {
	if g.lastID.Less(id) {
		g.lastID = id
	}
}

// Groups are the stream's groups in order of name. The caller does not alter the slice.
func (s *Stream) Groups() []*Group { return s.groups }

func (s *Stream) groupAt(name string) (int, bool) {
	return slices.BinarySearchFunc(s.groups, name, func(g *Group, name string) int { return strings.Compare(g.name, name) })
}

// Group is the group of that name, or nil.
func (s *Stream) Group(name string) *Group {
	if i, ok := s.groupAt(name); ok {
		return s.groups[i]
	}
	return nil
}

// CreateGroup makes a group with its cursor at id. A name that exists is refused with false.
func (s *Stream) CreateGroup(name string, id ID, entriesRead int64) bool {
	i, exists := s.groupAt(name)
	if exists {
		return false
	}
	s.groups = slices.Insert(s.groups, i, newGroup(name, id, entriesRead))
	return true
}

func newGroup(name string, id ID, entriesRead int64) *Group {
	return &Group{name: name, lastID: id, entriesRead: entriesRead,
		pending: newPendingList(byID), byTime: newPendingList(byTime)}
}

// DestroyGroup removes a group with all it has pending and says whether it existed.
func (s *Stream) DestroyGroup(name string) bool {
	i, exists := s.groupAt(name)
	if exists {
		s.groups = slices.Delete(s.groups, i, i+1)
	}
	return exists
}

// Consumers are the group's consumers in order of name. The caller does not alter the slice.
func (g *Group) Consumers() []*Consumer { return g.consumers }

func (g *Group) consumerAt(name string) (int, bool) {
	return slices.BinarySearchFunc(g.consumers, name, func(c *Consumer, name string) int { return strings.Compare(c.Name, name) })
}

// Consumer is the consumer of that name, or nil.
func (g *Group) Consumer(name string) *Consumer {
	if i, ok := g.consumerAt(name); ok {
		return g.consumers[i]
	}
	return nil
}

// CreateConsumer makes the consumer unless it exists; created says which.
func (g *Group) CreateConsumer(name string, now int64) (c *Consumer, created bool) {
	i, exists := g.consumerAt(name)
	if exists {
		return g.consumers[i], false
	}
	c = &Consumer{Name: name, SeenTime: now, ActiveTime: NeverActive, pending: newPendingList(byID)}
	g.consumers = slices.Insert(g.consumers, i, c)
	return c, true
}

// DeleteConsumer removes a consumer and all it has pending, and returns how many those were.
func (g *Group) DeleteConsumer(name string) int {
	i, exists := g.consumerAt(name)
	if !exists {
		return 0
	}
	c := g.consumers[i]
	for p := range c.pending.all() {
		g.pending.remove(p)
		g.byTime.remove(p)
	}
	g.consumers = slices.Delete(g.consumers, i, i+1)
	return c.pending.len()
}
