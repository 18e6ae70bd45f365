package embedded

import (
	"cmp"
	"slices"
	"sort"
)

// zset is a sorted set: members by score, and by their bytes where scores are equal.
type zset struct {
	scores map[string]float64
	sorted []scored
	bytes  int64 // of the members
	big    bool  // a skip list; never a listpack again
}

type scored struct {
	member string
	score  float64
}

func newZset() *zset { return &zset{scores: map[string]float64{}} }

func (z *zset) len() int    { return len(z.sorted) }
func (z *zset) size() int64 { return z.bytes + int64(z.len())*(entryOverhead+8) }

func compareScored(a, b scored) int {
	return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.member, b.member))
}

// place is where a member with this score stands or would stand.
func (z *zset) place(s scored) int {
	i, _ := slices.BinarySearchFunc(z.sorted, s, compareScored)
	return i
}

// put stores a member with its score and says whether it is new.
func (z *zset) put(member string, score float64) bool {
	old, had := z.scores[member]
	if had {
		i := z.place(scored{member, old})
		z.sorted = slices.Delete(z.sorted, i, i+1)
	} else {
		z.bytes += int64(len(member))
	}
	s := scored{member, score}
	z.sorted = slices.Insert(z.sorted, z.place(s), s)
	z.scores[member] = score
	if z.len() > 128 || len(member) > 64 {
		z.big = true
	}
	return !had
}

func (z *zset) remove(member string) bool {
	score, ok := z.scores[member]
	if !ok {
		return false
	}
	i := z.place(scored{member, score})
	z.sorted = slices.Delete(z.sorted, i, i+1)
	delete(z.scores, member)
	z.bytes -= int64(len(member))
	return true
}

// rank is the place of a member, counted from the lowest score.
func (z *zset) rank(member string) (int, bool) {
	score, ok := z.scores[member]
	if !ok {
		return 0, false
	}
	return z.place(scored{member, score}), true
}

// between are the members with a score in a range, lowest first.
func (z *zset) between(r scoreRange) []scored {
	from := sort.Search(z.len(), func(i int) bool { return r.aboveMin(z.sorted[i].score) })
	to := sort.Search(z.len(), func(i int) bool { return !r.belowMax(z.sorted[i].score) })
	return z.sorted[from:max(from, to)]
}

func (z *zset) encoding() string {
	if z.big {
		return "skiplist"
	}
	return "listpack"
}

// scoreRange is a range of scores, each end with or without itself.
type scoreRange struct {
	min, max     float64
	minEx, maxEx bool
}

func (r scoreRange) aboveMin(f float64) bool { return f > r.min || !r.minEx && f == r.min }
func (r scoreRange) belowMax(f float64) bool { return f < r.max || !r.maxEx && f == r.max }
