package state_test

import (
	"testing"

	"pelscope/redisx/state"
)

// look is what the explorer sees: a window of 200 entries and a page of 200 pending rows, of which some
// moved by tick n.
func look(n uint64) state.State {
	st := &state.Stream{
		Length: state.Know(int64(200 + n)), FirstID: state.Know(state.ID{MS: 1}), LastID: state.Know(state.ID{MS: 200 + n}),
		Entries: state.Window{From: state.ID{MS: 1 + n}, To: state.MaxID()},
	}
	g := state.Group{Name: "g", LastDelivered: state.ID{MS: 150 + n}, Pending: state.Know[int64](200), PEL: state.Page{To: state.MaxID()}}
	for i := range uint64(200) {
		st.Entries.Entries = append(st.Entries.Entries, state.Entry{ID: state.ID{MS: 1 + n + i}, Fields: []state.Field{{Name: "f", Value: "v"}}})
		row := state.Pending{ID: state.ID{MS: 1 + n + i}, Consumer: "alice", Deliveries: 1, DeliveredAt: 1000}
		if i%20 == n%20 {
			row.Deliveries, row.DeliveredAt = 2, 2000
		}
		g.PEL.Rows = append(g.PEL.Rows, row)
	}
	g.Consumers = []state.Consumer{{Name: "alice", Pending: state.Know[int64](200)}}
	st.Groups = []state.Group{g}
	return state.State{At: state.Instant(1000 * n), Keys: []state.Key{{Name: "s", Type: "stream", Stream: st}}}
}

// BenchmarkDiff compares two looks of the explorer between which entries came and rows were redelivered.
func BenchmarkDiff(b *testing.B) {
	x, y := look(1), look(4)
	for b.Loop() {
		if len(state.Diff(x, y)) == 0 {
			b.Fatal("nothing changed")
		}
	}
}

// BenchmarkDiffUnchanged compares two looks between which nothing happened.
func BenchmarkDiffUnchanged(b *testing.B) {
	x, y := look(1), look(1)
	for b.Loop() {
		if len(state.Diff(x, y)) != 0 {
			b.Fatal("something changed")
		}
	}
}
