//go:build unix

package cli_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"pelscope/assets"
	"pelscope/lessons"
	"pelscope/redisx/private/servertest"
)

// coreLesson is a lesson as the program has it.
func coreLesson(t *testing.T, id string) *lessons.Lesson {
	t.Helper()
	all, err := lessons.LoadAll(assets.Lessons, "lessons")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range all {
		if l.ID == id {
			return l
		}
	}
	t.Fatalf("there is no lesson %s", id)
	return nil
}

// On a machine without Redis a lesson is done by keyboard alone, and so on one with it. What is waited for
// really takes its time.
func TestALessonIsDoneByKeyboardAlone(t *testing.T) {
	l := coreLesson(t, "crash-then-zero")
	for _, c := range []struct{ name, says string }{{"without Redis", "embedded engine, as Redis"}, {"with Redis", "private server, "}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRoom(t)
			if c.name == "with Redis" {
				r.has(t, servertest.Binaries(t)[0].Path)
			}
			x := openIn(t, r.command(t), size{120, 36})
			x.shows(l.Words["en"].Title, "Explore a server")
			x.press("j\r") // the second lesson
			x.shows(c.says)
			for i := range l.Steps {
				x.shows(fmt.Sprintf("step %d of %d", i+1, len(l.Steps)))
				x.step(&l.Steps[i])
				x.press("\r")
			}
			x.shows("✓ done", "what you saw")
			x.press("\r")
			x.shows("✓", "seen", "Explore a server")
			x.press("q")
			if status := x.ends(); status != 0 {
				t.Errorf("exit status %d", status)
			}
			r.keepsNothingBut(t, "state")
		})
	}
}

// step does what a step asks for.
func (x *terminal) step(step *lessons.Step) {
	x.t.Helper()
	switch {
	case step.Challenge():
		x.press("\x1b")
		x.shows("S solution")
		x.press("S")
		x.shows("Play a solution?")
		x.press("y")
	case len(step.Do) == 0:
		return
	case step.Predict != nil:
		x.press("\x04") // don't know
	default:
		x.press("\r")
	}
	x.until("can be left", func() bool {
		screen := x.screen()
		return strings.Contains(screen, "enter goes on") || strings.Contains(screen, "All goals are reached")
	})
}

// keepsNothingBut fails when something else than these stands in the room's folders.
func (r room) keepsNothingBut(t *testing.T, folders ...string) {
	t.Helper()
	if left := r.files(t); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	entries, err := os.ReadDir(r.dir)
	if err != nil {
		t.Fatal(err)
	}
	allowed := append([]string{"home", "work", "tmp", "bin"}, folders...)
	for _, e := range entries {
		if !contains(allowed, e.Name()) {
			t.Errorf("made %s", filepath.Join(r.dir, e.Name()))
		}
	}
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// C21
func TestPoorTerminals(t *testing.T) {
	colour := regexp.MustCompile(`\x1b\[[\d;:]*\b(3[0-8]|4[0-8]|9[0-7]|10[0-7])[\d;:]*m`)
	for _, c := range []struct {
		name  string
		env   []string
		args  []string
		size  size
		shows []string
		check func(t *testing.T, out string)
	}{
		{"NO_COLOR", []string{"NO_COLOR=1"}, nil, size{80, 24}, []string{"Normal consumption", "lessons"}, func(t *testing.T, out string) {
			if got := colour.FindString(out); got != "" {
				t.Errorf("a colour is set: %q", got)
			}
		}},
		{"no UTF-8", []string{"LANG=C", "LC_ALL=C"}, nil, size{80, 24}, []string{"Normal consumption", "> "}, func(t *testing.T, out string) {
			for _, r := range out {
				if r >= utf8.RuneSelf {
					t.Fatalf("%q is written: %q", r, out)
				}
			}
		}},
		{"40×12", nil, nil, size{40, 12}, []string{"Normal consumption"}, nil},
		{"39×11", nil, nil, size{39, 11}, []string{"pelscope needs a screen of 40×12"}, nil},
		{"5×1", nil, nil, size{5, 1}, []string{"pelsc"}, nil},
		{"linux console", []string{"TERM=linux"}, nil, size{80, 24}, []string{"Normal consumption"}, nil},
		{"tmux", []string{"TERM=tmux-256color"}, nil, size{80, 24}, []string{"Normal consumption"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRoom(t)
			cmd := r.command(t, c.args...)
			cmd.Env = append(cmd.Env, c.env...)
			x := openIn(t, cmd, c.size)
			x.shows(c.shows...)
			x.press("\x03")
			if status := x.ends(); status != 0 {
				t.Errorf("exit status %d", status)
			}
			if c.check != nil {
				c.check(t, x.output())
			}
		})
	}
}

// C21: a screen that becomes too small, and large again.
func TestTheScreenMayBecomeTooSmall(t *testing.T) {
	x := openIn(t, newRoom(t).command(t, "learn", "normal", "--server", "embedded"), size{80, 24})
	x.shows("enter runs it")
	x.resize(size{39, 11})
	x.shows("this one is 39×11")
	x.resize(size{100, 30})
	x.shows("enter runs it")
}

// C23, C27: a password given in the environment is in no argument and nowhere on the terminal, and looking
// changes nothing and leaves no file.
func TestAWholeSessionOfLooking(t *testing.T) {
	srv := servertest.One(t)
	c := srv.Client(t)
	ctx := t.Context()
	const secret = "hunter2-and-more"
	c.Do(ctx, "ACL", "SETUSER", "onlooker", "reset", "on", ">"+secret, "~*", "+@all")
	t.Cleanup(func() { c.Do(context.Background(), "ACL", "DELUSER", "onlooker") })
	c.XAdd(ctx, entry("orders", "1-0", "event", "A17"))
	c.XGroupCreate(ctx, "orders", "workers", "0")
	c.Do(ctx, "XREADGROUP", "GROUP", "workers", "alice", "STREAMS", "orders", ">")
	all := func() string {
		return fmt.Sprint(c.Keys(ctx, "*").Val(), c.XInfoConsumers(ctx, "orders", "workers").Val()[0].Pending, c.Dump(ctx, "orders").Val())
	}
	before := all()

	r := newRoom(t)
	cmd := r.command(t, "explore", "--stream", "orders")
	_, at, _ := strings.Cut(srv.URL(), "@")
	scheme, _, _ := strings.Cut(srv.URL(), "://")
	cmd.Env = append(cmd.Env, "PELSCOPE_URL="+scheme+"://onlooker:"+secret+"@"+at)
	x := openIn(t, cmd, size{120, 36})
	x.shows("live", "event=A17", "alice")
	for _, key := range []string{"\t", "\t", "\r", "\x1b", "c", "f", "]", "o", "L"} {
		x.press(key)
	}
	x.shows("commands since pelscope connected")
	if args, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", x.cmd.Process.Pid)); err == nil && strings.Contains(string(args), secret) {
		t.Error("the password is in the arguments")
	}
	x.press("\x03")
	x.ends()
	if strings.Contains(x.output(), secret) {
		t.Error("the password was on the terminal")
	}
	if after := all(); after != before {
		t.Errorf("looking changed something:\n%s\n%s", before, after)
	}
	r.keepsNothingBut(t)
}
