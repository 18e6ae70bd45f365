package lessons

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pelscope/redisx/private/servertest"
	"pelscope/redisx/state"
)

func undo(t *testing.T, s *Session) {
	t.Helper()
	if err := s.Undo(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// same fails when two States hold different keys (but for the last attempts of consumers) or connections.
func same(t *testing.T, s *Session, want state.State, when string) {
	t.Helper()
	got := s.State()
	for _, d := range differences(timeless(want), timeless(got), s.Home()) {
		t.Errorf("%s: %s", when, d)
	}
	if a, b := connections(want), connections(got); a != b {
		t.Errorf("%s: connections %s, want %s", when, b, a)
	}
}

// Undoing from the inside of a blocked read, and from later on, on every server.
func TestUndoWithWorkersBlockedInARead(t *testing.T) {
	everywhere(t, func(t *testing.T, connect connecting) {
		s := playOn(t, open(0), connect, Options{})
		idle := s.State()
		typed(t, s, "bob", "XREADGROUP GROUP workers bob BLOCK 0 STREAMS orders >")
		one := s.State()
		typed(t, s, "alice", "XREADGROUP GROUP workers alice BLOCK 0 STREAMS orders >")
		both := s.State()
		typed(t, s, "you", "XADD orders 1-0 event A1")
		typed(t, s, "you", "XADD orders 2-0 event A2")
		if got := cellOf(s, "owner(1-0)") + cellOf(s, "owner(2-0)"); got != "bobalice" {
			t.Fatalf("owners %s", got)
		}
		undo(t, s)
		undo(t, s)
		same(t, s, both, "both blocked")
		typed(t, s, "you", "XADD orders 1-0 event A1") // bob is first in the queue again
		if got := cellOf(s, "owner(1-0)"); got != "bob" {
			t.Errorf("after undo the entry goes to %s", got)
		}
		undo(t, s)
		undo(t, s)
		same(t, s, one, "bob blocked")
		undo(t, s)
		same(t, s, idle, "nobody blocked")
		if s.CanUndo() {
			t.Error("there is something left to undo")
		}
	})
}

func cellOf(s *Session, text string) string {
	c, err := ParseCell(text)
	if err != nil {
		return err.Error()
	}
	return c.Value(s.State(), s.Home(), s.ledger)
}

// Whatever is typed, each undo leads to the State before it.
func TestUndoOfAnythingTyped(t *testing.T) {
	everywhere(t, func(t *testing.T, connect connecting) {
		l := open(5)
		l.World = append(l.World, Thing{Name: "h", Kind: "hash"}, Thing{Name: "z", Kind: "zset"}, Thing{Name: "set", Kind: "set"}, Thing{Name: "s", Kind: "string"})
		s := playOn(t, l, connect, Options{})
		random := rand.New(rand.NewPCG(1, 2))
		const rounds = 60
		var before []state.State
		var lines []string
		for range rounds {
			before = append(before, s.State())
			who, line := anything(random)
			lines = append(lines, who+"> "+line)
			if _, err := s.Type(t.Context(), who, line); err != nil {
				t.Fatal(line, err)
			}
		}
		for i := rounds - 1; i >= 0; i-- {
			undo(t, s)
			same(t, s, before[i], "before "+lines[i])
			if t.Failed() {
				return
			}
		}
	})
}

func anything(r *rand.Rand) (who, line string) {
	who = []string{"alice", "bob"}[r.IntN(2)]
	id := r.IntN(8) + 1
	switch r.IntN(22) {
	case 0:
		return who, fmt.Sprintf("XREADGROUP GROUP workers %s COUNT %d STREAMS orders >", who, id)
	case 1:
		return who, fmt.Sprintf("XREADGROUP GROUP workers %s STREAMS orders 0", who)
	case 2, 3:
		return who, fmt.Sprintf("XACK orders workers %d-0", id)
	case 4:
		return who, fmt.Sprintf("XCLAIM orders workers %s 0 %d-0 %d-0", who, id, id+1)
	case 5:
		return who, fmt.Sprintf("XDEL orders %d-0", id)
	case 6, 7, 8:
		return who, fmt.Sprintf(`XADD orders * event A%d note "a\x00b"`, id)
	case 9:
		return who, fmt.Sprintf("XAUTOCLAIM orders workers %s 0 0", who)
	case 10:
		return who, fmt.Sprintf("XGROUP SETID orders workers %d", id)
	case 11:
		return who, "XGROUP DELCONSUMER orders workers " + who
	case 12:
		return who, "XTRIM orders MAXLEN 3"
	case 13:
		return who, fmt.Sprintf("XGROUP CREATE orders g%d $", id)
	case 14:
		return who, fmt.Sprintf("XGROUP DESTROY orders g%d", id)
	case 15:
		return who, fmt.Sprintf("RPUSH charges A%d", id)
	case 16:
		return who, fmt.Sprintf("HSET h f%d v", id)
	case 17:
		return who, fmt.Sprintf("ZADD z %d.5 m%d", id, id)
	case 18:
		return who, fmt.Sprintf("SADD set m%d", id)
	case 19:
		return who, fmt.Sprintf("SET s %d EX 100", id)
	case 20:
		return who, []string{"DEL orders", "DEL charges", "RENAME charges set", "LPOP charges"}[r.IntN(4)]
	}
	return who, fmt.Sprintf("XREADGROUP GROUP workers %s NOACK COUNT 1 STREAMS orders >", who)
}

// Keys that the lesson does not have are covered as soon as a typed command names them, and removed at the end.
func TestUndoCoversKeysThatTheLearnerMade(t *testing.T) {
	srv := servertest.One(t)
	c := srv.Client(t)
	s := play(t, open(1), srv, Options{})
	if o := typed(t, s, "alice", "SET done:A1 yes EX 1000"); len(o.Notes) != 1 || !strings.Contains(o.Notes[0], "done:A1") {
		t.Errorf("%v", o.Notes)
	}
	typed(t, s, "alice", "DEL done:A1")
	undo(t, s)
	if ttl := c.TTL(t.Context(), "done:A1").Val(); ttl.Seconds() < 900 {
		t.Errorf("time to live %s", ttl)
	}
	undo(t, s)
	if n := c.Exists(t.Context(), "done:A1").Val(); n != 0 {
		t.Error("still there")
	}
	typed(t, s, "alice", "SET done:A1 yes")
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := c.DBSize(t.Context()).Val(); n != 0 {
		t.Errorf("%d keys left", n)
	}
}

// Undo gives a slow worker its work back, and a crashed one its connection.
func TestUndoBringsWorkersBack(t *testing.T) {
	s := play(t, open(2), servertest.One(t), Options{})
	happen := func(e Event) {
		t.Helper()
		if _, err := s.Event(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	happen(Event{Kind: EventWork, Who: "alice", Like: LikeSlow, Count: 2})
	working := s.State()
	happen(Event{Kind: EventCrash, Who: "alice"})
	undo(t, s)
	same(t, s, working, "before the crash")
	happen(Event{Kind: EventFinish, Who: "alice"})
	if got := cellOf(s, "pending") + cellOf(s, "length(charges)"); got != "02" {
		t.Error(got)
	}
	undo(t, s)
	happen(Event{Kind: EventFinish, Who: "alice"})
	if got := cellOf(s, "pending") + cellOf(s, "length(charges)"); got != "02" {
		t.Errorf("again: %s", got)
	}
}

// Undo goes back through steps, and to the saved replies and predictions of that time.
func TestUndoGoesBackThroughTheLesson(t *testing.T) {
	s := play(t, quick(t), servertest.One(t), Options{})
	challenge(t, s)
	typed(t, s, "alice", "XACK orders workers 1-0")
	at := []string{"challenge", "again", "crash", "read"}
	for _, want := range at {
		undo(t, s)
		if s.Step().ID != want || s.Ran() {
			t.Errorf("at %s, ran %t; want %s", s.Step().ID, s.Ran(), want)
		}
	}
	if err := s.Undo(t.Context()); err != ErrNoUndo {
		t.Error(err)
	}
	challenge(t, s)
}

func TestASolutionIsPlayedFromTheBeginningAndUndone(t *testing.T) {
	s := play(t, quick(t), servertest.One(t), Options{})
	challenge(t, s)
	typed(t, s, "alice", "XGROUP DELCONSUMER orders workers alice")
	mine := s.State()
	if goals := s.Goals(); !goals[2].Broken {
		t.Errorf("%+v", goals)
	}
	if _, err := s.Solve(t.Context(), 0); err != nil || !s.Done() || !s.Solved() {
		t.Fatalf("%v, %+v", err, s.Goals())
	}
	undo(t, s)
	same(t, s, mine, "after undoing the solution")
	if s.Solved() || !s.Goals()[2].Broken {
		t.Errorf("solved %t, %+v", s.Solved(), s.Goals())
	}
}
