//go:build unix

package private_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"pelscope/redisx/private"
	"pelscope/redisx/private/servertest"
)

// each runs f for every real server program found.
func each(t *testing.T, f func(*testing.T, private.Binary)) {
	t.Helper()
	for _, b := range servertest.Binaries(t) {
		t.Run(strings.ReplaceAll(b.String(), " ", "-"), func(t *testing.T) { f(t, b) })
	}
}

// wrapper is an executable script that ends up in b's server.
func wrapper(t *testing.T, b private.Binary, text string) private.Binary {
	t.Helper()
	b.Path, text = filepath.Join(tempDir(t), "redis-server"), "#!/bin/sh\n"+strings.ReplaceAll(text, "SERVER", b.Path)+"\n"
	if err := os.WriteFile(b.Path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return b
}

func TestAStartedServerAnswersAndKeepsToItself(t *testing.T) {
	each(t, func(t *testing.T, b private.Binary) {
		s := startIn(t, tempDir(t), b)
		if s.Network() != "unix" || s.Binary() != b || s.Err() != nil {
			t.Errorf("network %s, binary %v, error %v", s.Network(), s.Binary(), s.Err())
		}
		c := dial(t, describe(s))
		for command, want := range map[string]string{
			"PING":                            "+PONG",
			"CONFIG GET port":                 "port 0",
			"CONFIG GET save":                 "save ",
			"CONFIG GET appendonly":           "appendonly no",
			"CONFIG GET maxmemory":            "maxmemory 268435456",
			"CONFIG GET maxmemory-policy":     "maxmemory-policy noeviction",
			"CONFIG GET unixsocketperm":       "unixsocketperm 600",
			"CONFIG GET daemonize":            "daemonize no",
			"CONFIG SET timeout 0":            "+OK",
			"XADD s 1-1 f v":                  "1-1",
			"CONFIG GET enable-debug-command": "enable-debug-command no",
		} {
			if got := c.do(command); got != want {
				t.Errorf("%s: %q, want %q", command, got, want)
			}
		}
		for path, want := range map[string]os.FileMode{s.Dir(): 0o700 | os.ModeDir, s.Addr(): 0o600 | os.ModeSocket} {
			if info, err := os.Stat(path); err != nil || info.Mode() != want {
				t.Errorf("%s: %v, %v, want %v", path, info.Mode(), err, want)
			}
		}
	})
}

func TestNobodyGetsInWithoutThePassword(t *testing.T) {
	s := startIn(t, tempDir(t), servertest.Binaries(t)[0])
	c := dial(t, describe(s))
	c.do("RESET")
	if got := c.do("PING"); !strings.HasPrefix(got, "-NOAUTH") {
		t.Errorf("PING without password: %q", got)
	}
}

func TestStopLeavesNothing(t *testing.T) {
	for name, before := range map[string]func(client){
		"idle":        func(client) {},
		"blocked":     func(c client) { c.Write([]byte("XREAD BLOCK 0 STREAMS s $\r\n")) },
		"in a script": func(c client) { c.Write([]byte("EVAL \"while true do end\" 0\r\n")) },
		"with data": func(c client) {
			c.do("CONFIG SET save 1000") // whatever it may leave in its folder
			c.do("SET k v")
			c.do("SAVE")
		},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, b private.Binary) {
				s := startIn(t, tempDir(t), b)
				before(dial(t, describe(s)))
				mustStop(t, s)
			})
		})
	}
}

// mustStop stops s, twice and at once, and looks for what is left: no process (zombies included), no folder.
func mustStop(t *testing.T, s *private.Server) {
	t.Helper()
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			if err := s.Stop(); err != nil {
				t.Error("Stop:", err)
			}
		})
	}
	both.Wait()
	<-s.Done()
	for name, pid := range map[string]int{"server": s.PID(), "watcher": s.WatcherPID()} {
		if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
			t.Errorf("the %s is still there: %v", name, err)
		}
	}
	if _, err := os.Lstat(s.Dir()); !errors.Is(err, os.ErrNotExist) {
		t.Error("its folder is left:", err)
	}
	if s.Err() != nil || s.Stop() != nil {
		t.Errorf("after Stop: %v", s.Err())
	}
}

func TestAStoppedProcessIsEndedToo(t *testing.T) {
	s := startIn(t, tempDir(t), servertest.Binaries(t)[0])
	syscall.Kill(-s.PID(), syscall.SIGSTOP)
	mustStop(t, s)
}

// Debian's newer servers run here by a script that execs; another's script may not.
func TestWrapperScripts(t *testing.T) {
	for name, text := range map[string]string{
		"exec": `exec SERVER "$@"`,
		"fork": `SERVER "$@"`,
		"deaf": `trap "" TERM; SERVER "$@"; sleep 1000`,
	} {
		t.Run(name, func(t *testing.T) {
			s := startIn(t, tempDir(t), wrapper(t, servertest.Binaries(t)[0], text))
			c := dial(t, describe(s))
			mustStop(t, s)
			if got := c.do("PING"); got == "+PONG" {
				t.Error("the server outlived its wrapper")
			}
		})
	}
}

func TestAServerThatEndsByItselfIsTold(t *testing.T) {
	each(t, func(t *testing.T, b private.Binary) {
		tmp := tempDir(t)
		s := startIn(t, tmp, b)
		syscall.Kill(s.PID(), syscall.SIGKILL)
		<-s.Done()
		var ended *private.EndedError
		if err := s.Err(); !errors.As(err, &ended) || !strings.Contains(err.Error(), "killed") || !strings.Contains(err.Error(), b.String()) {
			t.Errorf("Err: %v", err)
		}
		if !empty(t, tmp) {
			t.Error("its folder is left")
		}
		if err := s.Stop(); err != nil {
			t.Error("Stop afterwards:", err)
		}
	})
}

func TestAgainIsTheSameAddress(t *testing.T) {
	s := startIn(t, tempDir(t), servertest.Binaries(t)[0])
	if _, err := s.Again(t.Context()); err == nil {
		t.Fatal("a second one while the first one runs")
	}
	dial(t, describe(s)).do("SHUTDOWN NOSAVE")
	<-s.Done()
	again, err := s.Again(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := dial(t, describe(s)).do("PING"); got != "+PONG" {
		t.Errorf("at the old address: %q", got)
	}
	mustStop(t, again)
}

func TestAServerThatRefusesToStartSaysWhy(t *testing.T) {
	for name, c := range map[string]struct{ text, says string }{
		"its configuration": {`exec SERVER "$@" --loglevel loud`, "loglevel"},
		"no words":          {`exit 3`, "exit status 3"},
		"words":             {`echo "no memory for you" >&2; exit 1`, "no memory for you; redis-server ended: exit status 1"},
		"a secret":          {`sed -n "s/requirepass/refused: &/p"`, `refused: requirepass "***"`},
		"a lost program":    {"", "no such file or directory"},
	} {
		t.Run(name, func(t *testing.T) {
			tmp := tempDir(t)
			b := wrapper(t, servertest.Binaries(t)[0], c.text)
			if c.text == "" {
				os.Remove(b.Path)
			}
			t.Setenv("TMPDIR", tmp)
			s, err := private.Start(t.Context(), b)
			if err == nil {
				s.Stop()
				t.Fatal("it started")
			}
			if !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), b.String()) {
				t.Errorf("says %q, and not %q", err, c.says)
			}
			if !empty(t, tmp) {
				t.Error("something is left in", tmp)
			}
		})
	}
}

func TestWithoutAFolderForTemporaryFiles(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(tempDir(t), "gone"))
	if _, err := private.Start(t.Context(), servertest.Binaries(t)[0]); err == nil || !strings.Contains(err.Error(), "no such file or directory") {
		t.Error(err)
	}
}

// Something that starts and never answers is given up when the caller's patience ends.
func TestASilentServerIsGivenUp(t *testing.T) {
	tmp := tempDir(t)
	t.Setenv("TMPDIR", tmp)
	silent := wrapper(t, servertest.Binaries(t)[0], `echo thinking; touch "$0.thinks"; sleep 1000`)
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error)
	go func() {
		_, err := private.Start(ctx, silent)
		failed <- err
	}()
	eventually(t, "the server's thoughts", func() bool { _, err := os.Stat(silent.Path + ".thinks"); return err == nil })
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "no answer") || !strings.Contains(err.Error(), "thinking") {
		t.Error(err)
	}
	if !empty(t, tmp) {
		t.Error("something is left in", tmp)
	}
}

func TestFoldersOfAnyName(t *testing.T) {
	for _, name := range []string{`a "b" 'c' \d`, "한국", "line\nbreak", strings.Repeat("long", 30)} {
		tmp := filepath.Join(tempDir(t), name)
		if err := os.Mkdir(tmp, 0o700); err != nil {
			t.Fatal(err)
		}
		s := startIn(t, tmp, servertest.Binaries(t)[0])
		want := "unix"
		if len(tmp) > 100 {
			want = "tcp"
		}
		if s.Network() != want {
			t.Errorf("in %q: %s, want %s", tmp, s.Network(), want)
		}
		if got := dial(t, describe(s)).do("PING"); got != "+PONG" {
			t.Errorf("in %q: %q", tmp, got)
		}
		mustStop(t, s)
	}
}

func TestTwentyAtOnce(t *testing.T) {
	const many = 20
	found := servertest.Binaries(t)
	tmp := tempDir(t)
	t.Setenv("TMPDIR", tmp)
	var servers [many]*private.Server
	var all sync.WaitGroup
	for i := range servers {
		all.Go(func() {
			var err error
			if servers[i], err = private.Start(t.Context(), found[i%len(found)]); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if t.Failed() {
		t.FailNow()
	}
	addrs, passwords := map[string]bool{}, map[string]bool{}
	for _, s := range servers {
		addrs[s.Addr()], passwords[s.Password()] = true, true
		dial(t, describe(s)).do("SET k v")
	}
	if len(addrs) != many || len(passwords) != many {
		t.Errorf("%d addresses, %d passwords", len(addrs), len(passwords))
	}
	for _, s := range servers {
		all.Go(func() { mustStop(t, s) })
	}
	all.Wait()
	if !empty(t, tmp) {
		t.Error("something is left in", tmp)
	}
}

func TestAMainThatForgetsWatcherIsToldSo(t *testing.T) {
	_, out := program(t, "forgets Watcher", servertest.Binaries(t)[0].Path, tempDir(t))
	var is started
	if err := out.Decode(&is); err != nil || !strings.Contains(is.Err, "could not start") {
		t.Errorf("%q, %v", is.Err, err)
	}
}

// A marker in the environment without the pipe that belongs to it makes no watcher.
func TestTheMarkerAloneMakesNoWatcher(t *testing.T) {
	t.Setenv("PELSCOPE_WATCHER", "1")
	if _, err := private.Start(t.Context(), private.Binary{}); err == nil || !strings.Contains(err.Error(), "private.Watcher") {
		t.Error("Start in an unfinished watcher:", err)
	}
	cmd := exec.Command(os.Args[0], servertest.Binaries(t)[0].Path)
	cmd.Env = append(os.Environ(), roleVar+"=program") // standard input is /dev/null
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	first := make([]byte, 6)
	if out.Read(first); string(first) != `{"PID"` {
		t.Errorf("the program said %q", first)
	}
}

func BenchmarkStart(b *testing.B) {
	for _, bin := range servertest.Binaries(b) {
		b.Run(strings.ReplaceAll(bin.String(), " ", "-"), func(b *testing.B) {
			for b.Loop() {
				s, err := private.Start(b.Context(), bin)
				if err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				s.Stop()
				b.StartTimer()
			}
		})
	}
}
