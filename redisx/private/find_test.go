package private

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// program writes an executable file.
func program(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func script(version string) string { return "#!/bin/sh\nprintf '" + version + "'\n" }

func TestFindByName(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name, text string
		want       string // the binary found, or else
		reason     error
		says       string // what the error says, DIR standing for the folder
	}{
		{"redis", script("Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64 build=ae4\n"), "Redis 7.0.15", nil, ""},
		{"valkey", script("Valkey server v=9.1.2 sha=0\n"), "Valkey 9.1.2", nil, ""},
		{"next", script("Redis server v=10.0.0-rc1 sha=0\n"), "Redis 10.0.0-rc1", nil, ""},
		{"warned", script("some wrapper says hello\nRedis server v=8.6.3 sha=0\n"), "Redis 8.6.3", nil, ""},
		{"old", script("Redis server v=6.2.16 sha=0\n"), "", ErrTooOld, "DIR/old is Redis 6.2.16: 7.0 or newer is needed"},
		{"keydb", script("KeyDB server v=7.0.0 sha=0\n"), "", ErrNotServer,
			`DIR/keydb is not a redis-server or valkey-server: --version said "KeyDB server v=7.0.0 sha=0"`},
		{"rude", script(`\033]52;c;aGk=\007\033[2J\302\233\342\200\256hi\n\nthere`), "", ErrNotServer,
			`DIR/rude is not a redis-server or valkey-server: --version said "]52;c;aGk= [2J hi there"`},
		{"silent", "#!/bin/sh\nexit 3\n", "", ErrNotServer, "DIR/silent is not a redis-server or valkey-server: --version said nothing"},
		{"data", "\x00\x01\x02", "", ErrNotExecutable, "DIR/data cannot be executed: exec format error"},
		{"orphan", "#!/no/such/interpreter\n", "", ErrNotExecutable, "DIR/orphan cannot be executed: no such file or directory"},
	} {
		path := program(t, dir, c.name, c.text)
		b, err := Find(path)
		if !errors.Is(err, c.reason) {
			t.Errorf("%s: %v, not for the reason %v", c.name, err, c.reason)
		}
		switch {
		case err == nil && (b.String() != c.want || b.Path != path):
			t.Errorf("%s: found %v at %s, want %s", c.name, b, b.Path, c.want)
		case err != nil && strings.ReplaceAll(err.Error(), dir, "DIR") != c.says:
			t.Errorf("%s:\n got %s\nwant %s", c.name, strings.ReplaceAll(err.Error(), dir, "DIR"), c.says)
		}
	}
}

func TestFindWhatMayNotRun(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for bin, says := range map[string]string{
		plain:                      "DIR/plain cannot be executed: permission denied",
		filepath.Join(dir, "gone"): "DIR/gone cannot be executed: no such file or directory",
		dir:                        "DIR cannot be executed: is a directory",
		"no-such-name":             "no-such-name cannot be executed: executable file not found in $PATH",
	} {
		_, err := Find(bin)
		if !errors.Is(err, ErrNotExecutable) {
			t.Errorf("%s: %v", bin, err)
			continue
		}
		if got := strings.ReplaceAll(err.Error(), dir, "DIR"); got != says {
			t.Errorf("\n got %s\nwant %s", got, says)
		}
	}
}

// A program that says no end of things, and one that never ends with a child that holds its output.
func TestFindIsNotHeldUp(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"endless": "#!/bin/sh\nwhile :; do echo yes; done\n",
		"stuck":   "#!/bin/sh\nsleep 1000 & wait\n",
	} {
		path := program(t, dir, name, text)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := Find(path); !errors.Is(err, ErrNotServer) {
				t.Error(err)
			}
		})
	}
}

func TestHeadKeepsNoMoreThanItsLimit(t *testing.T) {
	h := &head{limit: 5}
	if n, err := io.Copy(h, strings.NewReader(strings.Repeat("abc", 100_000))); n != 300_000 || err != nil {
		t.Errorf("took %d bytes, %v", n, err)
	}
	if got := h.kept.String(); got != "abcab" {
		t.Errorf("kept %d bytes", len(got))
	}
}

func TestFindOnPath(t *testing.T) {
	redis, valkey, old := script("Redis server v=8.6.3 sha=0"), script("Valkey server v=9.1.2 sha=0"), script("Redis server v=6.0.16 sha=0")
	for _, c := range []struct {
		name   string
		path   map[string]string
		want   string
		reason error
	}{
		{"redis before valkey", map[string]string{"redis-server": redis, "valkey-server": valkey}, "Redis 8.6.3", nil},
		{"valkey alone", map[string]string{"valkey-server": valkey}, "Valkey 9.1.2", nil},
		{"valkey when redis is too old", map[string]string{"redis-server": old, "valkey-server": valkey}, "Valkey 9.1.2", nil},
		{"only too old", map[string]string{"redis-server": old}, "", ErrTooOld},
		{"nothing", nil, "", ErrNone},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			t.Setenv("PATH", dir)
			for name, text := range c.path {
				program(t, dir, name, text)
			}
			b, err := Find("")
			if !errors.Is(err, c.reason) || err == nil && b.String() != c.want {
				t.Errorf("found %v, %v", b, err)
			}
		})
	}
}

func TestErrNoneSaysWhatToDo(t *testing.T) {
	for _, part := range []string{"install", "redis-server", "valkey-server", "7.0", "--server-bin", "embedded engine"} {
		if !strings.Contains(ErrNone.Error(), part) {
			t.Errorf("nothing about %s in: %v", part, ErrNone)
		}
	}
}

func TestAtLeast(t *testing.T) {
	for version, want := range map[string]bool{
		"6.2.16": false, "7.0.15": false, "7.1.9": false, "7.2.0": true, "7.10.0": true, "8.0.0": true, "10.0-rc1": true, "": false, "x": false,
	} {
		if got := (Binary{Version: version}).AtLeast(7, 2); got != want {
			t.Errorf("%q at least 7.2: %v", version, got)
		}
	}
}
