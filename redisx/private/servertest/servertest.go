package servertest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"

	"pelscope/redisx/private"
)

// Server is a real server that a test has for itself.
type Server struct {
	Name     string // Redis 7.0.15
	Kind     string // Redis or Valkey
	Version  string // 7.0.15
	Network  string // unix or tcp
	Addr     string
	Password string
	Binary   private.Binary

	process *private.Server
}

func newServer(s *private.Server) Server {
	b := s.Binary()
	return Server{
		Name: b.String(), Kind: b.Name, Version: b.Version, Binary: b,
		Network: s.Network(), Addr: s.Addr(), Password: s.Password(), process: s,
	}
}

// Main is a TestMain: it runs the tests and leaves no server behind.
func Main(m *testing.M) {
	if private.Watcher() {
		return
	}
	os.Setenv("GORACE", os.Getenv("GORACE")+" atexit_sleep_ms=0") // else a watcher takes a second to end under -race
	redis.SetLogger(&logging.VoidLogger{})                        // its own logger writes to standard error
	code := m.Run()
	shared.close()
	os.Exit(code)
}

// Binaries gives the servers found: Redis before Valkey, older before newer, at least one. Without any it ends the test, as [One] does.
func Binaries(t testing.TB) []private.Binary {
	t.Helper()
	return shared.binaries(t)
}

// Each runs f as a subtest on every server found.
func Each(t *testing.T, f func(*testing.T, Server)) {
	t.Helper()
	for _, b := range shared.binaries(t) {
		t.Run(fmt.Sprintf("%s-%s", b.Name, b.Version), func(t *testing.T) { f(t, shared.lend(t, b)) })
	}
}

// One gives the newest Redis found (without a Redis, the newest Valkey). It is t's alone until t ends,
// so a second call gives a second server. Without any server the test is skipped, or fails where servers are required.
func One(t testing.TB) Server {
	t.Helper()
	found := shared.binaries(t)
	newest := found[len(found)-1]
	for _, b := range found {
		if b.Name == "Redis" {
			newest = b
		}
	}
	return shared.lend(t, newest)
}

// On gives a server of that very program, as [One] does.
func On(t testing.TB, b private.Binary) Server {
	t.Helper()
	return shared.lend(t, b)
}

// Fresh starts a process that nobody had before and nobody gets afterwards.
func Fresh(t testing.TB, b private.Binary) Server {
	t.Helper()
	s, err := private.Start(context.Background(), b)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Stop() })
	return newServer(s)
}

// URL is the server's, as redis.ParseURL reads it.
func (s Server) URL() string {
	user := url.UserPassword("", s.Password)
	if s.Network == "unix" {
		return (&url.URL{Scheme: "unix", User: user, Path: s.Addr}).String()
	}
	return (&url.URL{Scheme: "redis", User: user, Host: s.Addr}).String()
}

// Client is a new go-redis client, closed when t ends. It sends every command once.
func (s Server) Client(t testing.TB) *redis.Client {
	c := connect(s.Network, s.Addr, s.Password)
	t.Cleanup(func() { c.Close() })
	return c
}

// AtLeast tells whether it is a Redis of version major.minor or newer. (What a Valkey can do follows from no such number: ask it.)
func (s Server) AtLeast(major, minor int) bool {
	return s.Kind == "Redis" && s.Binary.AtLeast(major, minor)
}

// PID is the server's process id.
func (s Server) PID() int { return s.process.PID() }

// Done is closed when the server has ended.
func (s Server) Done() <-chan struct{} { return s.process.Done() }

// Kill ends the server with SIGKILL and returns when it is gone.
func (s Server) Kill() {
	signal(s.PID(), sigKill)
	<-s.Done()
}

// Pause stops the server in its tracks: it accepts connections and answers nothing, until [Server.Resume].
func (s Server) Pause() { signal(s.PID(), sigStop) }

// Resume lets a paused server go on.
func (s Server) Resume() { signal(s.PID(), sigCont) }

// Again starts a killed server at the same address with the same password, empty.
func (s Server) Again(t testing.TB) Server {
	t.Helper()
	next, err := s.process.Again(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { next.Stop() })
	return newServer(next)
}
