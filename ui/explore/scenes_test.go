package explore_test

import (
	"fmt"
	"strings"
	"time"

	"pelscope/redisx/state"
	"pelscope/ui/draw"
	"pelscope/ui/explore"
	"pelscope/ui/intent"
	"pelscope/ui/layout"
	"pelscope/ui/theme"
)

// at is when the scenes are seen, and base the ms of their first entry.
const (
	at   state.Instant = 1_735_200_060_000
	base uint64        = 1_735_200_000_000
)

// scene is something to be seen on the screen.
type scene struct {
	name   string
	states []state.State   // looked at one after the other
	group  string          // empty is the first
	pane   layout.Pane     // the one that it is about; empty is the entries
	do     []intent.Intent // pressed at the end
	lost   string          // the last look failed
	tick   time.Duration   // how long ago the last look was
	shows  []string        // must be on the screen of 120×36 (spaces as one)
	never  []string        // must not
	stream string          // its name; empty is orders
	server func(*explore.Server)
}

func (sc scene) screen(th *theme.Theme, w, h int) *explore.Screen {
	server := explore.Server{Where: "10.0.3.7:6379", What: "Redis 8.6.3", ReadOnly: true}
	if sc.server != nil {
		sc.server(&server)
	}
	name := sc.stream
	if name == "" {
		name = "orders"
	}
	s := explore.New(th, server, name, sc.group)
	s.SetSize(w, h)
	now := time.UnixMilli(int64(at))
	for _, st := range sc.states {
		s.Tick(now)
		s.Observed(st, explore.Cost{Commands: 11, Took: 900 * time.Microsecond})
	}
	s.Tick(now.Add(sc.tick))
	if sc.lost != "" {
		s.Lost(sc.lost, now.Add(sc.tick))
	}
	for i := 0; sc.pane != "" && s.Focus() != sc.pane && i < 6; i++ {
		s.Do(intent.NextPane)
	}
	for _, i := range sc.do {
		s.Do(i)
	}
	return s
}

func id(n uint64) state.ID { return state.ID{MS: base + n} }

func ago(d time.Duration) state.Maybe[state.Instant] {
	return state.Know(at - state.Instant(d.Milliseconds()))
}

func entry(n uint64, fields ...string) state.Entry {
	e := state.Entry{ID: id(n)}
	for i := 0; i+1 < len(fields); i += 2 {
		e.Fields = append(e.Fields, state.Field{Name: fields[i], Value: fields[i+1]})
		e.Size += int64(len(fields[i]) + len(fields[i+1]))
	}
	return e
}

func order(n uint64) state.Entry {
	return entry(n, "eventType", "OrderPaid", "orderId", fmt.Sprint(10_000+n), "amount", "49000")
}

func pending(n uint64, consumer string, deliveries int64, idle time.Duration) state.Pending {
	return state.Pending{ID: id(n), Consumer: consumer, Deliveries: deliveries, DeliveredAt: at - state.Instant(idle.Milliseconds())}
}

func member(name string, pending int64, idle, inactive time.Duration) state.Consumer {
	return state.Consumer{Name: name, Pending: state.Know(pending), Seen: ago(idle), Active: ago(inactive)}
}

// settlement is a group of two consumers with three pending entries, and its cursor at entry 20 of 24.
func settlement() state.Group {
	return state.Group{
		Name: "settlement", LastDelivered: id(20), EntriesRead: state.Know[int64](20), Lag: state.Know[int64](4), Pending: state.Know[int64](3),
		Consumers: []state.Consumer{
			member("consumer-a", 2, 3*time.Second, 12*time.Second), member("consumer-b", 1, 4*time.Minute, 4*time.Minute),
		},
		PEL: state.Page{To: state.MaxID(), Rows: []state.Pending{
			pending(7, "consumer-b", 3, 4*time.Minute+12*time.Second), pending(19, "consumer-a", 1, 12*time.Second), pending(20, "consumer-a", 1, 12*time.Second),
		}},
	}
}

func notification() state.Group {
	return state.Group{
		Name: "notification", LastDelivered: id(24), EntriesRead: state.Know[int64](24), Lag: state.Know[int64](0), Pending: state.Know[int64](0),
		ConsumersUnknown: "not read", PEL: state.Page{To: state.MaxID(), Unknown: "not read"},
	}
}

// orders is a stream of n entries, all of them in view, and its groups (ordered by name).
func orders(n uint64, groups ...state.Group) *state.Stream {
	st := &state.Stream{
		Length: state.Know(int64(n)), FirstID: state.Know(state.ID{}), LastID: state.Know(id(n)), EntriesAdded: state.Know(int64(n)),
		MaxDeleted: state.Know(state.ID{}), Entries: state.Window{To: state.MaxID()}, Groups: groups,
	}
	for i := uint64(1); i <= n; i++ {
		st.Entries.Entries = append(st.Entries.Entries, order(i))
	}
	if n > 0 {
		st.FirstID = state.Know(id(1))
	}
	return st
}

func seen(st *state.Stream) state.State { return named("orders", st) }

func named(name string, st *state.Stream) state.State {
	return state.State{At: at, RTT: time.Millisecond, Keys: []state.Key{{Name: name, Type: "stream", Stream: st}}}
}

func keyOf(typ string) state.State {
	return state.State{At: at, Keys: []state.Key{{Name: "orders", Type: typ}}}
}

// ordinary is what the design's drawing shows.
func ordinary() state.State { return seen(orders(24, notification(), settlement())) }

// next is ordinary a moment later: an entry was added, another read.
func next() state.State {
	g := settlement()
	g.LastDelivered, g.EntriesRead, g.Pending = id(21), state.Know[int64](21), state.Know[int64](4)
	g.PEL.Rows = append(g.PEL.Rows, pending(21, "consumer-a", 1, 0))
	g.Consumers[0] = member("consumer-a", 3, 0, 0)
	n := notification()
	n.Lag = state.Know[int64](1)
	return seen(orders(25, n, g))
}

const noPerm = "this user may not run"

// denied is a look of which every part but the key's type was refused.
func denied() state.State {
	why := noPerm + " XINFO"
	return seen(&state.Stream{
		Length: state.Unknown[int64](why), FirstID: state.Unknown[state.ID](why), LastID: state.Unknown[state.ID](why),
		EntriesAdded: state.Unknown[int64](why), MaxDeleted: state.Unknown[state.ID](why),
		Entries: state.Window{Unknown: noPerm + " XREVRANGE"}, GroupsUnknown: why,
	})
}

// deniedRows is a look at which the consumers and the pending rows were refused.
func deniedRows() state.State {
	g := settlement()
	g.Lag, g.Pending = state.Unknown[int64]("the server says nil"), state.Unknown[int64](noPerm+" XPENDING")
	g.Consumers, g.ConsumersUnknown = nil, noPerm+" XINFO CONSUMERS"
	g.PEL = state.Page{Unknown: noPerm + " XPENDING"}
	return seen(orders(24, g))
}

// deniedEntries is a look at which only the entries were refused.
func deniedEntries() state.State {
	st := orders(24, settlement())
	st.Entries = state.Window{Unknown: noPerm + " XREVRANGE"}
	return seen(st)
}

// deleted is three entries of which two were read and the first and the last then deleted.
func deleted() state.State {
	st := orders(3, state.Group{
		Name: "e", LastDelivered: id(2), EntriesRead: state.Know[int64](2), Lag: state.Unknown[int64]("the server cannot tell"),
		Pending: state.Know[int64](2), Consumers: []state.Consumer{member("A", 2, time.Second, time.Second)},
		PEL: state.Page{To: state.MaxID(), Rows: []state.Pending{pending(1, "A", 1, time.Second), pending(2, "A", 1, time.Second)}},
	})
	st.Entries.Entries = st.Entries.Entries[1:2]
	st.Length, st.FirstID, st.MaxDeleted = state.Know[int64](1), state.Know(id(2)), state.Know(id(3))
	return seen(st)
}

// crowd is a group of n consumers of which the 7th and the 93rd are active.
func crowd(n int, name string) state.State {
	g := settlement()
	g.Consumers = nil
	for i := 1; i <= n; i++ {
		idle := 3 * time.Hour
		if i == 7 || i == 93 {
			idle = 2 * time.Second
		}
		g.Consumers = append(g.Consumers, member(fmt.Sprintf(name, i), 0, idle, idle))
	}
	return seen(orders(24, g))
}

// poisoned has one entry delivered 800 times, among others.
func poisoned() state.State {
	g := settlement()
	g.PEL.Rows = []state.Pending{
		pending(3, "consumer-a", 1, time.Second), pending(5, "consumer-a", 2, time.Second),
		pending(11, "consumer-b", 800, 2*time.Second), pending(14, "consumer-a", 1, time.Second),
	}
	g.Pending = state.Know[int64](4)
	return seen(orders(24, g))
}

// hostile are bytes that would do harm to a terminal that gets them as they are.
const hostile = "a\x1b]52;c;aGk=\x07b\x1b[2Jc\u009b31md\u202ee\nf\tg\rh\x00i\x7fj\xffk"

func hostiles() state.State {
	g := settlement()
	g.Name = hostile
	for i := range g.Consumers {
		g.Consumers[i].Name = hostile + fmt.Sprint(i)
	}
	for i := range g.PEL.Rows {
		g.PEL.Rows[i].Consumer = hostile + "0"
	}
	st := orders(24, g)
	for i := range st.Entries.Entries {
		st.Entries.Entries[i] = entry(uint64(i+1), hostile, hostile)
	}
	return named(hostile, st)
}

// widths are texts in scripts whose width is easily got wrong (C15).
func widths() []string {
	return []string{
		"日本語の注文", "주문이 결제되었습니다", "e\u0301te\u0301 n\u0303 Å\u0323", "👩‍🚀👍🏽❤️🇰🇷", "ﷺ", "ab\u200bcd\ufeff", "สวัสดีครับ", "नमस्ते", "ａｂｃ１２３",
		strings.Repeat("漢", 60), "|", "—…“”",
	}
}

func scripts() state.State {
	g := settlement()
	g.Name = "정산"
	g.Consumers[0].Name, g.Consumers[1].Name = "소비자-가", "消費者👩‍🚀"
	for i := range g.PEL.Rows {
		g.PEL.Rows[i].Consumer = "소비자-가"
	}
	st := orders(24, g)
	list := widths()
	for i := range st.Entries.Entries {
		w := list[i%len(list)]
		st.Entries.Entries[i] = entry(uint64(i+1), w, "1", "값", w, "z", "end")
	}
	return named("주문", st)
}

// scenes are the screens that are kept as goldens: C6, C8, C9, C12, C14, C15, C16 and C29 among them.
func scenes() []scene {
	torn := ordinary()
	torn.Torn = true
	empty := orders(0, state.Group{Name: "g", Lag: state.Know[int64](0), Pending: state.Know[int64](0), PEL: state.Page{To: state.MaxID()}})
	return append(faults(), []scene{
		{name: "ordinary", group: "settlement", states: []state.State{ordinary()}, shows: []string{"lag 4 pending 3: a consumer-a 2, b consumer-b 1 oldest 4m12s"}},
		{name: "changes", group: "settlement", pane: layout.Changes, states: []state.State{ordinary(), next()}, shows: []string{"cursor 1735200000020-0 → 1735200000021-0 (+1)"}},
		{name: "torn", group: "settlement", states: []state.State{torn}, shows: []string{"torn"}},
		{name: "empty-with-group", states: []state.State{seen(empty)}, shows: []string{"no entries", "no consumer yet", "nothing is pending"}},
		{name: "deleted-but-pending", pane: layout.Pending, states: []state.State{deleted()}, shows: []string{"its entry is deleted", "unknown"}},
		{name: "hundred-consumers", pane: layout.Members, states: []state.State{crowd(100, "c-%03d")}, shows: []string{"2 active, 98 stale", "c-007", "c-093"}},
		{
			name: "long-names", pane: layout.Members, states: []state.State{crowd(50, "settlement-worker-eu-central-1-pod-%02d-7f9c6d5b8-x2k4q")},
			shows: []string{"1 active, 49 stale"},
		},
		{name: "eight-hundred-deliveries", pane: layout.Pending, states: []state.State{poisoned()}, shows: []string{"×800 ⚠ poison?"}},
		{name: "scripts", stream: "주문", states: []state.State{scripts()}, shows: []string{"ﷺ=1", "e\u0301te\u0301 n\u0303", "정산's cursor"}},
		{name: "hostile", stream: hostile, states: []state.State{hostiles()}, shows: []string{`a\x1b]52;c;aGk=\x07b`}},
	}...)
}

// faults are the scenes in which something is missing or out of reach.
func faults() []scene {
	return []scene{
		{name: "looking", group: "settlement", never: []string{"no group", "no stream", "no entries", " 0 "}, shows: []string{"looking…"}},
		{name: "no-stream", group: "settlement", states: []state.State{keyOf("none")}, shows: []string{"there is no key orders now"}},
		{name: "other-type", group: "settlement", states: []state.State{ordinary(), keyOf("list")}, shows: []string{"orders is a list now, not a stream"}},
		{
			name: "denied", group: "settlement", states: []state.State{denied()},
			shows: []string{noPerm + " XINFO", noPerm + " XREVRANGE"}, never: []string{"no group", "no entries", "nothing is pending", " 0 "},
		},
		{
			name: "denied-key", group: "settlement", shows: []string{noPerm + " TYPE"}, never: []string{"no group", "no stream", "no entries", " 0 "},
			states: []state.State{{At: at, Torn: true, Keys: []state.Key{{Name: "orders", Denied: noPerm + " TYPE"}}}},
		},
		{
			name: "denied-rows", pane: layout.Pending, states: []state.State{deniedRows()}, shows: []string{noPerm + " XPENDING", noPerm + " XINFO CONSUMERS"},
			never: []string{"nothing is pending", "no consumer"},
		},
		{
			name: "denied-entries", group: "settlement", states: []state.State{deniedEntries()}, shows: []string{noPerm + " XREVRANGE", "lag 4"},
			never: []string{"no entries", "0 entries"},
		},
		{
			name: "group-gone", group: "settlement", pane: layout.Pending, states: []state.State{ordinary(), seen(orders(24, notification()))},
			shows: []string{"there is no group settlement now"},
		},
		{
			name: "lost", group: "settlement", states: []state.State{ordinary()}, tick: 12 * time.Second,
			lost:  "10.0.3.7:6379: connection refused: nothing listens there",
			shows: []string{"stale 12s, retrying: connection refused", "1735200000024-0"},
		},
		{
			name: "lost-at-once", group: "settlement", lost: "10.0.3.7:6379: no answer in time", shows: []string{"retrying: no answer in time"},
			never: []string{"stale", "no group", "no stream"},
		},
		{
			name: "silent", group: "settlement", states: []state.State{ordinary()}, tick: 4 * time.Second,
			shows: []string{"stale 4s, no answer yet"}, never: []string{"live 1s"},
		},
		{
			name: "paused", group: "settlement", states: []state.State{ordinary()}, tick: time.Hour, do: []intent.Intent{intent.Pause},
			shows: []string{"paused"}, never: []string{"live 1s", "stale 1h"},
		},
	}
}

// sizes are the screens that are looked at.
func sizes() [][2]int { return [][2]int{{40, 12}, {80, 24}, {120, 36}, {200, 60}} }

// lines are a block's lines.
func lines(b draw.Block) []string { return strings.Split(b.String(), "\n") }
