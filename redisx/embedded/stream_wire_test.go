package embedded_test

import (
	"context"
	"errors"
	"net"
	"os"
	"testing"
	"time"

	"pelscope/redisx/embedded"
	"pelscope/redisx/private/servertest"
	"pelscope/redisx/resp"
)

// place is a server that scenarios are run on: the engine, or a real one.
type place struct {
	name string
	dial func() net.Conn
}

// realPlace is a real server.
func realPlace(t testing.TB, s servertest.Server) place {
	return place{name: s.Name, dial: func() net.Conn {
		conn, err := net.Dial(s.Network, s.Addr)
		if err != nil {
			t.Fatal(err)
		}
		w := newWire(t, conn)
		if v := w.do("AUTH", s.Password); v.IsError() {
			t.Fatal(v.Str)
		}
		return conn
	}}
}

// isEightSix says whether a server is of the version that the engine behaves as.
func isEightSix(s servertest.Server) bool { return s.AtLeast(8, 6) && !s.AtLeast(8, 7) }

// eightSix is a Redis 8.6; without one the test is skipped.
func eightSix(t testing.TB) servertest.Server {
	t.Helper()
	for _, b := range servertest.Binaries(t) {
		if b.Name == "Redis" && b.AtLeast(8, 6) && !b.AtLeast(8, 7) {
			return servertest.On(t, b)
		}
	}
	t.Skip("no Redis 8.6 here, and only that answers all of these alike")
	return servertest.Server{}
}

// enginePlace is an engine of the test's own.
func enginePlace(t testing.TB) place { return engineWith(t, embedded.Options{}) }

func engineWith(t testing.TB, opts embedded.Options) place {
	e := embedded.New(opts)
	t.Cleanup(func() { e.Close() })
	return place{name: "engine", dial: func() net.Conn {
		conn, err := e.Dial(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return conn
	}}
}

// wire is one connection to a place.
type wire struct {
	t    testing.TB
	conn net.Conn
	r    *resp.Reader
	kept []resp.Value // replies that were read while looking whether there is one
}

func newWire(t testing.TB, conn net.Conn) *wire {
	return &wire{t: t, conn: conn, r: resp.NewReader(conn)}
}

func (w *wire) send(args ...string) {
	if _, err := w.conn.Write(resp.AppendCommand(nil, args)); err != nil {
		w.t.Fatalf("%s: %v", resp.Join(args), err)
	}
}

// recv is the next reply; ok is false when none comes in time.
func (w *wire) recv(within time.Duration) (v resp.Value, ok bool) {
	if len(w.kept) > 0 {
		v, w.kept = w.kept[0], w.kept[1:]
		return v, true
	}
	w.conn.SetReadDeadline(time.Now().Add(within))
	v, err := w.r.Read()
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return resp.Value{}, false
	}
	if err != nil {
		w.t.Fatalf("reading a reply: %v", err)
	}
	return v, true
}

func (w *wire) do(args ...string) resp.Value {
	w.send(args...)
	v, ok := w.recv(10 * time.Second)
	if !ok {
		w.t.Fatalf("%s: no reply", resp.Join(args))
	}
	return v
}

// session is a place with its connections by name, as a scenario uses them.
type session struct {
	t     testing.TB
	place place
	conns map[string]*wire
}

func (p place) session(t testing.TB) *session {
	return &session{t: t, place: p, conns: map[string]*wire{}}
}

// on is the connection of that name; "" is the scenario's own.
func (s *session) on(name string) *wire {
	if s.conns[name] == nil {
		s.conns[name] = newWire(s.t, s.place.dial())
	}
	return s.conns[name]
}

func (s *session) hangUp(name string) {
	if w := s.conns[name]; w != nil {
		w.conn.Close()
		delete(s.conns, name)
	}
}

func (s *session) close() {
	for name := range s.conns {
		s.hangUp(name)
	}
}
