package stream

import (
	"cmp"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
)

// ErrCorrupt is returned by UnmarshalBinary for bytes that MarshalBinary did not write.
var ErrCorrupt = errors.New("not a stream in its binary form")

// binaryVersion is the first byte of the binary form.
const binaryVersion = 1

// MarshalBinary writes everything the stream is: entries in their nodes with tombstones, counters,
// groups, consumers, pending entries with delivery times and counts, and what is remembered of
// idempotent producers. It is the body of what DUMP returns.
func (s *Stream) MarshalBinary() ([]byte, error) {
	w := writer{b: []byte{binaryVersion}}
	w.id(s.first)
	w.id(s.last)
	w.id(s.maxDeleted)
	w.int(s.added)
	w.uint(len(s.nodes))
	for _, n := range s.nodes {
		w.node(n)
	}
	w.uint(len(s.groups))
	for _, g := range s.groups {
		w.group(g)
	}
	w.idempotency(&s.idmp)
	return w.b, nil
}

// writer appends the pieces of the binary form.
type writer struct{ b []byte }

func (w *writer) uint(n int)      { w.b = binary.AppendUvarint(w.b, uint64(n)) }
func (w *writer) int(n int64)     { w.b = binary.AppendVarint(w.b, n) }
func (w *writer) string(s string) { w.uint(len(s)); w.b = append(w.b, s...) }
func (w *writer) id(id ID) {
	w.b = binary.AppendUvarint(w.b, id.MS)
	w.b = binary.AppendUvarint(w.b, id.Seq)
}

func (w *writer) node(n *node) {
	w.id(n.master)
	w.uint(n.bytes)
	w.uint(len(n.names))
	for _, name := range n.names {
		w.string(name)
	}
	w.uint(len(n.entries))
	for i := range n.entries {
		e := &n.entries[i]
		flags := 0
		if e.names {
			flags |= 1
		}
		if e.deleted {
			flags |= 2
		}
		w.uint(flags)
		w.id(e.id)
		w.string(e.data)
	}
}

func (w *writer) group(g *Group) {
	w.string(g.name)
	w.id(g.lastID)
	w.int(g.entriesRead)
	w.uint(len(g.consumers))
	for _, c := range g.consumers {
		w.string(c.Name)
		w.int(c.SeenTime)
		w.int(c.ActiveTime)
		w.uint(c.pending.len())
		for p := range c.pending.all() {
			w.id(p.ID)
			w.int(p.Delivered)
			w.int(p.Count)
		}
	}
}

func (w *writer) idempotency(m *idempotency) {
	w.int(m.duration)
	w.int(m.maxSize)
	w.int(m.added)
	w.int(m.duplicates)
	w.uint(len(m.producers))
	for _, pid := range slices.Sorted(maps.Keys(m.producers)) {
		p := m.producers[pid]
		w.string(pid)
		w.uint(len(p.order))
		for _, iid := range p.order {
			w.string(iid)
			w.id(p.ids[iid])
		}
	}
}

// UnmarshalBinary reads what MarshalBinary wrote. Anything else gives ErrCorrupt and leaves the
// stream as it was.
func (s *Stream) UnmarshalBinary(data []byte) error {
	r := reader{b: data}
	if r.uint() != binaryVersion {
		return ErrCorrupt
	}
	out := New()
	out.first, out.last, out.maxDeleted, out.added = r.id(), r.id(), r.id(), r.int()
	for range r.count() {
		n := r.node()
		out.nodes = append(out.nodes, n)
		out.length += n.live
		out.bytes += n.bytes
	}
	for range r.count() {
		out.groups = append(out.groups, r.group())
	}
	r.idempotency(&out.idmp)
	if r.bad || len(r.b) > 0 || !out.consistent() {
		return ErrCorrupt
	}
	*s = *out
	return nil
}

// consistent says whether everything stands in order, on which the searches rely.
func (s *Stream) consistent() bool {
	before := ID{}
	for _, n := range s.nodes {
		if len(n.entries) == 0 || n.entries[0].id.Less(n.master) || n.master.IsZero() {
			return false
		}
		for i := range n.entries {
			if !before.Less(n.entries[i].id) {
				return false
			}
			before = n.entries[i].id
		}
	}
	inOrder := slices.IsSortedFunc(s.groups, func(a, b *Group) int { return cmp.Compare(a.name, b.name) })
	for _, g := range s.groups {
		inOrder = inOrder && slices.IsSortedFunc(g.consumers, func(a, b *Consumer) int { return cmp.Compare(a.Name, b.Name) })
	}
	return inOrder && !s.last.Less(before)
}

// reader takes the pieces of the binary form; after the first that is not right it is bad.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) uint() uint64 {
	n, w := binary.Uvarint(r.b)
	if w <= 0 {
		r.bad = true
		return 0
	}
	r.b = r.b[w:]
	return n
}

func (r *reader) int() int64 {
	n, w := binary.Varint(r.b)
	if w <= 0 {
		r.bad = true
		return 0
	}
	r.b = r.b[w:]
	return n
}

// count is a number of things that follow; each of them takes at least a byte.
func (r *reader) count() int {
	n := r.uint()
	if n > uint64(len(r.b)) {
		r.bad = true
		return 0
	}
	return int(n)
}

func (r *reader) string() string {
	n := r.count()
	if r.bad {
		return ""
	}
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}

func (r *reader) id() ID { return ID{MS: r.uint(), Seq: r.uint()} }

func (r *reader) node() *node {
	n := &node{master: r.id(), bytes: int(r.uint() & (1<<62 - 1))}
	for range r.count() {
		n.names = append(n.names, r.string())
	}
	for range r.count() {
		flags := r.uint()
		e := packed{id: r.id(), names: flags&1 != 0, deleted: flags&2 != 0, data: r.string()}
		if !e.deleted {
			n.live++
			r.bad = r.bad || !e.whole(len(n.names))
		}
		n.entries = append(n.entries, e)
	}
	return n
}

// whole says whether the data holds the pairs it should, each whole.
func (p *packed) whole(names int) bool {
	r, n := reader{b: []byte(p.data)}, 0
	for len(r.b) > 0 && !r.bad {
		r.string()
		n++
	}
	return !r.bad && (p.names && n%2 == 0 || !p.names && n == names)
}

func (r *reader) group() *Group {
	g := newGroup(r.string(), r.id(), r.int())
	for range r.count() {
		c := &Consumer{Name: r.string(), SeenTime: r.int(), ActiveTime: r.int(), pending: newPendingList(byID)}
		for range r.count() {
			p := &Pending{ID: r.id(), Consumer: c, Delivered: r.int(), Count: r.int()}
			if g.pending.get(p.ID) != nil {
				r.bad = true
				return g
			}
			g.pending.add(p)
			c.pending.add(p)
		}
		g.consumers = append(g.consumers, c)
	}
	for p := range g.pending.all() {
		g.addByTime(p) // of those delivered at the same time, the smaller id first, as after a RESTORE in Redis
	}
	return g
}

func (r *reader) idempotency(m *idempotency) {
	m.duration, m.maxSize, m.added, m.duplicates = r.int(), r.int(), r.int(), r.int()
	for range r.count() {
		pid, p := r.string(), &producer{ids: map[string]ID{}}
		for range r.count() {
			iid := r.string()
			p.order = append(p.order, iid)
			p.ids[iid] = r.id()
		}
		r.bad = r.bad || len(p.ids) != len(p.order)
		if m.producers == nil {
			m.producers = map[string]*producer{}
		}
		m.producers[pid] = p
	}
}
