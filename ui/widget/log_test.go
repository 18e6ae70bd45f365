package widget

import (
	"fmt"
	"strings"
	"testing"

	"pelscope/ui/theme"

	"pgregory.net/rapid"
)

func logged(l *Log) string { return strings.Join(strings.Fields(l.View().String()), " ") }

func numbered(from, to int) []string {
	var out []string
	for i := from; i <= to; i++ {
		out = append(out, fmt.Sprint(i))
	}
	return out
}

func TestLogFollowsUntilScrolledAndThenStays(t *testing.T) {
	l := NewLog(theme.New(theme.None, false), 100)
	l.SetSize(10, 3)
	step := func(name, want, hint string, following bool) {
		t.Helper()
		if got := logged(l); got != want || l.Hint() != hint || l.Following() != following {
			t.Errorf("%s: shows %q, hint %q, following %v; want %q, %q, %v", name, got, l.Hint(), l.Following(), want, hint, following)
		}
	}
	l.Append(numbered(1, 10)...)
	step("appended", "8 9 10", "↑7", true)
	l.Scroll(-2)
	step("scrolled up", "6 7 8", "↑5 ↓2", false)
	l.Append(numbered(11, 20)...)
	step("appended while held", "6 7 8", "↑5 ↓12", false)
	l.SetSize(10, 5)
	step("made higher", "4 5 6 7 8", "↑3 ↓12", false)
	l.SetSize(10, 3)
	l.Append(numbered(21, 104)...)
	step("the oldest dropped", "6 7 8", "↑1 ↓96", false)
	l.Append(numbered(105, 110)...)
	step("what is shown dropped", "11 12 13", "↓97", false)
	l.End()
	step("end", "108 109 110", "↑97", true)
	l.Home()
	step("home", "11 12 13", "↓97", false)
	l.Page(1)
	step("page", "13 14 15", "↑2 ↓95", false)
	l.Scroll(1000)
	step("scrolled to the bottom", "108 109 110", "↑97", true)
	l.Clear()
	step("cleared", "", "", true)
}

func TestLogHoldsNoMoreThanItsCapacity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 30).Draw(t, "capacity")
		l := NewLog(theme.New(theme.None, false), limit)
		l.SetSize(10, 4)
		total := 0
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			n := rapid.IntRange(0, 9).Draw(t, "n")
			l.Append(numbered(total+1, total+n)...)
			total += n
			l.Scroll(rapid.IntRange(-5, 5).Draw(t, "scroll"))
			if l.Len() != min(total, limit) {
				t.Fatalf("%d lines, want %d", l.Len(), min(total, limit))
			}
			want := numbered(total-l.Len()+1, total)
			start := l.start()
			if got := logged(l); got != strings.Join(want[start:min(len(want), start+4)], " ") {
				t.Fatalf("from %d of %v shows %q", start, want, got)
			}
		}
	})
}

func TestLogIsExactWhateverItHolds(t *testing.T) {
	all := themes()
	rapid.Check(t, func(t *rapid.T) {
		th := rapid.SampledFrom(all).Draw(t, "theme")
		l := NewLog(th, 5)
		l.SetEmpty(words(th).Draw(t, "empty"))
		w, h := rapid.IntRange(0, 30).Draw(t, "w"), rapid.IntRange(0, 6).Draw(t, "h")
		l.SetSize(w, h)
		l.Append(rapid.SliceOfN(words(th), 0, 8).Draw(t, "lines")...)
		exact(t, l.View(), w, h)
	})
}
