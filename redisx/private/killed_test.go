//go:build unix

package private_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"pelscope/redisx/private"
	"pelscope/redisx/private/servertest"
)

func TestNothingOutlivesTheProgram(t *testing.T) {
	for name, sig := range map[string]syscall.Signal{"SIGKILL": syscall.SIGKILL, "SIGTERM": syscall.SIGTERM, "SIGHUP": syscall.SIGHUP} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, b private.Binary) {
				tmp := tempDir(t)
				cmd, out := program(t, "program", b.Path, tmp)
				var is started
				if err := out.Decode(&is); err != nil || is.Err != "" {
					t.Fatal(err, is.Err)
				}
				c := dial(t, is)
				syscall.Kill(cmd.Process.Pid, sig)
				cmd.Wait()
				if got, err := c.replies.ReadByte(); err == nil {
					t.Errorf("the server says %q", got)
				}
				eventually(t, "the watcher's end", func() bool { return gone(is.Watcher) })
				if !gone(is.PID) || !empty(t, tmp) {
					t.Error("the watcher left something behind")
				}
			})
		})
	}
}

// Ctrl-C at the terminal goes to the whole group of the program: it must reach neither watcher nor server.
func TestCtrlCDoesNotReachTheServer(t *testing.T) {
	cmd, out := program(t, "program", servertest.Binaries(t)[0].Path, tempDir(t))
	var is started
	if err := out.Decode(&is); err != nil || is.Err != "" {
		t.Fatal(err, is.Err)
	}
	c := dial(t, is)
	syscall.Kill(-cmd.Process.Pid, syscall.SIGINT)
	for name, pid := range map[string]int{"watcher": is.Watcher, "server": is.PID} {
		if group, err := syscall.Getpgid(pid); err != nil || group != pid {
			t.Errorf("the %s is in group %d: %v", name, group, err)
		}
	}
	// Two looks of the server at its signals, at ten a second, have passed when this is answered.
	if got := c.do("XREAD BLOCK 250 STREAMS s $"); got != "" {
		t.Errorf("the server: %q", got)
	}
	if got := c.do("PING"); got != "+PONG" {
		t.Errorf("the server: %q", got)
	}
}

// Without its watcher a server ends too, and the program sees to the rest.
func TestAKilledWatcher(t *testing.T) {
	for name, sig := range map[string]syscall.Signal{"SIGKILL": syscall.SIGKILL, "SIGTERM": syscall.SIGTERM} {
		t.Run(name, func(t *testing.T) {
			tmp := tempDir(t)
			s := startIn(t, tmp, servertest.Binaries(t)[0])
			syscall.Kill(s.WatcherPID(), sig)
			<-s.Done()
			eventually(t, "the server's end", func() bool { return gone(s.PID()) })
			if !empty(t, tmp) {
				t.Error("its folder is left")
			}
			if s.Err() == nil {
				t.Error("nobody is told")
			}
		})
	}
}

// The folder for temporary files is everybody's: only the server's own goes.
func TestOthersFilesStay(t *testing.T) {
	tmp := tempDir(t)
	other := filepath.Join(tmp, "pelscope-other")
	if err := os.Mkdir(other, 0o700); err != nil {
		t.Fatal(err)
	}
	s := startIn(t, tmp, servertest.Binaries(t)[0])
	s.Stop()
	if _, err := os.Stat(other); err != nil {
		t.Error(err)
	}
}
