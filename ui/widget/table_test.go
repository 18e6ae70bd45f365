package widget

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pelscope/ui/draw"
	"pelscope/ui/theme"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func pendingColumns() []Column {
	return []Column{
		{Title: "id", Min: 8, Tail: true},
		{Title: "consumer", Min: 6, Max: 24, Middle: true},
		{Title: "idle", Min: 5, Right: true, Priority: 1},
		{Title: "deliveries", Min: 3, Right: true, Priority: 2},
		{Title: "fields", Min: 8, Grow: 1, Priority: 3},
	}
}

// consumers are C29's: fifty of them, with long names.
func consumers(th *theme.Theme, n int) []Row {
	var rows []Row
	for i := range n {
		name := fmt.Sprintf("settlement-worker-7f9c4d5b8-%04d", i)
		if i%7 == 0 {
			name = "한국어-소비자-이름-" + strconv.Itoa(i)
		}
		rows = append(rows, Row{Key: strconv.Itoa(i), Cells: []Cell{
			{Text: fmt.Sprintf("1735200000%03d-0", i)},
			{Text: th.Clean(name), Style: th.Owner(name)},
			{Text: "4m12s"}, {Text: "×3 ⚠", Style: th.Warn}, {Text: "eventType=OrderPaid orderId=10051 amount=49000"},
		}})
	}
	return rows
}

func TestTableGoldens(t *testing.T) {
	th := theme.New(theme.None, false)
	for _, w := range []int{40, 60, 80, 120, 200} {
		t.Run(strconv.Itoa(w), func(t *testing.T) {
			tb := NewTable(th, pendingColumns()...)
			tb.SetSize(w, 8)
			rows := consumers(th, 50)
			rows = append(rows[:3:3], append([]Row{{Key: "cursor", Rule: "settlement's cursor"}}, rows[3:]...)...)
			tb.SetRows(rows)
			tb.Move(4)
			plain(t, tb.View(true))
		})
	}
	t.Run("empty", func(t *testing.T) {
		tb := NewTable(th, pendingColumns()...)
		tb.SetSize(40, 3)
		tb.SetEmpty("nothing is pending")
		plain(t, tb.View(true))
	})
}

func TestFiftyConsumersCanAllBeReached(t *testing.T) {
	th := theme.New(theme.Dark, false)
	for _, w := range []int{40, 80, 120} {
		tb := NewTable(th, pendingColumns()...)
		tb.SetSize(w, 9)
		tb.SetRows(consumers(th, 50))
		seen := map[string]bool{}
		for range 50 {
			key, _ := tb.Selected()
			seen[key] = true
			found := false
			for y := range 9 {
				if at, ok := tb.RowAt(y); ok && at == key {
					found = true
				}
			}
			if !found {
				t.Fatalf("row %s is selected and not on the screen", key)
			}
			tb.Move(1)
		}
		if len(seen) != 50 {
			t.Errorf("at %d columns %d of 50 rows can be reached", w, len(seen))
		}
	}
}

func keys(ks ...string) []Row {
	var rows []Row
	for _, k := range ks {
		if name, ok := strings.CutPrefix(k, "--"); ok {
			rows = append(rows, Row{Key: k, Rule: name})
			continue
		}
		rows = append(rows, Row{Key: k, Cells: []Cell{{Text: k}}})
	}
	return rows
}

// shown are the keys on the screen, in order, the selected one in brackets.
func shown(tb *Table) string {
	var out []string
	sel, _ := tb.Selected()
	for y := range tb.h {
		if k, ok := tb.RowAt(y); ok {
			if k == sel {
				k = "[" + k + "]"
			}
			out = append(out, k)
		}
	}
	return strings.Join(out, " ")
}

func TestSelectionAndScrollStayOnTheirRow(t *testing.T) {
	all := strings.Fields("a b c d e f g h i j k l")
	for _, c := range []struct {
		name   string
		follow Follow
		moves  int
		rows   string
		want   string
	}{
		{"equal rows", FollowNone, 5, "a b c d e f g h i j k l", "c d e [f]"},
		{"rows come before", FollowNone, 5, "x y z a b c d e f g h i j k l", "c d e [f]"},
		{"rows come before while at the first, moved there", FollowFirst, 5, "x y z a b c d e f g", "c d e [f]"},
		{"rows come before while following the first", FollowFirst, 0, "x a b c d e f", "[x] a b c"},
		{"rows come while following the last", FollowLast, 0, "a b c d e f g", "d e f [g]"},
		{"rows before vanish", FollowNone, 5, "d e f g h i j k", "d e [f] g"},
		{"the row vanishes", FollowNone, 5, "a b c d e g h i", "c d e [g]"},
		{"it and those after it vanish", FollowNone, 5, "a b c d", "a b c [d]"},
		{"all but a far one vanish", FollowNone, 5, "a x", "[a] x"},
		{"other rows altogether", FollowNone, 5, "p q r", "p q [r]"},
		{"one row is left", FollowNone, 5, "l", "[l]"},
		{"only a rule is left", FollowNone, 5, "--cursor", ""},
		{"none is left", FollowNone, 5, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			tb := NewTable(theme.New(theme.None, true), Column{Grow: 1})
			tb.SetSize(10, 4)
			tb.SetFollow(c.follow)
			tb.SetRows(keys(all...))
			tb.Move(c.moves)
			tb.SetRows(keys(strings.Fields(c.rows)...))
			if got := shown(tb); got != c.want {
				t.Errorf("shows %q, want %q", got, c.want)
			}
		})
	}
}

func TestTheSelectionOutlivesAnEmptyAnswer(t *testing.T) {
	tb := NewTable(theme.New(theme.None, true), Column{Grow: 1})
	tb.SetSize(10, 4)
	tb.SetRows(keys("a", "b", "c"))
	tb.Move(2)
	tb.SetRows(nil)
	if _, ok := tb.Selected(); ok {
		t.Error("a row is selected where there is none")
	}
	tb.SetRows(keys("a", "b", "c"))
	if k, _ := tb.Selected(); k != "c" {
		t.Errorf("selected %q, want c", k)
	}
}

func TestRulesAreSeenAndNotSelected(t *testing.T) {
	tb := NewTable(theme.New(theme.None, true), Column{Grow: 1})
	tb.SetSize(10, 2)
	tb.SetRows(keys("--top", "a", "b", "--mid", "c", "--end"))
	if got := ansi.Strip(tb.View(true).Line(0)); !strings.Contains(got, "top") {
		t.Errorf("the first line is %q", got)
	}
	tb.Move(1)
	tb.Move(1)
	if k, _ := tb.Selected(); k != "c" {
		t.Errorf("selected %q, want c", k)
	}
	tb.Move(1)
	if got := ansi.Strip(tb.View(true).Line(1)); !strings.Contains(got, "end") {
		t.Errorf("the last rule can't be scrolled to: %q", got)
	}
	tb.Move(-9)
	tb.Move(-1)
	if got := ansi.Strip(tb.View(true).Line(0)); !strings.Contains(got, "top") {
		t.Errorf("the first rule can't be scrolled to: %q", got)
	}
	if tb.Select("--mid") {
		t.Error("a rule was selected")
	}
}

func TestHintCountsWhatIsOutside(t *testing.T) {
	tb := NewTable(theme.New(theme.None, false), Column{Grow: 1})
	tb.SetSize(10, 4)
	tb.SetRows(keys(strings.Fields("a b c d e f g h i j k l")...))
	tb.Move(5)
	if got := tb.Hint(0, 0); got != "↑2 ↓6" {
		t.Errorf("hint %q", got)
	}
	if got := tb.Hint(0, 18000); got != "↑2 ↓18,006" {
		t.Errorf("hint %q", got)
	}
	tb.SetRows(keys("a"))
	if got := tb.Hint(0, 0); got != "" {
		t.Errorf("hint %q", got)
	}
}

func TestTableIsExactWhateverItHolds(t *testing.T) {
	all := themes()
	rapid.Check(t, func(t *rapid.T) {
		th := rapid.SampledFrom(all).Draw(t, "theme")
		column := rapid.Custom(func(t *rapid.T) Column {
			return Column{
				Title: words(th).Draw(t, "title"), Min: rapid.IntRange(0, 12).Draw(t, "min"), Max: rapid.IntRange(0, 20).Draw(t, "max"),
				Grow: rapid.IntRange(0, 3).Draw(t, "grow"), Right: rapid.Bool().Draw(t, "right"), Tail: rapid.Bool().Draw(t, "tail"), Middle: rapid.Bool().Draw(t, "middle"), Priority: rapid.IntRange(0, 3).Draw(t, "priority"),
			}
		})
		tb := NewTable(th, rapid.SliceOfN(column, 0, 5).Draw(t, "columns")...)
		tb.SetEmpty(words(th).Draw(t, "empty"))
		row := rapid.Custom(func(t *rapid.T) Row {
			var r Row
			r.Key = rapid.StringMatching("[a-f]{1,2}").Draw(t, "key")
			if rapid.IntRange(0, 5).Draw(t, "rule") == 0 {
				r.Rule = "x" + words(th).Draw(t, "rule text")
			}
			for range rapid.IntRange(0, 6).Draw(t, "cells") {
				r.Cells = append(r.Cells, Cell{Text: words(th).Draw(t, "cell"), Style: th.Warn})
			}
			return r
		})
		for range 4 {
			w, h := rapid.IntRange(0, 60).Draw(t, "w"), rapid.IntRange(0, 8).Draw(t, "h")
			tb.SetSize(w, h)
			tb.SetRows(rapid.SliceOfN(row, 0, 12).Draw(t, "rows"))
			tb.Move(rapid.IntRange(-9, 9).Draw(t, "move"))
			exact(t, tb.View(rapid.Bool().Draw(t, "focused")), w, h)
		}
	})
}

func TestAnUnchangedTableIsNotDrawnAgain(t *testing.T) {
	asked := 0
	tb := NewTable(theme.New(theme.Dark, false), Column{Grow: 1})
	tb.SetSize(20, 5)
	var rows []Row
	for i := range 1000 {
		rows = append(rows, Row{Key: strconv.Itoa(i), Fill: func() []Cell { asked++; return []Cell{{Text: "x"}} }})
	}
	tb.SetRows(rows)
	tb.View(true)
	tb.View(true)
	if asked != 5 {
		t.Errorf("cells asked for %d rows, want the 5 on the screen", asked)
	}
}

func BenchmarkTable(b *testing.B) {
	th := theme.New(theme.Dark, false)
	tb := NewTable(th, pendingColumns()...)
	tb.SetSize(200, 60)
	rows := consumers(th, 1000)
	var out draw.Block
	for b.Loop() {
		tb.SetRows(rows)
		out = tb.View(true)
	}
	_ = out
}
