package tape

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pelscope/redisx/state"
	"pelscope/ui/theme"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"pgregory.net/rapid"
)

const now = state.Instant(1735200300000)

func id(ms uint64) state.ID { return state.ID{MS: ms} }

// ids are the entries of the examples: a second apart.
func at(n int) state.ID { return id(1735200000000 + uint64(n)*1000) }

// window is a stream whose entries from..to, of count in all from 1 on, were read.
func window(count, from, to int) *state.Stream {
	s := &state.Stream{
		Length: state.Know(int64(count)), FirstID: state.Know(at(1)), LastID: state.Know(at(count)),
		EntriesAdded: state.Know(int64(count)), MaxDeleted: state.Know(state.ID{}),
		Entries: state.Window{From: at(from), To: at(to)},
	}
	for n := from; n <= to; n++ {
		s.Entries.Entries = append(s.Entries.Entries, state.Entry{ID: at(n)})
	}
	return s
}

// group reads up to the cursor; pending are "consumer n" with n the entry, each a minute older.
func group(name string, cursor state.ID, lag int64, pending ...string) state.Group {
	g := state.Group{Name: name, LastDelivered: cursor, Lag: state.Know(lag), Pending: state.Know(int64(len(pending)))}
	for i, p := range pending {
		var owner string
		var n int
		if _, err := fmt.Sscanf(p, "%s %d", &owner, &n); err != nil {
			panic(err)
		}
		g.PEL.Rows = append(g.PEL.Rows, state.Pending{ID: at(n), Consumer: owner, Deliveries: 1, DeliveredAt: now.Add(-time.Duration(len(pending)-i) * time.Minute)})
	}
	g.PEL.To = state.MaxID()
	return g
}

func with(s *state.Stream, groups ...state.Group) *state.Stream {
	s.Groups = groups
	return s
}

// without takes entries out of the window, as XDEL does.
func without(s *state.Stream, ns ...int) *state.Stream {
	for _, n := range ns {
		for i, e := range s.Entries.Entries {
			if e.ID == at(n) {
				s.Entries.Entries = append(s.Entries.Entries[:i], s.Entries.Entries[i+1:]...)
				break
			}
		}
		s.Length.Value--
		s.MaxDeleted = state.Know(at(n))
	}
	return s
}

type example struct {
	name   string
	stream *state.Stream
	group  string
}

func examples() []example {
	unknown := group("settlement", at(20), 0, "consumer-a 12")
	unknown.Lag = state.Unknown[int64]("an entry behind the cursor was deleted")
	far := group("settlement", at(9_990_000), 10_000, "consumer-a 5000000", "consumer-b 9990000")
	far.Pending = state.Know[int64](200_000)
	far.EntriesRead = state.Know[int64](9_990_000)
	trimmed := with(window(30, 1, 30), group("settlement", at(24), 6, "consumer-a 2", "consumer-b 20"))
	trimmed.FirstID, trimmed.Entries.From, trimmed.Entries.Entries = state.Know(at(5)), at(5), trimmed.Entries.Entries[4:]
	trimmed.Length = state.Know[int64](26)
	empty := &state.Stream{Length: state.Know[int64](0), FirstID: state.Know(state.ID{}), LastID: state.Know(state.ID{}), EntriesAdded: state.Know[int64](0), MaxDeleted: state.Know(state.ID{}), Entries: state.Window{To: state.MaxID()}}
	denied := with(window(30, 1, 30))
	denied.GroupsUnknown = "the user has no permission to run XINFO"
	blind := with(window(18204, 1, 1), group("settlement", at(18_000), 204, "consumer-a 17990"))
	blind.Entries = state.Window{Unknown: "the user has no permission to run XRANGE"}
	return []example{
		{"cursor-at-start", with(window(30, 1, 30), group("settlement", state.ID{}, 30)), "settlement"},
		{"cursor-in-middle", with(window(44, 1, 44), group("settlement", at(31), 13, "consumer-a 12", "consumer-b 17", "consumer-a 31")), "settlement"},
		{"cursor-at-end", with(window(30, 1, 30), group("settlement", at(30), 0, "consumer-a 29", "consumer-a 30")), "settlement"},
		{"lag-unknown", with(without(window(40, 1, 40), 25), unknown), "settlement"},
		{"deleted-but-pending", with(without(window(30, 1, 30), 8, 21), group("settlement", at(24), 6, "consumer-a 8", "consumer-b 20", "consumer-b 21")), "settlement"},
		{"trimmed-but-pending", trimmed, "settlement"},
		{"two-groups", with(window(40, 1, 40), group("notification", at(33), 7), group("settlement", at(22), 18, "consumer-a 20")), "settlement"},
		{"two-groups-at-one-place", with(window(40, 1, 40), group("notification", at(22), 18), group("settlement", at(22), 18)), "settlement"},
		{"empty", with(empty, group("settlement", state.ID{}, 0)), "settlement"},
		{"ten-million", with(window(10_000_000, 9_999_801, 10_000_000), far), "settlement"},
		{"window-in-middle", with(window(18204, 9000, 9200), group("settlement", at(9100), 9104, "consumer-a 9050", "consumer-b 200")), "settlement"},
		{"lagging-behind-window", with(window(18204, 18005, 18204), group("settlement", at(9102), 9102, "consumer-a 9050")), "settlement"},
		{"no-group", window(30, 1, 30), ""},
		{"groups-denied", denied, "settlement"},
		{"entries-denied", blind, "settlement"},
		{"pel-not-whole", with(window(40, 1, 40), func() state.Group {
			g := group("settlement", at(31), 9, "consumer-a 12", "consumer-b 17")
			g.Pending = state.Know[int64](20)
			return g
		}()), "settlement"},
	}
}

func TestTapeGoldens(t *testing.T) {
	looks := []struct {
		name string
		th   *theme.Theme
	}{
		{"dark", theme.New(theme.Dark, false)}, {"light", theme.New(theme.Light, false)},
		{"no-color", theme.New(theme.None, false)}, {"ascii", theme.New(theme.None, true)},
	}
	for _, e := range examples() {
		for _, l := range looks {
			t.Run(e.name+"/"+l.name, func(t *testing.T) {
				var sb strings.Builder
				for _, w := range []int{116, 60, 36} {
					fmt.Fprintf(&sb, "%s\n", Build(e.stream, e.group, now, w).View(l.th))
				}
				golden.RequireEqual(t, sb.String())
			})
		}
	}
}

// random draws a stream, any window of it, and groups on it; with the truth about every entry.
func random(t *rapid.T) *state.Stream {
	n := rapid.IntRange(0, 60).Draw(t, "entries")
	if n == 0 {
		e := examples()[8].stream
		return with(e, group("g", at(rapid.IntRange(0, 5).Draw(t, "cursor")), 0))
	}
	from := rapid.IntRange(1, n).Draw(t, "from")
	to := rapid.IntRange(from, n).Draw(t, "to")
	if rapid.Bool().Draw(t, "whole") {
		from, to = 1, n
	}
	s := window(n, from, to)
	cursor := rapid.IntRange(0, n).Draw(t, "cursor")
	var pending []string
	for k := 1; k <= cursor; k++ {
		if rapid.IntRange(0, 4).Draw(t, "pending") == 0 {
			pending = append(pending, fmt.Sprintf("c%d %d", k%3, k))
		}
	}
	c := at(cursor)
	if cursor == 0 {
		c = state.ID{}
	}
	g := group("g", c, int64(n-cursor), pending...)
	if rapid.Bool().Draw(t, "lag unknown") {
		g.Lag = state.Unknown[int64]("nil")
	}
	return with(s, g, group("h", at(rapid.IntRange(0, n).Draw(t, "other")), 0))
}

func TestTapeIsExactlyAsWideAsAsked(t *testing.T) {
	ths := []*theme.Theme{theme.New(theme.Dark, false), theme.New(theme.None, false), theme.New(theme.None, true)}
	rapid.Check(t, func(t *rapid.T) {
		s := random(t)
		w := rapid.IntRange(0, 130).Draw(t, "w")
		tp := Build(s, rapid.SampledFrom([]string{"g", "h", "", "none"}).Draw(t, "group"), now, w)
		b := tp.View(rapid.SampledFrom(ths).Draw(t, "theme"))
		if len(tp.Cells) != w || b.W != w || b.H != 2 {
			t.Fatalf("%d cells, %d×%d, want %d", len(tp.Cells), b.W, b.H, w)
		}
		for i := range 2 {
			if l := b.Line(i); ansi.StringWidth(l) != w || ansi.StringWidthWc(l) != w {
				t.Fatalf("line %q is not %d columns", l, w)
			}
		}
	})
}

func TestTapeTellsTheTruthAboutEveryEntry(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := random(t)
		g, _ := s.Group("g")
		w := rapid.IntRange(20, 130).Draw(t, "w")
		tp := Build(s, "g", now, w)
		cursor := tp.CursorAt()
		if cursor < 0 {
			t.Fatalf("no cursor in %v", tp.Cells)
		}
		total, exactly := int64(0), 0
		for i, c := range tp.Cells {
			total += c.Count
			switch {
			case c.Kind == Passed && i > cursor, c.Kind == Undelivered && i < cursor:
				t.Fatalf("cell %d is %v, the cursor at %d", i, c, cursor)
			case c.Approx || c.Count != 1 || c.Kind == Gone:
				continue
			}
			exactly++
			row, pending := g.PEL.Row(c.ID)
			switch {
			case pending != (c.Kind == Pending), pending && row.Consumer != c.Owner, !pending && g.LastDelivered.Less(c.ID) != (c.Kind == Undelivered):
				t.Fatalf("%s is drawn as %v", c.ID, c)
			}
		}
		if total != s.Length.Value {
			t.Fatalf("the cells stand for %d entries of %d: %v", total, s.Length.Value, tp.Cells)
		}
		if len(s.Entries.Entries) == int(s.Length.Value) && exactly < min(int(s.Length.Value), w/2-2) {
			t.Fatalf("only %d of %d entries are exact in %d columns", exactly, s.Length.Value, w)
		}
	})
}

func TestACursorOutsideTheWindowIsPlacedByItsLag(t *testing.T) {
	// the ids' milliseconds would put the cursor in the middle; the lag says a tenth is left
	s := with(window(1000, 951, 1000), group("g", at(500), 100))
	tp := Build(s, "g", now, 100)
	passed, waiting := int64(0), int64(0)
	for i, c := range tp.Cells {
		if i < tp.CursorAt() {
			passed += c.Count
		} else {
			waiting += c.Count
		}
	}
	if waiting < 80 || waiting > 120 {
		t.Errorf("%d entries behind the cursor, lag 100; %d before it", waiting, passed)
	}
	if c := tp.Cells[tp.CursorAt()]; !c.Approx {
		t.Error("the cursor's place is called exact")
	}
	g := s.Groups[0]
	g.Lag = state.Unknown[int64]("nil")
	waiting = 0
	tp = Build(with(s, g), "g", now, 100)
	for _, c := range tp.Cells[tp.CursorAt():] {
		waiting += c.Count
	}
	if waiting < 450 || waiting > 550 {
		t.Errorf("%d entries behind the cursor, by milliseconds half of 1000", waiting)
	}
}

func TestTooManyEntriesAreCutAroundTheCursor(t *testing.T) {
	tp := Build(with(window(500, 1, 500), group("g", at(250), 250)), "g", now, 60)
	exactly := 0
	for _, c := range tp.Cells {
		if c.Count == 1 && !c.Approx {
			exactly++
		}
	}
	if c := tp.Cells[tp.CursorAt()]; c.Approx || exactly < 30 {
		t.Errorf("%d exact cells, the cursor approximate: %v", exactly, c.Approx)
	}
}

func TestOldestIsAtLeastWhereThePELIsNotWhole(t *testing.T) {
	g := group("g", at(30), 0, "a 3", "b 9")
	tp := Build(with(window(30, 1, 30), g), "g", now, 60)
	if tp.AtLeast || tp.Oldest.Value != 2*time.Minute {
		t.Errorf("oldest %v, at least %v", tp.Oldest, tp.AtLeast)
	}
	g.Pending = state.Know[int64](3)
	if tp = Build(with(window(30, 1, 30), g), "g", now, 60); !tp.AtLeast {
		t.Error("one pending entry was not read, and the oldest is called exact")
	}
}

func BenchmarkTape(b *testing.B) {
	e := examples()[9]
	th := theme.New(theme.Dark, false)
	for b.Loop() {
		_ = Build(e.stream, e.group, now, 196).View(th)
	}
}
