package state

import (
	"slices"
	"time"
)

// jitter is how far a delivery time that was computed from an idle time may be off at the least.
const jitter = 50 * time.Millisecond

// Diff names what differs from a to b, in an order in which it can be told and applied: keys, groups,
// consumers, entries, cursors, pending rows, then the counters that nothing else explains.
//
// With complete scope on both sides it says everything. With windows it names an entry or a row only
// where both looks would have shown it; what happened outside is told by the counters. A consumer's
// or a row's time is compared to the millisecond with complete scope, and otherwise only when it
// moved by more than 50 ms and more than the looks took.
func Diff(a, b State) []Change {
	d := &differ{now: a.clone(), then: a, b: b}
	if !a.Complete || !b.Complete {
		d.slack = max(jitter, a.RTT, b.RTT)
	}
	for _, k := range a.Keys {
		d.key(k, keyOr(b, k.Name, a))
	}
	for _, k := range b.Keys {
		if _, had := a.Key(k.Name); !had && k.Type != "none" {
			d.key(Key{Name: k.Name, Type: "none"}, k)
		}
	}
	d.clients()
	return d.changes
}

// keyOr is the key as b saw it; one that b did not look at is as a saw it, so that nothing is said.
func keyOr(b State, name string, a State) Key {
	if k, ok := b.Key(name); ok {
		return k
	}
	k, _ := a.Key(name)
	return k
}

// differ collects changes. Each is applied as it is found, so now is always the old State plus all
// that was said so far, and a later step sees only what is still unexplained.
type differ struct {
	now, then, b State
	slack        time.Duration
	changes      []Change
}

func (d *differ) say(c Change) {
	c.apply(&d.now)
	d.changes = append(d.changes, c)
}

func (d *differ) key(a, b Key) {
	if a.Denied != "" || b.Denied != "" {
		return
	}
	if a.Type != b.Type {
		if a.Type != "none" {
			d.say(KeyVanished{a.Name, a.Type})
		}
		if b.Type == "none" {
			return
		}
		d.say(KeyAppeared{b.Name, b.Type})
	}
	switch b.Type {
	case "stream":
		d.stream(b.Name)
	case "list":
		d.list(b)
	default:
		d.pairs(b)
	}
}

func (d *differ) stream(key string) {
	b := d.b.stream(key)
	if b == nil || d.now.stream(key) == nil {
		return
	}
	d.groups(key, b)
	d.entries(key, b)
	for _, g := range b.Groups {
		d.cursor(key, g, b)
	}
	for _, g := range b.Groups {
		d.pending(key, g)
	}
	for _, g := range b.Groups {
		d.vanishedConsumers(key, g)
	}
	d.streamGauges(key, b)
	for _, g := range b.Groups {
		d.groupGauges(key, g)
	}
}

func (d *differ) groups(key string, b *Stream) {
	a := d.now.stream(key)
	if a.GroupsUnknown != "" || b.GroupsUnknown != "" {
		return
	}
	for _, g := range slices.Clone(a.Groups) {
		if _, ok := b.Group(g.Name); !ok {
			d.say(GroupDestroyed{Key: key, Group: g.Name, Lost: g.Pending})
		}
	}
	for _, g := range b.Groups {
		if _, had := d.now.stream(key).Group(g.Name); !had {
			d.say(GroupCreated{Key: key, Group: g.Name, Cursor: g.LastDelivered, EntriesRead: g.EntriesRead, Lag: g.Lag})
		}
		d.newConsumers(key, g)
	}
}

func (d *differ) newConsumers(key string, b Group) {
	a := d.now.group(key, b.Name)
	if a.ConsumersUnknown != "" || b.ConsumersUnknown != "" {
		return
	}
	for _, c := range b.Consumers {
		if d.now.consumer(key, b.Name, c.Name) == nil {
			d.say(ConsumerAppeared{key, b.Name, c.Name})
		}
	}
}

func (d *differ) vanishedConsumers(key string, b Group) {
	a := d.now.group(key, b.Name)
	if a == nil || a.ConsumersUnknown != "" || b.ConsumersUnknown != "" {
		return
	}
	for _, c := range slices.Clone(a.Consumers) {
		if _, ok := b.Consumer(c.Name); !ok {
			d.say(ConsumerVanished{Key: key, Group: b.Name, Consumer: c.Name, Lost: d.lost(key, b, c.Name)})
		}
	}
}

// lost counts the rows that a vanished consumer held and nobody holds now, where both looks show all.
func (d *differ) lost(key string, b Group, consumer string) Maybe[int64] {
	old, ok := d.then.Group(key, b.Name)
	if !ok {
		return Know[int64](0)
	}
	c, _ := old.Consumer(consumer)
	rows := old.PEL.Of(consumer)
	if !c.Pending.Known || c.Pending.Value != int64(len(rows)) {
		return Unknown[int64]("not all of its pending entries were in view")
	}
	n := int64(0)
	for _, r := range rows {
		if _, still := b.PEL.Row(r.ID); still {
			continue
		}
		if !b.PEL.Holds(r.ID, "") || b.PEL.Consumer != "" {
			return Unknown[int64]("not all of its pending entries are in view")
		}
		n++
	}
	return Know(n)
}

func (d *differ) entries(key string, b *Stream) {
	a := d.now.stream(key)
	old := a.Entries
	for _, e := range slices.Clone(old.Entries) {
		if now, is := b.Entry(e.ID); is {
			if !sameEntry(e, now) {
				d.say(EntryGone{Key: key, Entry: e, Head: Unknown[bool]("another entry has its id now")})
			}
		} else if p := b.Present(e.ID); p.Known && !p.Value {
			d.say(EntryGone{Key: key, Entry: e, Head: goneFromHead(b, e.ID)})
		}
	}
	for _, e := range b.Entries.Entries {
		if _, had := a.Entry(e.ID); !had && old.Holds(e.ID) {
			d.say(EntryAdded{Key: key, Entry: e})
		}
	}
}

// sameEntry says whether two entries of one id are alike, as far as both are here: the key may have been
// deleted and filled again. Of one that was cut in only one of the looks, the size must do.
func sameEntry(a, b Entry) bool {
	if a.Size != b.Size || a.Cut != b.Cut {
		return a.Size == b.Size
	}
	return slices.Equal(a.Fields, b.Fields)
}

func goneFromHead(b *Stream, id ID) Maybe[bool] {
	if !b.FirstID.Known {
		return Unknown[bool]("the stream's first id could not be read")
	}
	return Know(b.FirstID.Value.IsZero() || id.Less(b.FirstID.Value))
}

func (d *differ) cursor(key string, b Group, st *Stream) {
	a := d.now.group(key, b.Name)
	if a == nil || a.LastDelivered == b.LastDelivered {
		return
	}
	d.say(CursorMoved{Key: key, Group: b.Name, From: a.LastDelivered, To: b.LastDelivered,
		Passed: d.passed(key, *a, b, st)})
}

// passed counts the entries between two positions of a cursor: in the window where it covers both,
// else by entries-read.
func (d *differ) passed(key string, a, b Group, st *Stream) Maybe[int64] {
	lo, hi := a.LastDelivered, b.LastDelivered
	if hi.Less(lo) {
		lo, hi = hi, lo
	}
	after, _ := lo.Next()
	if st.Entries.Holds(after) && st.Entries.Holds(hi) {
		n := int64(0)
		for _, e := range st.Entries.Entries {
			if lo.Less(e.ID) && !hi.Less(e.ID) {
				n++
			}
		}
		return Know(n)
	}
	if a.EntriesRead.Known && b.EntriesRead.Known && a.EntriesRead.Value < b.EntriesRead.Value {
		return Know(b.EntriesRead.Value - a.EntriesRead.Value)
	}
	return Unknown[int64]("the entries between are not in view")
}

// pending compares the pages row by row. That a row is not there is known only from a page of all
// consumers: on a page of one, it may be another's, whatever the cursor says, which can be set back.
func (d *differ) pending(key string, b Group) {
	a := d.now.group(key, b.Name)
	if a == nil || a.PEL.Unknown != "" || b.PEL.Unknown != "" {
		return
	}
	page := a.PEL
	page.Rows = slices.Clone(page.Rows) // what is said below alters the rows in place
	for _, r := range page.Rows {
		now, still := b.PEL.Row(r.ID)
		switch {
		case still:
			d.row(key, b.Name, r, now)
		case b.PEL.Holds(r.ID, ""):
			d.say(PendingGone{Key: key, Group: b.Name, Row: r})
		}
	}
	for _, r := range b.PEL.Rows {
		if _, had := page.Row(r.ID); !had && page.Holds(r.ID, "") {
			d.say(PendingAdded{Key: key, Group: b.Name, Row: r})
		}
	}
}

func (d *differ) row(key, group string, a, b Pending) {
	if a.Consumer != b.Consumer {
		d.say(OwnerChanged{key, group, a.ID, a.Consumer, b.Consumer})
	}
	if a.Deliveries != b.Deliveries {
		d.say(DeliveriesChanged{key, group, b.Consumer, a.ID, a.Deliveries, b.Deliveries})
	}
	if d.movedTime(a.DeliveredAt, b.DeliveredAt) {
		d.say(Redelivered{key, group, b.Consumer, a.ID, a.DeliveredAt, b.DeliveredAt})
	}
}

func (d *differ) movedTime(a, b Instant) bool {
	return a != b && b.Sub(a).Abs() > d.slack
}

func (d *differ) streamGauges(key string, b *Stream) {
	a, at := d.now.stream(key), Place{Key: key}
	moved(d, KindLength, at, a.Length, b.Length)
	moved(d, KindFirstID, at, a.FirstID, b.FirstID)
	moved(d, KindLastID, at, a.LastID, b.LastID)
	moved(d, KindEntriesAdded, at, a.EntriesAdded, b.EntriesAdded)
	moved(d, KindMaxDeleted, at, a.MaxDeleted, b.MaxDeleted)
}

func (d *differ) groupGauges(key string, b Group) {
	a, at := d.now.group(key, b.Name), Place{Key: key, Group: b.Name}
	if a == nil {
		return
	}
	moved(d, KindEntriesRead, at, a.EntriesRead, b.EntriesRead)
	moved(d, KindLag, at, a.Lag, b.Lag)
	moved(d, KindPendingCount, at, a.Pending, b.Pending)
	for _, c := range b.Consumers {
		old := d.now.consumer(key, b.Name, c.Name)
		if old == nil {
			continue
		}
		at.Consumer = c.Name
		moved(d, KindPendingCount, at, old.Pending, c.Pending)
		d.movedInstant(KindSeen, at, old.Seen, c.Seen)
		d.movedInstant(KindActive, at, old.Active, c.Active)
	}
}

func (d *differ) movedInstant(gauge Kind, at Place, a, b Maybe[Instant]) {
	if a.Known && b.Known && !d.movedTime(a.Value, b.Value) {
		return
	}
	moved(d, gauge, at, a, b)
}

func moved[T comparable](d *differ, gauge Kind, at Place, a, b Maybe[T]) {
	if a != b {
		d.say(Moved[T]{gauge, at, a, b})
	}
}

func (d *differ) list(b Key) {
	a := d.now.key(b.Name).Items
	head := 0
	for head < len(a) && head < len(b.Items) && a[head] == b.Items[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b.Items)-head && a[len(a)-1-tail] == b.Items[len(b.Items)-1-tail] {
		tail++
	}
	out, in := a[head:len(a)-tail], b.Items[head:len(b.Items)-tail]
	if len(out)+len(in) > 0 {
		d.say(ListChanged{b.Name, head, slices.Clone(out), slices.Clone(in)})
	}
}

func (d *differ) pairs(b Key) {
	const absent = "absent"
	now := map[string]string{}
	for _, p := range b.Pairs {
		now[p.Name] = p.Value
	}
	was := map[string]string{}
	for _, p := range slices.Clone(d.now.key(b.Name).Pairs) {
		was[p.Name] = p.Value
		to, still := now[p.Name]
		switch {
		case !still:
			d.say(PairChanged{b.Name, p.Name, Know(p.Value), Unknown[string](absent)})
		case to != p.Value:
			d.say(PairChanged{b.Name, p.Name, Know(p.Value), Know(to)})
		}
	}
	for _, p := range b.Pairs {
		if _, had := was[p.Name]; !had {
			d.say(PairChanged{b.Name, p.Name, Unknown[string](absent), Know(p.Value)})
		}
	}
}

func (d *differ) clients() {
	if d.then.Clients == nil || d.b.Clients == nil {
		return
	}
	now := map[int64]Client{}
	for _, c := range d.b.Clients {
		now[c.ID] = c
	}
	had := map[int64]bool{}
	for _, c := range d.then.Clients {
		had[c.ID] = true
		if to := now[c.ID]; to != c {
			d.say(ClientChanged{From: c, To: to})
		}
	}
	for _, c := range d.b.Clients {
		if !had[c.ID] {
			d.say(ClientChanged{To: c})
		}
	}
}
