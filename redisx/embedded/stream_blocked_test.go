package embedded_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pelscope/redisx/resp"
)

// blockedRead draws a read that may block, by a reader of that name.
func (m *maker) blockedRead(name string) []string {
	keys := []string{m.key()}
	if m.chance("two keys", 25) {
		keys = append(keys, m.key())
	}
	args := []string{"XREAD", "BLOCK", "0"}
	plain := m.chance("plain", 30)
	if !plain {
		args = []string{"XREADGROUP", "GROUP", m.group(), name, "BLOCK", "0"}
		args = append(args, m.pick("noack", "", "", "", "NOACK")...)
	}
	args = append(append(args, m.pick("count", "COUNT 1", "COUNT 1", "COUNT 2", "")...), "STREAMS")
	args = append(args, keys...)
	for _, k := range keys {
		switch {
		case plain:
			args = append(args, rapid.SampledFrom([]string{"$", "$", "+", m.id(k)}).Draw(m.t, "after"))
		default:
			args = append(args, ">")
		}
	}
	return args
}

// waker draws what may wake somebody: a command, or several in a transaction.
func (m *maker) waker() [][]string {
	if !m.chance("transaction", 20) {
		return [][]string{m.wake()}
	}
	out := [][]string{{"MULTI"}}
	for range rapid.IntRange(1, 4).Draw(m.t, "commands") {
		out = append(out, m.wake())
	}
	return append(out, []string{"EXEC"})
}

func (m *maker) wake() []string {
	key := m.key()
	switch n := rapid.IntRange(0, 99).Draw(m.t, "wake"); {
	case n < 50:
		return m.add()
	case n < 75:
		return m.groupCommand()
	case n < 80:
		m.top[key] = 0
		return []string{"DEL", key}
	case n < 83:
		return []string{"SET", key, "no stream"}
	case n < 86:
		return []string{"RENAME", key, m.key()}
	case n < 90:
		return append([]string{"XTRIM", key}, m.trim(key)...)
	}
	return m.byIDs()
}

// readers are the connections of a session that may be blocked.
type readers struct {
	s       *session
	blocked []string // who is, in the order in which they came
}

// settle takes the replies of those who are no longer blocked: as many as the place says.
func (r *readers) settle() map[string]resp.Value {
	got := map[string]resp.Value{}
	for end := time.Now().Add(5 * time.Second); len(r.blocked) > r.s.blocked() && time.Now().Before(end); {
		for _, name := range slices.Clone(r.blocked) {
			if v, ok := r.s.on(name).recv(time.Millisecond); ok {
				got[name] = v
				r.blocked = slices.DeleteFunc(r.blocked, func(b string) bool { return b == name })
			}
		}
	}
	return got
}

// block sends a read and returns its reply, unless it blocks.
func (r *readers) block(name string, args []string) (v resp.Value, replied bool) {
	r.s.on(name).send(args...)
	for {
		if v, ok := r.s.on(name).recv(time.Millisecond); ok {
			return v, true
		}
		if r.s.blocked() > len(r.blocked) {
			r.blocked = append(r.blocked, name)
			return resp.Value{}, false
		}
	}
}

// letGo hangs up on everybody who is blocked.
func (r *readers) letGo() {
	for _, name := range r.blocked {
		r.s.hangUp(name)
	}
	r.blocked = nil
	for end := time.Now().Add(5 * time.Second); r.s.blocked() > 0; {
		if time.Now().After(end) {
			r.s.t.Fatalf("%s: somebody who hung up is still blocked", r.s.place.name)
		}
	}
}

// differReplies says where two rounds of replies differ, or "".
func differReplies(a, b map[string]resp.Value) string {
	for name := range b {
		if _, ok := a[name]; !ok {
			return fmt.Sprintf("only the engine answered %s: %s", name, show(b[name]))
		}
	}
	for name, v := range a {
		w, ok := b[name]
		if !ok {
			return fmt.Sprintf("the engine did not answer %s: %s", name, show(v))
		}
		if d := differ(v, w); d != "" {
			return fmt.Sprintf("%s got%s\nserver: %s\nengine: %s", name, d, show(v), show(w))
		}
	}
	return ""
}

func TestBlockedReadersAreServedAsOnAnEightSix(t *testing.T) {
	t.Parallel()
	server, engine := &readers{s: realPlace(t, eightSix(t)).session(t)}, &readers{s: enginePlace(t).session(t)}
	defer server.s.close()
	defer engine.s.close()
	state := stateCommands()
	rapid.Check(t, func(t *rapid.T) {
		defer server.letGo()
		defer engine.letGo()
		server.s.on("").do("FLUSHALL")
		engine.s.on("").do("FLUSHALL")
		m := &maker{t: t, top: map[string]int{}}
		for _, k := range []string{"s", "t"} {
			args := []string{"XGROUP", "CREATE", k, "g", "$", "MKSTREAM"}
			server.s.on("").do(args...)
			engine.s.on("").do(args...)
		}
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			if name := "r" + strconv.Itoa(rapid.IntRange(1, 5).Draw(t, "reader")); m.chance("read", 50) && !slices.Contains(server.blocked, name) {
				args := m.blockedRead(name)
				t.Logf("%s: %s", name, resp.Join(args))
				x, okX := server.block(name, args)
				y, okY := engine.block(name, args)
				if d := differ(x, y); d != "" || okX != okY {
					t.Fatalf("replied %v and %v%s", okX, okY, d)
				}
			} else {
				commands := m.waker()
				t.Logf("%v", commands)
				x, y := server.s.on("").doAll(commands), engine.s.on("").doAll(commands)
				if d := differ(resp.ArrayOf(x...), resp.ArrayOf(y...)); d != "" {
					t.Fatal(d)
				}
			}
			if d := differReplies(server.settle(), engine.settle()); d != "" {
				t.Fatal(d)
			}
			xs, ys := server.s.on("").doAll(state), engine.s.on("").doAll(state)
			for i := range state {
				if d := differ(xs[i], ys[i]); d != "" {
					t.Fatalf("%s%s", resp.Join(state[i]), d)
				}
			}
		}
	})
}
