package state

// Kind is the sort of a change, in Redis's own words where it has one.
type Kind string

// The kinds of change. Those for which Derived is true follow from the others, or tick by themselves.
const (
	KindKeyAppeared      Kind = "key appeared"
	KindKeyVanished      Kind = "key vanished"
	KindEntryAdded       Kind = "entry added"
	KindEntryGone        Kind = "entry gone"
	KindGroupCreated     Kind = "group created"
	KindGroupDestroyed   Kind = "group destroyed"
	KindCursorMoved      Kind = "cursor moved"
	KindSetBack          Kind = "group set back"
	KindConsumerAppeared Kind = "consumer appeared"
	KindConsumerVanished Kind = "consumer vanished"
	KindPendingAdded     Kind = "pending added"
	KindPendingGone      Kind = "no longer pending"
	KindOwner            Kind = "owner changed"
	KindDeliveries       Kind = "deliveries"
	KindRedelivered      Kind = "redelivered"
	KindList             Kind = "list changed"
	KindPair             Kind = "item changed"
	KindClient           Kind = "connection"

	KindLength       Kind = "length"
	KindFirstID      Kind = "first id"
	KindLastID       Kind = "last-generated-id"
	KindEntriesAdded Kind = "entries-added"
	KindMaxDeleted   Kind = "max-deleted-entry-id"
	KindEntriesRead  Kind = "entries-read"
	KindLag          Kind = "lag"
	KindPendingCount Kind = "pending"
	KindSeen         Kind = "seen"
	KindActive       Kind = "active"
)

// Kinds lists every kind there is.
func Kinds() []Kind {
	return []Kind{
		KindKeyAppeared, KindKeyVanished, KindEntryAdded, KindEntryGone, KindGroupCreated, KindGroupDestroyed,
		KindCursorMoved, KindSetBack, KindConsumerAppeared, KindConsumerVanished, KindPendingAdded, KindPendingGone,
		KindOwner, KindDeliveries, KindRedelivered, KindList, KindPair, KindClient,
		KindLength, KindFirstID, KindLastID, KindEntriesAdded, KindMaxDeleted, KindEntriesRead, KindLag,
		KindPendingCount, KindSeen, KindActive,
	}
}

// Derived says whether changes of this kind follow from others (a counter, a first id), or are the
// mere trace of an attempt (seen, active) or of a connection: a lesson's step need not list them.
func (k Kind) Derived() bool {
	switch k {
	case KindLength, KindFirstID, KindLastID, KindEntriesAdded, KindMaxDeleted, KindEntriesRead, KindLag,
		KindPendingCount, KindSeen, KindActive, KindClient:
		return true
	}
	return false
}

// Place says where something is: a key, and within it a group, a consumer, an entry or an item. What
// does not apply is empty.
type Place struct {
	Key      string
	Group    string
	Consumer string
	ID       ID
	Item     string
}

// Change is one difference between two States.
type Change interface {
	Kind() Kind
	Place() Place
	apply(*State)
}

// KeyAppeared says that a watched key exists now, at first empty; what it holds comes as further changes.
type KeyAppeared struct{ Key, Type string }

// KeyVanished says that a watched key is gone, or is of another type now, with all it held.
type KeyVanished struct{ Key, Type string }

// EntryAdded says that an entry is in the stream.
type EntryAdded struct {
	Key   string
	Entry Entry
}

// EntryGone says that an entry is in the stream no more.
type EntryGone struct {
	Key   string
	Entry Entry       // as it was
	Head  Maybe[bool] // nothing older is left (trimming does that), or it went from the middle
	Cause string      // the command that did it, where this program sent or saw it: XDEL, XTRIM, XADD …
}

// GroupCreated says that a group is there, with its cursor as it was first seen.
type GroupCreated struct {
	Key, Group  string
	Cursor      ID
	EntriesRead Maybe[int64]
	Lag         Maybe[int64]
}

// GroupDestroyed says that a group is gone, and how many rows its PEL had when last seen.
type GroupDestroyed struct {
	Key, Group string
	Lost       Maybe[int64]
}

// CursorMoved says that last-delivered-id moved. To before From is a group set back.
type CursorMoved struct {
	Key, Group string
	From, To   ID
	Passed     Maybe[int64] // entries of the stream between From and To, in either direction
}

// ConsumerAppeared says that the group has a new consumer.
type ConsumerAppeared struct{ Key, Group, Consumer string }

// ConsumerVanished says that a consumer is gone from the group.
type ConsumerVanished struct {
	Key, Group, Consumer string
	Lost                 Maybe[int64] // rows it held at the look before that nobody holds now
}

// PendingAdded says that an entry entered the PEL.
type PendingAdded struct {
	Key, Group string
	Row        Pending
}

// PendingGone says that an entry left the PEL. Why is known only where this program knows the command.
type PendingGone struct {
	Key, Group string
	Row        Pending // as it was
	Cause      string  // XACK, XGROUP DELCONSUMER …; empty when it is not known
}

// OwnerChanged says that a pending entry has another owner.
type OwnerChanged struct {
	Key, Group string
	ID         ID
	From, To   string
}

// DeliveriesChanged says that a pending entry's delivery counter differs.
type DeliveriesChanged struct {
	Key, Group, Consumer string
	ID                   ID
	From, To             int64
}

// Redelivered says that a pending entry's delivery time moved: it was delivered again, or its idle
// time was set. The idle time that ticks on is no change.
type Redelivered struct {
	Key, Group, Consumer string
	ID                   ID
	From, To             Instant
}

// ListChanged says that from index At on, a list's elements Out were replaced by In.
type ListChanged struct {
	Key     string
	At      int
	Out, In []string
}

// PairChanged says that a hash's field, a sorted set's member, a set's member or a string differs; not
// known means that it is absent.
type PairChanged struct {
	Key, Name string
	From, To  Maybe[string]
}

// ClientChanged says that a connection came (From is zero), went (To is zero), or does something else.
type ClientChanged struct{ From, To Client }

// Moved says that a counter, an id or a time kept for a place moved from one value to another, as far
// as no other change explains it: after an entry is seen to come, only the entries that were not seen
// are still missing in the length.
type Moved[T comparable] struct {
	Gauge    Kind
	Where    Place
	From, To Maybe[T]
}

// Kind implements Change.
func (KeyAppeared) Kind() Kind    { return KindKeyAppeared }
func (KeyVanished) Kind() Kind    { return KindKeyVanished }
func (EntryAdded) Kind() Kind     { return KindEntryAdded }
func (EntryGone) Kind() Kind      { return KindEntryGone }
func (GroupCreated) Kind() Kind   { return KindGroupCreated }
func (GroupDestroyed) Kind() Kind { return KindGroupDestroyed }
func (c CursorMoved) Kind() Kind {
	if c.To.Less(c.From) {
		return KindSetBack
	}
	return KindCursorMoved
}
func (ConsumerAppeared) Kind() Kind  { return KindConsumerAppeared }
func (ConsumerVanished) Kind() Kind  { return KindConsumerVanished }
func (PendingAdded) Kind() Kind      { return KindPendingAdded }
func (PendingGone) Kind() Kind       { return KindPendingGone }
func (OwnerChanged) Kind() Kind      { return KindOwner }
func (DeliveriesChanged) Kind() Kind { return KindDeliveries }
func (Redelivered) Kind() Kind       { return KindRedelivered }
func (ListChanged) Kind() Kind       { return KindList }
func (PairChanged) Kind() Kind       { return KindPair }
func (ClientChanged) Kind() Kind     { return KindClient }
func (m Moved[T]) Kind() Kind        { return m.Gauge }

// Place implements Change.
func (c KeyAppeared) Place() Place    { return Place{Key: c.Key} }
func (c KeyVanished) Place() Place    { return Place{Key: c.Key} }
func (c EntryAdded) Place() Place     { return Place{Key: c.Key, ID: c.Entry.ID} }
func (c EntryGone) Place() Place      { return Place{Key: c.Key, ID: c.Entry.ID} }
func (c GroupCreated) Place() Place   { return Place{Key: c.Key, Group: c.Group} }
func (c GroupDestroyed) Place() Place { return Place{Key: c.Key, Group: c.Group} }
func (c CursorMoved) Place() Place    { return Place{Key: c.Key, Group: c.Group} }
func (c ConsumerAppeared) Place() Place {
	return Place{Key: c.Key, Group: c.Group, Consumer: c.Consumer}
}
func (c ConsumerVanished) Place() Place {
	return Place{Key: c.Key, Group: c.Group, Consumer: c.Consumer}
}
func (c PendingAdded) Place() Place {
	return Place{Key: c.Key, Group: c.Group, Consumer: c.Row.Consumer, ID: c.Row.ID}
}
func (c PendingGone) Place() Place {
	return Place{Key: c.Key, Group: c.Group, Consumer: c.Row.Consumer, ID: c.Row.ID}
}
func (c OwnerChanged) Place() Place {
	return Place{Key: c.Key, Group: c.Group, Consumer: c.To, ID: c.ID}
}
func (c DeliveriesChanged) Place() Place {
	return Place{Key: c.Key, Group: c.Group, Consumer: c.Consumer, ID: c.ID}
}
func (c Redelivered) Place() Place {
	return Place{Key: c.Key, Group: c.Group, Consumer: c.Consumer, ID: c.ID}
}
func (c ListChanged) Place() Place { return Place{Key: c.Key} }
func (c PairChanged) Place() Place { return Place{Key: c.Key, Item: c.Name} }
func (c ClientChanged) Place() Place {
	if c.To.ID != 0 {
		return Place{Consumer: c.To.Name}
	}
	return Place{Consumer: c.From.Name}
}
func (m Moved[T]) Place() Place { return m.Where }
