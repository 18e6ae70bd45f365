package widget

import (
	"math"
	"strings"

	"pelscope/ui/draw"
	"pelscope/ui/theme"
)

// Gauge draws a bar of exactly w columns whose done part is fraction of it, 0 to 1, with words behind it
// when there is room for both: "██████░░░░░░ 1.2s of 3s".
func Gauge(th *theme.Theme, w int, fraction float64, words string) string {
	label := draw.Width(words)
	if label > 0 {
		label++
	}
	bar := w - label
	if bar < 3 {
		return th.Fit(words, w)
	}
	full := int(math.Round(min(1, max(0, fraction)) * float64(bar)))
	if math.IsNaN(fraction) {
		full = 0
	}
	var sb strings.Builder
	th.Accent.Apply(&sb, strings.Repeat(th.Glyphs.Full, full))
	th.Quiet.Apply(&sb, strings.Repeat(th.Glyphs.Empty, bar-full))
	if words != "" {
		sb.WriteString(" " + words)
	}
	return sb.String()
}

// Sparkline draws the last w values as bars, the newest at the right, exactly w columns. The lowest bar is
// 0 and the highest the largest value shown; what is not known (NaN) is a gap, never a 0.
func Sparkline(th *theme.Theme, w int, values []float64) string {
	if w <= 0 {
		return ""
	}
	values = values[max(0, len(values)-w):]
	top := 0.0
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			top = max(top, v)
		}
	}
	bars := th.Glyphs.Spark
	var sb strings.Builder
	sb.WriteString(draw.Spaces(w - len(values)))
	sb.WriteString(th.Accent.On)
	for _, v := range values {
		switch {
		case math.IsNaN(v):
			sb.WriteByte(' ')
		case v <= 0 || top == 0:
			sb.WriteString(bars[0])
		case v >= top:
			sb.WriteString(bars[len(bars)-1])
		default:
			sb.WriteString(bars[min(len(bars)-1, int(math.Ceil(v/top*float64(len(bars)-1))))])
		}
	}
	sb.WriteString(th.Accent.Off)
	return sb.String()
}

// Spinner is the sign for something going on, at its n-th step; steps come from whoever has the clock.
func Spinner(th *theme.Theme, n int) string {
	s := th.Glyphs.Spinner
	return th.Accent.Render(s[((n%len(s))+len(s))%len(s)])
}
