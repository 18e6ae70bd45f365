package client_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pelscope/redisx/client"
	"pelscope/redisx/private/servertest"
	"pelscope/redisx/state"
)

// as is the server's address with another user.
func as(t testing.TB, s servertest.Server, user, password string) client.Target {
	t.Helper()
	u := url.URL{Scheme: "unix", User: url.UserPassword(user, password), Path: s.Addr}
	if s.Network != "unix" {
		u = url.URL{Scheme: "redis", User: u.User, Host: s.Addr}
	}
	to, err := client.Parse(u.String())
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// C6
func TestAUserWhoMayOnlyRead(t *testing.T) {
	servertest.Each(t, func(t *testing.T, s servertest.Server) {
		w := writer(t, s)
		run(t, w, "XADD s 1-0 a 1", "XADD s 2-0 a 1", "XGROUP CREATE s g 0", "XREADGROUP GROUP g A COUNT 1 STREAMS s >", "RPUSH l a",
			"ACL SETUSER ann on >pw ~* +@read -@dangerous")
		r := open(t, as(t, s, "ann", "pw"), client.Options{Name: "pelscope"})
		if srv := r.Server(); srv.Version != state.Know(s.Version) || !srv.Product.Known || srv.Role != state.Know("master") {
			t.Errorf("server %+v", srv)
		}
		if f := r.Features(); f.Multi || f.Guessed == "" || !f.XAutoclaim || f.XAckDel != s.AtLeast(8, 2) {
			t.Errorf("features %+v", f)
		}
		st := observe(t, r, client.Scope{Stream: "s", Clients: "x"})
		g, _ := st.Group("s", "g")
		if !st.Torn || st.Stream("s").Length != state.Know[int64](2) || len(g.PEL.Rows) != 1 || len(g.Consumers) != 1 ||
			len(st.Stream("s").Entries.Entries) != 2 || st.At.Time().IsZero() {
			t.Errorf("%+v", st.Stream("s"))
		}
		whole := observe(t, r, client.Scope{Keys: []string{"l", "s"}})
		if !whole.Torn || !whole.Complete || whole.Keys[0].Items[0] != "a" || len(whole.Stream("s").Entries.Entries) != 2 {
			t.Errorf("%+v", whole)
		}
		before := r.Log().Total()
		observe(t, r, client.Scope{Stream: "s", Prev: &st})
		if got := sentSince(r, before); strings.Contains(got, "TIME") || len(strings.Split(got, "\n")) != 5 {
			t.Errorf("what was refused is asked again:\n%s", got)
		}
	})
}

// C6, second half: what is denied says so, and is neither empty nor 0.
func TestAUserWithoutXINFOAndXLEN(t *testing.T) {
	servertest.Each(t, func(t *testing.T, s servertest.Server) {
		w := writer(t, s)
		add(t, w, 1, 3)
		run(t, w, "XGROUP CREATE s g 0", "ACL SETUSER ann on >pw ~* +@read -@dangerous -xinfo",
			"ACL SETUSER bob on >pw ~* +@read -@dangerous -xinfo -xlen -xrange -xrevrange", "ACL SETUSER eve on >pw ~other +@read +multi +exec +time")
		r := open(t, as(t, s, "ann", "pw"), client.Options{})
		str := observe(t, r, client.Scope{Stream: "s", Group: "g"}).Stream("s")
		if str.Length != state.Know[int64](3) || str.FirstID != state.Know(id(t, "1-0")) || str.LastID.Known || len(str.Entries.Entries) != 3 {
			t.Errorf("without XINFO: %+v", str)
		}
		if str.LastID.Why != "this user may not run XINFO STREAM" || str.GroupsUnknown != "this user may not run XINFO GROUPS" {
			t.Errorf("without XINFO: %q %q", str.LastID.Why, str.GroupsUnknown)
		}
		st := observe(t, open(t, as(t, s, "bob", "pw"), client.Options{}), client.Scope{Stream: "s"})
		str = st.Stream("s")
		if str.Length.Known || !strings.Contains(str.Length.Why, "XLEN") || str.FirstID.Known || str.Entries.Unknown != "this user may not run XREVRANGE" {
			t.Errorf("without anything: %+v", str)
		}
		whole := observe(t, open(t, as(t, s, "bob", "pw"), client.Options{}), client.Scope{Keys: []string{"s"}})
		if whole.Complete || whole.Keys[0].Denied != "this user may not run XINFO STREAM" || whole.Keys[0].Stream != nil {
			t.Errorf("whole: %+v", whole)
		}
		// Keys of others: MULTI is allowed, each command on the key is not.
		e := open(t, as(t, s, "eve", "pw"), client.Options{})
		st = observe(t, e, client.Scope{Stream: "s"})
		if st.Torn || st.Keys[0].Denied != "this user may not read this key" || st.Keys[0].Stream != nil {
			t.Errorf("key denied: %+v", st.Keys[0])
		}
		run(t, w, "XADD other 1-0 a 1")
		whole = observe(t, e, client.Scope{Keys: []string{"s", "other"}})
		if whole.Complete || whole.Keys[0].Stream == nil || whole.Keys[1].Denied != "this user may not read this key" {
			t.Errorf("one key of two: %+v", whole.Keys)
		}
	})
}

// C11
func TestTheKeyOrTheGroupGoesAndComesBack(t *testing.T) {
	servertest.Each(t, func(t *testing.T, s servertest.Server) {
		w, r := writer(t, s), reader(t, s)
		scope := client.Scope{Stream: "s", Group: "g"}
		look := func() string {
			st := observe(t, r, scope)
			scope.Prev = &st
			k := st.Keys[0]
			if k.Stream == nil {
				return k.Type + k.Denied
			}
			g, ok := st.Group("s", "g")
			return fmt.Sprintf("%s %d %v%s %d", k.Type, k.Stream.Length.Value, ok, k.Stream.GroupsUnknown+g.PEL.Unknown, len(g.PEL.Rows))
		}
		steps := []struct{ do, want string }{
			{"", "none"},
			{"XADD s 1-0 a 1", "stream 1 false 0"},
			{"XGROUP CREATE s g 0", "stream 1 true 0"},
			{"XREADGROUP GROUP g A STREAMS s >", "stream 1 true 1"},
			{"XGROUP DESTROY s g", "stream 1 false 0"},
			{"XGROUP CREATE s g $", "stream 1 true 0"},
			{"RENAME s t", "none"},
			{"SET s x", "string"},
			{"RENAME t s", "stream 1 true 0"},
			{"DEL s", "none"},
			{"XGROUP CREATE s g $ MKSTREAM", "stream 0 true 0"},
		}
		for _, c := range steps {
			if c.do != "" {
				run(t, w, c.do)
			}
			if got := look(); got != c.want {
				t.Errorf("after %q: %s, want %s", c.do, got, c.want)
			}
		}
	})
}

// C17
func TestASessionOfLookingChangesNothing(t *testing.T) {
	servertest.Each(t, func(t *testing.T, s servertest.Server) {
		w := writer(t, s)
		add(t, w, 1, 50)
		run(t, w, "XGROUP CREATE s g 0", "XREADGROUP GROUP g A COUNT 20 STREAMS s >", "XDEL s 3-0", "RPUSH l a")
		full := func() string { return fmt.Sprint(run(t, w, "XINFO STREAM s FULL COUNT 0"), run(t, w, "DBSIZE")) }
		before := full()
		r := reader(t, s)
		var prev *state.State
		for i := range 20 {
			st := observe(t, r, client.Scope{
				Stream: "s", Prev: prev, Clients: "p", Pending: client.Page{From: state.ID{MS: uint64(i)}, Count: 5},
				Entries: client.Window{Anchor: state.ID{MS: uint64(i * 2)}, Before: i, Count: 5},
			})
			prev = &st
			observe(t, r, client.Scope{Keys: []string{"s", "l", "none"}})
		}
		for _, line := range []string{"XPENDING s g", "XREAD COUNT 5 STREAMS s 0", "XRANGE s - +", "SCAN 0 TYPE stream", "MEMORY USAGE s", "DUMP s"} {
			run(t, r, line)
		}
		if after := full(); after != before {
			t.Errorf("before\n%s\nafter\n%s", before, after)
		}
		if r.Features().NoTouch && run(t, w, "OBJECT IDLETIME l").Int != 0 {
			t.Log("idle time is counted in seconds; nothing to compare in a fast test")
		}
	})
}

func TestOpenSaysWhatIsWrong(t *testing.T) {
	s := servertest.One(t)
	w := writer(t, s)
	run(t, w, "ACL SETUSER ann on >pw ~* +@read -@dangerous")
	listen := func(answer string) string {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				if answer == "silence" {
					continue
				}
				_, _ = c.Read(make([]byte, 1000))
				_, _ = c.Write([]byte(answer))
				_ = c.Close()
			}
		}()
		return l.Addr().String()
	}
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	noPassword := "unix://" + s.Addr
	if s.Network != "unix" {
		noPassword = "redis://" + s.Addr
	}
	good := s.URL()
	for _, c := range []struct {
		url  string
		want client.Reason
	}{
		{"redis://:hunter2@" + closed.Addr().String(), client.Refused},
		{"unix://:hunter2@" + filepath.Join(t.TempDir(), "none.sock"), client.NoSuchSocket},
		{strings.Replace(good, s.Password, "hunter2", 1), client.WrongPassword},
		{strings.Replace(good, ":"+s.Password, "bob:hunter2", 1), client.WrongPassword},
		{noPassword, client.NeedsPassword},
		{good + "?db=9999", client.DatabaseDenied},
		{strings.Replace(good, ":"+s.Password, "ann:pw", 1) + "?db=1", client.DatabaseDenied},
		{"redis://:hunter2@" + listen("HTTP/1.1 400 Bad Request\r\n\r\n"), client.NotRedis},
		{"redis://" + listen("SSH-2.0-OpenSSH_9.2\r\n"), client.NotRedis},
		{"redis://" + listen("\x15\x03\x03\x00\x02\x02\x46\r\n"), client.WantsTLS},
		{"redis://" + listen(""), client.WantsTLS},
		{"rediss://:hunter2@" + listen("-ERR Protocol error\r\n"), client.NoTLSThere},
		{"rediss://:hunter2@" + listen(""), client.NoTLSThere},
		{"redis://:hunter2@" + listen("silence"), client.TimedOut},
	} {
		to, err := client.Parse(c.url)
		if err != nil {
			t.Fatal(err)
		}
		o := client.Options{Timeout: 10 * time.Second}
		if c.want == client.TimedOut {
			o.Timeout = 50 * time.Millisecond
		}
		_, err = client.Open(context.Background(), to, o)
		var e *client.Error
		if !errors.As(err, &e) || e.Reason != c.want {
			t.Errorf("%s: %v, want %q", to, err, c.want)
		}
		if err != nil && (strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), s.Password) || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%s: %v", to, err)
		}
	}
}

func TestAHostThatDoesNotExist(t *testing.T) {
	to, err := client.Parse("redis://nosuch.invalid:1")
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.Open(within(t), to, client.Options{Dial: func(context.Context) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "nosuch.invalid", IsNotFound: true}}
	}})
	if err == nil || err.Error() != "nosuch.invalid:1: no such host" {
		t.Error(err)
	}
}

// C23: the password of the handshake is in no log.
func TestTheLogShowsNoPassword(t *testing.T) {
	s := servertest.One(t)
	w := writer(t, s)
	run(t, w, "ACL SETUSER ann on >hunter2 +@all ~*", "CONFIG GET maxmemory")
	c := open(t, as(t, s, "ann", "hunter2"), client.Options{Write: true})
	sess, err := c.Session(within(t), "alice")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sess.Do(within(t), "AUTH", "ann", "hunter2"); err != nil {
		t.Fatal(err)
	}
	all := fmt.Sprintf("%+v %+v %+v %#v", w.Log().Entries(), c.Log().Entries(), c.Target(), c.Target())
	if !strings.Contains(strings.ToUpper(all), "AUTH") || strings.Contains(all, "hunter2") || strings.Contains(all, s.Password) {
		t.Error(all)
	}
}

// C20: after the server went away and came back, the next call works, and until then each says what is wrong.
func TestAfterTheServersReturnTheNextCallWorks(t *testing.T) {
	for _, b := range servertest.Binaries(t) {
		s := servertest.Fresh(t, b)
		r := reader(t, s)
		run(t, writer(t, s), "XADD s 1-0 a 1")
		observe(t, r, client.Scope{Stream: "s"})
		s.Kill()
		for range 10 {
			_, err := r.Observe(within(t), client.Scope{Stream: "s"})
			var e *client.Error
			if !errors.As(err, &e) || e.Reason != client.Lost && e.Reason != client.Refused && e.Reason != client.NoSuchSocket {
				t.Fatalf("%s, gone: %v", b, err)
			}
		}
		s = s.Again(t)
		if st, err := r.Observe(within(t), client.Scope{Stream: "s"}); err != nil || st.Keys[0].Type != "none" {
			t.Errorf("%s, back: %v %+v", b, err, st)
		}
		s.Kill() // with an idle connection in the pool
		s.Again(t)
		if v, err := r.Do(within(t), "DBSIZE"); err != nil || v.Int != 0 {
			t.Errorf("%s, back again: %v %v", b, err, v)
		}
	}
}

func TestAServerThatHangsEndsInATimeOut(t *testing.T) {
	s := servertest.One(t)
	r := reader(t, s)
	s.Pause()
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	_, err := r.Observe(ctx, client.Scope{Stream: "s"})
	var e *client.Error
	if !errors.As(err, &e) || e.Reason != client.TimedOut || !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	s.Resume()
	if _, err := r.Do(within(t), "DBSIZE"); err != nil {
		t.Error("after it went on:", err)
	}
}
