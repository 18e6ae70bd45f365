package stream_test

import (
	"fmt"
	"slices"
	"testing"

	"pelscope/redisx/embedded/stream"
)

// filled is a stream with the entries 1-0 … n-0, one small field each.
func filled(t interface {
	Helper()
	Fatal(args ...any)
}, n int) *stream.Stream {
	t.Helper()
	s := stream.New()
	for i := 1; i <= n; i++ {
		if err := s.Append(stream.ID{MS: uint64(i)}, []string{"n", fmt.Sprint(i)}, stream.DefaultLimits()); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func ids(seq func(func(stream.Entry) bool)) []string {
	var out []string
	seq(func(e stream.Entry) bool { out = append(out, e.ID.String()); return true })
	return out
}

func id(ms, seq uint64) stream.ID { return stream.ID{MS: ms, Seq: seq} }

func TestFieldsComeBackInOrderWithDuplicatesAndBytes(t *testing.T) {
	s := stream.New()
	entries := [][]string{
		{"a", "1", "a", "2"},
		{"a", "x", "a", "\xc3\x28\x00\xff"},
		{"b", "00014", "", ""},
		{},
	}
	for i, f := range entries {
		if err := s.Append(id(uint64(i+1), 0), f, stream.DefaultLimits()); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range entries {
		got, ok := s.Get(id(uint64(i+1), 0))
		if !ok || !slices.Equal(got.Fields, want) {
			t.Errorf("entry %d: got %q, want %q", i+1, got.Fields, want)
		}
	}
}

func TestAnIDThatIsNotAfterTheLastIsRefused(t *testing.T) {
	s := filled(t, 2)
	for _, bad := range []stream.ID{{}, id(1, 5), id(2, 0)} {
		if err := s.Append(bad, nil, stream.DefaultLimits()); err != stream.ErrIDTooSmall {
			t.Errorf("%v: got %v, want ErrIDTooSmall", bad, err)
		}
	}
	if s.Len() != 2 || s.EntriesAdded() != 2 {
		t.Errorf("a refused entry was counted: length %d, added %d", s.Len(), s.EntriesAdded())
	}
}

func TestNextIDNeverGoesBack(t *testing.T) {
	s := filled(t, 5)
	for _, c := range []struct {
		now  int64
		want string
	}{{9, "9-0"}, {5, "5-1"}, {3, "5-1"}} {
		if got, ok := s.NextID(c.now); !ok || got.String() != c.want {
			t.Errorf("at %d: got %v, want %s", c.now, got, c.want)
		}
	}
	s.SetID(stream.MaxID(), -1, stream.ID{})
	if got, ok := s.NextID(9); ok {
		t.Errorf("there is no id after the largest, got %v", got)
	}
	if got, ok := s.NextSeq(stream.MaxID().MS); ok {
		t.Errorf("there is no sequence after the largest, got %v", got)
	}
}

func TestRangesSkipWhatWasDeleted(t *testing.T) {
	s := filled(t, 250)
	for i := uint64(1); i <= 250; i++ {
		if i%2 == 0 || i > 100 && i < 200 {
			if !s.Delete(id(i, 0)) {
				t.Fatalf("%d-0 was not there", i)
			}
		}
	}
	if s.Delete(id(2, 0)) {
		t.Error("an entry was deleted twice")
	}
	got := ids(s.Range(id(95, 0), id(205, 0)))
	want := []string{"95-0", "97-0", "99-0", "201-0", "203-0", "205-0"}
	if !slices.Equal(got, want) {
		t.Errorf("forward: got %v, want %v", got, want)
	}
	back := ids(s.RangeReverse(id(95, 0), id(205, 0)))
	slices.Reverse(back)
	if !slices.Equal(back, want) {
		t.Errorf("backward: got %v, want %v", back, want)
	}
	if last, _ := s.LastEntryID(); last != id(249, 0) {
		t.Errorf("last entry %v", last)
	}
	if s.MaxDeletedID() != id(250, 0) || s.LastID() != id(250, 0) || s.FirstID() != id(1, 0) {
		t.Errorf("max deleted %v, last %v, first %v", s.MaxDeletedID(), s.LastID(), s.FirstID())
	}
}

func TestApproximateTrimRemovesWholeNodesOnly(t *testing.T) {
	for _, c := range []struct{ length, maxLen, left int }{{350, 100, 150}, {350, 10, 50}, {99, 10, 99}, {200, 0, 0}} {
		s := filled(t, c.length)
		s.Trim(stream.Trim{MaxLen: int64(c.maxLen), Approx: true, Limit: 10000})
		if s.Len() != c.left {
			t.Errorf("%d entries, MAXLEN ~ %d: %d left, want %d", c.length, c.maxLen, s.Len(), c.left)
		}
	}
	s := filled(t, 350)
	if got := s.Trim(stream.Trim{MaxLen: 10, Approx: true, Limit: 150}); got != 100 {
		t.Errorf("LIMIT 150 removed %d, want one node of 100", got)
	}
	if s.MaxDeletedID() != (stream.ID{}) || s.FirstID() != id(101, 0) {
		t.Errorf("after a trim: max deleted %v, first %v", s.MaxDeletedID(), s.FirstID())
	}
}

func TestATrimForAcknowledgedEntriesKeepsTheOthers(t *testing.T) {
	s := filled(t, 5)
	s.CreateGroup("g", stream.ID{}, 0)
	g := s.Group("g")
	c, _ := g.CreateConsumer("a", 1)
	s.Deliver(g, c, 3, false, 1, func(stream.Entry) {})
	g.Ack(id(2, 0))
	if got := s.Trim(stream.Trim{MaxLen: 0, Refs: stream.Acked}); got != 1 {
		t.Fatalf("removed %d, want 1", got)
	}
	if got, want := ids(s.Range(stream.ID{}, stream.MaxID())), []string{"1-0", "3-0", "4-0", "5-0"}; !slices.Equal(got, want) {
		t.Errorf("left %v, want %v", got, want)
	}
	if got := s.Trim(stream.Trim{MaxLen: 0, Refs: stream.DelRef}); got != 4 || g.PendingLen() != 0 || c.PendingLen() != 0 {
		t.Errorf("with DELREF: removed %d, pending %d and %d", got, g.PendingLen(), c.PendingLen())
	}
}

func TestLag(t *testing.T) {
	type world struct {
		s *stream.Stream
		g *stream.Group
	}
	read := func(w world, n int) {
		c, _ := w.g.CreateConsumer("a", 1)
		w.s.Deliver(w.g, c, n, false, 1, func(stream.Entry) {})
	}
	for _, c := range []struct {
		name string
		do   func(w world)
		lag  int64
		ok   bool
	}{
		{"nothing read", func(world) {}, 5, true},
		{"two read", func(w world) { read(w, 2) }, 3, true},
		{"all read", func(w world) { read(w, 0) }, 0, true},
		{"deleted behind the cursor", func(w world) { read(w, 3); w.s.Delete(id(2, 0)) }, 2, true},
		{"deleted ahead of the cursor", func(w world) { read(w, 2); w.s.Delete(id(4, 0)) }, 0, false},
		{"known again at the end", func(w world) { read(w, 2); w.s.Delete(id(4, 0)); read(w, 0) }, 0, true},
		{"trimmed before it was read", func(w world) { w.s.Trim(stream.Trim{MaxLen: 2}) }, 2, true},
		{"put in the middle", func(w world) { w.g.SetID(id(3, 0), stream.UnknownEntriesRead) }, 0, false},
		{"put in the middle with its count", func(w world) { w.g.SetID(id(3, 0), 3) }, 2, true},
	} {
		s := filled(t, 5)
		s.CreateGroup("g", stream.ID{}, stream.UnknownEntriesRead)
		w := world{s, s.Group("g")}
		c.do(w)
		if lag, ok := s.Lag(w.g); lag != c.lag || ok != c.ok {
			t.Errorf("%s: got %d, %v; want %d, %v", c.name, lag, ok, c.lag, c.ok)
		}
	}
}

func TestPendingEntriesByGroupByConsumerAndByTime(t *testing.T) {
	s := filled(t, 6)
	s.CreateGroup("g", stream.ID{}, 0)
	g := s.Group("g")
	a, _ := g.CreateConsumer("a", 1)
	b, _ := g.CreateConsumer("b", 1)
	s.Deliver(g, a, 4, false, 100, func(stream.Entry) {})
	s.Deliver(g, b, 2, false, 50, func(stream.Entry) {})
	g.Give(g.FindPending(id(2, 0)), b, 200, 7)

	list := func(seq func(func(*stream.Pending) bool)) (out []string) {
		seq(func(p *stream.Pending) bool {
			out = append(out, fmt.Sprintf("%v %s %d×%d", p.ID, p.Consumer.Name, p.Delivered, p.Count))
			return true
		})
		return out
	}
	for name, c := range map[string]struct{ got, want []string }{
		"group":      {list(g.Pending(id(2, 0))), []string{"2-0 b 200×7", "3-0 a 100×1", "4-0 a 100×1", "5-0 b 50×1", "6-0 b 50×1"}},
		"a":          {list(a.Pending(stream.ID{})), []string{"1-0 a 100×1", "3-0 a 100×1", "4-0 a 100×1"}},
		"b":          {list(b.Pending(stream.ID{})), []string{"2-0 b 200×7", "5-0 b 50×1", "6-0 b 50×1"}},
		"idle first": {list(g.PendingByTime()), []string{"5-0 b 50×1", "6-0 b 50×1", "1-0 a 100×1", "3-0 a 100×1", "4-0 a 100×1", "2-0 b 200×7"}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", name, c.got, c.want)
		}
	}
	if n := g.DeleteConsumer("a"); n != 3 || g.PendingLen() != 3 || g.Consumer("a") != nil {
		t.Errorf("deleting a dropped %d, left %d", n, g.PendingLen())
	}
	if !g.Ack(id(2, 0)) || g.Ack(id(2, 0)) || b.PendingLen() != 2 {
		t.Error("an acknowledgement counts once and takes the entry from its owner")
	}
}

func TestSizeIsAboutThatOfRedis(t *testing.T) {
	s := filled(t, 1000)
	s.CreateGroup("g", stream.ID{}, 0)
	g := s.Group("g")
	c, _ := g.CreateConsumer("a", 1)
	before := s.Size()
	s.Deliver(g, c, 100, false, 1, func(stream.Entry) {})
	delivered := s.Size()
	if before < 10_000 || before > 20_000 || delivered-before < 20_000 || delivered-before > 30_000 {
		t.Errorf("%d bytes, and %d with 100 pending", before, delivered)
	}
	for i := range 100 {
		g.Ack(id(uint64(i+1), 0))
	}
	s.Trim(stream.Trim{MaxLen: 0})
	if got := s.Size(); got >= 1000 {
		t.Errorf("an empty stream of %d bytes", got)
	}
}
