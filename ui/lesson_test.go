package ui_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pelscope/lessons"
	"pelscope/redisx/embedded"
	"pelscope/redisx/resp"
	"pelscope/redisx/state"
	"pelscope/ui"
	"pelscope/ui/uitest"
)

// answers are what a lesson's predictions come to, by step and cell, from a run of its own.
type answers map[string]map[string]string

// scout plays a lesson without a screen and notes what every predicted cell comes to.
func scout(t *testing.T, l *lessons.Lesson) answers {
	t.Helper()
	ctx := context.Background()
	e := embedded.New(embedded.Options{})
	defer func() { _ = e.Close() }()
	lab, err := openLab(ctx, e.Dial)
	if err != nil {
		t.Fatal(err)
	}
	s, err := lessons.Start(ctx, l, lab.Client, lessons.Options{})
	if err != nil {
		t.Fatal(err)
	}
	out := answers{}
	for !s.Finished() {
		step := s.Step()
		switch {
		case step.Challenge():
			_, err = s.Solve(ctx, 0)
		case len(step.Do) > 0:
			var o lessons.Outcome
			o, err = s.Run(ctx)
			out[step.ID] = map[string]string{}
			for _, g := range o.Answers {
				out[step.ID][g.Cell.String()] = g.Now
			}
		}
		if err != nil {
			t.Fatalf("%s/%s: %v", l.ID, step.ID, err)
		}
		if err := s.Next(ctx); err != nil {
			t.Fatalf("%s/%s: %v", l.ID, step.ID, err)
		}
	}
	if err := s.Close(ctx); err != nil {
		t.Fatal(err)
	}
	_ = lab.Close()
	return out
}

// Each lesson can be done from its first step to its last by keyboard alone: with right predictions,
// with wrong ones, and with none.
func TestEveryLessonFromStartToEnd(t *testing.T) {
	for _, l := range curriculum(t) {
		for _, how := range []string{"right", "wrong", "don't know"} {
			t.Run(l.ID+"/"+how, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { playThrough(t, l, how) })
			})
		}
	}
}

func playThrough(t *testing.T, l *lessons.Lesson, how string) {
	want := scout(t, l)
	p := begin(t, l.ID)
	defer p.end()
	p.Shows("embedded engine", l.Words["en"].Title)
	for i := range l.Steps {
		step := &l.Steps[i]
		p.WaitFor(fmt.Sprintf("step %d of %d", i+1, len(l.Steps)))
		switch {
		case step.Challenge():
			p.challenge(l, step)
		case len(step.Do) > 0:
			p.predictAndRun(step, how, want[step.ID])
		}
		p.Press("enter")
		p.Advance(200 * time.Millisecond)
	}
	p.WaitFor("done")
	p.Shows("what you saw")
	of := p.progress.Of(l.ID)
	for _, step := range l.Steps {
		if !of.Steps[step.ID].Done() {
			t.Errorf("step %s is not noted as done", step.ID)
		}
	}
}

// predictAndRun fills in the prediction as told, runs the step, and holds the verdicts on the screen.
func (p *program) predictAndRun(step *lessons.Step, how string, want map[string]string) {
	p.t.Helper()
	switch {
	case step.Predict == nil:
		p.Press("enter")
	case how == "don't know":
		p.Press("ctrl+d")
	default:
		p.fill(step.Predict, how, want)
	}
	p.settle(step)
	if step.Predict == nil || how == "don't know" || len(step.Predict.Cells) == 0 {
		return
	}
	screen := p.Screen()
	if n := strings.Count(screen, how+" "); n < 1 && !strings.Contains(screen, how) {
		p.t.Errorf("step %s: no verdict %q on the screen:\n%s", step.ID, how, screen)
	}
	other := map[string]string{"right": "✗ wrong", "wrong": "✓ right"}[how]
	if strings.Contains(screen, other) {
		p.t.Errorf("step %s: predicted all %s, the screen says %q:\n%s", step.ID, how, other, screen)
	}
}

func (p *program) fill(predict *lessons.Predict, how string, want map[string]string) {
	for i, c := range predict.Cells {
		value := "999"
		if how == "right" {
			value = want[c.String()]
		}
		p.Type(value)
		if i < len(predict.Cells)-1 || predict.Choice != nil {
			p.Press("tab")
		}
	}
	if predict.Choice != nil {
		p.choose(predict.Choice, how == "right")
	}
	p.Press("enter")
}

// choose goes down from the question to an answer that is right, or to one that is not.
func (p *program) choose(choice *lessons.Choice, right bool) {
	p.t.Helper()
	if is := ask(p, (*ui.Model).Chosen); is != "" {
		p.t.Errorf("%s is taken before anything was chosen", is)
	}
	for range choice.Options {
		p.Press("down")
		if (ask(p, (*ui.Model).Chosen) == "right") == right {
			return
		}
	}
	p.t.Errorf("no answer that is right: %v", right)
}

// settle waits until the step has run, skipping nothing: its waits are waited for, in virtual time.
func (p *program) settle(step *lessons.Step) {
	p.t.Helper()
	p.Advance(300 * time.Millisecond)
	for range 100 {
		if !strings.Contains(p.Screen(), "running…") && !ask(p, (*ui.Model).Busy) {
			return
		}
		p.Advance(500 * time.Millisecond)
	}
	p.t.Fatalf("step %s does not end:\n%s", step.ID, p.Screen())
}

// challenge types the first solution that consists of commands and of events that have a key.
func (p *program) challenge(l *lessons.Lesson, step *lessons.Step) {
	p.t.Helper()
	for _, solution := range step.Solutions {
		if !typeable(solution) {
			continue
		}
		for _, a := range solution {
			p.typeAction(step, a)
		}
		p.WaitFor("All goals are reached")
		return
	}
	p.Press("esc", "S", "y")
	p.settle(step)
	p.WaitFor("All goals are reached")
}

func typeable(actions []lessons.Action) bool {
	for _, a := range actions {
		if a.Event == nil {
			continue
		}
		switch a.Event.Kind {
		case lessons.EventIdle, lessons.EventWait, lessons.EventCrash, lessons.EventStart:
		default:
			return false
		}
	}
	return true
}

func (p *program) typeAction(step *lessons.Step, a lessons.Action) {
	p.t.Helper()
	if e := a.Event; e != nil {
		switch e.Kind {
		case lessons.EventIdle, lessons.EventWait:
			p.Advance(e.For + time.Second)
		case lessons.EventCrash:
			p.become(e.Who)
			p.Press("ctrl+x")
			p.settle(step)
		}
		return
	}
	p.become(a.Actor)
	p.Type(resp.Join(ask(p, func(m *ui.Model) []string { return m.Expand(a.Args) })))
	p.Press("enter")
	p.settle(step)
}

// become turns to an actor at the prompt.
func (p *program) become(actor string) {
	p.t.Helper()
	for range 8 {
		if strings.Contains(p.Screen(), " "+actor+"> ") && ask(p, (*ui.Model).Actor) == actor {
			return
		}
		p.Press("tab")
	}
	p.t.Fatalf("nobody can be %s at the prompt:\n%s", actor, p.Screen())
}

// Undo from every step leads back to the very screen that was there before it, on the server too.
func TestUndoFromEveryStep(t *testing.T) {
	for _, l := range curriculum(t) {
		t.Run(l.ID, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { undoEverywhere(t, l) })
		})
	}
}

func undoEverywhere(t *testing.T, l *lessons.Lesson) {
	p := begin(t, l.ID)
	defer p.end()
	for i := range l.Steps {
		step := &l.Steps[i]
		p.WaitFor(fmt.Sprintf("step %d of %d", i+1, len(l.Steps)))
		if step.Challenge() {
			p.challenge(l, step)
			p.Press("enter")
			continue
		}
		if len(step.Do) > 0 {
			before := ask(p, (*ui.Model).Keys)
			p.predictAndRun(step, "don't know", nil)
			p.Press("u")
			p.settle(step)
			for _, c := range state.Diff(before, ask(p, (*ui.Model).Keys)) {
				if c.Kind() != state.KindSeen { // whoever waited in a read waits in it again: that is an attempt
					t.Errorf("step %s: undo left %s", step.ID, state.Notation(c, l.Home()))
				}
			}
			p.predictAndRun(step, "don't know", nil)
		}
		p.Press("enter")
		p.Advance(200 * time.Millisecond)
	}
}

// A resize at any moment of a lesson loses nothing.
func TestALessonThroughResizes(t *testing.T) {
	l := curriculum(t)[0]
	synctest.Test(t, func(t *testing.T) {
		p := begin(t, l.ID, uitest.Size(80, 24))
		defer p.end()
		sizes := [][2]int{{120, 36}, {40, 12}, {30, 8}, {200, 60}, {80, 24}}
		for i := range l.Steps[:8] {
			step := &l.Steps[i]
			size := sizes[i%len(sizes)]
			p.Resize(size[0], size[1])
			p.Advance(time.Second)
			if size[0] < 40 {
				p.Shows("pelscope needs", "40×12")
				p.Resize(120, 36)
			}
			if len(step.Do) > 0 {
				p.predictAndRun(step, "don't know", nil)
			}
			p.Press("enter")
			p.Advance(200 * time.Millisecond)
		}
		p.Resize(120, 36)
		p.WaitFor("step 9 of")
	})
}

// A server that dies in the middle of a lesson is said to be gone; what was seen last stays, keys are
// answered, and when it is back the lesson can be begun anew.
func TestAServerThatDiesAndReturnsInALesson(t *testing.T) {
	l := curriculum(t)[0]
	synctest.Test(t, func(t *testing.T) {
		p := begin(t, l.ID)
		defer p.end()
		p.predictAndRun(&l.Steps[0], "don't know", nil)
		p.wire.cut()
		p.Advance(3 * time.Second)
		p.Shows("The server does not answer", "step 1 of")
		p.Press("?")
		p.Shows("keys")
		p.Press("esc")
		p.wire.mend()
		p.Advance(3 * time.Second)
		if strings.Contains(p.Screen(), "does not answer") {
			t.Errorf("the server is back, and the screen says:\n%s", p.Screen())
		}
		p.Press("x", "y")
		p.Advance(2 * time.Second)
		p.Shows("step 1 of", "enter runs it")
		p.predictAndRun(&l.Steps[0], "don't know", nil)
		p.Shows("enter goes on")
	})
}
