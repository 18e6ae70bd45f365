package stream

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
	"slices"
)

// What XADD IDMP remembers of a producer, unless XCFGSET says otherwise.
const (
	DefaultIdmpDuration = 100 // seconds
	DefaultIdmpMaxSize  = 100 // idempotent ids a producer
)

// idempotency is what a stream remembers of its producers (Redis 8.6), so that an XADD sent again
// does not add a second entry.
type idempotency struct {
	duration   int64 // seconds
	maxSize    int64
	producers  map[string]*producer
	added      int64
	duplicates int64
}

// producer is the memory of one producer id: what it added, oldest first.
type producer struct {
	order []string
	ids   map[string]ID
}

func newIdempotency() idempotency {
	return idempotency{duration: DefaultIdmpDuration, maxSize: DefaultIdmpMaxSize}
}

// IdmpStats are the idmp figures of XINFO STREAM.
type IdmpStats struct {
	Duration, MaxSize      int64 // seconds; ids a producer
	Producers, IDs         int64 // how many are remembered now
	IDsAdded, IDsDuplicate int64 // since the stream exists
}

// Idmp tells what is remembered at the time now (ms since 1970).
func (s *Stream) Idmp(now int64) IdmpStats {
	s.forgetIdmp(now)
	m := &s.idmp
	st := IdmpStats{Duration: m.duration, MaxSize: m.maxSize, Producers: int64(len(m.producers)),
		IDsAdded: m.added, IDsDuplicate: m.duplicates}
	for _, p := range m.producers {
		st.IDs += int64(len(p.order))
	}
	return st
}

// SetIdmp changes how long and how many idempotent ids are remembered (-1 leaves a value). A changed
// value forgets all producers.
func (s *Stream) SetIdmp(duration, maxSize int64) {
	m, changed := &s.idmp, false
	if duration != -1 && duration != m.duration {
		m.duration, changed = duration, true
	}
	if maxSize != -1 && maxSize != m.maxSize {
		m.maxSize, changed = maxSize, true
	}
	if changed {
		m.producers = nil
	}
}

// IdmpSeen is the entry that the producer already added under this idempotent id, counted as a
// duplicate. From then on the producer is known, whether the id is or not.
func (s *Stream) IdmpSeen(pid, iid string, now int64) (ID, bool) {
	s.forgetIdmp(now)
	s.producer(pid)
	id, seen := s.IdmpFind(pid, iid)
	if seen {
		s.idmp.duplicates++
	}
	return id, seen
}

// IdmpFind is the entry that the producer added under this idempotent id.
func (s *Stream) IdmpFind(pid, iid string) (ID, bool) {
	p := s.idmp.producers[pid]
	if p == nil {
		return ID{}, false
	}
	id, seen := p.ids[iid]
	return id, seen
}

// producer is the producer of that id, known from now on.
func (s *Stream) producer(pid string) *producer {
	m := &s.idmp
	if m.producers == nil {
		m.producers = map[string]*producer{}
	}
	p := m.producers[pid]
	if p == nil {
		p = &producer{ids: map[string]ID{}}
		m.producers[pid] = p
	}
	return p
}

// IdmpAdd remembers what the producer added under an idempotent id that is not remembered yet.
func (s *Stream) IdmpAdd(pid, iid string, id ID) {
	p := s.producer(pid)
	p.order = append(p.order, iid)
	p.ids[iid] = id
	s.idmp.added++
	if int64(len(p.order)) > s.idmp.maxSize {
		p.forgetOldest()
	}
}

func (p *producer) forgetOldest() {
	delete(p.ids, p.order[0])
	p.order = slices.Delete(p.order, 0, 1)
}

// forgetIdmp drops what is older than the duration, by the milliseconds of the entry's id, and
// producers of whom nothing is left. (Redis does so once a second, so there an id may last up to a
// second longer.)
func (s *Stream) forgetIdmp(now int64) {
	limit := uint64(now - s.idmp.duration*1000)
	for pid, p := range s.idmp.producers {
		for len(p.order) > 0 && p.ids[p.order[0]].MS <= limit {
			if p.forgetOldest(); len(p.order) == 0 {
				delete(s.idmp.producers, pid)
			}
		}
	}
}

// IdmpHash is the idempotent id that IDMPAUTO makes of an entry's fields: the same for the same
// pairs in any order. (Redis makes another one of them, by XXH3, which it shows to nobody.)
func IdmpHash(fields []string) string {
	var high, low uint64
	for i := 0; i+1 < len(fields); i += 2 {
		pair := sha256.Sum256([]byte(pack(fields[i:i+2], true)))
		var carry uint64
		low, carry = bits.Add64(low, binary.BigEndian.Uint64(pair[8:]), 0)
		high, _ = bits.Add64(high, binary.BigEndian.Uint64(pair[:]), carry)
	}
	return string(binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, high), low))
}
