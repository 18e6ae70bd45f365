package stream_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pelscope/redisx/embedded/stream"
)

// trie is a tree of bytes, one level a byte.
type trie map[byte]trie

func (t trie) add(key []byte) {
	for _, b := range key {
		if t[b] == nil {
			t[b] = trie{}
		}
		t = t[b]
	}
}

// nodes counts what is left when every run of bytes without a parting becomes one node.
func (t trie) nodes() int {
	switch len(t) {
	case 0:
		return 1
	case 1:
		for _, next := range t {
			for len(next) == 1 {
				for _, after := range next {
					next = after
				}
			}
			return 1 + next.nodes()
		}
	}
	n := 1
	for _, next := range t {
		n += next.nodes()
	}
	return n
}

func TestRadixNodesAreThoseOfATreeOfTheNodesKeys(t *testing.T) {
	number := rapid.SampledFrom([]uint64{0, 1, 2, 255, 256, 257, 65535, 1 << 16, 1 << 24, 1<<24 + 1, 1 << 40, 1 << 63, 1<<63 + 1})
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfDistinct(rapid.Custom(func(t *rapid.T) stream.ID {
			return stream.ID{MS: 1 + number.Draw(t, "ms"), Seq: number.Draw(t, "seq")}
		}), func(id stream.ID) stream.ID { return id }).Draw(t, "ids")
		slices.SortFunc(ids, stream.ID.Compare)
		s, tree := stream.New(), trie{}
		for _, id := range ids {
			if err := s.Append(id, []string{"f", "v"}, stream.Limits{NodeMaxEntries: 1}); err != nil {
				t.Fatal(err)
			}
			tree.add(binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, id.MS), id.Seq))
		}
		if got, want := s.RadixNodes(), tree.nodes(); got != want || s.Nodes() != len(ids) {
			t.Fatalf("%d nodes (%d keys), want %d (%d)", got, s.Nodes(), want, len(ids))
		}
	})
}
