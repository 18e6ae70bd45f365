package client_test

import (
	"fmt"
	"strings"
	"testing"

	"pelscope/redisx/client"
	"pelscope/redisx/private/servertest"
	"pelscope/redisx/state"
)

// sentSince is the commands sent after the first n, without MULTI and EXEC.
func sentSince(c *client.Client, n int64) string {
	all := c.Log().Entries()
	var out []string
	for _, s := range all[len(all)-int(c.Log().Total()-n):] {
		if line := strings.Join(s.Args, " "); line != "MULTI" && line != "EXEC" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

func add(t testing.TB, w *client.Client, from, to int) {
	t.Helper()
	for i := from; i <= to; i++ {
		run(t, w, fmt.Sprintf("XADD s %d-0 n %d", i, i))
	}
}

func span(w state.Window) string {
	to := w.To.String()
	if w.To == state.MaxID() {
		to = "max"
	}
	return fmt.Sprintf("%s..%s: %s", w.From, to, ids(w.Entries))
}

func TestWindowsAndTheirEdges(t *testing.T) {
	everywhere(t, func(t *testing.T, w, r *client.Client) {
		add(t, w, 1, 9)
		at := func(n string, before, after int) client.Window {
			return client.Window{Anchor: id(t, n), Before: before, After: after}
		}
		for _, c := range []struct {
			window client.Window
			want   string
		}{
			{client.Window{}, "0-0..max: 1-0 2-0 3-0 4-0 5-0 6-0 7-0 8-0 9-0"},
			{client.Window{Count: 9}, "1-0..max: 1-0 2-0 3-0 4-0 5-0 6-0 7-0 8-0 9-0"},
			{client.Window{Count: 3}, "7-0..max: 7-0 8-0 9-0"},
			{client.Window{Count: 3, Tail: true, Anchor: id(t, "2-0")}, "7-0..max: 7-0 8-0 9-0"},
			{at("0-1", 0, 3), "0-1..3-0: 1-0 2-0 3-0"},
			{at("0-1", 5, 3), "0-0..3-0: 1-0 2-0 3-0"},
			{at("5-0", 2, 2), "3-0..6-0: 3-0 4-0 5-0 6-0"},
			{at("5-1", 2, 2), "4-0..7-0: 4-0 5-0 6-0 7-0"},
			{at("2-0", 5, 2), "0-0..3-0: 1-0 2-0 3-0"},
			{at("8-0", 1, 5), "7-0..max: 7-0 8-0 9-0"},
			{at("99-0", 2, 5), "8-0..max: 8-0 9-0"},
			{at("18446744073709551615-18446744073709551615", 1, 5), "9-0..max: 9-0"},
		} {
			if got := span(observe(t, r, client.Scope{Stream: "s", Entries: c.window}).Stream("s").Entries); got != c.want {
				t.Errorf("%+v\n got %s\nwant %s", c.window, got, c.want)
			}
		}
	})
}

func TestPagesOfThePEL(t *testing.T) {
	everywhere(t, func(t *testing.T, w, r *client.Client) {
		add(t, w, 1, 6)
		run(t, w, "XGROUP CREATE s g 0", "XREADGROUP GROUP g A COUNT 4 STREAMS s >", "XREADGROUP GROUP g B STREAMS s >")
		for _, c := range []struct {
			page client.Page
			want string
		}{
			{client.Page{}, "0-0..max [1-0 A 2-0 A 3-0 A 4-0 A 5-0 B 6-0 B]"},
			{client.Page{Count: 2}, "0-0..2-0 [1-0 A 2-0 A]"},
			{client.Page{Count: 2, From: id(t, "2-1")}, "2-1..4-0 [3-0 A 4-0 A]"},
			{client.Page{Count: 3, From: id(t, "5-0")}, "5-0..max [5-0 B 6-0 B]"},
			{client.Page{Consumer: "B"}, "0-0..max [5-0 B 6-0 B]"},
			{client.Page{Consumer: "nobody"}, "0-0..max []"},
		} {
			st := observe(t, r, client.Scope{Stream: "s", Pending: c.page})
			g, _ := st.Group("s", "g")
			var rows []string
			for _, row := range g.PEL.Rows {
				rows = append(rows, row.ID.String(), row.Consumer)
			}
			to := g.PEL.To.String()
			if g.PEL.To == state.MaxID() {
				to = "max"
			}
			if got := fmt.Sprintf("%s..%s %v", g.PEL.From, to, rows); got != c.want || g.PEL.Consumer != c.page.Consumer {
				t.Errorf("%+v: %s", c.page, got)
			}
			if len(g.Consumers) != 2 || g.Consumers[0].Pending != state.Know[int64](4) {
				t.Errorf("consumers %+v", g.Consumers)
			}
		}
	})
}

func TestWithoutAGroupTheForemostIsSelected(t *testing.T) {
	s := servertest.One(t)
	w := writer(t, s)
	run(t, w, "XADD s 1-0 a 1", "XGROUP CREATE s m 0", "XGROUP CREATE s n $", "XGROUP CREATE s z 0")
	r := reader(t, s)
	st := observe(t, r, client.Scope{Stream: "s"})
	read := func(st state.State) string {
		var out []string
		for _, g := range st.Stream("s").Groups {
			out = append(out, g.Name+":"+g.ConsumersUnknown)
		}
		return strings.Join(out, " ")
	}
	const not = "not read: another group is selected"
	if got := read(st); got != "m: n:"+not+" z:"+not {
		t.Error("of equals the first by name:", got)
	}
	run(t, w, "XREADGROUP GROUP z alice STREAMS s >")
	st = observe(t, r, client.Scope{Stream: "s", Prev: &st})
	if got := read(st); got != "m:"+not+" n:"+not+" z:" {
		t.Error("the one with the most pending:", got)
	}
	if st = observe(t, r, client.Scope{Stream: "s", Group: "nosuch", Prev: &st}); len(st.Stream("s").Groups) != 3 {
		t.Error("the other groups are not there")
	}
}

func TestALookAtAStreamThatRestsFetchesNoEntries(t *testing.T) {
	everywhere(t, func(t *testing.T, w, r *client.Client) {
		add(t, w, 1, 9)
		run(t, w, "XGROUP CREATE s g 0", "XREADGROUP GROUP g A COUNT 2 STREAMS s >")
		scope := client.Scope{Stream: "s", Entries: client.Window{Count: 3}}
		st := observe(t, r, scope)
		for range 3 {
			before := r.Log().Total()
			scope.Prev = &st
			next := observe(t, r, scope)
			if got := sentSince(r, before); got != "TYPE s\nXINFO STREAM s\nXINFO GROUPS s\nXINFO CONSUMERS s g\nXPENDING s g - + 100\nTIME" {
				t.Fatalf("sent\n%s", got)
			}
			if span(next.Stream("s").Entries) != "7-0..max: 7-0 8-0 9-0" {
				t.Fatal(span(next.Stream("s").Entries))
			}
			st = next
		}
	})
}

func TestOnlyNewEntriesAreFetched(t *testing.T) {
	everywhere(t, func(t *testing.T, w, r *client.Client) {
		add(t, w, 1, 9)
		scope := client.Scope{Stream: "s", Entries: client.Window{Count: 4}}
		st := observe(t, r, scope)
		step := func(what, want, fetched string) {
			t.Helper()
			before := r.Log().Total()
			scope.Prev = &st
			next := observe(t, r, scope)
			if got := span(next.Stream("s").Entries); got != want {
				t.Errorf("%s\n got %s\nwant %s", what, got, want)
			}
			got := ""
			for line := range strings.Lines(sentSince(r, before)) {
				if strings.HasPrefix(line, "XR") {
					got += strings.TrimSpace(line) + ";"
				}
			}
			if got != fetched {
				t.Errorf("%s: fetched by %q, want %q", what, got, fetched)
			}
			st = next
		}
		add(t, w, 10, 11)
		step("two more", "8-0..max: 8-0 9-0 10-0 11-0", "XREVRANGE s + 9-1 COUNT 4;")
		add(t, w, 12, 30)
		step("more than the window", "27-0..max: 27-0 28-0 29-0 30-0", "XREVRANGE s + 11-1 COUNT 4;")
		run(t, w, "XDEL s 28-0")
		step("one deleted inside", "26-0..max: 26-0 27-0 29-0 30-0", "XREVRANGE s + - COUNT 4;")
		run(t, w, "XDEL s 29-0", "XADD s 31-0 n 31")
		step("one deleted, one added", "26-0..max: 26-0 27-0 30-0 31-0", "XREVRANGE s + - COUNT 4;")
		run(t, w, "XTRIM s MAXLEN 2")
		step("trimmed", "0-0..max: 30-0 31-0", "XREVRANGE s + - COUNT 4;")
		run(t, w, "XTRIM s MAXLEN 0")
		step("emptied", "0-0..max: ", "XREVRANGE s + - COUNT 4;")
		run(t, w, "XADD s 32-0 n 32")
		step("one in the empty", "0-0..max: 32-0", "XREVRANGE s + 31-1 COUNT 4;")
		run(t, w, "DEL s", "XADD s 1-0 a 1")
		step("made anew", "0-0..max: 1-0", "XREVRANGE s + - COUNT 4;")
	})
}

func TestAWindowInTheMiddleStaysWhileEntriesAreAdded(t *testing.T) {
	s := servertest.One(t)
	w := writer(t, s)
	add(t, w, 1, 20)
	r := reader(t, s)
	scope := client.Scope{Stream: "s", Entries: client.Window{Anchor: id(t, "10-0"), Before: 2, After: 2}}
	st := observe(t, r, scope)
	add(t, w, 21, 30)
	before := r.Log().Total()
	scope.Prev = &st
	st = observe(t, r, scope)
	if got := sentSince(r, before); strings.Contains(got, "RANGE") {
		t.Errorf("fetched entries that cannot have changed:\n%s", got)
	}
	// Scrolling to where the last look has not been is not answered from it.
	scope.Entries.Anchor = id(t, "11-0")
	if got := span(observe(t, r, scope).Stream("s").Entries); got != "9-0..12-0: 9-0 10-0 11-0 12-0" {
		t.Error(got)
	}
	run(t, w, "XDEL s 10-0")
	scope.Entries.Anchor = id(t, "10-0")
	if got := span(observe(t, r, scope).Stream("s").Entries); got != "8-0..12-0: 8-0 9-0 11-0 12-0" {
		t.Error(got)
	}
}

// Pending ids outside the window are looked up once, ten in a look, and again only after something was deleted.
func TestPendingIdsOutsideTheWindowAreLookedUp(t *testing.T) {
	everywhere(t, func(t *testing.T, w, r *client.Client) {
		add(t, w, 1, 30)
		run(t, w, "XGROUP CREATE s g 0", "XREADGROUP GROUP g A COUNT 16 STREAMS s >", "XDEL s 4-0 12-0")
		scope := client.Scope{Stream: "s", Entries: client.Window{Count: 5}}
		look := func() (state.State, int) {
			before := r.Log().Total()
			st := observe(t, r, scope)
			scope.Prev = &st
			return st, strings.Count(sentSince(r, before), "COUNT 1\n")
		}
		st, n := look()
		if n != 10 || fmt.Sprint(st.Stream("s").Gone) != "[4-0]" {
			t.Errorf("first look: %d lookups, gone %v", n, st.Stream("s").Gone)
		}
		if st, n = look(); n != 6 || fmt.Sprint(st.Stream("s").Gone) != "[4-0 12-0]" {
			t.Errorf("second look: %d lookups, gone %v", n, st.Stream("s").Gone)
		}
		add(t, w, 31, 33)
		if st, n = look(); n != 0 || fmt.Sprint(st.Stream("s").Gone) != "[4-0 12-0]" {
			t.Errorf("third look: %d lookups, gone %v", n, st.Stream("s").Gone)
		}
		run(t, w, "XDEL s 5-0")
		st, _ = look()
		if fmt.Sprint(st.Stream("s").Gone) != "[4-0 5-0 12-0]" || st.Stream("s").Present(id(t, "5-0")) != state.Know(false) {
			t.Errorf("after a deletion: gone %v", st.Stream("s").Gone)
		}
		run(t, w, "XTRIM s MINID 10")
		if st, _ = look(); fmt.Sprint(st.Stream("s").Gone) != "[12-0]" || st.Stream("s").Present(id(t, "5-0")) != state.Know(false) {
			t.Errorf("after trimming the first id tells: gone %v", st.Stream("s").Gone)
		}
	})
}

func TestDeliveryTimesOfAWindowAgreeWithTheWhole(t *testing.T) {
	everywhere(t, func(t *testing.T, w, r *client.Client) {
		add(t, w, 1, 3)
		run(t, w, "XGROUP CREATE s g 0", "XREADGROUP GROUP g A STREAMS s >", "XCLAIM s g B 0 2-0 IDLE 60000 RETRYCOUNT 4")
		whole, _ := observe(t, r, client.Scope{Keys: []string{"s"}}).Group("s", "g")
		part, _ := observe(t, r, client.Scope{Stream: "s"}).Group("s", "g")
		for i, a := range whole.PEL.Rows {
			b := part.PEL.Rows[i]
			if off := a.DeliveredAt.Sub(b.DeliveredAt).Abs(); off.Milliseconds() > 2 || a.ID != b.ID || a.Consumer != b.Consumer || a.Deliveries != b.Deliveries {
				t.Errorf("%+v and %+v", a, b)
			}
		}
		for i, a := range whole.Consumers {
			b := part.Consumers[i]
			if a.Seen.Value.Sub(b.Seen.Value).Abs().Milliseconds() > 2 || a.Active.Known != b.Active.Known || a.Pending != b.Pending {
				t.Errorf("%+v and %+v", a, b)
			}
		}
	})
}

func TestLongValuesAreCutInAWindow(t *testing.T) {
	s := servertest.One(t)
	w := writer(t, s)
	long := strings.Repeat("x", 10<<20)
	if _, err := w.Do(within(t), "XADD", "s", "1-0", "short", "1", "long", long); err != nil {
		t.Fatal(err)
	}
	e := observe(t, reader(t, s), client.Scope{Stream: "s"}).Stream("s").Entries.Entries[0]
	if !e.Cut || e.Size != int64(len(long)+10) || len(e.Fields[1].Value) != client.MaxValue || e.Fields[0].Value != "1" {
		t.Errorf("cut %v size %d kept %d", e.Cut, e.Size, len(e.Fields[1].Value))
	}
	whole, found, err := w.Entry(within(t), "s", id(t, "1-0"))
	if err != nil || !found || whole.Cut || whole.Size != e.Size || whole.Fields[1].Value != long {
		t.Errorf("the whole entry: %v %v cut %v, %d bytes", err, found, whole.Cut, whole.Size)
	}
	if _, found, err = w.Entry(within(t), "s", id(t, "2-0")); found || err != nil {
		t.Error("an entry that is none:", found, err)
	}
	for _, sent := range w.Log().Entries() {
		for _, a := range sent.Args {
			if len(a) > 300 {
				t.Errorf("the log keeps %d bytes of an argument", len(a))
			}
		}
	}
}
