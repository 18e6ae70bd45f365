package embedded

import (
	"slices"
	"strconv"
)

// set is a set of members. While all of them are integers they stand in numeric order (an intset, as
// in Redis); otherwise in the order in which they came.
type set struct {
	ints    []int64 // while encoding is intset
	members *ordered[struct{}]
	big     bool // a hash table; never a listpack again
}

func newSet() *set { return &set{ints: []int64{}} }

// intOf reads a member that Redis would keep as an integer: in its canonical form only.
func intOf(s string) (int64, bool) {
	if s == "" || len(s) > 20 {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil && strconv.FormatInt(n, 10) == s
}

func (s *set) len() int {
	if s.members != nil {
		return s.members.len()
	}
	return len(s.ints)
}

func (s *set) size() int64 {
	if s.members != nil {
		return s.members.bytes + int64(s.members.len())*entryOverhead
	}
	return int64(len(s.ints)) * 8
}

func (s *set) has(member string) bool {
	if s.members != nil {
		_, ok := s.members.get(member)
		return ok
	}
	n, ok := intOf(member)
	if !ok {
		return false
	}
	_, found := slices.BinarySearch(s.ints, n)
	return found
}

// add says whether the member is new.
func (s *set) add(member string) bool {
	if s.members == nil {
		if n, ok := intOf(member); ok {
			i, found := slices.BinarySearch(s.ints, n)
			if found {
				return false
			}
			s.ints = slices.Insert(s.ints, i, n)
			if len(s.ints) > 512 {
				s.convert()
			}
			return true
		}
		s.convert()
	}
	isNew := s.members.put(member, struct{}{})
	if s.members.len() > 128 || len(member) > 64 {
		s.big = true
	}
	return isNew
}

// convert turns an intset into a listpack, or a hash table when it is too large for one.
func (s *set) convert() {
	s.members = newOrdered[struct{}]()
	for _, n := range s.ints {
		s.members.put(strconv.FormatInt(n, 10), struct{}{})
	}
	s.big = len(s.ints) > 128
	s.ints = nil
}

func (s *set) remove(member string) bool {
	if s.members != nil {
		return s.members.remove(member)
	}
	n, ok := intOf(member)
	if !ok {
		return false
	}
	i, found := slices.BinarySearch(s.ints, n)
	if found {
		s.ints = slices.Delete(s.ints, i, i+1)
	}
	return found
}

// list returns the members in order.
func (s *set) list() []string {
	out := make([]string, 0, s.len())
	if s.members == nil {
		for _, n := range s.ints {
			out = append(out, strconv.FormatInt(n, 10))
		}
		return out
	}
	for m := range s.members.all {
		out = append(out, m)
	}
	return out
}

func (s *set) encoding() string {
	switch {
	case s.members == nil:
		return "intset"
	case s.big:
		return "hashtable"
	}
	return "listpack"
}
