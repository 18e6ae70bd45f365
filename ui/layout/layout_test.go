package layout_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"pelscope/ui/layout"
)

// drawing shows a layout at a quarter of its width and half of its height.
func drawing(l layout.Layout) string {
	grid := make([][]rune, l.H)
	for y := range grid {
		grid[y] = []rune(strings.Repeat(" ", l.W))
	}
	var panes []layout.Pane
	for p := range l.Rects {
		panes = append(panes, p)
	}
	slices.Sort(panes)
	for _, p := range panes {
		r := l.Rects[p]
		for y := r.Y; y < r.Y+r.H; y++ {
			for x := r.X; x < r.X+r.W; x++ {
				grid[y][x] = '.'
				if x == r.X || x == r.X+r.W-1 {
					grid[y][x] = '|'
				}
			}
		}
		for i, c := range string(p) {
			grid[r.Y][r.X+1+i] = c
		}
	}
	var b strings.Builder
	for _, row := range grid {
		b.WriteString(string(row) + "\n")
	}
	return b.String()
}

func TestLayouts(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 36}, {200, 60}} {
		w, h := size[0], size[1]
		t.Run(fmt.Sprintf("explore-%dx%d", w, h), func(t *testing.T) {
			golden.RequireEqual(t, drawing(layout.Explore(w, h, layout.Pending)))
		})
		t.Run(fmt.Sprintf("learn-%dx%d", w, h), func(t *testing.T) {
			golden.RequireEqual(t, drawing(layout.Learn(w, h, layout.Story, true)))
		})
		t.Run(fmt.Sprintf("learn-untold-%dx%d", w, h), func(t *testing.T) {
			golden.RequireEqual(t, drawing(layout.Learn(w, h, layout.Story, false)))
		})
	}
}

func TestPanesTileTheScreenAtEverySize(t *testing.T) {
	for w := layout.MinWidth; w <= 210; w += 3 {
		for h := layout.MinHeight; h <= 70; h++ {
			for name, l := range map[string]layout.Layout{
				"explore": layout.Explore(w, h, layout.Changes), "learn": layout.Learn(w, h, layout.Ledger, true), "learn, nothing told": layout.Learn(w, h, layout.Story, false), "home": layout.Home(w, h),
			} {
				tiles(t, name, l)
			}
		}
	}
}

// tiles fails unless every cell of the screen belongs to exactly one pane.
func tiles(t *testing.T, name string, l layout.Layout) {
	t.Helper()
	owner := make([]layout.Pane, l.W*l.H)
	for p, r := range l.Rects {
		if r.W < 1 || r.H < 1 || r.X < 0 || r.Y < 0 || r.X+r.W > l.W || r.Y+r.H > l.H {
			t.Fatalf("%s %dx%d: %s stands at %v", name, l.W, l.H, p, r)
		}
		for y := r.Y; y < r.Y+r.H; y++ {
			for x := r.X; x < r.X+r.W; x++ {
				if owner[y*l.W+x] != "" {
					t.Fatalf("%s %dx%d: %s and %s overlap at %d,%d", name, l.W, l.H, p, owner[y*l.W+x], x, y)
				}
				owner[y*l.W+x] = p
			}
		}
	}
	if i := slices.Index(owner, ""); i >= 0 {
		t.Fatalf("%s %dx%d: nothing stands at %d,%d", name, l.W, l.H, i%l.W, i/l.W)
	}
}

func TestTheFocusedPaneIsTheOneThatStays(t *testing.T) {
	l := layout.Explore(80, 24, layout.Changes)
	if !l.Has(layout.Changes) || l.Has(layout.Entries) {
		t.Errorf("folded with changes focused, shown are %v", l.Rects)
	}
}
