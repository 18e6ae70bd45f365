package workers_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"pelscope/redisx/client"
	"pelscope/redisx/private/servertest"
	"pelscope/redisx/resp"
	"pelscope/redisx/state"
	"pelscope/redisx/workers"
)

func TestMain(m *testing.M) { servertest.Main(m) }

func within(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// world is a stream orders with a group workers, a ledger charges and a table processed.
type world struct {
	*testing.T
	c *client.Client
}

func each(t *testing.T, f func(world)) {
	servertest.Each(t, func(t *testing.T, s servertest.Server) {
		to, err := client.Parse(s.URL())
		if err != nil {
			t.Fatal(err)
		}
		c, err := client.Open(within(t), to, client.Options{Write: true, Name: "test"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		w := world{t, c}
		w.run("XADD orders 1-0 event A17 amount 49000", "XADD orders 2-0 event A18 amount 12000", "XADD orders 3-0 event A19 amount 700",
			"XGROUP CREATE orders workers 0")
		f(w)
	})
}

func (w world) run(lines ...string) resp.Value {
	w.Helper()
	var v resp.Value
	for _, line := range lines {
		args, err := resp.Split(line)
		if err == nil {
			v, err = w.c.Do(within(w.T), args...)
		}
		if err != nil || v.IsError() {
			w.Fatal(line, err, v)
		}
	}
	return v
}

func (w world) start(name string, spec workers.Spec) *workers.Worker {
	w.Helper()
	spec.Name, spec.Client, spec.Stream, spec.Group, spec.Ledger = name, "app-"+name, "orders", "workers", "charges"
	k, err := workers.Start(within(w.T), w.c, spec)
	if err != nil {
		w.Fatal(err)
	}
	return k
}

func (w world) look() state.State {
	w.Helper()
	st, err := w.c.Observe(within(w.T), client.Scope{Keys: []string{"orders", "charges", "processed"}, Clients: "app-"})
	if err != nil {
		w.Fatal(err)
	}
	return st
}

// charges is the ledger; pending is the PEL as "id owner ×deliveries".
func (w world) charges() string {
	k, _ := w.look().Key("charges")
	return strings.Join(k.Items, ", ")
}

func (w world) pending() string {
	g, _ := w.look().Group("orders", "workers")
	var out []string
	for _, r := range g.PEL.Rows {
		out = append(out, fmt.Sprintf("%s %s ×%d", r.ID, r.Consumer, r.Deliveries))
	}
	return strings.Join(out, ", ")
}

func (w world) expect(charges, pending string) {
	w.Helper()
	if c, p := w.charges(), w.pending(); c != charges || p != pending {
		w.Errorf("\nledger  %s\n want   %s\npending %s\n want   %s", c, charges, p, pending)
	}
}

// gone waits until CLIENT LIST has lost a connection.
func (w world) gone(name string) {
	w.Helper()
	for ctx := within(w.T); ctx.Err() == nil; {
		found := false
		for _, c := range w.look().Clients {
			found = found || c.Name == name
		}
		if !found {
			return
		}
	}
	w.Errorf("%s is still in CLIENT LIST", name)
}

func must(t testing.TB) func(workers.Report, error) workers.Report {
	return func(r workers.Report, err error) workers.Report {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}

func lines(r workers.Report) string {
	var out []string
	for _, s := range r.Sent {
		out = append(out, s.Actor+"> "+resp.Join(s.Args))
	}
	return strings.Join(out, "\n")
}

func TestANormalWorkerReadsWorksAndAcknowledges(t *testing.T) {
	each(t, func(w world) {
		alice := w.start("alice", workers.Spec{Count: 2})
		r := must(w)(alice.Pass(within(w.T)))
		want := `alice> XREADGROUP GROUP workers alice COUNT 2 STREAMS orders >
alice> RPUSH charges "A17 alice 1-0"
alice> XACK orders workers 1-0
alice> RPUSH charges "A18 alice 2-0"
alice> XACK orders workers 2-0`
		if lines(r) != want || len(r.Done) != 2 || len(r.Acked) != 2 || r.Sent[2].Reply.Int != 1 {
			w.Errorf("%s\n%+v", lines(r), r)
		}
		w.expect("A17 alice 1-0, A18 alice 2-0", "")
		must(w)(alice.Pass(within(w.T)))
		if r = must(w)(alice.Pass(within(w.T))); len(r.Sent) != 1 || !r.Sent[0].Reply.IsNil() {
			w.Errorf("with nothing new: %+v", r)
		}
		if err := alice.Stop(); err != nil {
			w.Error(err)
		}
		w.gone("app-alice")
	})
}

// The crash comes after the effect: recovering does it a second time. Before it: once.
func TestACrashAndTheRecoveryAfterIt(t *testing.T) {
	for like, charges := range map[workers.Behaviour]string{
		workers.CrashAfterEffect: "A17 alice 1-0, A17 alice 1-0, A18 alice 2-0",
		workers.CrashBefore:      "A17 alice 1-0, A18 alice 2-0",
	} {
		each(t, func(w world) {
			alice := w.start("alice", workers.Spec{Count: 2, Like: like})
			id := alice.Session().ID()
			r := must(w)(alice.Pass(within(w.T)))
			if !r.Crashed || !alice.Crashed() || len(alice.Hand()) != 0 || len(r.Acked) != 0 {
				w.Errorf("%+v", r)
			}
			w.gone("app-alice")
			if p := w.pending(); p != "1-0 alice ×1, 2-0 alice ×1" {
				w.Error(p)
			}
			if _, err := alice.Pass(within(w.T)); !errors.Is(err, workers.ErrCrashed) {
				w.Errorf("a crashed worker works: %v", err)
			}
			alice.Behave(workers.Normal)
			if err := alice.Restart(within(w.T)); err != nil {
				w.Fatal(err)
			}
			if alice.Session().ID() == id {
				w.Error("the connection is the old one")
			}
			r = must(w)(alice.Recover(within(w.T)))
			if got := lines(r); !strings.HasPrefix(got, "alice> XREADGROUP GROUP workers alice COUNT 2 STREAMS orders 0\n") ||
				!strings.HasSuffix(got, "alice> XREADGROUP GROUP workers alice COUNT 2 STREAMS orders 2-0") {
				w.Error(got)
			}
			w.expect(charges, "")
		})
	}
}

func TestASlowWorkerIsOvertaken(t *testing.T) {
	each(t, func(w world) {
		alice, bob := w.start("alice", workers.Spec{Like: workers.Slow}), w.start("bob", workers.Spec{})
		must(w)(alice.Pass(within(w.T)))
		w.expect("", "1-0 alice ×1")
		bob.Take(workers.Entries(w.run("XCLAIM orders workers bob 0 1-0")))
		must(w)(bob.Work(within(w.T)))
		w.expect("A17 bob 1-0", "1-0 bob ×2")
		first := must(w)(alice.Finish(within(w.T)))
		second := must(w)(bob.Ack(within(w.T)))
		if len(first.Acked) != 1 || len(second.Acked) != 0 || second.Sent[0].Reply.Int != 0 {
			w.Errorf("%+v %+v", first, second)
		}
		w.expect("A17 bob 1-0, A17 alice 1-0", "")
	})
}

func TestAPoisonedEntryFailsAndStaysPending(t *testing.T) {
	each(t, func(w world) {
		w.run("XADD orders 4-0 event A20 amount 12x", "XADD orders 5-0 kind unknown", "XADD orders 6-0 event A21")
		alice := w.start("alice", workers.Spec{Count: 10})
		r := must(w)(alice.Pass(within(w.T)))
		if len(r.Failed) != 2 || r.Failed[0].Why != `its amount is no number: "12x"` || r.Failed[1].Why != "it has no event" {
			w.Errorf("%+v", r.Failed)
		}
		w.expect("A17 alice 1-0, A18 alice 2-0, A19 alice 3-0, A21 alice 6-0", "4-0 alice ×1, 5-0 alice ×1")
		r = must(w)(alice.Recover(within(w.T)))
		if len(r.Failed) != 2 {
			w.Errorf("%+v", r)
		}
		w.expect("A17 alice 1-0, A18 alice 2-0, A19 alice 3-0, A21 alice 6-0", "4-0 alice ×2, 5-0 alice ×2")
	})
}

func TestDeduplication(t *testing.T) {
	for dedup, want := range map[workers.Dedup]string{
		workers.DedupNone:  "A17 a 1-0, A18 a 2-0, A17 b 1-0, A17 b 3-0",
		workers.DedupID:    "A17 a 1-0, A18 a 2-0, A17 b 3-0",
		workers.DedupEvent: "A17 a 1-0, A18 a 2-0",
	} {
		each(t, func(w world) {
			w.run("XDEL orders 3-0", "DEL orders", "XADD orders 1-0 event A17", "XADD orders 2-0 event A18", "XADD orders 3-0 event A17", "XGROUP CREATE orders workers 0")
			spec := workers.Spec{Count: 2, Dedup: dedup, Processed: "processed"}
			a, b := w.start("a", spec), w.start("b", spec)
			must(w)(a.Begin(within(w.T)))
			must(w)(a.Work(within(w.T)))
			a.Crash()
			b.Take(workers.Entries(w.run("XCLAIM orders workers b 0 1-0")))
			r := must(w)(b.Finish(within(w.T)))
			if skipped := len(r.Skipped) == 1; skipped == (dedup == workers.DedupNone) || len(r.Acked) != 1 {
				w.Errorf("%+v", r)
			}
			must(w)(b.Pass(within(w.T)))
			w.expect(want, "2-0 a ×1")
			k, _ := w.look().Key("processed")
			if n := len(k.Pairs); n != map[workers.Dedup]int{workers.DedupID: 3, workers.DedupEvent: 2}[dedup] {
				w.Errorf("%d done keys: %v", n, k.Pairs)
			}
		})
	}
}

func TestADeletedEntryIsAcknowledgedWithoutEffect(t *testing.T) {
	each(t, func(w world) {
		alice := w.start("alice", workers.Spec{Count: 2})
		must(w)(alice.Begin(within(w.T)))
		w.run("XDEL orders 1-0")
		must(w)(alice.Recover(within(w.T)))
		w.expect("A18 alice 2-0", "")
	})
}

func TestErrorRepliesAreShownAndEndTheTurn(t *testing.T) {
	each(t, func(w world) {
		alice := w.start("alice", workers.Spec{})
		w.run("SET charges x")
		r := must(w)(alice.Pass(within(w.T)))
		if len(r.Failed) != 1 || !r.Sent[1].Reply.IsError() || len(r.Acked) != 0 || w.pending() != "1-0 alice ×1" {
			w.Errorf("%+v", r)
		}
		w.run("XGROUP DESTROY orders workers")
		if r = must(w)(alice.Pass(within(w.T))); len(r.Sent) != 1 || !strings.HasPrefix(r.Sent[0].Reply.Str, "NOGROUP") {
			w.Errorf("%+v", r)
		}
	})
}

// ticks is a clock that never waits and ends the life after some sleeps.
type ticks struct {
	left int
	end  context.CancelFunc
}

func (c *ticks) Sleep(ctx context.Context, _ time.Duration) error {
	if c.left--; c.left < 0 {
		c.end()
	}
	return ctx.Err()
}

func TestALife(t *testing.T) {
	each(t, func(w world) {
		p, err := workers.StartProducer(within(w.T), w.c, "app-shop", "orders")
		if err != nil {
			w.Fatal(err)
		}
		id, sent, err := p.Publish(within(w.T), "A22", 5)
		if err != nil || id.IsZero() || resp.Join(sent.Args) != "XADD orders * event A22 amount 5" {
			w.Error(id, sent, err)
		}
		alice := w.start("alice", workers.Spec{})
		ctx, cancel := context.WithCancel(within(w.T))
		reports := 0
		err = alice.Run(ctx, &ticks{6, cancel}, time.Second, time.Second, func(workers.Report) { reports++ })
		if !errors.Is(err, context.Canceled) || reports != 8 {
			w.Errorf("%v after %d reports", err, reports)
		}
		w.expect("A17 alice 1-0, A18 alice 2-0, A19 alice 3-0, A22 alice "+id.String(), "")
		alice.Behave(workers.CrashBefore)
		if _, _, err := p.PublishRaw(within(w.T), "event", "A23"); err != nil {
			w.Error(err)
		}
		if err = alice.Run(within(w.T), &ticks{6, func() {}}, 0, 0, func(workers.Report) {}); !errors.Is(err, workers.ErrCrashed) {
			w.Error(err)
		}
		w.gone("app-alice")
		if err := p.Stop(); err != nil {
			w.Error(err)
		}
	})
}
