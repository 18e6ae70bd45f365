package lessons

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pelscope/redisx/client"
	"pelscope/redisx/private/servertest"
)

// good is the small whole lesson of testdata.
func good(t *testing.T) *Lesson {
	t.Helper()
	l, err := LoadDir(os.DirFS("testdata"), "good")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// to connects to a server as the program does for a lesson.
func to(t testing.TB, s servertest.Server) func(context.Context) (*client.Client, error) {
	t.Helper()
	target, err := client.Parse(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	return func(ctx context.Context) (*client.Client, error) {
		return client.Open(ctx, target, client.Options{Write: true, Name: "pelscope"})
	}
}

// checked checks a lesson without waiting in vain, and gives the result with the report.
func checked(t *testing.T, l *Lesson, srv servertest.Server, o CheckOptions) (Result, string) {
	t.Helper()
	var report strings.Builder
	r, err := Check(t.Context(), l, to(t, srv), &report, o)
	if err != nil {
		t.Fatalf("%v\n%s", err, &report)
	}
	return r, report.String()
}

func TestAGoodLessonPassesOnEveryServer(t *testing.T) {
	l := good(t)
	servertest.Each(t, func(t *testing.T, srv servertest.Server) {
		t.Parallel()
		r, report := checked(t, l, srv, CheckOptions{})
		if !r.OK() || len(r.Skipped) > 0 {
			t.Errorf("failures %v, skipped %v\n%s", r.Failures, r.Skipped, report)
		}
		want := Result{Lesson: "good", Server: r.Server, Steps: 5, Commands: 6, Changes: r.Changes, Answers: 4, Clauses: 2, Solutions: 1, Wrong: 1, Undos: 6}
		if !strings.Contains(report, "undone too: undo-check blocked in XREADGROUP") {
			t.Error("undo with a blocked worker was not tried")
		}
		if diff := cmp.Diff(want, r); diff != "" {
			t.Error(diff)
		}
	})
}

// With a prefix everything else on the server stays as it is, and commands are shown as they are sent.
func TestALessonBesideOtherKeysTouchesOnlyItsOwn(t *testing.T) {
	srv := servertest.One(t)
	c := srv.Client(t)
	for _, key := range []string{"orders", "charges", "other"} {
		if err := c.Set(t.Context(), key, "mine", 0).Err(); err != nil {
			t.Fatal(err)
		}
	}
	l := quick(t)
	r, report := checked(t, l, srv, CheckOptions{Prefix: "pelscope:learn:"})
	if !r.OK() {
		t.Errorf("%v\n%s", r.Failures, report)
	}
	if !strings.Contains(report, "alice> XREADGROUP GROUP workers alice COUNT 2 STREAMS pelscope:learn:orders >") {
		t.Error("a command is not shown as it was sent")
	}
	keys, err := c.Keys(t.Context(), "*").Result()
	slices.Sort(keys)
	if err != nil || !slices.Equal(keys, []string{"charges", "orders", "other"}) {
		t.Errorf("afterwards there are %v, %v", keys, err)
	}
}

// quick is the good lesson without its wait.
func quick(t *testing.T) *Lesson {
	l := good(t)
	again := step(l, "again")
	again.Do = slices.DeleteFunc(again.Do, func(a Action) bool { return a.Event != nil && a.Event.Kind == EventIdle })
	return l
}

func step(l *Lesson, id string) *Step {
	return &l.Steps[slices.IndexFunc(l.Steps, func(s Step) bool { return s.ID == id })]
}

func words(line string) []string { return strings.Fields(line) }

// What can be wrong in a lesson, and what the check must say first.
func mistakes() []struct {
	name string
	do   func(*Lesson)
	want string
} {
	cell := func(text string) *Cell {
		c, err := ParseCell(text)
		if err != nil {
			panic(err)
		}
		return &c
	}
	text := func(s string) *string { return &s }
	drained := Cond{Cell: cell("pending"), Is: text("0")}
	return []struct {
		name string
		do   func(*Lesson)
		want string
	}{
		{"a change with another value", func(l *Lesson) { step(l, "again").Changes[0].Text = "deliveries(1-0) 1 -> 3" },
			"good/again: missing change: deliveries(1-0) 1 -> 3"},
		{"a change not listed", func(l *Lesson) { step(l, "read").Changes = step(l, "read").Changes[1:] },
			"good/read: unexpected change: cursor 0-0 -> 2-0"},
		{"a change that does not happen", func(l *Lesson) {
			step(l, "crash").Changes = append(step(l, "crash").Changes, Expected{Text: "-pending(1-0) alice"})
		}, "good/crash: missing change: -pending(1-0) alice"},
		{"a derived change that does not happen", func(l *Lesson) {
			step(l, "crash").Changes = append(step(l, "crash").Changes, Expected{Text: "-client(bob)"})
		}, "good/crash: missing change: -client(bob)"},
		{"one pattern for two changes", func(l *Lesson) {
			step(l, "read").Changes = []Expected{{Text: "cursor *"}, {Text: "+pending(*) alice x1"}}
		}, "good/read: unexpected change: +pending(2-0) alice x1"},
		{"the wrong option marked right", func(l *Lesson) {
			o := step(l, "again").Predict.Choice.Options
			o[0].Is, o[1].Is = o[1].Is, o[0].Is
		}, "good/again: question cursor: the option zero-rereads-the-stream holds, but is not marked right"},
		{"two options that hold", func(l *Lesson) {
			o := step(l, "again").Predict.Choice.Options
			o[1].When = o[0].When
		}, "good/again: question cursor: the option zero-rereads-the-stream holds, but is not marked right"},
		{"a cell of a place that is not there", func(l *Lesson) {
			step(l, "again").Predict.Cells = append(step(l, "again").Predict.Cells, *cell("deliveries(first)"))
		}, "good/again: prediction deliveries(first) cannot be read"},
		{"another reply", func(l *Lesson) { step(l, "crash").Do[0].Reply = "(integer) 2" },
			"good/crash: alice> RPUSH charges \"A17 alice\": expected the reply (integer) 2, was (integer) 1"},
		{"an error reply", func(l *Lesson) { step(l, "read").Do[0].Args = words("XREADGROUP GROUP nobody alice STREAMS orders >") },
			"good/read: alice> XREADGROUP GROUP nobody alice STREAMS orders >: the reply is (error) NOGROUP *"},
		{"an event that cannot be", func(l *Lesson) { step(l, "crash").Do[1].Event.Who = "carol" },
			"good/crash: carol has no connection to lose"},
		{"a command of somebody who crashed", func(l *Lesson) { step(l, "again").Do = step(l, "again").Do[1:] },
			"good/again: alice has crashed: start it first"},
		{"a clause that no step shows", func(l *Lesson) { step(l, "again").Shows = nil },
			"good: N2 (*) is shown by no step"},
		{"a clause that there is not", func(l *Lesson) { step(l, "again").Shows = []string{"N2", "N3"} },
			"good/again: shows N3, which is no clause of the lesson"},
		{"a goal reached at the start", func(l *Lesson) { *step(l, "challenge").Goals[0].When.Is = "2" },
			"good/challenge: goal drained is reached before anything was done"},
		{"a goal broken at the start", func(l *Lesson) { step(l, "challenge").Goals[2].Always = &drained },
			"good/challenge: goal kept is broken before anything was done"},
		{"a solution that is none", func(l *Lesson) { s := step(l, "challenge"); s.Solutions[0] = s.Solutions[0][:2] },
			"good/challenge: solution 1 does not reach goal order"},
		{"a second solution that is none", func(l *Lesson) {
			s := step(l, "challenge")
			s.Solutions = append(s.Solutions, s.Solutions[0][:2])
		}, "good/challenge: solution 2 does not reach goal order"},
		{"a solution in the wrong order", func(l *Lesson) {
			s := step(l, "challenge").Solutions[0]
			s[0], s[1], s[2] = s[1], s[2], s[0]
		}, "good/challenge: solution 1 does not reach goal order"},
		{"a solution that does what must never be", func(l *Lesson) {
			s := step(l, "challenge")
			s.Solutions[0] = append(s.Solutions[0], Action{Actor: "bob", Args: words("XGROUP DELCONSUMER orders workers alice")})
		}, "good/challenge: solution 1 breaks goal kept"},
		{"no solution", func(l *Lesson) { step(l, "challenge").Solutions = nil }, "good/challenge: the challenge has no solution"},
		{"a wrong way that reaches its goal", func(l *Lesson) { step(l, "challenge").Wrong[0].Fails = "drained" },
			"good/challenge: wrong way 1 reaches goal drained"},
		{"a wrong way that names no goal", func(l *Lesson) { step(l, "challenge").Wrong[0].Fails = "drain" },
			"good/challenge: wrong way 1 names the goal drain; there are drained, order, kept"},
		{"a seed that fails", func(l *Lesson) { l.Seed[3].Args = words("XGROUP CREATE nowhere workers 0") },
			"good/seed: seed: XGROUP CREATE nowhere workers 0: ERR *"},
		{"a key besides the world's", func(l *Lesson) {
			l.World = l.World[:1]
			step(l, "crash").Changes = []Expected{{Text: "-client(alice)"}}
		}, "good: 1 keys were left behind"},
		{"other changes in the second run", func(l *Lesson) {
			step(l, "crash").Do = append(step(l, "crash").Do, Action{Actor: "bob", Args: words("XADD orders * event A20")})
			step(l, "crash").Changes = append(step(l, "crash").Changes, Expected{Text: "+entry(*)"})
		}, "good/crash: after an undo the change +entry(*) was missing"},
	}
}

func TestEveryMistakeInALessonIsFound(t *testing.T) {
	b := servertest.Binaries(t)[0]
	for _, m := range mistakes() {
		t.Run(m.name, func(t *testing.T) {
			l := quick(t)
			m.do(l)
			r, report := checked(t, l, servertest.On(t, b), CheckOptions{})
			if r.OK() {
				t.Fatalf("not found\n%s", report)
			}
			if got := r.Failures[0].String(); !Glob(m.want, got) {
				t.Errorf("found first: %s\nwanted:      %s\nall: %v", got, m.want, r.Failures)
			}
			if !strings.Contains(report, "FAILED "+harmless(r.Failures[0].String())) {
				t.Error("the report does not tell it")
			}
		})
	}
}
