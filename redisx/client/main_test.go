package client_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"pelscope/redisx/client"
	"pelscope/redisx/embedded"
	"pelscope/redisx/private/servertest"
	"pelscope/redisx/resp"
	"pelscope/redisx/state"
)

func TestMain(m *testing.M) { servertest.Main(m) }

func within(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func target(t testing.TB, s servertest.Server) client.Target {
	t.Helper()
	to, err := client.Parse(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// writer is a client that may write, for preparing what is looked at.
func writer(t testing.TB, s servertest.Server) *client.Client {
	t.Helper()
	return open(t, target(t, s), client.Options{Write: true, Name: "writer"})
}

// reader is a read-only client, as the explorer has.
func reader(t testing.TB, s servertest.Server) *client.Client {
	t.Helper()
	return open(t, target(t, s), client.Options{Name: "pelscope"})
}

func open(t testing.TB, to client.Target, o client.Options) *client.Client {
	t.Helper()
	c, err := client.Open(within(t), to, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// everywhere runs a test on every real server and on the embedded engine, with a writer and a reader.
func everywhere(t *testing.T, f func(t *testing.T, w, r *client.Client)) {
	t.Helper()
	t.Run("embedded", func(t *testing.T) {
		e := embedded.New(embedded.Options{})
		t.Cleanup(func() { e.Close() })
		f(t, open(t, client.Target{}, client.Options{Dial: e.Dial, Write: true, Name: "writer"}),
			open(t, client.Target{}, client.Options{Dial: e.Dial, Name: "pelscope"}))
	})
	servertest.Each(t, func(t *testing.T, s servertest.Server) { f(t, writer(t, s), reader(t, s)) })
}

// run sends command lines as typed; an error reply fails the test.
func run(t testing.TB, c *client.Client, lines ...string) resp.Value {
	t.Helper()
	var last resp.Value
	for _, line := range lines {
		args, err := resp.Split(line)
		if err != nil {
			t.Fatal(err)
		}
		last, err = c.Do(within(t), args...)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if last.IsError() {
			t.Fatalf("%s: %s", line, last.Str)
		}
	}
	return last
}

func observe(t testing.TB, c *client.Client, s client.Scope) state.State {
	t.Helper()
	st, err := c.Observe(within(t), s)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func id(t testing.TB, s string) state.ID {
	t.Helper()
	i, err := state.ParseID(s)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

func ids(es []state.Entry) string {
	var out []string
	for _, e := range es {
		out = append(out, e.ID.String())
	}
	return strings.Join(out, " ")
}
