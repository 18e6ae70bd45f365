package lessons

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pelscope/redisx/private/servertest"
	"pelscope/redisx/resp"
)

// What a simulated worker does is told by what it sends.
func TestWorkersLiveOnePass(t *testing.T) {
	const read = "alice> XREADGROUP GROUP workers alice COUNT 2 STREAMS orders >"
	for _, c := range []struct {
		like, at string
		sent     []string
		cells    string // pending, charges, alice's connection
	}{
		{LikeNormal, "", []string{read, `alice> RPUSH charges "A1 alice 1-0"`, "alice> XACK orders workers 1-0",
			`alice> RPUSH charges "A2 alice 2-0"`, "alice> XACK orders workers 2-0"}, "0 2 open"},
		{LikeSlow, "", []string{read}, "2 0 open"},
		{LikePoisoned, "", []string{read}, "2 0 open"},
		{LikeCrashing, BeforeEffect, []string{read}, "2 0 none"},
		{LikeCrashing, BeforeAck, []string{read, `alice> RPUSH charges "A1 alice 1-0"`}, "2 1 none"},
	} {
		t.Run(c.like+" "+c.at, func(t *testing.T) {
			s := play(t, open(3), servertest.One(t), Options{})
			o, err := s.Event(t.Context(), Event{Kind: EventWork, Who: "alice", Like: c.like, At: c.at, Count: 2})
			if err != nil {
				t.Fatal(err)
			}
			var sent []string
			for _, x := range o.Sent {
				sent = append(sent, x.line())
			}
			if !slices.Equal(sent, c.sent) {
				t.Errorf("sent %q", sent)
			}
			if got := cellOf(s, "pending") + " " + cellOf(s, "length(charges)") + " " + cellOf(s, "connection(alice)"); got != c.cells {
				t.Errorf("%s, want %s", got, c.cells)
			}
		})
	}
}

func TestAWorkerLeavesWhatItCannotReadPending(t *testing.T) {
	l := open(2)
	l.Seed[0].Args[6] = "forty-nine"
	s := play(t, l, servertest.One(t), Options{})
	o, err := s.Event(t.Context(), Event{Kind: EventWork, Who: "bob", Count: 5})
	if err != nil || cellOf(s, "owner(1-0)") != "bob" || cellOf(s, "owner(2-0)") != none {
		t.Errorf("%v, 1-0 %s, 2-0 %s", err, cellOf(s, "owner(1-0)"), cellOf(s, "owner(2-0)"))
	}
	if len(o.Notes) != 1 || !strings.Contains(o.Notes[0], "its amount is no number") {
		t.Error(o.Notes)
	}
}

// A lesson's blocked read and its reply are two things, in two steps.
func TestABlockedReadAndItsReplyInSteps(t *testing.T) {
	l := open(0)
	l.Steps = []Step{
		{ID: "wait", Do: []Action{{Event: &Event{Kind: EventBlock, Who: "alice", Args: words("XREADGROUP GROUP workers alice BLOCK 0 STREAMS orders >")}}}},
		{ID: "add", Do: []Action{{Actor: "you", Args: words("XADD orders * event A1"), Save: "new"}},
			Changes: []Expected{{Text: "+entry($new)"}, {Text: "cursor 0-0 -> $new"}, {Text: "+pending($new) alice x1"}}},
		{ID: "reply", Do: []Action{{Event: &Event{Kind: EventReply, Who: "alice"}, Reply: "*$new*"}}},
	}
	servertest.Each(t, func(t *testing.T, srv servertest.Server) {
		r, report := checked(t, l, srv, CheckOptions{})
		if !r.OK() || !strings.Contains(report, "    (waits)") {
			t.Errorf("%v\n%s", r.Failures, report)
		}
	})
}

// Every action happens in a later millisecond than the look before it, so that a redelivery shows.
func TestARedeliveryAlwaysShows(t *testing.T) {
	s := play(t, open(1), servertest.One(t), Options{})
	typed(t, s, "alice", "XREADGROUP GROUP workers alice STREAMS orders >")
	for range 30 {
		o := typed(t, s, "alice", "XREADGROUP GROUP workers alice STREAMS orders 0")
		if got := notations(s, o); !strings.HasSuffix(got, "; redelivered(1-0)") {
			t.Fatal(got)
		}
	}
}

func TestIdleIsReallyWaitedFor(t *testing.T) {
	s := play(t, open(1), servertest.One(t), Options{})
	typed(t, s, "alice", "XREADGROUP GROUP workers alice STREAMS orders >")
	o, err := s.Event(t.Context(), Event{Kind: EventIdle, Who: "alice", For: 60 * time.Millisecond})
	if err != nil || len(o.Sent) > 0 {
		t.Fatal(err, o.Sent)
	}
	g, _ := s.State().Group("orders", "workers")
	if idle := g.PEL.Rows[0].Idle(s.State().At); idle < 60*time.Millisecond {
		t.Error(idle)
	}
	if o := typed(t, s, "bob", "XCLAIM orders workers bob 60 1-0"); o.Sent[0].Reply.Len() != 1 {
		t.Error(o.Reply())
	}
	if _, err := s.Event(t.Context(), Event{Kind: EventIdle, Who: "alice", For: time.Second}); err == nil {
		t.Error("alice owns nothing that could grow idle")
	}
}

func TestKeysOfCommands(t *testing.T) {
	s := &Session{o: Options{Prefix: "p:"}}
	for line, want := range map[string]string{
		"XADD orders * a orders":                                   "XADD p:orders * a orders",
		"XREADGROUP GROUP streams streams COUNT 1 STREAMS a b > 0": "XREADGROUP GROUP streams streams COUNT 1 STREAMS p:a p:b > 0",
		"xread block 0 streams a $":                                "xread block 0 streams p:a $",
		"XGROUP CREATE orders orders $":                            "XGROUP CREATE p:orders orders $",
		"XACK orders orders 1-0":                                   "XACK p:orders orders 1-0",
		"DEL a b":                                                  "DEL p:a p:b",
		"LMOVE a b LEFT RIGHT":                                     "LMOVE p:a p:b LEFT RIGHT",
		"BLPOP a b 0":                                              "BLPOP p:a p:b 0",
		"EVAL 'return' 2 a b c":                                    "EVAL 'return' 2 p:a p:b c",
		"MSET a 1 b 2":                                             "MSET p:a 1 p:b 2",
		"XADD p:orders * a 1":                                      "XADD p:orders * a 1",
		"EXEC":                                                     "EXEC",
		"XREADGROUP GROUP g c STREAMS":                             "XREADGROUP GROUP g c STREAMS",
		"XADD":                                                     "XADD",
	} {
		if got := strings.Join(s.really(words(line)), " "); got != want {
			t.Errorf("%s: %s", line, got)
		}
	}
}

// The server agrees about which arguments are keys.
func TestKeysAreWhatTheServerSays(t *testing.T) {
	srv := servertest.One(t)
	c, err := to(t, srv)(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, line := range []string{
		"XADD k * a b", "XREADGROUP GROUP g c BLOCK 1 STREAMS a b > >", "XREAD STREAMS a 0", "XCLAIM k g c 0 1-0", "XAUTOCLAIM k g c 0 0",
		"XPENDING k g", "XGROUP CREATE k g $", "XINFO STREAM k", "LMOVE a b LEFT LEFT", "RPOPLPUSH a b", "BLPOP a b 0", "BLMOVE a b LEFT LEFT 0",
		"SINTER a b", "HSET k a b", "ZADD k 1 m", "SET k v", "MSET a 1 b 2", "DEL a b", "RENAME a b", "EVAL return 2 a b c", "XDELEX k IDS 1 1",
		"XACKDEL k g IDS 1 1", "SMOVE a b m", "COPY a b", "OBJECT ENCODING k", "MEMORY USAGE k",
	} {
		args := words(line)
		places, known := keyPlaces(args)
		var mine []string
		for _, i := range places {
			mine = append(mine, args[i])
		}
		v, err := c.Do(t.Context(), append([]string{"COMMAND", "GETKEYS"}, args...)...)
		if strings.HasPrefix(v.Text(), "ERR Invalid command") {
			continue // this server is too old to know the command
		}
		if err != nil || v.IsError() || !known {
			t.Errorf("%s: known %t, %v %s", line, known, err, v.Text())
			continue
		}
		var theirs []string
		for _, e := range v.Elems {
			theirs = append(theirs, e.Text())
		}
		if !slices.Equal(mine, theirs) {
			t.Errorf("%s: %v, the server says %v", line, mine, theirs)
		}
	}
}

func TestTheReportIsHarmless(t *testing.T) {
	got := harmless("a\x1b]52;c;x\x07 \u202e \u009b \xff 한글\n" + resp.Repr("\x1b"))
	if want := `a\x1b]52;c;x\x07 \xe2\x80\xae \xc2\x9b \xff 한글` + "\n\"\\x1b\""; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
