package lessons

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pelscope/redisx/client"
	"pelscope/redisx/embedded"
	"pelscope/redisx/private/servertest"
	"pelscope/redisx/resp"
	"pelscope/redisx/state"
)

// play is a session of a lesson on a server, closed when the test ends.
func play(t *testing.T, l *Lesson, srv servertest.Server, o Options) *Session {
	t.Helper()
	return playOn(t, l, to(t, srv), o)
}

// everywhere runs a test on every real server and on the embedded engine.
func everywhere(t *testing.T, f func(*testing.T, connecting)) {
	servertest.Each(t, func(t *testing.T, srv servertest.Server) { f(t, to(t, srv)) })
	t.Run("embedded", func(t *testing.T) { f(t, in(t, embedded.Options{})) })
}

type connecting = func(context.Context) (*client.Client, error)

func playOn(t *testing.T, l *Lesson, connect connecting, o Options) *Session {
	t.Helper()
	c, err := connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s, err := Start(t.Context(), l, c, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(s.Close(context.Background()), c.Close()); err != nil {
			t.Error(err)
		}
	})
	return s
}

// run runs the current step, which must go as the lesson says.
func run(t *testing.T, s *Session) Outcome {
	t.Helper()
	o, err := s.Run(t.Context())
	if err != nil || len(o.Strayed) > 0 {
		t.Fatalf("step %s: %v, strayed %v", s.Step().ID, err, o.Strayed)
	}
	return o
}

func next(t *testing.T, s *Session) {
	t.Helper()
	if err := s.Next(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// challenge plays a lesson up to its challenge.
func challenge(t *testing.T, s *Session) {
	t.Helper()
	for !s.Step().Challenge() {
		run(t, s)
		next(t, s)
	}
}

func typed(t *testing.T, s *Session, who, line string) Outcome {
	t.Helper()
	o, err := s.Type(t.Context(), who, line)
	if err != nil {
		t.Fatalf("%s> %s: %v", who, line, err)
	}
	return o
}

// notations are the changes of an outcome that are no consequence of others.
func notations(s *Session, o Outcome) string {
	var out []string
	for _, c := range o.Changes {
		if !c.Kind().Derived() {
			out = append(out, state.Notation(c, s.Home()))
		}
	}
	return strings.Join(out, "; ")
}

// open is a lesson of nothing but a challenge, with this many entries and a group at the start.
func open(entries int) *Lesson {
	drained := "0"
	l := &Lesson{
		ID: "open", World: []Thing{
			{Name: "orders", Kind: "stream", Groups: []WorldGroup{{Name: "workers", Consumers: []string{"alice", "bob"}}}},
			{Name: "charges", Kind: "ledger"},
		},
		Steps: []Step{{ID: "free", As: "alice", Goals: []Goal{
			{ID: "drained", When: &Cond{All: []Cond{
				{Cell: &Cell{Name: "pending"}, Is: &drained}, {Cell: &Cell{Name: "lag"}, Is: &drained}, {Sent: "*XACK*"}}}},
		}}},
	}
	for i := range entries {
		id := state.ID{MS: uint64(i + 1)}.String()
		l.Seed = append(l.Seed, Action{Args: []string{"XADD", "orders", id, "event", "A" + id[:1], "amount", "100"}})
	}
	if entries == 0 {
		l.Seed = append(l.Seed, Action{Args: words("XGROUP CREATE orders workers 0 MKSTREAM")})
	} else {
		l.Seed = append(l.Seed, Action{Args: words("XGROUP CREATE orders workers 0")})
	}
	return l
}

func TestAPredictionIsGradedByWhatHappened(t *testing.T) {
	s := play(t, quick(t), servertest.One(t), Options{})
	for s.Step().ID != "again" {
		run(t, s)
		next(t, s)
	}
	s.Predict(Prediction{Cells: map[string]string{"cursor": "2", "deliveries(1-0)": "1"}, Choice: "zero-rereads-the-stream"})
	o := run(t, s)
	want := []Graded{
		{Cell{"cursor", ""}, "2-0", "2-0", "2", VerdictRight},
		{Cell{"deliveries", "1-0"}, "1", "2", "1", VerdictWrong},
		{Cell{"pending", "alice"}, "2", "2", "", VerdictNone},
	}
	for i, g := range o.Answers {
		if g != want[i] {
			t.Errorf("%s: %+v, want %+v", g.Cell, g, want[i])
		}
	}
	if len(o.Answers) != len(want) {
		t.Errorf("%d answers", len(o.Answers))
	}
	if c := o.Choice; c == nil || c.Verdict != VerdictWrong || c.Chosen.Text != "back" || c.Right.Text != "stays" {
		t.Errorf("choice %+v", c)
	}
}

func TestACommandIsShownAsOneTypesIt(t *testing.T) {
	s := play(t, quick(t), servertest.One(t), Options{})
	next(t, s)
	run(t, s)
	next(t, s)
	o := run(t, s)
	if got := o.Sent[0].Typed(); got != `RPUSH charges "A17 alice"` {
		t.Error(got)
	}
	if got := o.Reply(); got != "(integer) 1" {
		t.Error(got)
	}
}

func TestACrashIsSeenInTheClientList(t *testing.T) {
	servertest.Each(t, func(t *testing.T, srv servertest.Server) {
		s := play(t, open(1), srv, Options{})
		c := srv.Client(t)
		names := func() string { return c.Do(t.Context(), "CLIENT", "LIST").Val().(string) }
		if !strings.Contains(names(), " name=alice ") {
			t.Fatal("alice is not connected")
		}
		if _, err := s.Event(t.Context(), Event{Kind: EventCrash, Who: "alice"}); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(names(), " name=alice ") {
			t.Error("alice is still connected")
		}
		_, err := s.Type(t.Context(), "alice", "XLEN orders")
		var refused *RefusedError
		if !errors.As(err, &refused) || !strings.Contains(refused.Why, "has crashed") {
			t.Error(err)
		}
		if _, err := s.Event(t.Context(), Event{Kind: EventStart, Who: "alice"}); err != nil {
			t.Fatal(err)
		}
		if got := typed(t, s, "alice", "XLEN orders").Reply(); got != "(integer) 1" {
			t.Error(got)
		}
	})
}

func TestATypedReadThatBlocksWaitsAndItsReplyComes(t *testing.T) {
	everywhere(t, func(t *testing.T, connect connecting) {
		s := playOn(t, open(0), connect, Options{})
		o := typed(t, s, "alice", "XREADGROUP GROUP workers alice BLOCK 0 STREAMS orders >")
		if !o.Sent[0].Waiting || connections(s.State()) != "alice (blocked), bob" {
			t.Fatalf("%+v, connections %s", o.Sent, connections(s.State()))
		}
		if got := s.Actors()[0].Waiting; got != "XREADGROUP GROUP workers alice BLOCK 0 STREAMS orders >" {
			t.Error(got)
		}
		if _, err := s.Type(t.Context(), "alice", "PING"); err == nil {
			t.Error("alice does two things at once")
		}
		o = typed(t, s, "bob", "XADD orders 7-0 event A17")
		if len(o.Sent) != 2 || o.Sent[1].Actor != "alice" || !strings.Contains(resp.Print(o.Sent[1].Reply), `"7-0"`) {
			t.Fatalf("alice's reply is missing: %+v", o.Sent)
		}
		if got := notations(s, o); got != "+entry(7-0); cursor 0-0 -> 7-0; +pending(7-0) alice x1" {
			t.Error(got)
		}
	})
}

func TestABlockedReadEndsByItselfAndIsKeptForArrived(t *testing.T) {
	s := play(t, open(0), servertest.One(t), Options{})
	if o := typed(t, s, "alice", "XREADGROUP GROUP workers alice BLOCK 30 STREAMS orders >"); !o.Sent[0].Waiting {
		t.Fatalf("%+v", o.Sent)
	}
	for range 500 {
		if _, err := s.Look(t.Context()); err != nil {
			t.Fatal(err)
		}
		if came := s.Arrived(); len(came) > 0 {
			if !came[0].Reply.IsNil() || came[0].Actor != "alice" {
				t.Errorf("%+v", came)
			}
			return
		}
	}
	t.Error("no reply")
}

func TestATransactionIsOneConnectionsOwn(t *testing.T) {
	s := play(t, open(1), servertest.One(t), Options{})
	for _, x := range []struct{ who, line, reply string }{
		{"alice", "XREADGROUP GROUP workers alice STREAMS orders >", "*1-0*"},
		{"alice", "MULTI", "OK"},
		{"alice", "RPUSH charges A1", "QUEUED"},
		{"bob", "LLEN charges", "(integer) 0"},
		{"alice", "XACK orders workers 1-0", "QUEUED"},
		{"alice", "EXEC", "1) (integer) 1\n2) (integer) 1"},
	} {
		if s.Done() {
			t.Errorf("done before %s", x.line)
		}
		if got := typed(t, s, x.who, x.line).Reply(); !Glob(x.reply, got) {
			t.Errorf("%s> %s: %s", x.who, x.line, got)
		}
	}
	if !s.Done() {
		t.Errorf("goals %+v", s.Goals())
	}
	gone := slices.IndexFunc(s.Outcome().Changes, func(c state.Change) bool { return c.Kind() == state.KindPendingGone })
	if gone < 0 || s.Outcome().Changes[gone].(state.PendingGone).Cause != "XACK" {
		t.Errorf("the XACK in the MULTI is not known: %+v", s.Outcome().Changes)
	}
	if err := s.Undo(t.Context()); err != nil { // alice's MULTI is gone with her connection
		t.Fatal(err)
	}
	if got := typed(t, s, "alice", "LLEN charges").Reply(); got != "(integer) 0" || s.Done() {
		t.Errorf("after undo: %s, done %t", got, s.Done())
	}
}

func TestDangerousCommandsAreRefusedWithAReason(t *testing.T) {
	srv := servertest.One(t)
	for _, prefix := range []string{"", "pelscope:learn:"} {
		s := play(t, open(1), srv, Options{Prefix: prefix})
		lines := []string{"FLUSHALL", "flushdb", "SHUTDOWN NOSAVE", "CONFIG SET maxmemory 1", "DEBUG SLEEP 1", "REPLICAOF NO ONE",
			"SELECT 1", "CLIENT KILL TYPE normal", "CLIENT SETNAME bob", "SUBSCRIBE c", "MONITOR", "HELLO 3", "RESET", "QUIT", `XADD "orders`, "", "MOVE orders 1"}
		if prefix != "" {
			lines = append(lines, "EVAL return 0", "SCRIPT FLUSH", "SORT orders", "PUBLISH c m", "FUNCTION FLUSH", "KEYS *")
		}
		for _, line := range lines {
			_, err := s.Type(t.Context(), "alice", line)
			var refused *RefusedError
			var split *resp.SplitError
			if !errors.As(err, &refused) && !errors.As(err, &split) {
				t.Errorf("%q with prefix %q: %v", line, prefix, err)
			}
		}
		if s.CanUndo() {
			t.Error("something refused is to be undone")
		}
		typed(t, s, "alice", "XLEN orders")
	}
}

func TestOnAServerOfOnesOwnOnlyTheLessonsKeysAreTouched(t *testing.T) {
	srv := servertest.One(t)
	c := srv.Client(t)
	if err := c.RPush(t.Context(), "mine", "x").Err(); err != nil {
		t.Fatal(err)
	}
	s := play(t, open(1), srv, Options{Prefix: "pelscope:learn:"})
	o := typed(t, s, "alice", "RPUSH mine y") // it is the lesson's mine, not the server's
	if got := o.Sent[0].Typed(); got != "RPUSH pelscope:learn:mine y" || o.Reply() != "(integer) 1" {
		t.Errorf("%s: %s", got, o.Reply())
	}
	if got := typed(t, s, "alice", "XLEN pelscope:learn:orders").Reply(); got != "(integer) 1" {
		t.Error(got)
	}
	if got := typed(t, s, "alice", "XREADGROUP GROUP workers alice STREAMS orders >"); notations(s, got) != "cursor 0-0 -> 1-0; +pending(1-0) alice x1" {
		t.Error(notations(s, got))
	}
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if keys := c.Keys(t.Context(), "*").Val(); len(keys) != 1 || c.LLen(t.Context(), "mine").Val() != 1 {
		t.Errorf("left: %v", keys)
	}
}

func TestAnAckOfNothingIsPointedOut(t *testing.T) {
	s := play(t, open(1), servertest.One(t), Options{})
	o := typed(t, s, "alice", "XACK orders wronggroup 1-0")
	if o.Reply() != "(integer) 0" || len(o.Notes) != 1 || !strings.HasPrefix(o.Notes[0], "0 acknowledged") {
		t.Errorf("%s, %v", o.Reply(), o.Notes)
	}
}

// Ageing by hand is shown as the command it is, and the step still goes as the lesson says.
func TestAWaitCanBeSkipped(t *testing.T) {
	servertest.Each(t, func(t *testing.T, srv servertest.Server) {
		s := play(t, good(t), srv, Options{})
		for s.Step().ID != "again" {
			run(t, s)
			next(t, s)
		}
		step(s.lesson, "again").Do[1].Event.For = time.Hour
		var skipping sync.WaitGroup
		skipping.Go(func() {
			for s.Waiting().For == 0 {
				_, _ = s.Watch(t.Context())
			}
			s.SkipWait()
		})
		o := run(t, s)
		skipping.Wait()
		if got := o.Sent[0].Typed(); got != "XCLAIM orders workers alice 0 1-0 IDLE 3600000 JUSTID" {
			t.Error(got)
		}
	})
}

func TestTheScreenMayAskAllTheWhile(t *testing.T) {
	s := play(t, good(t), servertest.One(t), Options{})
	done := make(chan struct{})
	var asking sync.WaitGroup
	asking.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			if _, err := s.Look(t.Context()); err != nil {
				t.Error(err)
				return
			}
			_, _, _, _ = s.State(), s.Goals(), s.Actors(), s.Outcome()
			_, _ = s.CanUndo(), s.Waiting()
		}
	})
	challenge(t, s)
	close(done)
	asking.Wait()
}

func TestWhatStraysFromTheLessonIsSaidAndUndone(t *testing.T) {
	l := quick(t)
	free := open(0).Steps[0]
	free.Goals[0] = Goal{ID: "free", When: &Cond{Sent: "*"}}
	l.Steps = append(l.Steps[:2:2], append([]Step{free}, l.Steps[2:]...)...)
	s := play(t, l, servertest.One(t), Options{})
	challenge(t, s)
	typed(t, s, "bob", "XGROUP DESTROY orders workers")
	next(t, s)
	run(t, s)
	next(t, s)
	o, err := s.Run(t.Context())
	if err != nil || len(o.Strayed) == 0 {
		t.Fatalf("%v, strayed %v", err, o.Strayed)
	}
	if got := strings.Join(o.Strayed, "\n"); !strings.Contains(got, "NOGROUP") || !strings.Contains(got, "missing change: redelivered(1-0)") {
		t.Error(got)
	}
	for range 3 {
		if err := s.Undo(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if s.Step().ID != "free" {
		t.Fatal(s.Step().ID)
	}
	typed(t, s, "bob", "PING")
	for next(t, s); !s.Step().Challenge(); next(t, s) {
		run(t, s)
	}
}

func TestResetBeginsAgain(t *testing.T) {
	s := play(t, quick(t), servertest.One(t), Options{})
	before := s.State()
	challenge(t, s)
	if err := s.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s.Index() != 0 || s.CanUndo() || len(differences(timeless(before), timeless(s.State()), s.Home())) > 0 {
		t.Errorf("index %d, %v", s.Index(), differences(before, s.State(), s.Home()))
	}
	challenge(t, s)
}

func TestAStepThatTheServerCannotDoIsSkippedWithTheReason(t *testing.T) {
	l := quick(t)
	step(l, "look").Needs = Needs{Commands: []string{"XFUTURE"}}
	step(l, "read").Needs = Needs{Features: []string{"lag"}, Commands: []string{"LMOVE"}}
	srv := servertest.One(t)
	s := play(t, l, srv, Options{})
	if skipped := s.Skipped(); len(skipped) != 1 || skipped[0].Step != "look" || skipped[0].Why != srv.Name+" has no XFUTURE" || s.Step().ID != "read" {
		t.Errorf("%+v, at %s", skipped, s.Step().ID)
	}
	l.Needs.Features = []string{"telepathy"}
	r, _ := checked(t, l, srv, CheckOptions{})
	if len(r.Skipped) != 1 || r.Skipped[0].Why != srv.Name+" has no telepathy" || !r.OK() {
		t.Errorf("%+v", r)
	}
}

// A server that dies and comes back empty, while the learner works: undo puts the world back.
func TestUndoBringsTheWorldBackAfterTheServerDied(t *testing.T) {
	srv := servertest.Fresh(t, servertest.Binaries(t)[0])
	c, err := to(t, srv)(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	s, err := Start(t.Context(), open(2), c, Options{})
	if err != nil {
		t.Fatal(err)
	}
	typed(t, s, "alice", "XREADGROUP GROUP workers alice COUNT 1 STREAMS orders >")
	before := s.State()
	srv.Kill()
	_, err = s.Type(t.Context(), "alice", "XLEN orders")
	var lost *client.Error
	if !errors.As(err, &lost) {
		t.Fatal(err)
	}
	srv.Again(t)
	typed(t, s, "bob", "PING")
	for range 2 {
		if err := s.Undo(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	o := typed(t, s, "alice", "XREADGROUP GROUP workers alice COUNT 1 STREAMS orders >")
	if got := notations(s, o); got != "cursor 0-0 -> 1-0; +pending(1-0) alice x1" || connections(s.State()) != connections(before) {
		t.Error(got, connections(s.State()))
	}
}
