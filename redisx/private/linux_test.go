package private_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"pelscope/redisx/private"
)

// anyLeft tells whether a process is left that was started with this folder for temporary files.
func anyLeft(t *testing.T, tmp string) bool {
	t.Helper()
	environs, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil || len(environs) == 0 {
		t.Fatal("no /proc to look at:", err)
	}
	for _, path := range environs {
		env, _ := os.ReadFile(path)
		if bytes.Contains(env, []byte("TMPDIR="+tmp+"\x00")) {
			return true
		}
	}
	return false
}

// ps and /proc show argument lists to everybody, and environments to more than one thinks.
func TestNoSecretInArgumentsOrEnvironment(t *testing.T) {
	t.Setenv("REDIS_URL", "redis://:other-secret@example.com")
	each(t, func(t *testing.T, b private.Binary) {
		s := startIn(t, tempDir(t), b)
		for name, pid := range map[string]int{"server": s.PID(), "watcher": s.WatcherPID()} {
			for _, file := range []string{"cmdline", "environ"} {
				text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, file))
				if err != nil || len(text) == 0 {
					t.Fatalf("%s of the %s: %q, %v", file, name, text, err)
				}
				for _, secret := range []string{s.Password(), "other-secret"} {
					if strings.Contains(string(text), secret) {
						t.Errorf("%s of the %s holds %s", file, name, secret)
					}
				}
			}
		}
	})
}

// The last belt: with program and watcher both killed at once nobody is left to do it but the kernel. (The
// empty folder stays then.)
func TestTheKernelEndsAServerThatNobodyWatches(t *testing.T) {
	each(t, func(t *testing.T, b private.Binary) {
		cmd, out := program(t, "program", b.Path, tempDir(t))
		var is started
		if err := out.Decode(&is); err != nil || is.Err != "" {
			t.Fatal(err, is.Err)
		}
		cmd.Process.Kill()
		syscall.Kill(is.Watcher, syscall.SIGKILL)
		defer func() {
			if t.Failed() {
				syscall.Kill(-is.PID, syscall.SIGKILL)
			}
		}()
		eventually(t, "the server's end", func() bool { return gone(is.PID) })
	})
}
