package lessons

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"pelscope/redisx/client"
	"pelscope/redisx/state"
)

// CheckOptions are how a lesson is checked.
type CheckOptions struct {
	Prefix string                                           // as in Options
	Sleep  func(ctx context.Context, d time.Duration) error // as in Options
	Lang   string                                           // of the titles in the report; empty is en
}

// Failure is something that is not as the lesson says.
type Failure struct {
	Lesson string
	Step   string // empty when it concerns the lesson as a whole
	What   string // what was expected, and what was
}

// String is one line: lesson/step: what was expected, what was.
func (f Failure) String() string {
	if f.Step == "" {
		return f.Lesson + ": " + f.What
	}
	return f.Lesson + "/" + f.Step + ": " + f.What
}

// Result counts what a check has verified.
type Result struct {
	Lesson    string
	Server    string // product and version
	Steps     int    // that ran, challenges included
	Commands  int    // sent by the steps
	Changes   int    // that the steps made and the lesson lists or may leave out
	Answers   int    // of predictions, recomputed
	Clauses   int    // shown by a step that ran
	Solutions int
	Wrong     int // wrong ways that fail as they should
	Undos     int
	Skipped   []Skip // what this server cannot do; a Step may be empty for the whole lesson
	Failures  []Failure
}

// OK says whether everything was as the lesson says.
func (r Result) OK() bool { return len(r.Failures) == 0 }

// Check plays a lesson without a screen, twice from fresh, and holds everything that it says against what
// the server does. It writes each step's commands, replies and changes to report, as plain lines. The
// error is one of connecting or of the report; what the lesson has wrong is in Result.Failures, the first
// one first.
func Check(ctx context.Context, l *Lesson, connect func(context.Context) (*client.Client, error), report io.Writer, o CheckOptions) (Result, error) {
	k := &checker{l: l, o: o, out: &printer{w: report}, shown: map[string]bool{}, r: Result{Lesson: l.ID}}
	for pass := 1; pass <= 2; pass++ {
		err := k.pass(ctx, connect, pass)
		if err == nil {
			err = k.out.err
		}
		if err != nil {
			return k.r, fmt.Errorf("checking %s, run %d: %w", l.ID, pass, err)
		}
		if len(k.r.Skipped) > 0 && k.r.Skipped[0].Step == "" {
			return k.r, nil
		}
	}
	if !k.stopped {
		k.clauses()
	}
	k.out.summary(k.r)
	return k.r, k.out.err
}

// checker is one check of one lesson.
type checker struct {
	l       *Lesson
	o       CheckOptions
	out     *printer
	r       Result
	s       *Session
	pass1   [][]string // each step's changes in the first run
	full    bool       // the first run: print, undo, solve
	step    string
	shown   map[string]bool
	stopped bool // it could not be played to its end: what comes after says nothing
	tried   bool // undo with a worker blocked in XREADGROUP was tried
}

func (k *checker) fail(format string, args ...any) {
	f := Failure{k.l.ID, k.step, fmt.Sprintf(format, args...)}
	if slices.Contains(k.r.Failures, f) {
		return // the second run says it again
	}
	k.r.Failures = append(k.r.Failures, f)
	k.out.line("FAILED %s", f)
}

// pass plays the lesson once from fresh.
func (k *checker) pass(ctx context.Context, connect func(context.Context) (*client.Client, error), n int) (err error) {
	k.full, k.step = n == 1, ""
	c, err := connect(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	k.r.Server = c.Server().String()
	k.out.begin(k.l, k.r.Server, k.o.Lang, n)
	size, err := c.Do(ctx, "DBSIZE")
	if err != nil {
		return err
	}
	k.s, err = Start(ctx, k.l, c, Options{Prefix: k.o.Prefix, Sleep: k.o.Sleep})
	var lacks *NeedsError
	var lost *client.Error
	switch {
	case errors.As(err, &lacks):
		k.r.Skipped = append(k.r.Skipped, Skip{"", lacks.Why})
		k.out.line("skipped: %s", lacks.Why)
		return nil
	case errors.As(err, &lost), err != nil && ctx.Err() != nil:
		return err
	case err != nil:
		k.step, k.stopped = "seed", true
		k.fail("%s", err)
		return nil
	}
	if k.full {
		k.out.seed(k.s.Seeded())
	}
	err = k.steps(ctx)
	k.step = ""
	actors := k.s.Actors()
	err = errors.Join(err, k.s.Close(ctx))
	if err == nil {
		err = k.leftovers(ctx, c, size, actors)
	}
	return err
}

func (k *checker) steps(ctx context.Context) error {
	for !k.s.Finished() {
		i, step := k.s.Index(), k.s.Step()
		k.step = step.ID
		run := k.runStep
		if step.Challenge() {
			run = k.challenge
		}
		if k.full {
			k.out.step(k.s, i, step)
			k.r.Steps++
		}
		changes, err := run(ctx, step)
		if err != nil {
			return err
		}
		k.compareRuns(i, changes)
		for _, n := range step.Shows {
			k.shown[n] = true
		}
		if err := k.s.Next(ctx); errors.Is(err, ErrUnreached) {
			k.stopped = true // said already: no solution reaches the goals
			return nil
		} else if err != nil {
			return err
		}
	}
	k.step = ""
	if k.full {
		if !k.tried {
			k.out.line("undo with a worker blocked in a read was not tried: no step leaves a group with all entries read")
		}
		for _, x := range k.s.Skipped() {
			k.r.Skipped = append(k.r.Skipped, x)
			k.out.line("step %s is skipped: %s", x.Step, x.Why)
		}
	}
	return nil
}

// compareRuns holds a step's changes in the second run against those in the first.
func (k *checker) compareRuns(i int, changes []string) {
	if k.full {
		for len(k.pass1) <= i {
			k.pass1 = append(k.pass1, nil)
		}
		k.pass1[i] = changes
		return
	}
	if i >= len(k.pass1) {
		k.fail("the second run got further than the first")
		return
	}
	k.same("in the second run", k.pass1[i], changes)
}

// same says what differs between two lists of changes.
func (k *checker) same(when string, want, got []string) {
	missing, extra := matchLines(want, got)
	for _, line := range missing {
		k.fail("%s the change %s was missing", when, line)
	}
	for _, line := range extra {
		k.fail("%s there was another change, %s", when, line)
	}
}

// matchLines compares two lists whatever their order.
func matchLines(want, got []string) (missing, extra []string) {
	rest := slices.Clone(got)
	for _, line := range want {
		if i := slices.Index(rest, line); i >= 0 {
			rest = slices.Delete(rest, i, i+1)
			continue
		}
		missing = append(missing, line)
	}
	return missing, rest
}

// told are an outcome's changes that are no mere consequence of others, with saved ids by their names, and
// without the times of rows that were aged in this run or in the one to compare with.
func (k *checker) told(o Outcome, saved map[string]string, aged map[state.Place]bool) []string {
	var out []string
	for _, c := range o.Changes {
		if !c.Kind().Derived() && !(c.Kind() == state.KindRedelivered && (o.aged[c.Place()] || aged[c.Place()])) {
			out = append(out, anonymous(state.Notation(c, k.s.home), saved))
		}
	}
	return out
}

// clauses holds the numbered clauses against the steps that ran.
func (k *checker) clauses() {
	for _, c := range k.l.Clauses {
		switch {
		case k.shown[c.ID]:
			k.r.Clauses++
		case k.skippedShows(c.ID):
			k.out.line("%s is not shown on this server: %s", c.ID, c.Text)
		default:
			k.fail("%s (%s) is shown by no step", c.ID, c.Text)
		}
	}
	for _, step := range k.l.Steps {
		for _, id := range step.Shows {
			if !slices.ContainsFunc(k.l.Clauses, func(c Clause) bool { return c.ID == id }) {
				k.step = step.ID
				k.fail("shows %s, which is no clause of the lesson", id)
			}
		}
	}
	k.step = ""
}

func (k *checker) skippedShows(id string) bool {
	return slices.ContainsFunc(k.l.Steps, func(step Step) bool {
		skipped := slices.ContainsFunc(k.r.Skipped, func(x Skip) bool { return x.Step == step.ID })
		return skipped && slices.Contains(step.Shows, id)
	})
}
