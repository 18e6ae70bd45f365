package ui_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pelscope/lessons"
	"pelscope/ui/uitest"
)

// named finds a lesson.
func named(t *testing.T, id string) *lessons.Lesson {
	t.Helper()
	for _, l := range curriculum(t) {
		if l.ID == id {
			return l
		}
	}
	t.Fatalf("there is no lesson %s", id)
	return nil
}

// goTo plays a lesson from its step number first, which is on the screen, up to the step id, without predictions.
func (p *program) goTo(l *lessons.Lesson, first int, id string) {
	p.t.Helper()
	for i := first; i < len(l.Steps); i++ {
		p.WaitFor(fmt.Sprintf("step %d of %d", i+1, len(l.Steps)))
		if l.Steps[i].ID == id {
			return
		}
		if len(l.Steps[i].Do) > 0 {
			p.predictAndRun(&l.Steps[i], "don't know", nil)
		}
		p.Press("enter")
		p.Advance(200 * time.Millisecond)
	}
	p.t.Fatalf("lesson %s has no step %s", l.ID, id)
}

// after is the number of the step that follows the step id.
func after(l *lessons.Lesson, id string) int {
	return 1 + slices.IndexFunc(l.Steps, func(s lessons.Step) bool { return s.ID == id })
}

// The screens of a lesson: a prediction being made, what it came to, and a challenge.
func TestLessonScreens(t *testing.T) {
	l := named(t, "crash-then-zero")
	for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 36}, {200, 60}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := begin(t, l.ID, uitest.Size(size[0], size[1]))
				defer p.end()
				if size[0] < 76 {
					p.Golden("begin")
					p.Press("enter")
					p.Advance(time.Second)
					p.Golden("ran")
					p.Press("tab")
					p.Golden("next-tab")
					return
				}
				p.goTo(l, 0, "zero")
				p.Type("4-0")
				p.Press("tab")
				p.Type("2")
				p.Golden("predicting")
				p.Press("tab", "tab", "tab", "down", "down", "enter")
				p.Advance(300 * time.Millisecond)
				p.Golden("observed")
				p.Press("r")
				p.Golden("replies")
				p.Press("esc", "enter")
				p.goTo(l, after(l, "zero"), "challenge")
				p.Type("XACK orders workers 11-0")
				p.Press("enter")
				p.Advance(300 * time.Millisecond)
				p.Press("ctrl+t")
				p.Advance(300 * time.Millisecond)
				p.Golden("challenge")
			})
		})
	}
}

// A crash in a lesson: CLIENT LIST has lost that connection, what is drawn of the workers comes from there,
// and the ledger has one charge until the other worker claims and works, then two.
func TestACrashOnTheScreenIsACrashOnTheServer(t *testing.T) {
	l := named(t, "crash-then-zero")
	synctest.Test(t, func(t *testing.T) {
		p := begin(t, l.ID)
		defer p.end()
		p.goTo(l, 0, "crash")
		p.Shows("alice ■ connected", "A17 ×1")
		p.Press("ctrl+d")
		p.Advance(500 * time.Millisecond)
		p.Shows("alice ✗ no connection", "A17 ×1")
		if list := p.ask("CLIENT", "LIST"); strings.Contains(list, "alice") || !strings.Contains(list, "bob") {
			t.Errorf("CLIENT LIST after the crash:\n%s", list)
		}
		if n := p.ask("LLEN", "charges"); n != "1" {
			t.Errorf("without the other worker the ledger has %s charges", n)
		}
		p.Advance(2 * time.Second)
		p.ask("XCLAIM", "orders", "workers", "bob", "0", "1-0") // somebody else, not the lesson's script
		p.ask("RPUSH", "charges", "A17 bob 1-0")
		p.Advance(2 * time.Second)
		p.Shows("A17 ×2", "alice, bob")
		if line := lineWith(p.Screen(), "1-0  ×2"); !strings.Contains(line, "bob") {
			t.Errorf("the claim by somebody else is not on the screen:\n%s", p.Screen())
		}
	})
}

func lineWith(screen, text string) string {
	for line := range strings.Lines(screen) {
		if strings.Contains(line, text) {
			return line
		}
	}
	return ""
}

// ask sends a command to the lesson's server, beside the program.
func (p *program) ask(args ...string) string {
	p.t.Helper()
	lab, err := openLab(p.t.Context(), p.wire.Dial)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = lab.Close() }()
	v, err := lab.Client.Do(p.t.Context(), args...)
	if err != nil || v.IsError() {
		p.t.Fatalf("%v: %v %s", args, err, v.Text())
	}
	return v.Text()
}
