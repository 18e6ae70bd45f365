//go:build unix

package private_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"pelscope/redisx/private"
	"pelscope/redisx/private/servertest"
)

// roleVar makes this test binary a program that starts a server, to be killed by a test.
const roleVar = "PRIVATE_TEST_ROLE"

func TestMain(m *testing.M) {
	if os.Getenv(roleVar) == "forgets Watcher" {
		runProgram()
		return
	}
	if private.Watcher() {
		return
	}
	if os.Getenv(roleVar) != "" {
		runProgram()
		return
	}
	servertest.Main(m)
}

// started is what a program tells of its server.
type started struct {
	PID, Watcher                 int
	Dir, Network, Addr, Password string
	Err                          string
}

func describe(s *private.Server) started {
	return started{PID: s.PID(), Watcher: s.WatcherPID(), Dir: s.Dir(), Network: s.Network(), Addr: s.Addr(), Password: s.Password()}
}

// runProgram starts a server of the program named by its argument, tells about it, and lives on.
func runProgram() {
	signal.Ignore(syscall.SIGINT) // as a program does that reads Ctrl-C as a key
	var is started
	b, err := private.Find(os.Args[1])
	if err == nil {
		var s *private.Server
		if s, err = private.Start(context.Background(), b); err == nil {
			is = describe(s)
		}
	}
	if err != nil {
		is.Err = err.Error()
	}
	json.NewEncoder(os.Stdout).Encode(is)
	if err == nil {
		<-make(chan struct{})
	}
}

// program runs this binary as a program in a process group of its own; tmp is its folder for temporary files.
func program(t *testing.T, role, bin, tmp string) (*exec.Cmd, *json.Decoder) {
	t.Helper()
	cmd := exec.Command(os.Args[0], bin)
	cmd.Env = append(os.Environ(), roleVar+"="+role, "TMPDIR="+tmp)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	return cmd, json.NewDecoder(out)
}

// tempDir is a short one: t.TempDir's name would not fit a socket's path.
func tempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "p")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// startIn starts a server whose folder is in tmp.
func startIn(t *testing.T, tmp string, b private.Binary) *private.Server {
	t.Helper()
	t.Setenv("TMPDIR", tmp)
	s, err := private.Start(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Stop() })
	return s
}

// client is a connection to a server by nothing but the standard library.
type client struct {
	net.Conn
	replies *bufio.Reader
}

func dial(t *testing.T, s started) client {
	t.Helper()
	conn, err := net.Dial(s.Network, s.Addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(10 * time.Second))
	c := client{conn, bufio.NewReader(conn)}
	if got := c.do("AUTH " + s.Password); got != "+OK" {
		t.Fatalf("AUTH: %q", got)
	}
	return c
}

// do sends a command and gives the reply: a line, or the items of an array between blanks.
func (c client) do(command string) string {
	fmt.Fprintf(c, "%s\r\n", command)
	return c.reply()
}

func (c client) reply() string {
	line, err := c.replies.ReadString('\n')
	if err != nil {
		return err.Error()
	}
	line = strings.TrimSpace(line)
	n, _ := strconv.Atoi(line[1:])
	switch line[0] {
	case '$':
		line, _ = c.replies.ReadString('\n')
		return strings.TrimSpace(line)
	case '*':
		items := make([]string, max(n, 0))
		for i := range items {
			items[i] = c.reply()
		}
		return strings.Join(items, " ")
	}
	return line
}

// eventually waits for a condition that no event tells of: the end of a process that is not our child.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(8 * time.Second)
	for !holds() {
		select {
		case <-tick.C:
		case <-limit:
			t.Fatalf("%s: not within 8 s", what)
		}
	}
}

// gone tells whether no process has this id. A zombie, that only init can still reap, counts as gone.
func gone(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, ok := strings.Cut(string(stat), ") ")
	return err == nil && ok && state[0] == 'Z'
}

func empty(t *testing.T, dir string) bool {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return len(entries) == 0
}
