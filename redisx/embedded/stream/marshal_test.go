package stream_test

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"pelscope/redisx/embedded/stream"
)

// anyStream draws a stream with a history: entries added, deleted and trimmed, groups that read.
func anyStream(t *rapid.T) *stream.Stream {
	s := stream.New()
	now := int64(1000)
	field := rapid.SampledFrom([]string{"a", "b", "", "00014", "-7", "123456789012", "\xff\x00", "a longer value that is no number"})
	for range rapid.IntRange(0, 250).Draw(t, "steps") {
		now += rapid.Int64Range(0, 3).Draw(t, "ms")
		switch rapid.IntRange(0, 12).Draw(t, "do") {
		case 0:
			s.Delete(stream.ID{MS: uint64(rapid.Int64Range(1000, now).Draw(t, "id"))})
		case 1:
			s.CreateGroup(field.Draw(t, "group"), stream.ID{}, stream.UnknownEntriesRead)
		case 2, 3:
			if len(s.Groups()) > 0 {
				g := s.Groups()[0]
				c, _ := g.CreateConsumer(field.Draw(t, "consumer"), now)
				s.Deliver(g, c, 3, false, now, func(stream.Entry) {})
			}
		case 4:
			s.Trim(stream.Trim{MaxLen: 20, Approx: rapid.Bool().Draw(t, "approx")})
		case 5:
			iid := field.Draw(t, "iid")
			if _, seen := s.IdmpSeen("p", iid, now); !seen {
				s.IdmpAdd("p", iid, stream.ID{MS: uint64(now)})
			}
		default:
			id, _ := s.NextID(now)
			if err := s.Append(id, []string{field.Draw(t, "f"), field.Draw(t, "v")}, stream.DefaultLimits()); err != nil {
				t.Fatal(err)
			}
		}
	}
	return s
}

func TestWhatWasMarshalledComesBackWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anyStream(t)
		once, err := s.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		back := stream.New()
		if err := back.UnmarshalBinary(once); err != nil {
			t.Fatal(err)
		}
		twice, _ := back.MarshalBinary()
		if !bytes.Equal(once, twice) {
			t.Fatal("the copy's binary form differs")
		}
		if s.Len() != back.Len() || s.Nodes() != back.Nodes() || s.RadixNodes() != back.RadixNodes() {
			t.Fatalf("length %d and %d, nodes %d and %d", s.Len(), back.Len(), s.Nodes(), back.Nodes())
		}
	})
}

func TestBytesThatAreNoStreamAreRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		good, _ := anyStream(t).MarshalBinary()
		cut := good[:rapid.IntRange(0, len(good)-1).Draw(t, "cut")]
		s := filled(t, 3)
		if err := s.UnmarshalBinary(cut); err != stream.ErrCorrupt {
			t.Fatalf("cut to %d of %d bytes: %v", len(cut), len(good), err)
		}
		spoiled := bytes.Clone(good)
		spoiled[rapid.IntRange(0, len(good)-1).Draw(t, "at")] ^= byte(rapid.IntRange(1, 255).Draw(t, "by"))
		if err := stream.New().UnmarshalBinary(spoiled); err == nil {
			// Some bytes can be anything; what was read must still be usable.
			other := stream.New()
			_ = other.UnmarshalBinary(spoiled)
			for range other.Range(stream.ID{}, stream.MaxID()) {
			}
			other.Trim(stream.Trim{MaxLen: 1})
		}
		if s.Len() != 3 {
			t.Fatal("a refused form altered the stream")
		}
	})
}
