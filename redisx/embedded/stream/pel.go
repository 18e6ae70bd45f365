package stream

import (
	"cmp"
	"iter"

	"github.com/google/btree"
)

// Pending is an entry that was delivered and not yet acknowledged. Only its Group alters it.
type Pending struct {
	ID        ID
	Consumer  *Consumer // who has it
	Delivered int64     // when it was last delivered, in ms since 1970
	Count     int64     // how many times it was delivered
	order     uint64    // among entries delivered at the same time, the one delivered first comes first
}

// pendingOrder is how wide the trees of pending entries are.
const pendingOrder = 32

// pendingList holds pending entries in order of id (or another order).
type pendingList struct{ tree *btree.BTreeG[*Pending] }

func byID(a, b *Pending) bool { return a.ID.Less(b.ID) }

// byTime puts the one that lies idle for longest first.
func byTime(a, b *Pending) bool {
	if c := cmp.Compare(uint64(a.Delivered), uint64(b.Delivered)); c != 0 {
		return c < 0
	}
	return a.order < b.order
}

func newPendingList(less func(a, b *Pending) bool) pendingList {
	return pendingList{btree.NewG(pendingOrder, less)}
}

func (l pendingList) len() int          { return l.tree.Len() }
func (l pendingList) add(p *Pending)    { l.tree.ReplaceOrInsert(p) }
func (l pendingList) remove(p *Pending) { l.tree.Delete(p) }

// get is the pending entry with this id, or nil. Only for lists in order of id.
func (l pendingList) get(id ID) *Pending {
	p, _ := l.tree.Get(&Pending{ID: id})
	return p
}

// from yields what stands at or after an id. The list must not be altered meanwhile.
func (l pendingList) from(id ID) iter.Seq[*Pending] {
	return func(yield func(*Pending) bool) {
		l.tree.AscendGreaterOrEqual(&Pending{ID: id}, func(p *Pending) bool { return yield(p) })
	}
}

// all yields everything in the list's order.
func (l pendingList) all() iter.Seq[*Pending] {
	return func(yield func(*Pending) bool) {
		l.tree.Ascend(func(p *Pending) bool { return yield(p) })
	}
}
