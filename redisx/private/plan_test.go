package private

import (
	"net"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestPlanStaysOffTheNetworkWhileThePathFits(t *testing.T) {
	for _, c := range []struct {
		length  int // of TMPDIR, in bytes
		network string
	}{{4, "unix"}, {60, "unix"}, {76, "unix"}, {77, "tcp"}, {300, "tcp"}} {
		tmp := "/" + strings.Repeat("x", c.length-1)
		t.Setenv("TMPDIR", tmp)
		p, err := newPlan(Binary{Path: "/bin/redis-server"})
		if err != nil {
			t.Fatal(err)
		}
		if p.Network != c.network {
			t.Errorf("TMPDIR of %d bytes: %s", c.length, p.Network)
		}
		if filepath.Dir(p.Dir) != tmp {
			t.Errorf("folder %s is not in %s", p.Dir, tmp)
		}
		if host, _, _ := net.SplitHostPort(p.Addr); p.Network == "tcp" && host != "127.0.0.1" {
			t.Errorf("listens on %s", p.Addr)
		}
		if p.Network == "unix" && (filepath.Dir(p.Addr) != p.Dir || len(p.Addr) > longestSocket) {
			t.Errorf("socket %s", p.Addr)
		}
	}
}

func TestNoTwoPlansAreAlike(t *testing.T) {
	a, _ := newPlan(Binary{})
	b, _ := newPlan(Binary{})
	if a.Dir == b.Dir || a.Addr == b.Addr || a.Password == b.Password || len(a.Password) < 20 {
		t.Errorf("%+v\n%+v", a, b)
	}
}

func TestConfig(t *testing.T) {
	unix := plan{Dir: "/tmp/d", Network: "unix", Addr: "/tmp/d/s", Password: "secret"}
	want := `port 0
unixsocket "/tmp/d/s"
unixsocketperm 600
dir "/tmp/d"
requirepass "secret"
daemonize no
supervised no
logfile ""
save ""
appendonly no
maxmemory 256mb
maxmemory-policy noeviction
`
	if got := unix.config(); got != want {
		t.Errorf("got:\n%s", got)
	}
	tcp := plan{Dir: "/tmp/d", Network: "tcp", Addr: "127.0.0.1:4711", Password: "secret"}
	if got := tcp.config(); !strings.HasPrefix(got, "bind 127.0.0.1\nport 4711\ndir") || strings.Contains(got, "unixsocket") {
		t.Errorf("got:\n%s", got)
	}
}

func TestQuote(t *testing.T) {
	if got, want := quote("a \"b\" \\ \n한"), `"a \x22b\x22 \x5c \x0a\xed\x95\x9c"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestEnvironHidesWhatIsOurs(t *testing.T) {
	for _, name := range []string{marker, "PELSCOPE_URL", "REDIS_URL", "REDISCLI_AUTH", "LANG", "LC_CTYPE", "LC_ALL"} {
		t.Setenv(name, "mine")
	}
	t.Setenv("OTHERS", "kept")
	env := environ()
	if !slices.Contains(env, "OTHERS=kept") || !slices.Contains(env, "LC_ALL=C") {
		t.Errorf("something is missing: %q", env)
	}
	for _, kv := range env {
		if strings.HasSuffix(kv, "=mine") {
			t.Errorf("handed on: %s", kv)
		}
	}
}

func TestTailKeepsTheEndWithoutStampAndSecret(t *testing.T) {
	var log tail
	log.Write([]byte(strings.Repeat("7:M 30 Nov 2026 22:17:51.123 * old news\n", 1000)))
	log.Write([]byte("7:M 30 Nov 2026 22:17:51.123 # Failed\x1b[2J listening\n\n>>> 'requirepass \"hunter2\"'\nBad "))
	log.Write([]byte("directive"))
	if got, want := strings.Join(log.last(4, "hunter2"), "|"), `old news|Failed [2J listening|>>> 'requirepass "***"'|Bad directive`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if len(log.kept) > logBytes {
		t.Errorf("keeps %d bytes", len(log.kept))
	}
	if got := new(tail).last(5, "x"); len(got) != 0 {
		t.Errorf("an empty log has lines: %q", got)
	}
}
