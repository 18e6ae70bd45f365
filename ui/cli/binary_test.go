//go:build unix

package cli_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// patience is for what should happen at once, on a machine that is busy with something else.
const patience = 30 * time.Second

// build makes pelscope, once, beside this test's own program: a folder that go test removes by itself.
var build = sync.OnceValues(func() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	path := filepath.Join(filepath.Dir(self), "pelscope")
	if out, err := exec.Command("go", "build", "-o", path, "pelscope").CombinedOutput(); err != nil {
		return "", errors.New(string(out) + err.Error())
	}
	return path, nil
})

func binary(t testing.TB) string {
	t.Helper()
	path, err := build()
	if err != nil {
		t.Fatalf("go build: %v", err)
	}
	return path
}

// room is a folder in which everything stands that a program may write to: home, the working directory
// (work), the one for temporary files (tmp), and pelscope's own (state). Its name is short, for a socket's
// has to fit. bin is all that is on PATH.
type room struct{ dir string }

func newRoom(t testing.TB) room {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "p")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	r := room{dir}
	for _, sub := range []string{"home", "work", "tmp", "bin"} {
		if err := os.Mkdir(r.path(sub), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func (r room) path(sub string) string { return filepath.Join(r.dir, sub) }

// has puts a program on the PATH.
func (r room) has(t testing.TB, program string) {
	t.Helper()
	if err := os.Symlink(program, filepath.Join(r.path("bin"), filepath.Base(program))); err != nil {
		t.Fatal(err)
	}
}

// environ is the whole environment of a program in this room; what is given comes last and so wins.
func (r room) environ(more ...string) []string {
	return append([]string{
		"PATH=" + r.path("bin"), "HOME=" + r.path("home"), "TMPDIR=" + r.path("tmp"), "PELSCOPE_STATE=" + r.path("state"),
		"TERM=xterm-256color", "LANG=en_US.UTF-8",
	}, more...)
}

// command is pelscope, not started yet, on no terminal.
func (r room) command(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(binary(t), args...)
	cmd.Env, cmd.Dir = r.environ(), r.path("work")
	return cmd
}

// terminal is a terminal with the real binary on it. What the binary writes is interpreted by an emulator,
// and the emulator's answers are what the binary reads. Its methods are for the test's goroutine.
type terminal struct {
	t      testing.TB
	cmd    *exec.Cmd
	tty    *os.File    // our side
	theirs *os.File    // the binary's side, kept so that its settings can be read when the binary has ended
	before *term.State // the settings that the binary found
	after  *term.State // and left, known when it has ended
	emu    *vt.SafeEmulator
	closed bool

	more   chan struct{} // something was written since the last look
	exited chan struct{} // the binary has ended
	silent chan struct{} // and all that it wrote was read

	mu      sync.Mutex
	written bytes.Buffer
	looked  int // as far as wrote has looked
}

// size is a terminal's, in columns and lines.
type size struct{ w, h uint16 }

// open starts pelscope on a terminal of 120×36.
func open(t testing.TB, args ...string) *terminal {
	t.Helper()
	return openIn(t, newRoom(t).command(t, args...), size{120, 36})
}

// openIn starts a command on a terminal on which something stands already.
func openIn(t testing.TB, cmd *exec.Cmd, s size) *terminal {
	t.Helper()
	x := &terminal{
		t: t, cmd: cmd, emu: vt.NewSafeEmulator(int(s.w), int(s.h)),
		more: make(chan struct{}, 1), exited: make(chan struct{}), silent: make(chan struct{}),
	}
	x.pair()
	t.Cleanup(x.close)
	x.setSize(s)
	var err error
	if x.before, err = term.GetState(int(x.theirs.Fd())); err != nil {
		t.Fatal(err)
	}
	_, _ = x.theirs.WriteString("$ pelscope\n") // as a shell leaves it
	go x.read()
	go func() { _, _ = io.Copy(x.tty, x.emu) }()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = x.theirs, x.theirs, x.theirs
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		close(x.exited)
		t.Fatal(err)
	}
	go func() {
		defer close(x.exited)
		_ = cmd.Wait() // the exit status is in cmd
	}()
	return x
}

// pair makes both sides. Ours does not block, so that closing it ends the reading of it; Fd would undo that.
func (x *terminal) pair() {
	x.t.Helper()
	ours, theirs, err := pty.Open()
	if err != nil {
		x.t.Fatal(err)
	}
	fd, err := unix.FcntlInt(ours.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		x.t.Fatal(err)
	}
	_ = ours.Close()
	if err := syscall.SetNonblock(fd, true); err != nil {
		x.t.Fatal(err)
	}
	x.tty, x.theirs = os.NewFile(uintptr(fd), "terminal"), theirs
}

func (x *terminal) setSize(s size) {
	x.t.Helper()
	if err := pty.Setsize(x.theirs, &pty.Winsize{Rows: s.h, Cols: s.w}); err != nil {
		x.t.Fatal(err)
	}
}

// read takes what is written until nobody has the terminal open any more.
func (x *terminal) read() {
	defer close(x.silent)
	buf := make([]byte, 64<<10)
	for {
		n, err := x.tty.Read(buf)
		x.mu.Lock()
		x.written.Write(buf[:n])
		x.mu.Unlock()
		x.wake()
		_, _ = x.emu.Write(buf[:n])
		x.wake()
		if err != nil {
			return
		}
	}
}

func (x *terminal) wake() {
	select {
	case x.more <- struct{}{}:
	default:
	}
}

// press sends keys, as bytes.
func (x *terminal) press(keys string) {
	x.t.Helper()
	if _, err := x.tty.WriteString(keys); err != nil {
		x.t.Fatal(err)
	}
}

// screen is the text on the screen.
func (x *terminal) screen() string { return ansi.Strip(x.emu.Render()) }

// output is every byte written so far.
func (x *terminal) output() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.written.String()
}

// shows waits until all of these texts are on the screen at once.
func (x *terminal) shows(texts ...string) {
	x.t.Helper()
	x.until("shows "+strings.Join(texts, " and "), func() bool {
		screen := x.screen()
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				return false
			}
		}
		return true
	})
}

// wrote waits until a text was written since the last call, wherever it may stand by now.
func (x *terminal) wrote(text string) {
	x.t.Helper()
	x.until("has "+text+" written on it", func() bool {
		x.mu.Lock()
		defer x.mu.Unlock()
		i := bytes.Index(x.written.Bytes()[x.looked:], []byte(text))
		if i >= 0 {
			x.looked = x.written.Len()
		}
		return i >= 0
	})
}

// until waits, looking whenever something was written.
func (x *terminal) until(what string, holds func() bool) {
	x.t.Helper()
	limit := time.After(patience)
	for !holds() {
		select {
		case <-x.more:
		case <-x.silent:
			if !holds() {
				x.t.Fatalf("no screen that %s before the end: %v\n%s", what, x.cmd.ProcessState, x.screen())
			}
			return
		case <-limit:
			x.t.Fatalf("no screen that %s within %v, but:\n%s", what, patience, x.screen())
		}
	}
}

// resize makes the terminal another size.
func (x *terminal) resize(s size) {
	x.t.Helper()
	x.emu.Resize(int(s.w), int(s.h))
	x.setSize(s)
}

// signal sends the binary a signal.
func (x *terminal) signal(sig os.Signal) {
	x.t.Helper()
	if err := x.cmd.Process.Signal(sig); err != nil {
		x.t.Fatal(err)
	}
}

// ends waits until the binary has ended and all that it wrote was read, and gives its exit status, -1 when
// a signal ended it.
func (x *terminal) ends() int {
	x.t.Helper()
	select {
	case <-x.exited:
	case <-time.After(patience):
		x.t.Fatalf("it does not end within %v, and shows\n%s", patience, x.screen())
	}
	var err error
	if x.after, err = term.GetState(int(x.theirs.Fd())); err != nil {
		x.t.Fatal(err)
	}
	_ = x.theirs.Close()
	<-x.silent
	return x.cmd.ProcessState.ExitCode()
}

// close ends the binary, if it still runs, and the terminal.
func (x *terminal) close() {
	if x.closed {
		return
	}
	x.closed = true
	if x.cmd.Process != nil {
		_ = x.cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-x.exited:
		case <-time.After(patience):
			_ = x.cmd.Process.Kill()
			<-x.exited
		}
	}
	_ = x.theirs.Close()
	_ = x.tty.Close()
	if answers, ok := x.emu.InputPipe().(io.Closer); ok {
		_ = answers.Close()
	}
}
