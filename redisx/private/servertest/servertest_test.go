package servertest

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"pelscope/redisx/private"
)

func TestMain(m *testing.M) { Main(m) }

func ctx(t *testing.T) context.Context {
	c, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	t.Cleanup(cancel)
	return c
}

func TestEachServerAnswersByClientAndByURL(t *testing.T) {
	Each(t, func(t *testing.T, s Server) {
		byURL, err := redis.ParseURL(s.URL())
		if err != nil {
			t.Fatal(err)
		}
		other := redis.NewClient(byURL)
		defer other.Close()
		for _, c := range []*redis.Client{s.Client(t), other} {
			if got, err := c.Ping(ctx(t)).Result(); err != nil || got != "PONG" {
				t.Fatalf("PING: %q, %v", got, err)
			}
		}
	})
}

// What one test leaves behind, the next one does not find, though the process is the same.
func TestTheNextTestGetsTheSameServerEmpty(t *testing.T) {
	var first int
	t.Run("leaves things behind", func(t *testing.T) {
		s := One(t)
		first = s.PID()
		c := s.Client(t)
		for _, command := range [][]any{
			{"SET", "k", "v"}, {"SELECT", "3"}, {"XADD", "s", "*", "f", "v"},
			{"ACL", "SETUSER", "eve", "on", "nopass"},
			{"FUNCTION", "LOAD", "#!lua name=l\nredis.register_function('f', function() end)"},
			{"CLIENT", "PAUSE", "60000", "WRITE"},
		} {
			if err := c.Do(ctx(t), command...).Err(); err != nil {
				t.Fatal(command, err)
			}
		}
		s.Pause()
	})
	s := One(t)
	if s.PID() != first {
		t.Errorf("process %d, then %d", first, s.PID())
	}
	c := s.Client(t)
	if info := c.Info(ctx(t), "keyspace").Val(); info != "# Keyspace\r\n" {
		t.Errorf("keys left: %q", info)
	}
	if users := c.Do(ctx(t), "ACL", "USERS").Val().([]any); len(users) != 1 {
		t.Errorf("users left: %v", users)
	}
	if libs := c.Do(ctx(t), "FUNCTION", "LIST").Val().([]any); len(libs) != 0 {
		t.Errorf("functions left: %v", libs)
	}
	if err := c.Set(ctx(t), "k", "v", 0).Err(); err != nil {
		t.Error("still paused:", err)
	}
	if clients := c.ClientList(ctx(t)).Val(); len(clients) == 0 {
		t.Error("CLIENT LIST is empty")
	}
}

func TestAServerThatCannotBeWashedIsNotHandedOn(t *testing.T) {
	for name, spoil := range map[string]func(*testing.T, Server){
		"killed": func(_ *testing.T, s Server) { s.Kill() },
		"settings": func(t *testing.T, s Server) {
			if err := s.Client(t).ConfigSet(ctx(t), "stream-node-max-entries", "7").Err(); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			var first Server
			t.Run("spoils", func(t *testing.T) { first = One(t); spoil(t, first) })
			if second := One(t); second.PID() == first.PID() {
				t.Error("handed on")
			}
			<-first.Done()
		})
	}
}

func TestTwoAtOnceAreTwoServers(t *testing.T) {
	if a, b := One(t), One(t); a.PID() == b.PID() || a.Addr == b.Addr {
		t.Errorf("both are %s, process %d", a.Addr, a.PID())
	}
}

func TestAKilledServerComesBackAtItsAddress(t *testing.T) {
	s := Fresh(t, Binaries(t)[0])
	c := s.Client(t)
	if err := c.Set(ctx(t), "k", "v", 0).Err(); err != nil {
		t.Fatal(err)
	}
	s.Kill()
	if err := c.Ping(ctx(t)).Err(); err == nil {
		t.Fatal("a killed server answers")
	}
	again := s.Again(t)
	if n, err := c.DBSize(ctx(t)).Result(); err != nil || n != 0 {
		t.Errorf("after its return: %d keys, %v", n, err)
	}
	if again.PID() == s.PID() || again.Addr != s.Addr {
		t.Errorf("was %s process %d, is %s process %d", s.Addr, s.PID(), again.Addr, again.PID())
	}
}

func TestAPausedServerAnswersWhenResumed(t *testing.T) {
	s := One(t)
	c := s.Client(t)
	s.Pause()
	soon, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := c.Ping(soon).Err(); err == nil {
		t.Error("a paused server answers")
	}
	s.Resume()
	if err := c.Ping(ctx(t)).Err(); err != nil {
		t.Error("after resuming:", err)
	}
}

func TestMissing(t *testing.T) {
	found := []private.Binary{
		{Name: "Redis", Version: "7.0.15"}, {Name: "Redis", Version: "8.6.3"}, {Name: "Valkey", Version: "9.1.2"},
	}
	for _, c := range []struct {
		require string
		found   []private.Binary
		want    string
	}{
		{"", nil, ""},
		{"0", nil, ""},
		{"1", found[:1], ""},
		{"1", nil, "no real server found, and PELSCOPE_REQUIRE_SERVERS=1 asks for one"},
		{"7.0,8.6,valkey", found, ""},
		{"Redis 8.6.3, Valkey-9.1", found, ""},
		{"7.0,8.6,valkey", found[:1], "PELSCOPE_REQUIRE_SERVERS=7.0,8.6,valkey, but there is no 8.6, valkey among [Redis 7.0.15]"},
		{"8", found[:1], "PELSCOPE_REQUIRE_SERVERS=8, but there is no 8 among [Redis 7.0.15]"},
		{"7.0.1", found, "PELSCOPE_REQUIRE_SERVERS=7.0.1, but there is no 7.0.1 among [Redis 7.0.15 Redis 8.6.3 Valkey 9.1.2]"},
		{"9.1", found[2:], "PELSCOPE_REQUIRE_SERVERS=9.1, but there is no 9.1 among [Valkey 9.1.2]"},
	} {
		got := ""
		if err := missing(c.require, c.found); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q of %v:\n got %s\nwant %s", c.require, c.found, got, c.want)
		}
	}
}

// program writes an executable script that answers --version.
func program(t *testing.T, dir, name, version string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho '"+version+"'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFindOrdersAndSays(t *testing.T) {
	path, dir := t.TempDir(), t.TempDir()
	t.Setenv("PATH", path)
	program(t, path, "redis-server", "Redis server v=7.10.1 sha=0")
	program(t, path, "valkey-server", "Valkey server v=6.0.0 sha=0") // too old, and only on PATH
	list := program(t, dir, "a", "Valkey server v=9.1.2 sha=0") + ":" +
		program(t, dir, "b", "Redis server v=8.6.3 sha=0") + ":" +
		program(t, dir, "c", "Redis server v=7.2.6 sha=0") + ":" +
		program(t, dir, "d", "Redis server v=7.10.1 sha=1")
	found, err := find(list)
	if err != nil {
		t.Error(err)
	}
	var names []string
	for _, b := range found {
		names = append(names, b.String())
	}
	if got, want := len(names), 4; got != want || names[0] != "Redis 7.2.6" || names[1] != "Redis 7.10.1" ||
		names[2] != "Redis 8.6.3" || names[3] != "Valkey 9.1.2" {
		t.Errorf("found %v", names)
	}
	if found[1].Path != filepath.Join(path, "redis-server") {
		t.Errorf("7.10.1 is %s, not PATH's", found[1].Path)
	}
	if _, err := find(list + ":" + filepath.Join(dir, "gone")); err == nil {
		t.Error("a listed server that is not there is no error")
	}
}
