package lessons

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"pelscope/redisx/client"
	"pelscope/redisx/embedded"
)

// in connects to an engine in this process.
func in(t *testing.T, o embedded.Options) func(context.Context) (*client.Client, error) {
	t.Helper()
	e := embedded.New(o)
	t.Cleanup(func() { e.Close() })
	return func(ctx context.Context) (*client.Client, error) {
		return client.Open(ctx, client.Target{}, client.Options{Write: true, Dial: e.Dial})
	}
}

// telling is a lesson whose steps a wrong engine cannot pass: a read with 0, an XACK by another than the
// owner, a claim.
func telling() *Lesson {
	l := open(3)
	l.Steps = []Step{
		{ID: "read", Do: []Action{{Actor: "alice", Args: words("XREADGROUP GROUP workers alice COUNT 2 STREAMS orders >")}},
			Changes: expect("cursor 0-0 -> 2-0", "+pending(1-0) alice x1", "+pending(2-0) alice x1")},
		{ID: "history", Do: []Action{{Actor: "alice", Args: words("XREADGROUP GROUP workers alice STREAMS orders 0")}},
			Changes: expect("deliveries(1-0) 1 -> 2", "deliveries(2-0) 1 -> 2", "redelivered(*)", "redelivered(*)")},
		{ID: "claim", Do: []Action{{Actor: "bob", Args: words("XCLAIM orders workers bob 0 1-0")}},
			Changes: expect("owner(1-0) alice -> bob", "deliveries(1-0) 2 -> 3", "redelivered(1-0)")},
		{ID: "late", Do: []Action{{Actor: "alice", Args: words("XACK orders workers 1-0"), Reply: "(integer) 1"}},
			Changes: expect("-pending(1-0) bob")},
	}
	return l
}

func expect(lines ...string) []Expected {
	var out []Expected
	for _, l := range lines {
		out = append(out, Expected{Text: l})
	}
	return out
}

// The check itself can fail, and at the right step. Time is virtual: nothing is waited for.
func TestAWrongEngineIsFoundAtTheRightStep(t *testing.T) {
	for name, c := range map[string]struct {
		wrong embedded.Wrong
		want  string // the first failure; empty when there must be none
	}{
		"right":                             {embedded.Wrong{}, ""},
		"a history read does not count":     {embedded.Wrong{HistoryReadKeepsCount: true}, "open/history: missing change: deliveries(1-0) 1 -> 2"},
		"an acknowledgement asks the owner": {embedded.Wrong{AckAsksOwner: true}, "open/late: alice> XACK orders workers 1-0: expected the reply (integer) 1, was (integer) 0"},
		"a claim keeps the idle time":       {embedded.Wrong{ClaimKeepsIdle: true}, "open/claim: missing change: redelivered(1-0)"},
	} {
		t.Run(name, func(t *testing.T) {
			r, report := inBubble(t, telling(), embedded.Options{Wrong: c.wrong})
			first := ""
			if !r.OK() {
				first = r.Failures[0].String()
			}
			if first != c.want {
				t.Errorf("first failure %q, want %q\n%s", first, c.want, report)
			}
		})
	}
}

// inBubble checks a lesson on an engine of its own, with virtual time.
func inBubble(t *testing.T, l *Lesson, o embedded.Options) (r Result, report string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var b strings.Builder
		var err error
		if r, err = Check(t.Context(), l, in(t, o), &b, CheckOptions{}); err != nil {
			t.Fatalf("%v\n%s", err, &b)
		}
		report = b.String()
	})
	return r, report
}

func TestAGoodLessonPassesOnTheEmbeddedEngine(t *testing.T) {
	r, report := inBubble(t, good(t), embedded.Options{})
	if !r.OK() || r.Undos != 6 {
		t.Errorf("%+v\n%s", r, report)
	}
	if !strings.Contains(report, "server embedded engine") {
		t.Error("the report does not say that it was the embedded engine")
	}
}
