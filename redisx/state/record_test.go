package state_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pelscope/redisx/client"
	"pelscope/redisx/private/servertest"
	"pelscope/redisx/resp"
	"pelscope/redisx/state"
)

func TestMain(m *testing.M) { servertest.Main(m) }

// looks is how often the recorder looks at a server.
const looks = 3500

// actors begins the names of the connections that are watched.
const actors = "actor-"

// pair is two looks one after the other, both of all there is, and what happened in between.
type pair struct {
	a, b     state.State
	commands [][]string
}

func (p pair) String() string {
	var out strings.Builder
	for _, c := range p.commands {
		fmt.Fprintln(&out, " >", resp.Join(c))
	}
	for _, c := range state.Diff(p.a, p.b) {
		fmt.Fprintln(&out, "  ", state.Notation(c, state.Place{}))
	}
	return out.String()
}

// seedVar repeats the traffic of a run that failed.
const seedVar = "PELSCOPE_SEED"

func seed(t *testing.T) uint64 {
	n := rand.Uint64()
	if s := os.Getenv(seedVar); s != "" {
		var err error
		if n, err = strconv.ParseUint(s, 10, 64); err != nil {
			t.Fatal(seedVar, err)
		}
	}
	t.Logf("repeat with %s=%d", seedVar, n)
	return n
}

// recorder lets traffic run at a server and looks again and again.
type recorder struct {
	t      *testing.T
	client *client.Client
	*traffic
	actors []*client.Session
	sent   [][]string
}

// record gives the looks at a server, each two that follow each other as a pair.
func record(t *testing.T, s servertest.Server) []pair {
	t.Helper()
	to, err := client.Parse(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	c, err := client.Open(within(t), to, client.Options{Write: true, Name: "recorder"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	n := seed(t)
	r := &recorder{t: t, client: c, traffic: &traffic{Rand: rand.New(rand.NewPCG(n, 0)), last: map[string]int{}}}
	a := r.look()
	var pairs []pair
	for range looks {
		r.sent = nil
		for range 1 + r.IntN(4) {
			r.sent = append(r.sent, r.commands()...)
		}
		if _, err := c.Pipeline(within(t), r.sent); err != nil {
			t.Fatal(err)
		}
		if r.once(3) {
			r.act()
		}
		b := r.look()
		pairs = append(pairs, pair{a, b, r.sent})
		a = b
	}
	return pairs
}

func within(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func (r *recorder) look() state.State {
	r.t.Helper()
	st, err := r.client.Observe(within(r.t), client.Scope{Keys: world(), Clients: actors})
	if err != nil {
		r.t.Fatal(err)
	}
	if !st.Complete || st.Torn {
		r.t.Fatalf("complete %v, torn %v", st.Complete, st.Torn)
	}
	r.seen = st
	return st
}

// act lets a connection come, go, run a command, or wait in one.
func (r *recorder) act() {
	r.t.Helper()
	if len(r.actors) < 2 || len(r.actors) < 5 && r.once(3) {
		s, err := r.client.Session(within(r.t), actors+r.num(1, 3))
		if err != nil {
			r.t.Fatal(err)
		}
		r.actors = append(r.actors, s)
		r.sent = append(r.sent, []string{s.Name(), "comes"})
		return
	}
	i := r.IntN(len(r.actors))
	s := r.actors[i]
	switch n := r.IntN(5); {
	case n == 0 || s.Busy():
		s.Cut()
		r.actors = slices.Delete(r.actors, i, i+1)
		r.sent = append(r.sent, []string{s.Name(), "goes"})
	case n == 1:
		r.block(s)
	default:
		for _, cmd := range r.commands() {
			r.sent = append(r.sent, append([]string{s.Name() + ">"}, cmd...))
			if _, err := s.Do(within(r.t), cmd...); err != nil {
				r.t.Fatal(err)
			}
		}
	}
}

func (r *recorder) block(s *client.Session) {
	r.t.Helper()
	cmd := []string{"BLPOP", "nothing", "0"}
	if r.once(2) {
		cmd = []string{"XREADGROUP", "GROUP", pick(r.traffic, groups()), pick(r.traffic, consumers()), "BLOCK", "0", "STREAMS", pick(r.traffic, streams()), ">"}
	}
	r.sent = append(r.sent, append([]string{s.Name() + ">"}, cmd...))
	if _, err := s.Start(cmd...); err != nil {
		r.t.Fatal(err)
	}
}

// text is a State with everything in it, to see later whether it was altered.
func text(t *testing.T, s state.State) string {
	t.Helper()
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
