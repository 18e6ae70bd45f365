//go:build unix

package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"pelscope/redisx/private/servertest"
)

// tmux is a terminal that somebody else wrote, with a shell in it. It tells nobody when something changed,
// so it is looked at again and again.
type tmux struct {
	t    *testing.T
	path string
	env  []string
}

// newTmux starts a shell in a room, with a tmux server of its own that reads no configuration.
func newTmux(t *testing.T, r room, s size, env ...string) *tmux {
	t.Helper()
	path, err := exec.LookPath("tmux")
	if err != nil {
		if require := os.Getenv("PELSCOPE_REQUIRE_SERVERS"); require != "" && require != "0" {
			t.Fatal("tmux is not installed")
		}
		t.Skip("tmux is not installed")
	}
	x := &tmux{t, path, r.environ(append(env, "TMUX_TMPDIR="+r.dir, "PS1=shell> ", "ENV=")...)}
	x.run("-f", "/dev/null", "new-session", "-d", "-x", fmt.Sprint(s.w), "-y", fmt.Sprint(s.h), "-c", r.path("work"), "/bin/sh", "-i")
	t.Cleanup(func() { x.run("kill-server") })
	x.run("set-option", "-g", "window-size", "manual")
	x.shows("shell>")
	return x
}

func (x *tmux) run(args ...string) string {
	x.t.Helper()
	cmd := exec.Command(x.path, append([]string{"-u", "-L", "pelscope-test"}, args...)...)
	cmd.Env = x.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		x.t.Fatalf("tmux %s: %v\n%s", args[0], err, out)
	}
	return string(out)
}

func (x *tmux) screen() string { x.t.Helper(); return x.run("capture-pane", "-p") }

// types sends text as it is; press sends keys by tmux's names for them.
func (x *tmux) types(text string)    { x.t.Helper(); x.run("send-keys", "-l", text) }
func (x *tmux) press(keys ...string) { x.t.Helper(); x.run(append([]string{"send-keys"}, keys...)...) }

func (x *tmux) resize(s size) {
	x.t.Helper()
	x.run("resize-window", "-x", fmt.Sprint(s.w), "-y", fmt.Sprint(s.h))
}

// shows waits until a line with all of these texts is on the screen.
func (x *tmux) shows(texts ...string) {
	x.t.Helper()
	x.until("a line with "+strings.Join(texts, " and "), func(screen string) bool {
		for line := range strings.Lines(screen) {
			if containsAll(line, texts) {
				return true
			}
		}
		return false
	})
}

func (x *tmux) until(what string, holds func(screen string) bool) {
	x.t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(patience)
	for !holds(x.screen()) {
		select {
		case <-tick.C:
		case <-limit:
			x.t.Fatalf("no screen with %s within %v, but:\n%s", what, patience, x.screen())
		}
	}
}

func containsAll(line string, texts []string) bool {
	for _, text := range texts {
		if !strings.Contains(line, text) {
			return false
		}
	}
	return true
}

// In tmux, on a real server that other clients write to, read from and claim on, every pane follows; the
// window may change its size, and the shell is as it was when one has quit.
func TestTheExplorerFollowsOtherClientsInTmux(t *testing.T) {
	srv := servertest.One(t)
	c := srv.Client(t)
	redis := func(args ...any) {
		t.Helper()
		if err := c.Do(t.Context(), args...).Err(); err != nil {
			t.Fatalf("%v: %v", args, err)
		}
	}
	redis("XADD", "orders", "1-0", "event", "A17")
	redis("XGROUP", "CREATE", "orders", "workers", "0")

	r := newRoom(t)
	r.has(t, binary(t))
	x := newTmux(t, r, size{120, 36}, "PELSCOPE_URL="+srv.URL())
	x.types("pelscope explore --stream orders")
	x.press("Enter")
	x.shows("orders ▸ workers")
	x.shows("1-0", "□", "event=A17")

	redis("XADD", "orders", "2-0", "event", "B42")
	x.shows("2-0", "□", "event=B42")
	x.shows("orders", "2 entries")

	redis("XREADGROUP", "GROUP", "workers", "alice", "COUNT", 1, "STREAMS", "orders", ">")
	x.shows("1-0", "◆", "alice", "×1") // the entry
	x.shows("pending +", "1-0", "alice")
	x.shows("alice", "1-0", "event=A17") // pending
	x.shows("last-delivered-id 1-0")

	redis("XCLAIM", "orders", "workers", "bob", 0, "1-0")
	x.shows("1-0", "◆", "bob", "×2")
	x.shows("alice → bob")

	redis("XACK", "orders", "workers", "1-0")
	x.shows("1-0", "■", "event=A17")

	x.resize(size{80, 24})
	x.until("24 lines of 80 columns", func(screen string) bool {
		return strings.Count(screen, "\n") == 24 && strings.Contains(screen, "orders ▸ workers") && strings.Contains(screen, "? keys")
	})
	x.press("q")
	x.until("the shell again", func(screen string) bool {
		return strings.HasPrefix(screen, "shell> pelscope explore --stream orders\nshell>")
	})
}
