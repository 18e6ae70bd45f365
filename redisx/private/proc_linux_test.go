package private_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"pelscope/redisx/private"
	"pelscope/redisx/private/servertest"
)

// anyLeft tells whether a process is left that was started with this folder for temporary files, or works
// in it. (Redis writes its title over its environment.)
func anyLeft(t *testing.T, tmp string) bool {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*")
	if err != nil || len(all) == 0 {
		t.Fatal("no /proc to look at:", err)
	}
	return slices.ContainsFunc(all, func(process string) bool {
		env, _ := os.ReadFile(process + "/environ")
		cwd, _ := os.Readlink(process + "/cwd")
		return bytes.Contains(env, []byte("TMPDIR="+tmp+"\x00")) || strings.HasPrefix(cwd, tmp+"/")
	})
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

// Whatever the moment, nothing stays.
func TestAProgramKilledWhileItStarts(t *testing.T) {
	b := servertest.Binaries(t)[0]
	for name, reached := range map[string]func(tmp string) bool{
		"at once": func(string) bool { return true },
		"folder":  func(tmp string) bool { return glob(tmp, "*") },
		"socket":  func(tmp string) bool { return glob(tmp, "*/s") },
	} {
		t.Run(name, func(t *testing.T) {
			tmp := tempDir(t)
			cmd, _ := program(t, "program", b.Path, tmp)
			eventually(t, name, func() bool { return reached(tmp) && anyLeft(t, tmp) })
			cmd.Process.Kill()
			cmd.Wait()
			eventually(t, "the end of all of it", func() bool { return empty(t, tmp) && !anyLeft(t, tmp) })
		})
	}
}

func glob(parts ...string) bool {
	found, _ := filepath.Glob(filepath.Join(parts...))
	return len(found) > 0
}
