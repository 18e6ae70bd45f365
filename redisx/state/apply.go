package state

import (
	"reflect"
	"slices"
)

// Apply carries changes over to a State and gives the result; a is left as it was. With complete
// scope Apply(a, Diff(a, b)) equals b. Only At, RTT and Torn stay those of a.
func Apply(a State, changes []Change) State {
	s := a.clone()
	for _, c := range changes {
		c.apply(&s)
	}
	return s
}

// Equal says whether two States hold the same, whenever and however each was seen.
func Equal(a, b State) bool {
	a.At, a.RTT, a.Torn = b.At, b.RTT, b.Torn
	return reflect.DeepEqual(a.normal(), b.normal())
}

// normal is the State with nil for every empty slice, so that two that hold the same are alike.
func (s State) normal() State {
	s = s.clone()
	for i := range s.Keys {
		k := &s.Keys[i]
		k.Items, k.Pairs = unempty(k.Items), unempty(k.Pairs)
		if k.Stream == nil {
			continue
		}
		k.Stream.Gone, k.Stream.Groups = unempty(k.Stream.Gone), unempty(k.Stream.Groups)
		k.Stream.Entries.Entries = unempty(k.Stream.Entries.Entries)
		for j := range k.Stream.Groups {
			g := &k.Stream.Groups[j]
			g.Consumers, g.PEL.Rows = unempty(g.Consumers), unempty(g.PEL.Rows)
		}
	}
	s.Keys, s.Clients = unempty(s.Keys), unempty(s.Clients)
	return s
}

func unempty[T any](s []T) []T {
	if len(s) == 0 {
		return nil
	}
	return s
}

// clone copies whatever apply may alter. Entries' fields are shared: nobody alters them.
func (s State) clone() State {
	s.Keys = slices.Clone(s.Keys)
	s.Clients = slices.Clone(s.Clients)
	for i := range s.Keys {
		k := &s.Keys[i]
		k.Items, k.Pairs = slices.Clone(k.Items), slices.Clone(k.Pairs)
		if k.Stream == nil {
			continue
		}
		st := *k.Stream
		st.Entries.Entries = slices.Clone(st.Entries.Entries)
		st.Groups = slices.Clone(st.Groups)
		for j := range st.Groups {
			g := &st.Groups[j]
			g.Consumers, g.PEL.Rows = slices.Clone(g.Consumers), slices.Clone(g.PEL.Rows)
		}
		k.Stream = &st
	}
	return s
}

func (s *State) key(name string) *Key {
	for i := range s.Keys {
		if s.Keys[i].Name == name {
			return &s.Keys[i]
		}
	}
	return nil
}

func (s *State) stream(name string) *Stream {
	if k := s.key(name); k != nil {
		return k.Stream
	}
	return nil
}

func (s *State) group(key, name string) *Group {
	st := s.stream(key)
	if st == nil {
		return nil
	}
	for i := range st.Groups {
		if st.Groups[i].Name == name {
			return &st.Groups[i]
		}
	}
	return nil
}

func (s *State) consumer(key, group, name string) *Consumer {
	g := s.group(key, group)
	if g == nil {
		return nil
	}
	for i := range g.Consumers {
		if g.Consumers[i].Name == name {
			return &g.Consumers[i]
		}
	}
	return nil
}

func (s *State) row(key, group string, id ID) *Pending {
	g := s.group(key, group)
	if g == nil {
		return nil
	}
	i, ok := slices.BinarySearchFunc(g.PEL.Rows, id, func(r Pending, id ID) int { return r.ID.Compare(id) })
	if !ok {
		return nil
	}
	return &g.PEL.Rows[i]
}

// count moves the pending counters of a group and of one of its consumers by n.
func (s *State) count(key, group, consumer string, n int64, total bool) {
	if g := s.group(key, group); total && g != nil && g.Pending.Known {
		g.Pending.Value += n
	}
	if c := s.consumer(key, group, consumer); c != nil && c.Pending.Known {
		c.Pending.Value += n
	}
}

func (c KeyAppeared) apply(s *State) {
	k := s.key(c.Key)
	if k == nil {
		i, _ := slices.BinarySearchFunc(s.Keys, c.Key, func(k Key, n string) int { return compareText(k.Name, n) })
		s.Keys = slices.Insert(s.Keys, i, Key{Name: c.Key})
		k = &s.Keys[i]
	}
	*k = Key{Name: c.Key, Type: c.Type}
	if c.Type == "stream" {
		k.Stream = &Stream{
			Length: Know[int64](0), FirstID: Know(ID{}), LastID: Know(ID{}),
			EntriesAdded: Know[int64](0), MaxDeleted: Know(ID{}),
			Entries: Window{To: MaxID()},
		}
	}
}

func (c KeyVanished) apply(s *State) {
	if k := s.key(c.Key); k != nil {
		*k = Key{Name: c.Key, Type: "none"}
	}
}

func (c EntryAdded) apply(s *State) {
	st := s.stream(c.Key)
	if st == nil {
		return
	}
	i, had := slices.BinarySearchFunc(st.Entries.Entries, c.Entry.ID, func(e Entry, id ID) int { return e.ID.Compare(id) })
	if had {
		st.Entries.Entries[i] = c.Entry
		return
	}
	st.Entries.Entries = slices.Insert(st.Entries.Entries, i, c.Entry)
	if st.Length.Known {
		st.Length.Value++
	}
}

func (c EntryGone) apply(s *State) {
	st := s.stream(c.Key)
	if st == nil {
		return
	}
	i, had := slices.BinarySearchFunc(st.Entries.Entries, c.Entry.ID, func(e Entry, id ID) int { return e.ID.Compare(id) })
	if !had {
		return
	}
	st.Entries.Entries = slices.Delete(st.Entries.Entries, i, i+1)
	if st.Length.Known {
		st.Length.Value--
	}
}

func (c GroupCreated) apply(s *State) {
	st := s.stream(c.Key)
	if st == nil {
		return
	}
	g := Group{
		Name: c.Group, LastDelivered: c.Cursor, EntriesRead: c.EntriesRead, Lag: c.Lag,
		Pending: Know[int64](0), PEL: Page{To: MaxID()},
	}
	i, had := slices.BinarySearchFunc(st.Groups, c.Group, func(g Group, n string) int { return compareText(g.Name, n) })
	if had {
		st.Groups[i] = g
		return
	}
	st.Groups = slices.Insert(st.Groups, i, g)
}

func (c GroupDestroyed) apply(s *State) {
	if st := s.stream(c.Key); st != nil {
		st.Groups = slices.DeleteFunc(st.Groups, func(g Group) bool { return g.Name == c.Group })
	}
}

func (c CursorMoved) apply(s *State) {
	if g := s.group(c.Key, c.Group); g != nil {
		g.LastDelivered = c.To
	}
}

func (c ConsumerAppeared) apply(s *State) {
	g := s.group(c.Key, c.Group)
	if g == nil {
		return
	}
	i, had := slices.BinarySearchFunc(g.Consumers, c.Consumer, func(x Consumer, n string) int { return compareText(x.Name, n) })
	if !had {
		g.Consumers = slices.Insert(g.Consumers, i, Consumer{Name: c.Consumer, Pending: Know[int64](0)})
	}
}

func (c ConsumerVanished) apply(s *State) {
	if g := s.group(c.Key, c.Group); g != nil {
		g.Consumers = slices.DeleteFunc(g.Consumers, func(x Consumer) bool { return x.Name == c.Consumer })
	}
}

func (c PendingAdded) apply(s *State) {
	g := s.group(c.Key, c.Group)
	if g == nil {
		return
	}
	i, had := slices.BinarySearchFunc(g.PEL.Rows, c.Row.ID, func(r Pending, id ID) int { return r.ID.Compare(id) })
	if had {
		return
	}
	g.PEL.Rows = slices.Insert(g.PEL.Rows, i, c.Row)
	s.count(c.Key, c.Group, c.Row.Consumer, 1, true)
}

func (c PendingGone) apply(s *State) {
	g := s.group(c.Key, c.Group)
	if g == nil {
		return
	}
	before := len(g.PEL.Rows)
	g.PEL.Rows = slices.DeleteFunc(g.PEL.Rows, func(r Pending) bool { return r.ID == c.Row.ID })
	if len(g.PEL.Rows) < before {
		s.count(c.Key, c.Group, c.Row.Consumer, -1, true)
	}
}

func (c OwnerChanged) apply(s *State) {
	if r := s.row(c.Key, c.Group, c.ID); r != nil {
		r.Consumer = c.To
		s.count(c.Key, c.Group, c.From, -1, false)
		s.count(c.Key, c.Group, c.To, 1, false)
	}
}

func (c DeliveriesChanged) apply(s *State) {
	if r := s.row(c.Key, c.Group, c.ID); r != nil {
		r.Deliveries = c.To
	}
}

func (c Redelivered) apply(s *State) {
	if r := s.row(c.Key, c.Group, c.ID); r != nil {
		r.DeliveredAt = c.To
	}
}

func (c ListChanged) apply(s *State) {
	if k := s.key(c.Key); k != nil && c.At+len(c.Out) <= len(k.Items) {
		k.Items = slices.Replace(k.Items, c.At, c.At+len(c.Out), c.In...)
	}
}

func (c PairChanged) apply(s *State) {
	k := s.key(c.Key)
	if k == nil {
		return
	}
	i, had := slices.BinarySearchFunc(k.Pairs, c.Name, func(p Pair, n string) int { return compareText(p.Name, n) })
	switch {
	case !c.To.Known && had:
		k.Pairs = slices.Delete(k.Pairs, i, i+1)
	case c.To.Known && had:
		k.Pairs[i].Value = c.To.Value
	case c.To.Known:
		k.Pairs = slices.Insert(k.Pairs, i, Pair{c.Name, c.To.Value})
	}
}

func (c ClientChanged) apply(s *State) {
	if c.From.ID != 0 {
		s.Clients = slices.DeleteFunc(s.Clients, func(x Client) bool { return x.ID == c.From.ID })
	}
	if c.To.ID != 0 {
		i, _ := slices.BinarySearchFunc(s.Clients, c.To, compareClients)
		s.Clients = slices.Insert(s.Clients, i, c.To)
	}
}

func compareClients(a, b Client) int {
	if c := compareText(a.Name, b.Name); c != 0 {
		return c
	}
	return int(a.ID - b.ID)
}

func (m Moved[T]) apply(s *State) {
	if p := gauge[T](s, m.Gauge, m.Where); p != nil {
		*p = m.To
	}
}

// gauge leads to where a State keeps a counter, an id or a time; nil when the place is not there.
func gauge[T comparable](s *State, kind Kind, at Place) *Maybe[T] {
	var p any
	if st := s.stream(at.Key); st != nil {
		switch kind {
		case KindLength:
			p = &st.Length
		case KindFirstID:
			p = &st.FirstID
		case KindLastID:
			p = &st.LastID
		case KindEntriesAdded:
			p = &st.EntriesAdded
		case KindMaxDeleted:
			p = &st.MaxDeleted
		}
	}
	if g := s.group(at.Key, at.Group); g != nil {
		switch {
		case kind == KindEntriesRead:
			p = &g.EntriesRead
		case kind == KindLag:
			p = &g.Lag
		case kind == KindPendingCount && at.Consumer == "":
			p = &g.Pending
		}
	}
	if c := s.consumer(at.Key, at.Group, at.Consumer); c != nil {
		switch kind {
		case KindPendingCount:
			p = &c.Pending
		case KindSeen:
			p = &c.Seen
		case KindActive:
			p = &c.Active
		}
	}
	m, _ := p.(*Maybe[T])
	return m
}
