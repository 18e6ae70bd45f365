package stream

import "slices"

// References says what becomes of pending entries that point at what is deleted (Redis 8.2: the
// words KEEPREF, DELREF and ACKED).
type References int

const (
	// KeepRef leaves them pending, pointing at nothing.
	KeepRef References = iota
	// DelRef takes the entry from every group's pending entries as well.
	DelRef
	// Acked deletes only what every group has read and acknowledged.
	Acked
)

// Trim says how to shorten a stream from its head.
type Trim struct {
	MinID  *ID   // remove what is before this id; nil trims by length
	MaxLen int64 // how many entries may stay
	Approx bool  // `~`: remove whole nodes only
	Limit  int64 // how many entries may go at most; 0 is no limit
	Refs   References
}

// Trim shortens the stream and returns how many entries went. Unlike Delete it leaves the largest
// deleted id alone: what is trimmed leaves no hole. It goes node by node from the head as Redis
// does, which decides what `~` and the limit leave standing.
func (s *Stream) Trim(t Trim) int64 {
	var deleted int64
	keep := 0 // nodes at the head that had to stay because of what is still referenced
	for keep < len(s.nodes) {
		if t.MinID == nil && int64(s.length) <= t.MaxLen {
			break
		}
		n := s.nodes[keep]
		if t.Limit > 0 && deleted+int64(n.live) > t.Limit {
			break
		}
		whole := s.mayGoWhole(n, t)
		if whole && t.Refs == KeepRef {
			deleted += int64(n.live)
			s.length -= n.live
			s.dropNode(keep)
			continue
		}
		if t.Approx && t.Refs == KeepRef {
			break
		}
		before := n.live
		gone := s.trimWithin(n, t)
		deleted += int64(gone)
		if whole && gone == before {
			s.dropNode(keep)
			continue
		}
		if !whole {
			break
		}
		keep++
	}
	if deleted > 0 {
		s.findFirst()
	}
	return deleted
}

// mayGoWhole says whether the trim covers all of the node.
func (s *Stream) mayGoWhole(n *node, t Trim) bool {
	if t.MinID != nil {
		return n.lastID().Less(*t.MinID)
	}
	return int64(s.length-n.live) >= t.MaxLen
}

// trimWithin removes entries one by one from the head of a node and returns how many.
func (s *Stream) trimWithin(n *node, t Trim) int {
	gone := 0
	for i := range n.entries {
		e := &n.entries[i]
		if t.MinID != nil && !e.id.Less(*t.MinID) || t.MinID == nil && int64(s.length) <= t.MaxLen {
			break
		}
		if e.deleted || t.Refs == Acked && s.Referenced(e.id) {
			continue
		}
		if t.Refs == DelRef {
			s.DropReferences(e.id)
		}
		s.bytes += n.bury(i)
		s.length--
		gone++
	}
	return gone
}

// dropNode takes node i out; the first one, which is the usual case, without moving the others.
func (s *Stream) dropNode(i int) {
	s.nodesChanged++
	s.bytes -= s.nodes[i].bytes
	if i == 0 {
		s.nodes[0] = nil
		s.nodes = s.nodes[1:]
		return
	}
	s.nodes = slices.Delete(s.nodes, i, i+1)
}
