//go:build unix

package cli_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"pelscope/redisx/private"
	"pelscope/redisx/private/servertest"
)

// process is one of /proc: its id may be given to another one, but not with the same start.
type process struct {
	pid   int
	start string
}

// stat gives what /proc says of a process: its state, its parent, and itself.
func stat(pid string) (state string, parent int, p process, ok bool) {
	raw, err := os.ReadFile("/proc/" + pid + "/stat")
	_, rest, found := strings.Cut(string(raw), ") ")
	f := strings.Fields(rest)
	if err != nil || !found || len(f) < 20 {
		return "", 0, process{}, false
	}
	p.pid, _ = strconv.Atoi(pid)
	parent, _ = strconv.Atoi(f[1])
	p.start = f[19]
	return f[0], parent, p, true
}

// children are all processes below one, however deep.
func children(t *testing.T, of int) []process {
	t.Helper()
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	if len(dirs) == 0 {
		t.Skip("processes are found in /proc")
	}
	below := map[int][]process{}
	for _, d := range dirs {
		if _, parent, p, ok := stat(filepath.Base(d)); ok {
			below[parent] = append(below[parent], p)
		}
	}
	all := below[of]
	for i := 0; i < len(all); i++ {
		all = append(all, below[all[i].pid]...)
	}
	return all
}

// runs says whether a process is still there. One that only waits to be reaped, by an init that may not
// do it, is not.
func (p process) runs() bool {
	state, _, now, ok := stat(strconv.Itoa(p.pid))
	return ok && now == p && state != "Z"
}

// files are all the files and folders in the room that pelscope made, but for those in its own folder.
func (r room) files(t *testing.T) []string {
	t.Helper()
	var found []string
	for _, sub := range []string{"home", "work", "tmp"} {
		err := filepath.WalkDir(r.path(sub), func(path string, _ fs.DirEntry, err error) error {
			if path != r.path(sub) {
				found = append(found, path)
			}
			return err
		})
		if err != nil && !os.IsNotExist(err) { // what is being removed may vanish under our eyes
			t.Fatal(err)
		}
	}
	return found
}

// nothingLeft waits until none of these processes runs, and there is no file. Nobody tells of the end of a
// process that is not our child, so it is looked for.
func (r room) nothingLeft(t *testing.T, of []process) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(patience)
	for {
		left := ""
		for _, p := range of {
			if p.runs() {
				left += fmt.Sprintf("process %d ", p.pid)
			}
		}
		if left += strings.Join(r.files(t), " "); left == "" {
			return
		}
		select {
		case <-tick.C:
		case <-limit:
			t.Fatalf("left behind: %s", left)
		}
	}
}

// endings are the ways in which pelscope may come to its end. Of those that leave it no time, nothing is
// said about the terminal.
func endings() []ending {
	return []ending{
		{"q", func(x *terminal) { x.press("q") }, true},
		{"Ctrl-C", func(x *terminal) { x.press("\x03") }, true},
		{"SIGTERM", func(x *terminal) { x.signal(syscall.SIGTERM) }, true},
		{"SIGINT", func(x *terminal) { x.signal(syscall.SIGINT) }, true},
		{"SIGHUP", func(x *terminal) { x.signal(syscall.SIGHUP) }, true},
		{"SIGKILL", func(x *terminal) { x.signal(syscall.SIGKILL) }, false},
	}
}

type ending struct {
	name     string
	by       func(x *terminal)
	restores bool
}

// C22, C27
func TestNothingIsLeftOfAPrivateServer(t *testing.T) {
	for _, b := range servertest.Binaries(t) {
		for _, e := range endings() {
			t.Run(b.String()+"/"+e.name, func(t *testing.T) {
				r := newRoom(t)
				r.has(t, b.Path)
				x := openIn(t, r.command(t, "learn", "normal"), size{120, 36})
				x.shows("private server, "+b.String(), "enter runs it")
				x.press("\r")
				x.shows("enter goes on")
				below := children(t, x.cmd.Process.Pid)
				if len(below) != 2 {
					t.Errorf("%d processes below, want the watcher and the server", len(below))
				}
				endedBy(t, x, e)
				r.nothingLeft(t, below)
			})
		}
	}
}

// C22, C27
func TestWithoutAServerOnThePathNoneIsStarted(t *testing.T) {
	for _, e := range endings() {
		t.Run(e.name, func(t *testing.T) {
			r := newRoom(t)
			x := openIn(t, r.command(t, "learn", "normal"), size{120, 36})
			x.shows("embedded engine, as Redis", "enter runs it")
			x.press("\r")
			x.shows("enter goes on")
			if below, files := children(t, x.cmd.Process.Pid), r.files(t); len(below) > 0 || len(files) > 0 {
				t.Errorf("processes %v, files %v", below, files)
			}
			endedBy(t, x, e)
			r.nothingLeft(t, nil)
		})
	}
}

func endedBy(t *testing.T, x *terminal, e ending) {
	t.Helper()
	e.by(x)
	status := x.ends()
	if !e.restores {
		return
	}
	if status != 0 {
		t.Errorf("exit status %d", status)
	}
	x.restored()
}

// restored fails unless the terminal is as it was before: its settings, its modes, and what stood on it with
// what pelscope told at the end, if anything, below it, and the cursor below that.
func (x *terminal) restored(told ...string) {
	x.t.Helper()
	if !reflect.DeepEqual(x.before, x.after) {
		x.t.Errorf("its settings were %v and are %v", x.before, x.after)
	}
	x.modesRestored()
	screen := strings.TrimSpace(x.screen())
	before, rest, _ := strings.Cut(screen, "\n")
	asWas := strings.TrimSpace(before) == "$ pelscope" && (rest == "") == (len(told) == 0)
	for _, text := range told {
		asWas = asWas && strings.Contains(rest, text)
	}
	if !asWas {
		x.t.Errorf("what stands on it now, where it should tell %q:\n%s", told, screen)
	}
	if at := x.emu.CursorPosition(); at.X != 0 || at.Y != strings.Count(screen, "\n")+1 {
		x.t.Errorf("the cursor is in column %d of line %d:\n%s", at.X, at.Y, screen)
	}
}

// modesRestored fails for every mode, keyboard protocol or title that was set and not set back.
func (x *terminal) modesRestored() {
	x.t.Helper()
	out := x.output()
	last := map[string]string{}
	for _, m := range regexp.MustCompile(`\x1b\[\?(\d+)([hl])`).FindAllStringSubmatch(out, -1) {
		last[m[1]] = m[2]
	}
	if last["1049"] == "" || last["25"] == "" {
		x.t.Errorf("no alternate screen, or no cursor hidden, ever: %v", last)
	}
	for mode, is := range last {
		if usual := map[bool]string{true: "h", false: "l"}[mode == "25"]; is != usual { // the cursor is usually seen, all else is off
			x.t.Errorf("mode %s is left as %q", mode, is)
		}
	}
	pushed, popped := strings.Count(out, "\x1b[>1u"), strings.Count(out, "\x1b[<1u")
	if pushed == 0 || pushed != popped {
		x.t.Errorf("the keyboard protocol is set %d times and set back %d times", pushed, popped)
	}
	for _, p := range []struct{ what, set, back string }{
		{"keys", "\x1b[>4;2m", "\x1b[>4m"}, {"title", "\x1b]2;p", "\x1b]2;\a"},
	} {
		if set, back := strings.LastIndex(out, p.set), strings.LastIndex(out, p.back); set < 0 || back < set {
			x.t.Errorf("the %s are not set back: %d, then %d", p.what, set, back)
		}
	}
	if styles := regexp.MustCompile(`\x1b\[[\d;:]*m`).FindAllString(out, -1); styles[len(styles)-1] != "\x1b[m" {
		x.t.Errorf("the last style is %q", styles[len(styles)-1])
	}
}

// C22
func TestTheTerminalIsRestoredAfterTheExplorer(t *testing.T) {
	for _, e := range endings() {
		if !e.restores {
			continue
		}
		t.Run(e.name, func(t *testing.T) {
			srv := servertest.One(t)
			srv.Client(t).XAdd(context.Background(), entry("orders", "1-0", "event", "A17"))
			x := open(t, "explore", srv.URL(), "--stream", "orders")
			x.shows("live", "event=A17")
			endedBy(t, x, e)
		})
	}
}

// C22: the line to a terminal is lost, and the terminal with it.
func TestNothingIsLeftWhenTheTerminalIsGone(t *testing.T) {
	r := newRoom(t)
	r.has(t, servertest.Binaries(t)[0].Path)
	x := openIn(t, r.command(t, "learn", "normal"), size{120, 36})
	x.shows("private server", "enter runs it")
	below := children(t, x.cmd.Process.Pid)
	_ = x.theirs.Close()
	_ = x.tty.Close()
	select {
	case <-x.exited:
	case <-time.After(patience):
		t.Fatal("it lives on")
	}
	r.nothingLeft(t, below)
}

// C22
func TestAServerThatDiesLeavesNothingAndIsTold(t *testing.T) {
	r, b := newRoom(t), servertest.Binaries(t)[0]
	r.has(t, b.Path)
	x := openIn(t, r.command(t, "learn", "normal"), size{120, 36})
	x.shows("private server", "enter runs it")
	below := children(t, x.cmd.Process.Pid)
	for _, p := range below {
		if isServer(p, b) {
			_ = syscall.Kill(p.pid, syscall.SIGKILL)
		}
	}
	x.shows("The server does not answer")
	r.nothingLeft(t, below)
	x.press("q")
	if status := x.ends(); status != 1 {
		t.Errorf("exit status %d", status)
	}
	x.restored("pelscope: "+b.String(), "ended by itself")
	r.nothingLeft(t, nil)
}

// isServer tells the server from its watcher.
func isServer(p process, b private.Binary) bool {
	exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", p.pid))
	real, _ := filepath.EvalSymlinks(b.Path)
	return err == nil && exe == real
}
