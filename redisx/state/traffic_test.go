package state_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"pelscope/redisx/state"
)

// traffic makes up commands as clients of all sorts send them: mostly sensible ones, because it knows
// the last look, and some that the server refuses.
type traffic struct {
	*rand.Rand
	seen state.State
	last map[string]int // the ms of the last id given out, by stream
}

// The world of the traffic. Each key is mostly, not always, of the type that its name says.
func streams() []string   { return []string{"orders", "orders two"} }
func groups() []string    { return []string{"audit", "workers"} }
func consumers() []string { return []string{"alice", "bob", "carol d", "дед"} }
func others() []string    { return []string{"hash", "list", "set", "string", "zset"} }
func world() []string     { return append(streams(), others()...) }

func pick[T any](r *traffic, from []T) T { return from[r.IntN(len(from))] }

// once says yes in one of n cases.
func (r *traffic) once(n int) bool { return r.IntN(n) == 0 }

func (r *traffic) num(from, to int) string { return strconv.Itoa(from + r.IntN(to-from+1)) }

// commands gives what one client does at a time: one command, or two that belong together.
func (r *traffic) commands() [][]string {
	s, g := pick(r, streams()), pick(r, groups())
	if k, _ := r.seen.Key(s); k.Type != "stream" && k.Type != "none" && r.once(2) {
		return one("DEL", s)
	}
	if _, there := r.seen.Group(s, g); !there && r.once(2) {
		return one(r.entriesRead("XGROUP", "CREATE", s, g, pick(r, []string{"0", "0", "$", r.id(s, g)}), "MKSTREAM")...)
	}
	acts := []struct {
		weight int
		make   func() [][]string
	}{
		{12, func() [][]string { return one(r.add(s)...) }},
		{14, func() [][]string { return one(r.read(s, g)...) }},
		{6, func() [][]string { return one(append([]string{"XACK", s, g}, r.ids(s, g)...)...) }},
		{9, func() [][]string { return one(r.claim(s, g)...) }},
		{3, func() [][]string { return one(r.autoclaim(s, g)...) }},
		{5, func() [][]string { return one(append([]string{"XDEL", s}, r.ids(s, g)...)...) }},
		{2, func() [][]string { return one(r.trim(s)...) }},
		{2, func() [][]string { return one(r.setID(s)...) }},
		{14, func() [][]string { return one(r.group(s, g)...) }},
		{4, func() [][]string { return r.remove() }},
		{14, func() [][]string { return one(r.item()...) }},
	}
	total := 0
	for _, a := range acts {
		total += a.weight
	}
	n := r.IntN(total)
	for _, a := range acts {
		if n -= a.weight; n < 0 {
			return a.make()
		}
	}
	return nil
}

func one(words ...string) [][]string { return [][]string{words} }

// add gives ids in order, now and then one too small.
func (r *traffic) add(s string) []string {
	if !r.once(20) {
		r.last[s] += r.IntN(2)
	}
	cmd := []string{"XADD", s}
	if r.once(10) {
		cmd = append(cmd, "MAXLEN", "=", r.num(3, 8))
	}
	cmd = append(cmd, strconv.Itoa(r.last[s])+"-*")
	for range 1 + r.IntN(3) {
		cmd = append(cmd, pick(r, []string{"event", "amount", "\xc3\x28"}), r.num(1, 1000))
	}
	return cmd
}

func (r *traffic) read(s, g string) []string {
	cmd := []string{"XREADGROUP", "GROUP", g, r.reader(s, g), "COUNT", r.num(1, 4)}
	if r.once(8) {
		cmd = append(cmd, "NOACK")
	}
	return append(cmd, "STREAMS", s, pick(r, []string{">", ">", ">", "0", "0", r.id(s, g)}))
}

// reader is mostly a consumer that has pending rows.
func (r *traffic) reader(s, g string) string {
	group, _ := r.seen.Group(s, g)
	if rows := group.PEL.Rows; len(rows) > 0 && r.once(2) {
		return pick(r, rows).Consumer
	}
	return pick(r, consumers())
}

// id is one of a pending row, of an entry, or of neither.
func (r *traffic) id(s, g string) string {
	group, _ := r.seen.Group(s, g)
	if rows := group.PEL.Rows; len(rows) > 0 && !r.once(3) {
		return pick(r, rows).ID.String()
	}
	if st := r.seen.Stream(s); st != nil && len(st.Entries.Entries) > 0 && !r.once(6) {
		return pick(r, st.Entries.Entries).ID.String()
	}
	return r.num(0, 12) + "-" + r.num(0, 3)
}

func (r *traffic) ids(s, g string) []string {
	var out []string
	for range 1 + r.IntN(3) {
		out = append(out, r.id(s, g))
	}
	return out
}

func (r *traffic) claim(s, g string) []string {
	cmd := append([]string{"XCLAIM", s, g, pick(r, consumers()), pick(r, []string{"0", "0", "0", "3600000"})}, r.ids(s, g)...)
	for _, option := range [][]string{
		{"IDLE", r.num(0, 90000)}, {"RETRYCOUNT", r.num(0, 9)}, {"FORCE"}, {"JUSTID"},
	} {
		if r.once(3) {
			cmd = append(cmd, option...)
		}
	}
	return cmd
}

func (r *traffic) autoclaim(s, g string) []string {
	cmd := []string{"XAUTOCLAIM", s, g, pick(r, consumers()), pick(r, []string{"0", "0", "3600000"}), pick(r, []string{"0", r.id(s, g)}), "COUNT", r.num(1, 4)}
	if r.once(3) {
		cmd = append(cmd, "JUSTID")
	}
	return cmd
}

func (r *traffic) trim(s string) []string {
	if r.once(2) {
		return []string{"XTRIM", s, "MAXLEN", r.num(0, 6)}
	}
	return []string{"XTRIM", s, "MINID", r.id(s, "workers")}
}

func (r *traffic) setID(s string) []string {
	r.last[s] += 1 + r.IntN(2)
	cmd := []string{"XSETID", s, strconv.Itoa(r.last[s]) + "-0"}
	if r.once(2) {
		cmd = append(cmd, "ENTRIESADDED", r.num(20, 60), "MAXDELETEDID", r.num(0, 3)+"-0")
	}
	return cmd
}

func (r *traffic) group(s, g string) []string {
	switch n := r.IntN(12); {
	case n < 4:
		return r.entriesRead("XGROUP", "SETID", s, g, pick(r, []string{"0", "$", r.id(s, g), r.id(s, g)}))
	case n < 6:
		return []string{"XGROUP", "DESTROY", s, g}
	case n < 8:
		return []string{"XGROUP", "CREATECONSUMER", s, g, pick(r, consumers())}
	}
	return []string{"XGROUP", "DELCONSUMER", s, g, pick(r, consumers())}
}

func (r *traffic) entriesRead(cmd ...string) []string {
	if r.once(4) {
		cmd = append(cmd, "ENTRIESREAD", r.num(0, 5))
	}
	return cmd
}

// remove takes a key away, for good, for the same again or for one of another type.
func (r *traffic) remove() [][]string {
	k := pick(r, others())
	if r.once(3) {
		k = pick(r, streams())
	}
	cmds := one("DEL", k)
	if r.last[k] > 0 {
		r.last[k] = r.IntN(2) // ids come again, with other fields
	}
	if r.once(2) {
		return cmds
	}
	return append(cmds, r.create(k, r.IntN(6)))
}

func (r *traffic) create(k string, typ int) []string {
	member, value := fmt.Sprint("m", r.IntN(6)), r.num(0, 9)
	return [][]string{
		{"HSET", k, member, value},
		{pick(r, []string{"RPUSH", "LPUSH"}), k, value, member},
		{"SADD", k, member},
		{"SET", k, value},
		{"ZADD", k, value, member},
		{"XADD", k, "1-*", member, value},
	}[typ]
}

// item changes one of the keys that are no streams, each by its own commands.
func (r *traffic) item() []string {
	n := r.IntN(len(others()))
	k, member := others()[n], fmt.Sprint("m", r.IntN(6))
	if was, _ := r.seen.Key(k); was.Type != k && was.Type != "none" && r.once(2) {
		return []string{"DEL", k}
	}
	if r.once(2) {
		return r.create(k, n)
	}
	return [][]string{
		{"HDEL", k, member},
		pick(r, [][]string{{"LPOP", k}, {"RPOP", k}, {"LSET", k, r.num(0, 3), member}, {"LINSERT", k, "BEFORE", member, "in"}, {"LTRIM", k, "0", "5"}}),
		{"SREM", k, member},
		{"APPEND", k, "x"},
		pick(r, [][]string{{"ZREM", k, member}, {"ZINCRBY", k, "1.5", member}}),
	}[n]
}
