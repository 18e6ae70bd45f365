package stream

import "iter"

// PendingLen is how many entries the group has pending.
func (g *Group) PendingLen() int { return g.pending.len() }

// Pending yields what the group has pending from an id on, in order of id. Nothing may be altered
// meanwhile.
func (g *Group) Pending(from ID) iter.Seq[*Pending] { return g.pending.from(from) }

// PendingByTime yields what the group has pending, the one delivered longest ago first. Nothing may
// be altered meanwhile.
func (g *Group) PendingByTime() iter.Seq[*Pending] { return g.byTime.all() }

// FindPending is the pending entry with this id, or nil.
func (g *Group) FindPending(id ID) *Pending { return g.pending.get(id) }

// PendingEnds are the smallest and the largest id pending; only where something is pending.
func (g *Group) PendingEnds() (first, last ID) {
	a, _ := g.pending.tree.Min()
	b, _ := g.pending.tree.Max()
	return a.ID, b.ID
}

// Ack takes an entry from the pending ones, whoever has it, and says whether it was there.
func (g *Group) Ack(id ID) bool {
	p := g.pending.get(id)
	if p == nil {
		return false
	}
	g.pending.remove(p)
	g.byTime.remove(p)
	if p.Consumer != nil {
		p.Consumer.pending.remove(p)
	}
	return true
}

// Give makes c the owner of a pending entry, with this delivery time (ms since 1970) and count.
func (g *Group) Give(p *Pending, c *Consumer, delivered, count int64) {
	g.SetDelivery(p, delivered, count)
	if p.Consumer == c {
		return
	}
	if p.Consumer != nil {
		p.Consumer.pending.remove(p)
	}
	p.Consumer = c
	c.pending.add(p)
}

// SetDelivery changes when and how often a pending entry was delivered, not who has it.
func (g *Group) SetDelivery(p *Pending, delivered, count int64) {
	g.byTime.remove(p)
	p.Delivered, p.Count = delivered, count
	g.addByTime(p)
}

// addByTime puts a pending entry behind those delivered at the same time.
func (g *Group) addByTime(p *Pending) {
	g.deliveries++
	p.order = g.deliveries
	g.byTime.add(p)
}

// AddPending makes an entry pending for c, delivered now for the first time. An entry that is
// pending already moves to c, and its count begins anew.
func (g *Group) AddPending(id ID, c *Consumer, now int64) {
	if p := g.pending.get(id); p != nil {
		g.Give(p, c, now, 1)
		return
	}
	p := &Pending{ID: id, Consumer: c, Delivered: now, Count: 1}
	g.pending.add(p)
	g.addByTime(p)
	c.pending.add(p)
}

// Deliver gives c the entries after the group's cursor, at most count of them (0: all), moves the
// cursor over them and, unless noack, makes them pending. It is XREADGROUP with `>`.
func (s *Stream) Deliver(g *Group, c *Consumer, count int, noack bool, now int64, yield func(Entry)) {
	from, ok := g.lastID.Next()
	if !ok {
		return
	}
	given := 0
	for e := range s.Range(from, MaxID()) {
		s.advance(g, e.ID)
		if !noack {
			g.AddPending(e.ID, c, now)
			c.ActiveTime = now
		}
		yield(e)
		if given++; given == count {
			return
		}
	}
}

// Referenced says whether a group still needs the entry: it has it pending, or has not read so far.
func (s *Stream) Referenced(id ID) bool {
	for _, g := range s.groups {
		if g.lastID.Less(id) || g.pending.get(id) != nil {
			return true
		}
	}
	return false
}

// DropReferences takes the entry from the pending ones of every group.
func (s *Stream) DropReferences(id ID) {
	for _, g := range s.groups {
		g.Ack(id)
	}
}
