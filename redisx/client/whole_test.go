package client_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pelscope/redisx/client"
	"pelscope/redisx/private/servertest"
	"pelscope/redisx/state"
)

// C1, C3, C5: what is in an entry comes back as it is, in every way of looking.
func TestEntriesComeBackAsTheyAre(t *testing.T) {
	everywhere(t, func(t *testing.T, w, r *client.Client) {
		run(t, w,
			"XADD k 5-9007199254740992 a 1 a 2",
			`XADD k 16718007739968750-641504120531689158 bytes "\xc3\x28\x00\xff" number 00014`,
			`XADD k 18446744073709551615-1 "" ""`)
		want := []state.Entry{
			{ID: id(t, "5-9007199254740992"), Size: 4, Fields: []state.Field{{Name: "a", Value: "1"}, {Name: "a", Value: "2"}}},
			{ID: id(t, "16718007739968750-641504120531689158"), Size: 20, Fields: []state.Field{{Name: "bytes", Value: "\xc3\x28\x00\xff"}, {Name: "number", Value: "00014"}}},
			{ID: id(t, "18446744073709551615-1"), Fields: []state.Field{{}}},
		}
		for _, scope := range []client.Scope{
			{Keys: []string{"k"}}, {Stream: "k"}, {Stream: "k", Entries: client.Window{Anchor: id(t, "6"), Before: 5}},
		} {
			got := observe(t, r, scope).Stream("k").Entries
			if fmt.Sprint(got.Entries) != fmt.Sprint(want) || !got.From.IsZero() || got.To != state.MaxID() {
				t.Errorf("%+v: %v", scope, got)
			}
		}
	})
}

func TestKeysOfEveryTypeAreReadWhole(t *testing.T) {
	servertest.Each(t, func(t *testing.T, s servertest.Server) {
		w, r := writer(t, s), reader(t, s)
		run(t, w, "RPUSH l b a b", "HSET h f2 v2 f1 v1", "SADD set q p", "ZADD z 2.5 b 1 c", "SET str 00014", "XADD s 1-0 a 1")
		keys := []string{"z", "l", "h", "set", "str", "s", "absent", "l"}
		st := observe(t, r, client.Scope{Keys: keys, Clients: "pelscope"})
		want := map[string]string{
			"absent": "none [] []", "h": "hash [] [{f1 v1} {f2 v2}]", "l": "list [b a b] []",
			"s": "stream [] []", "set": "set [] [{p } {q }]", "str": "string [] [{ 00014}]", "z": "zset [] [{b 2.5} {c 1}]",
		}
		if len(st.Keys) != len(want) || !st.Complete || st.Torn {
			t.Errorf("%d keys, complete %v, torn %v", len(st.Keys), st.Complete, st.Torn)
		}
		for i, k := range st.Keys {
			if got := fmt.Sprint(k.Type, " ", k.Items, " ", k.Pairs); got != want[k.Name] {
				t.Errorf("%s: %s", k.Name, got)
			}
			if i > 0 && st.Keys[i-1].Name >= k.Name {
				t.Error("not ordered by name")
			}
		}
		if len(st.Clients) != 1 || st.Clients[0].Name != "pelscope" || st.Clients[0].ID == 0 {
			t.Errorf("clients %+v", st.Clients)
		}

		run(t, w, "DEL l h", "SET l now-a-string", "RPUSH h now-a-list", "DEL s", "XADD absent 1-0 a 1")
		st = observe(t, r, client.Scope{Keys: keys})
		types := ""
		for _, k := range st.Keys {
			types += k.Name + "=" + k.Type + " "
		}
		if types != "absent=stream h=list l=string s=none set=set str=string z=zset " || !st.Complete {
			t.Errorf("after the types changed: %s", types)
		}
		before := r.Log().Total()
		observe(t, r, client.Scope{Keys: keys})
		if n := r.Log().Total() - before; n != int64(r.Log().Cost().Commands) || n != 7+6+3 {
			t.Errorf("%d commands, cost says %d", n, r.Log().Cost().Commands)
		}
	})
}

// Times are exact: what FULL says, nothing computed from idle.
func TestAWholeStream(t *testing.T) {
	servertest.Each(t, func(t *testing.T, s servertest.Server) {
		w := writer(t, s)
		run(t, w, "XADD s 1-0 a 1", "XADD s 2-0 a 2", "XADD s 3-0 a 3", "XGROUP CREATE s g 0", "XGROUP CREATE s f $",
			"XGROUP CREATECONSUMER s g never", "XREADGROUP GROUP g A COUNT 2 STREAMS s >",
			"XCLAIM s g B 0 2-0 TIME 1234567890123 RETRYCOUNT 7", "XDEL s 1-0")
		st := observe(t, reader(t, s), client.Scope{Keys: []string{"s"}})
		str := st.Stream("s")
		if str.Length != state.Know[int64](2) || str.FirstID != state.Know(id(t, "2-0")) || str.LastID != state.Know(id(t, "3-0")) ||
			str.EntriesAdded != state.Know[int64](3) || str.MaxDeleted != state.Know(id(t, "1-0")) {
			t.Errorf("counters %+v", str)
		}
		g, _ := st.Group("s", "g")
		if g.LastDelivered != id(t, "2-0") || g.Pending != state.Know[int64](2) || g.Lag != state.Know[int64](1) || g.EntriesRead != state.Know[int64](2) {
			t.Errorf("group %+v", g)
		}
		row, _ := g.PEL.Row(id(t, "2-0"))
		if row != (state.Pending{ID: id(t, "2-0"), Consumer: "B", DeliveredAt: 1234567890123, Deliveries: 7}) {
			t.Errorf("row %+v", row)
		}
		c, _ := g.Consumer("never")
		wantWhy := "never"
		if s.Kind == "Redis" && !s.AtLeast(7, 2) {
			wantWhy = "this server does not tell (7.2 and later do)"
		}
		if c.Active.Known || c.Active.Why != wantWhy || !c.Seen.Known || st.At.Sub(c.Seen.Value).Abs().Seconds() > 5 {
			t.Errorf("consumer %+v at %d", c, st.At)
		}
		if f, ok := st.Group("s", "f"); !ok || f.LastDelivered != id(t, "3-0") || len(f.Consumers) != 0 || len(f.PEL.Rows) != 0 {
			t.Errorf("group f %+v", f)
		}
	})
}

// C8
func TestAnEmptyStreamWithAGroup(t *testing.T) {
	everywhere(t, func(t *testing.T, w, r *client.Client) {
		run(t, w, "XGROUP CREATE e g $ MKSTREAM")
		for _, scope := range []client.Scope{{Keys: []string{"e"}}, {Stream: "e"}, {Stream: "e", Group: "g"}} {
			st := observe(t, r, scope)
			str := st.Stream("e")
			if str == nil || str.Length != state.Know[int64](0) || str.FirstID != state.Know(state.ID{}) || len(str.Entries.Entries) != 0 ||
				str.Entries.Unknown != "" || str.Entries.To != state.MaxID() || !str.Entries.From.IsZero() {
				t.Fatalf("%+v: %+v", scope, str)
			}
			if g, ok := st.Group("e", "g"); !ok || g.ConsumersUnknown != "" || g.PEL.Unknown != "" || g.PEL.To != state.MaxID() {
				t.Errorf("%+v: group %+v", scope, g)
			}
		}
	})
}

// C9
func TestADeletedEntryIsPendingAndGoneAndTheLagUnknown(t *testing.T) {
	everywhere(t, func(t *testing.T, w, r *client.Client) {
		run(t, w, "XADD s 1-0 a 1", "XADD s 2-0 a 1", "XADD s 3-0 a 1", "XGROUP CREATE s g 0",
			"XREADGROUP GROUP g A COUNT 2 STREAMS s >", "XDEL s 1-0 3-0")
		for _, scope := range []client.Scope{{Keys: []string{"s"}}, {Stream: "s"}} {
			st := observe(t, r, scope)
			g, _ := st.Group("s", "g")
			if len(g.PEL.Rows) != 2 || st.Stream("s").Present(id(t, "1-0")) != state.Know(false) || st.Stream("s").Present(id(t, "2-0")) != state.Know(true) {
				t.Errorf("%+v: %+v", scope, g.PEL)
			}
			if g.Lag.Known || !strings.Contains(g.Lag.Why, "cannot tell") {
				t.Errorf("%+v: lag %+v", scope, g.Lag)
			}
		}
	})
}

func TestAStreamTooLongIsNotReadWhole(t *testing.T) {
	s := servertest.One(t)
	run(t, writer(t, s), `EVAL "for i = 1, 100001 do redis.call('XADD', 's', i, 'a', 1) end" 0`)
	r := reader(t, s)
	for range 2 {
		_, err := r.Observe(within(t), client.Scope{Keys: []string{"s"}})
		var large *client.TooLargeError
		if !errors.As(err, &large) || large.Entries != 100001 || large.Key != "s" {
			t.Fatal(err)
		}
	}
	for _, sent := range r.Log().Entries() {
		if strings.Contains(strings.Join(sent.Args, " "), "FULL") {
			t.Error("it was read all the same")
		}
	}
	run(t, writer(t, s), "XTRIM s MAXLEN 10")
	if st := observe(t, r, client.Scope{Keys: []string{"s"}}); len(st.Stream("s").Entries.Entries) != 10 {
		t.Error("not read after it was trimmed")
	}
}
