package widget

import (
	"math"
	"testing"

	"pelscope/ui/draw"
	"pelscope/ui/theme"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func TestGaugeAndSparkline(t *testing.T) {
	th := theme.New(theme.None, false)
	nan := math.NaN()
	for _, c := range []struct{ got, want string }{
		{Gauge(th, 12, 0.4, ""), "━━━━━───────"},
		{Gauge(th, 20, 0.5, "1.5s of 3s"), "━━━━━──── 1.5s of 3s"},
		{Gauge(th, 20, 2, "1.5s of 3s"), "━━━━━━━━━ 1.5s of 3s"},
		{Gauge(th, 20, nan, "1.5s of 3s"), "───────── 1.5s of 3s"},
		{Gauge(th, 10, 0.5, "1.5s of 3s"), "1.5s of 3s"},
		{Sparkline(th, 10, []float64{0, 1, 2, 3, 4, 5, 6, 7}), "  ▁▂▃▄▅▆▇█"},
		{Sparkline(th, 3, []float64{9, 9, 1, 2, 0}), "▅█▁"},
		{Sparkline(th, 4, []float64{1, nan, 0, 1}), "█ ▁█"},
		{Sparkline(th, 3, []float64{0, 0}), " ▁▁"},
		{Sparkline(theme.New(theme.None, true), 4, []float64{0, 1, 2, 3}), "_=*#"},
	} {
		if got := ansi.Strip(c.got); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestGaugeAndSparklineAreExact(t *testing.T) {
	all := themes()
	rapid.Check(t, func(t *rapid.T) {
		th := rapid.SampledFrom(all).Draw(t, "theme")
		w := rapid.IntRange(0, 40).Draw(t, "w")
		if got := draw.Width(Gauge(th, w, rapid.Float64().Draw(t, "fraction"), words(th).Draw(t, "words"))); got != w {
			t.Fatalf("a gauge of %d columns, want %d", got, w)
		}
		if got := draw.Width(Sparkline(th, w, rapid.SliceOf(rapid.Float64()).Draw(t, "values"))); got != w {
			t.Fatalf("a sparkline of %d columns, want %d", got, w)
		}
	})
}
