package client_test

import (
	"errors"
	"fmt"

	"testing"

	"pelscope/redisx/client"
	"pelscope/redisx/private/servertest"
	"pelscope/redisx/state"
)

func session(t testing.TB, c *client.Client, name string) *client.Session {
	t.Helper()
	s, err := c.Session(within(t), name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// awaitClients looks until the list of connections is as wanted, or the time is up.
func awaitClients(t testing.TB, c *client.Client, prefix string, ok func([]state.Client) bool) []state.Client {
	t.Helper()
	ctx := within(t)
	for {
		st, err := c.Observe(ctx, client.Scope{Clients: prefix})
		if err != nil {
			t.Fatal(err)
		}
		if ok(st.Clients) {
			return st.Clients
		}
	}
}

func TestASessionIsOneNamedConnection(t *testing.T) {
	servertest.Each(t, func(t *testing.T, s servertest.Server) {
		w := writer(t, s)
		alice, bob := session(t, w, "lesson-alice"), session(t, w, "lesson-bob")
		list := awaitClients(t, w, "lesson-", func(l []state.Client) bool { return len(l) == 2 })
		if list[0].ID != alice.ID() || list[1].ID != bob.ID() || list[0].Name != "lesson-alice" {
			t.Errorf("%+v, alice %d bob %d", list, alice.ID(), bob.ID())
		}
		if _, err := alice.Do(within(t), "MULTI"); err != nil {
			t.Fatal(err)
		}
		if v, err := alice.Do(within(t), "XADD", "s", "1-0", "a", "1"); err != nil || v.Str != "QUEUED" {
			t.Error(v, err)
		}
		if v, err := alice.Do(within(t), "EXEC"); err != nil || v.Elems[0].Str != "1-0" {
			t.Error(v, err)
		}
		if err := bob.Close(); err != nil {
			t.Error(err)
		}
		awaitClients(t, w, "lesson-", func(l []state.Client) bool { return len(l) == 1 })
	})
}

func TestABlockedReadComesBackWithItsReply(t *testing.T) {
	servertest.Each(t, func(t *testing.T, s servertest.Server) {
		w := writer(t, s)
		run(t, w, "XGROUP CREATE s g $ MKSTREAM")
		alice := session(t, w, "lesson-alice")
		done, err := alice.Start("XREADGROUP", "GROUP", "g", "alice", "BLOCK", "0", "STREAMS", "s", ">")
		if err != nil {
			t.Fatal(err)
		}
		awaitClients(t, w, "lesson-", func(l []state.Client) bool { return len(l) == 1 && l[0].Blocked })
		if _, err := alice.Do(within(t), "PING"); !errors.Is(err, client.ErrBusy) || !alice.Busy() {
			t.Errorf("while it waits: %v", err)
		}
		run(t, w, "XADD s 1-0 a 1")
		if r := <-done; r.Err != nil || r.Value.Elems[0].Elems[1].Elems[0].Elems[0].Str != "1-0" {
			t.Errorf("%+v", r)
		}
		if v, err := alice.Do(within(t), "PING"); err != nil || v.Str != "PONG" {
			t.Error(v, err)
		}
		if v, err := alice.Do(within(t), "XREADGROUP", "GROUP", "g", "alice", "BLOCK", "20", "STREAMS", "s", ">"); err != nil || !v.IsNil() {
			t.Error("BLOCK 20:", v, err)
		}
	})
}

// A crash: the connection is gone from CLIENT LIST, the consumer and what it holds stay.
func TestCutEndsTheConnectionAsACrashWould(t *testing.T) {
	servertest.Each(t, func(t *testing.T, s servertest.Server) {
		w := writer(t, s)
		run(t, w, "XADD s 1-0 a 1", "XGROUP CREATE s g 0")
		alice := session(t, w, "lesson-alice")
		if _, err := alice.Do(within(t), "XREADGROUP", "GROUP", "g", "alice", "STREAMS", "s", ">"); err != nil {
			t.Fatal(err)
		}
		done, err := alice.Start("XREADGROUP", "GROUP", "g", "alice", "BLOCK", "0", "STREAMS", "s", ">")
		if err != nil {
			t.Fatal(err)
		}
		awaitClients(t, w, "lesson-", func(l []state.Client) bool { return len(l) == 1 && l[0].Blocked })
		alice.Cut()
		r := <-done
		var e *client.Error
		if !errors.As(r.Err, &e) || e.Reason != client.WasCut {
			t.Errorf("the waiting command: %+v", r)
		}
		awaitClients(t, w, "lesson-", func(l []state.Client) bool { return len(l) == 0 })
		if _, err := alice.Do(within(t), "PING"); !errors.As(err, &e) || e.Reason != client.WasCut {
			t.Errorf("afterwards: %v", err)
		}
		g, _ := observe(t, w, client.Scope{Keys: []string{"s"}}).Group("s", "g")
		if row, ok := g.PEL.Row(id(t, "1-0")); !ok || row.Consumer != "alice" {
			t.Errorf("pending: %+v", g.PEL)
		}
	})
}

func TestASessionWhoseConnectionTheServerEndedStaysEnded(t *testing.T) {
	s := servertest.One(t)
	w := writer(t, s)
	alice := session(t, w, "lesson-alice")
	run(t, w, fmt.Sprintf("CLIENT KILL ID %d", alice.ID()))
	for range 2 {
		var e *client.Error
		if _, err := alice.Do(within(t), "PING"); !errors.As(err, &e) || e.Reason != client.Lost {
			t.Errorf("%v", err)
		}
	}
	session(t, w, "lesson-alice")
}

func TestClosingTheClientEndsItsSessions(t *testing.T) {
	s := servertest.One(t)
	c := open(t, target(t, s), client.Options{Write: true})
	alice := session(t, c, "alice")
	done, err := alice.Start("BLPOP", "l", "0")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if r := <-done; r.Err == nil {
		t.Errorf("%+v", r)
	}
	if _, err := c.Do(within(t), "PING"); err == nil {
		t.Error("a closed client answers")
	}
	if _, err := c.Session(within(t), "bob"); err == nil {
		t.Error("a closed client opens sessions")
	}
}

func TestTxIsAllOrNothing(t *testing.T) {
	servertest.Each(t, func(t *testing.T, s servertest.Server) {
		w := writer(t, s)
		vs, err := w.Tx(within(t), [][]string{{"XADD", "s", "1-0", "a", "1"}, {"RPUSH", "s", "x"}, {"XLEN", "s"}})
		if err != nil || vs[0].Str != "1-0" || !vs[1].IsError() || vs[2].Int != 1 {
			t.Errorf("%v %v", vs, err)
		}
		_, err = w.Tx(within(t), [][]string{{"XADD", "s", "2-0", "a", "1"}, {"NOSUCH"}})
		var tx *client.TxError
		if !errors.As(err, &tx) || tx.Command[0] != "NOSUCH" {
			t.Error(err)
		}
		run(t, w, "ACL SETUSER ann on >pw +@all ~* -multi")
		_, err = open(t, as(t, s, "ann", "pw"), client.Options{Write: true}).Tx(within(t), [][]string{{"XADD", "s", "3-0", "a", "1"}})
		if !errors.As(err, &tx) || tx.Command[0] != "MULTI" {
			t.Error(err)
		}
		if n := run(t, w, "XLEN s").Int; n != 1 {
			t.Errorf("%d entries", n)
		}
	})
}
