package embedded_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pelscope/redisx/resp"
)

// maker draws stream commands that mostly make sense for what was done before. More of them:
// go test -run RandomStream -rapid.checks=3000.
type maker struct {
	t   *rapid.T
	top map[string]int // the milliseconds of the last id added, by key
}

// pick draws one of the words; a word of several is several arguments, "" is none.
func (m *maker) pick(label string, words ...string) []string {
	return strings.Fields(rapid.SampledFrom(words).Draw(m.t, label))
}

func (m *maker) chance(label string, percent int) bool {
	return rapid.IntRange(1, 100).Draw(m.t, label) <= percent
}

func (m *maker) key() string   { return rapid.SampledFrom([]string{"s", "s", "s", "t"}).Draw(m.t, "key") }
func (m *maker) group() string { return rapid.SampledFrom([]string{"g", "g", "h"}).Draw(m.t, "group") }
func (m *maker) consumer() string {
	return rapid.SampledFrom([]string{"a", "b", "c"}).Draw(m.t, "consumer")
}

// id is one that was probably added.
func (m *maker) id(key string) string {
	ms := rapid.IntRange(0, m.top[key]+1).Draw(m.t, "ms")
	seq := rapid.SampledFrom([]int{0, 0, 0, 0, 1, 2}).Draw(m.t, "seq")
	return fmt.Sprintf("%d-%d", ms, seq)
}

func (m *maker) ids(key string, most int) []string {
	out := make([]string, rapid.IntRange(1, most).Draw(m.t, "ids"))
	for i := range out {
		out[i] = m.id(key)
	}
	return out
}

func (m *maker) bound(key string) string {
	switch rapid.IntRange(0, 9).Draw(m.t, "bound") {
	case 0, 1, 2:
		return "-"
	case 3, 4, 5:
		return "+"
	case 6:
		return "(" + m.id(key)
	case 7:
		return strconv.Itoa(rapid.IntRange(0, m.top[key]+1).Draw(m.t, "ms"))
	}
	return m.id(key)
}

func (m *maker) trim(key string) []string {
	how := m.pick("trim", "MAXLEN", "MAXLEN =", "MAXLEN ~", "MINID", "MINID =", "MINID ~")
	if how[0] == "MINID" {
		how = append(how, m.id(key))
	} else {
		how = append(how, strconv.Itoa(rapid.SampledFrom([]int{0, 1, 2, 5, 10, 40, 100}).Draw(m.t, "maxlen")))
	}
	if how[len(how)-2] == "~" {
		how = append(how, m.pick("limit", "", "", "LIMIT 0", "LIMIT 3", "LIMIT 50", "LIMIT 1000")...)
	}
	return append(how, m.pick("refs", "", "", "", "KEEPREF", "DELREF", "ACKED")...)
}

func (m *maker) add() []string {
	key := m.key()
	args := append([]string{"XADD", key}, m.pick("mk", "", "", "", "NOMKSTREAM")...)
	if m.chance("trims", 15) {
		args = append(args, m.trim(key)...)
	}
	ms := m.top[key] + rapid.IntRange(0, 2).Draw(m.t, "step")
	seq := rapid.SampledFrom([]string{"0", "0", "1", "*", "2"}).Draw(m.t, "seq")
	if m.chance("bogus", 5) {
		return append(args, m.id(key), "f", "v")
	}
	m.top[key] = ms
	args = append(args, fmt.Sprintf("%d-%s", ms, seq))
	return append(args, m.pick("fields", "f 1", "f 22222", "f v g w", "f v f v", "g 1")...)
}

func (m *maker) read() []string {
	args := []string{"XREADGROUP", "GROUP", m.group(), m.consumer()}
	args = append(args, m.pick("count", "", "COUNT 1", "COUNT 2", "COUNT 3", "COUNT 0")...)
	args = append(args, m.pick("noack", "", "", "", "", "", "NOACK")...)
	args = append(args, m.pick("claim", "", "", "", "CLAIM 0", "CLAIM 5000", "CLAIM 15000", "CLAIM 25000")...)
	keys := []string{m.key()}
	if m.chance("two keys", 10) {
		keys = append(keys, m.key())
	}
	args = append(append(args, "STREAMS"), keys...)
	for _, k := range keys {
		if m.chance("history", 25) {
			args = append(args, m.id(k))
		} else {
			args = append(args, ">")
		}
	}
	return args
}

func (m *maker) claim() []string {
	key := m.key()
	args := append([]string{"XCLAIM", key, m.group(), m.consumer()}, m.pick("min idle", "0", "0", "5000", "15000", "25000")...)
	args = append(args, m.ids(key, 3)...)
	args = append(args, m.pick("idle", "", "", "IDLE 10000", "IDLE 20000", "IDLE 30000", "TIME 1000000000000", "TIME 1000000000000", "IDLE -5")...)
	args = append(args, m.pick("retry", "", "", "", "RETRYCOUNT 0", "RETRYCOUNT 9")...)
	args = append(args, m.pick("force", "", "", "FORCE")...)
	args = append(args, m.pick("justid", "", "", "JUSTID")...)
	if m.chance("lastid", 5) {
		args = append(args, "LASTID", m.id(key))
	}
	return args
}

func (m *maker) autoClaim() []string {
	key := m.key()
	args := append([]string{"XAUTOCLAIM", key, m.group(), m.consumer()}, m.pick("min idle", "0", "5000", "15000", "25000")...)
	args = append(args, rapid.SampledFrom([]string{"0", "0-0", "-", "(" + m.id(key), m.id(key)}).Draw(m.t, "start"))
	args = append(args, m.pick("count", "", "COUNT 1", "COUNT 2", "COUNT 3")...)
	return append(args, m.pick("justid", "", "", "JUSTID")...)
}

func (m *maker) groupCommand() []string {
	key, group := m.key(), m.group()
	at := rapid.SampledFrom([]string{"0", "$", m.id(key), m.id(key)}).Draw(m.t, "at")
	read := m.pick("read", "", "", "", "ENTRIESREAD 0", "ENTRIESREAD 3", "ENTRIESREAD 50", "ENTRIESREAD -1")
	switch rapid.IntRange(0, 9).Draw(m.t, "xgroup") {
	case 0, 1, 2, 3:
		return append(append([]string{"XGROUP", "CREATE", key, group, at}, m.pick("mk", "", "MKSTREAM")...), read...)
	case 4, 5, 6:
		return append([]string{"XGROUP", "SETID", key, group, at}, read...)
	case 7:
		return []string{"XGROUP", "DESTROY", key, group}
	case 8:
		return []string{"XGROUP", "CREATECONSUMER", key, group, m.consumer()}
	}
	return []string{"XGROUP", "DELCONSUMER", key, group, m.consumer()}
}

func (m *maker) pending() []string {
	key := m.key()
	args := append([]string{"XPENDING", key, m.group()}, m.pick("idle", "", "", "IDLE 5000", "IDLE 15000", "IDLE 25000")...)
	args = append(args, m.bound(key), m.bound(key), strconv.Itoa(rapid.IntRange(0, 5).Draw(m.t, "count")))
	if m.chance("by consumer", 40) {
		args = append(args, m.consumer())
	}
	return args
}

// byIDs are commands that name ids.
func (m *maker) byIDs() []string {
	key := m.key()
	ids := m.ids(key, 3)
	list := append([]string{"IDS", strconv.Itoa(len(ids))}, ids...)
	refs := m.pick("refs", "", "KEEPREF", "DELREF", "ACKED")
	switch rapid.IntRange(0, 9).Draw(m.t, "by ids") {
	case 0, 1, 2:
		return append([]string{"XACK", key, m.group()}, ids...)
	case 3, 4:
		return append([]string{"XDEL", key}, ids...)
	case 5, 6:
		return append(append([]string{"XDELEX", key}, refs...), list...)
	}
	return append(append([]string{"XACKDEL", key, m.group()}, refs...), list...)
}

func (m *maker) other() []string {
	key := m.key()
	count := m.pick("count", "", "COUNT 2", "COUNT 0")
	switch rapid.IntRange(0, 9).Draw(m.t, "other") {
	case 0, 1:
		return append([]string{"XTRIM", key}, m.trim(key)...)
	case 2:
		return append([]string{"XRANGE", key, m.bound(key), m.bound(key)}, count...)
	case 3:
		return append([]string{"XREVRANGE", key, m.bound(key), m.bound(key)}, count...)
	case 4:
		id := rapid.SampledFrom([]string{"0", "$", "+", m.id(key)}).Draw(m.t, "after")
		return append(append([]string{"XREAD"}, count...), "STREAMS", key, id)
	case 5:
		m.top[key] += rapid.IntRange(0, 1).Draw(m.t, "on")
		args := []string{"XSETID", key, strconv.Itoa(m.top[key])}
		args = append(args, m.pick("added", "", "ENTRIESADDED 5", "ENTRIESADDED 40")...)
		if m.chance("max deleted", 30) {
			args = append(args, "MAXDELETEDID", m.id(key))
		}
		return args
	case 6:
		return []string{"XLEN", key}
	case 7:
		if m.chance("del", 30) {
			m.top[key] = 0
			return []string{"DEL", key}
		}
	case 8:
		return append([]string{"XADD", "u"}, append(m.pick("idmp", "IDMP p 1", "IDMP p 2", "IDMP q 1", "IDMPAUTO p"), "*", "f",
			rapid.SampledFrom([]string{"1", "2"}).Draw(m.t, "value"))...)
	}
	return append([]string{"XCFGSET", "u"}, m.pick("cfg", "IDMP-MAXSIZE 1", "IDMP-MAXSIZE 2", "IDMP-DURATION 50", "IDMP-MAXSIZE 100")...)
}

// burst adds so many entries that the stream has several nodes.
func (m *maker) burst() [][]string {
	key := m.key()
	value := strings.Repeat("x", rapid.SampledFrom([]int{1, 30, 300}).Draw(m.t, "size"))
	var out [][]string
	for range rapid.IntRange(20, 130).Draw(m.t, "burst") {
		m.top[key]++
		out = append(out, []string{"XADD", key, fmt.Sprintf("%d-0", m.top[key]), "f", value})
	}
	return out
}

// commands are one command, or a burst of them.
func (m *maker) commands() [][]string {
	if m.chance("burst", 1) {
		return m.burst()
	}
	return [][]string{m.command()}
}

func (m *maker) command() []string {
	n := rapid.IntRange(0, 99).Draw(m.t, "command")
	switch {
	case n < 30:
		return m.add()
	case n < 52:
		return m.read()
	case n < 62:
		return m.claim()
	case n < 67:
		return m.autoClaim()
	case n < 77:
		return m.groupCommand()
	case n < 82:
		return m.pending()
	case n < 92:
		return m.byIDs()
	}
	return m.other()
}

// stateCommands tell everything about the keys of a random run.
func stateCommands() [][]string {
	out := [][]string{{"XINFO", "STREAM", "u", "FULL", "COUNT", "0"}}
	for _, key := range []string{"s", "t"} {
		out = append(out, []string{"XINFO", "STREAM", key, "FULL", "COUNT", "0"}, []string{"XINFO", "STREAM", key},
			[]string{"XINFO", "GROUPS", key})
		for _, g := range []string{"g", "h"} {
			out = append(out, []string{"XPENDING", key, g}, []string{"XINFO", "CONSUMERS", key, g})
		}
	}
	return out
}

// doAll sends all commands at once and reads their replies.
func (w *wire) doAll(commands [][]string) []resp.Value {
	var b []byte
	for _, c := range commands {
		b = resp.AppendCommand(b, c)
	}
	if _, err := w.conn.Write(b); err != nil {
		w.t.Fatal(err)
	}
	out := make([]resp.Value, len(commands))
	for i := range out {
		var err error
		if out[i], err = w.r.Read(); err != nil {
			w.t.Fatal(err)
		}
	}
	return out
}

// restored puts what DUMP gives of a key in the key's place.
func (s *session) restored(key string) {
	if v := s.on("").do("DUMP", key); v.Kind == resp.Bulk {
		if r := s.on("").do("RESTORE", key, "0", v.Str, "REPLACE"); r.IsError() {
			s.t.Fatalf("%s: RESTORE %s: %s", s.place.name, key, r.Str)
		}
	}
}

func TestRandomStreamCommandsDoTheSameOnAnEightSix(t *testing.T) {
	t.Parallel()
	a, b := realPlace(t, eightSix(t)).session(t), enginePlace(t).session(t)
	defer a.close()
	defer b.close()
	state := stateCommands()
	rapid.Check(t, func(t *rapid.T) {
		proto := rapid.SampledFrom([]string{"2", "3"}).Draw(t, "proto")
		for _, s := range []*session{a, b} {
			s.on("").do("FLUSHALL")
			s.on("").do("HELLO", proto)
		}
		m := &maker{t: t, top: map[string]int{}}
		steps := rapid.IntRange(1, 60).Draw(t, "steps")
		for range steps {
			if m.chance("dump and restore", 3) {
				key := rapid.SampledFrom([]string{"s", "t", "u"}).Draw(t, "key")
				t.Logf("dump and restore %s", key)
				a.restored(key)
				b.restored(key)
			}
			commands := m.commands()
			args := commands[len(commands)-1]
			t.Logf("%d: %s", len(commands), resp.Join(args))
			x, y := a.on("").doAll(commands), b.on("").doAll(commands)
			if d := differ(resp.ArrayOf(x...), resp.ArrayOf(y...)); d != "" {
				t.Fatalf("%s%s\nserver: %s\nengine: %s", resp.Join(args), d, show(x[len(x)-1]), show(y[len(y)-1]))
			}
			xs, ys := a.on("").doAll(state), b.on("").doAll(state)
			for i := range state {
				if d := differ(xs[i], ys[i]); d != "" {
					t.Fatalf("after %s: %s%s", resp.Join(args), resp.Join(state[i]), d)
				}
			}
		}
	})
}
