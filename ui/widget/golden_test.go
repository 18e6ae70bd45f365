package widget

import (
	"testing"

	"pelscope/ui/draw"
	"pelscope/ui/theme"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"pgregory.net/rapid"
)

// plain compares a block's text with its golden.
func plain(t *testing.T, b draw.Block) {
	t.Helper()
	golden.RequireEqual(t, ansi.Strip(b.String())+"\n")
}

// exact fails unless b is w×h and each line takes exactly w columns on every terminal.
func exact(t *rapid.T, b draw.Block, w, h int) {
	t.Helper()
	if b.W != w || b.H != h {
		t.Fatalf("a block of %d×%d, want %d×%d", b.W, b.H, w, h)
	}
	for i := range b.H {
		line := b.Line(i)
		if a, wc := ansi.StringWidth(line), ansi.StringWidthWc(line); a != w || wc != w {
			t.Fatalf("line %d %q: %d and %d columns, want %d", i, line, a, wc, w)
		}
	}
}

// words draws text as a screen would give it to a widget: anything, cleaned.
func words(th *theme.Theme) *rapid.Generator[string] {
	return rapid.Map(rapid.OneOf(
		rapid.String(), rapid.StringMatching(`[a-z0-9-]{0,40}`), rapid.StringMatching(`[가-힣 ]{0,12}`),
		rapid.SampledFrom([]string{"👩‍🚀", "\x1b[2J", "\u202e", "日本語", ""}),
	), th.Clean)
}

// themes are one of each kind.
func themes() []*theme.Theme {
	return []*theme.Theme{theme.New(theme.Dark, false), theme.New(theme.Light, false), theme.New(theme.None, true)}
}
