package lessons

import (
	"testing"

	"pelscope/redisx/client"
	"pelscope/redisx/state"
)

// The words that the loader knows are those that others write and read.

func TestEveryChangeThatNotationWritesCanBeListed(t *testing.T) {
	id := state.ID{MS: 1}
	row := state.Pending{ID: id, Consumer: "alice", Deliveries: 1}
	changes := []state.Change{
		state.KeyAppeared{Key: "k", Type: "list"}, state.KeyVanished{Key: "k"},
		state.EntryAdded{Key: "s", Entry: state.Entry{ID: id}}, state.EntryGone{Key: "s", Entry: state.Entry{ID: id}},
		state.GroupCreated{Key: "s", Group: "g"}, state.GroupDestroyed{Key: "s", Group: "g"},
		state.CursorMoved{Key: "s", Group: "g", To: id}, state.CursorMoved{Key: "s", Group: "g", From: id},
		state.ConsumerAppeared{Key: "s", Group: "g", Consumer: "c"}, state.ConsumerVanished{Key: "s", Group: "g", Consumer: "c"},
		state.PendingAdded{Key: "s", Group: "g", Row: row}, state.PendingGone{Key: "s", Group: "g", Row: row},
		state.OwnerChanged{Key: "s", Group: "g", ID: id}, state.DeliveriesChanged{Key: "s", Group: "g", ID: id},
		state.Redelivered{Key: "s", Group: "g", ID: id},
		state.ListChanged{Key: "l", In: []string{"a"}}, state.PairChanged{Key: "h", Name: "f"},
		state.ClientChanged{To: state.Client{ID: 1, Name: "alice"}}, state.ClientChanged{From: state.Client{ID: 1, Name: "alice"}},
		state.ClientChanged{From: state.Client{ID: 1, Name: "alice"}, To: state.Client{ID: 1, Name: "alice"}},
	}
	for _, k := range []state.Kind{state.KindLength, state.KindEntriesAdded, state.KindEntriesRead, state.KindLag, state.KindPendingCount} {
		changes = append(changes, state.Moved[int64]{Gauge: k, Where: state.Place{Key: "s"}})
	}
	for _, k := range []state.Kind{state.KindFirstID, state.KindLastID, state.KindMaxDeleted} {
		changes = append(changes, state.Moved[state.ID]{Gauge: k, Where: state.Place{Key: "s"}})
	}
	for _, k := range []state.Kind{state.KindSeen, state.KindActive} {
		changes = append(changes, state.Moved[state.Instant]{Gauge: k, Where: state.Place{Key: "s", Group: "g", Consumer: "c"}})
	}
	for _, c := range changes {
		for _, home := range []state.Place{{}, {Key: "s", Group: "g"}} {
			l := &lessonLoader{reader: reader{problems: &problems{}}}
			l.checkChange(state.Notation(c, home), nil)
			if err := l.problems.err(); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestEveryFeatureIsKnownToTheClient(t *testing.T) {
	all := client.Features{FullInfo: true, Lag: true, Inactive: true, NoTouch: true, ReadGroupClaim: true, IDMP: true, Script: true, Multi: true}
	for _, name := range featureNames() {
		if !all.Has(name) {
			t.Errorf("client.Features does not know %q", name)
		}
	}
}
