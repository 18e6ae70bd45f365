// Package layout says where everything stands: (width, height, what is focused) → rectangles.
//
// It is pure and draws nothing; its tests are drawings in ASCII. It imports nothing of ours; the
// screens import it.
package layout

// Pane is a part of a screen.
type Pane string

// The panes of the screens.
const (
	Header  Pane = "header"
	Footer  Pane = "footer"
	Tabs    Pane = "tabs"
	Tape    Pane = "tape"
	Entries Pane = "entries"
	Groups  Pane = "groups"
	Members Pane = "consumers"
	Pending Pane = "pending"
	Changes Pane = "changes"
	Story   Pane = "story"
	Workers Pane = "workers"
	Ledger  Pane = "ledger"
	Server  Pane = "server" // tape, pending, workers and ledger in one frame, where there is little room
)

// The smallest screen that anything is shown on, in cells.
const (
	MinWidth  = 40
	MinHeight = 12
)

// Rect is a place on the screen, in cells, from the upper left corner.
type Rect struct{ X, Y, W, H int }

// Layout is where the panes of a screen stand. A pane that is not in Rects is not shown.
type Layout struct {
	W, H  int
	Rects map[Pane]Rect
	Fold  []Pane // the panes that share one place as tabs, in order; empty when there is room for all
}

// TooSmall says whether there is no room to show anything but a sentence.
func TooSmall(w, h int) bool { return w < MinWidth || h < MinHeight }

// Has says whether a pane is shown.
func (l Layout) Has(p Pane) bool { return l.Rects[p].W > 0 && l.Rects[p].H > 0 }

// Explore lays out the explorer. Focus is the pane that stays when the others are folded into tabs.
func Explore(w, h int, focus Pane) Layout {
	l := start(w, h)
	body := h - 2
	switch {
	case w >= 100 && h >= 28:
		changes := clamp(h/5, 5, 12)
		mid := body - 4 - changes
		right := clamp(w*2/5, 44, 60)
		left := w - right
		upper := mid - clamp(mid*2/5, 5, 14)
		groups := clamp(upper-2, 4, 7)
		l.Rects[Tape] = Rect{0, 1, w, 4}
		l.Rects[Entries] = Rect{0, 5, left, upper}
		l.Rects[Pending] = Rect{0, 5 + upper, left, mid - upper}
		l.Rects[Groups] = Rect{left, 5, right, groups}
		l.Rects[Members] = Rect{left, 5 + groups, right, mid - groups}
		l.Rects[Changes] = Rect{0, 5 + mid, w, changes}
	case h >= 20:
		l.fold(focus, []Pane{Entries, Pending, Members, Groups, Changes}, Rect{0, 6, w, h - 7})
		l.Rects[Tape] = Rect{0, 1, w, 4}
		l.Rects[Tabs] = Rect{0, 5, w, 1}
	default:
		l.fold(focus, []Pane{Entries, Pending, Members, Groups, Changes, Tape}, Rect{0, 2, w, h - 3})
		l.Rects[Tabs] = Rect{0, 1, w, 1}
	}
	return l
}

// Learn lays out a lesson: the story left, the server's state right, what changed below. As long as there
// is nothing to tell of changes, those above have that room too; none of them moves for it.
func Learn(w, h int, focus Pane, told bool) Layout {
	l := start(w, h)
	switch {
	case w >= 100 && h >= 30:
		changed := clamp(h/3, 10, 16)
		mid := h - 2 - changed
		left := clamp(w*45/100, 50, 76)
		l.state(left, w-left, mid)
		l.Rects[Story] = Rect{0, 1, left, mid}
		l.Rects[Changes] = Rect{0, 1 + mid, w, changed}
		if !told {
			l.leaveOut(Changes, Story, Workers, Ledger)
		}
	case w >= 76 && h >= 22:
		changed := clamp(h/3, 7, 10)
		mid := h - 2 - changed
		left := clamp(w*56/100, 42, 60)
		l.Rects[Story] = Rect{0, 1, left, mid}
		l.Rects[Server] = Rect{left, 1, w - left, mid}
		l.Rects[Changes] = Rect{0, 1 + mid, w, changed}
		if !told {
			l.leaveOut(Changes, Story, Server)
		}
	default:
		l.fold(focus, []Pane{Story, Changes, Pending, Workers, Ledger, Tape}, Rect{0, 2, w, h - 3})
		l.Rects[Tabs] = Rect{0, 1, w, 1}
	}
	return l
}

// state places the panes that show the server: tape, pending entries, workers and ledger.
func (l *Layout) state(x, w, h int) {
	rest := h - 4
	pel := clamp(rest*2/5, 4, 10)
	l.Rects[Tape] = Rect{x, 1, w, 4}
	l.Rects[Pending] = Rect{x, 5, w, pel}
	half := w / 2
	l.Rects[Workers] = Rect{x, 5 + pel, half, rest - pel}
	l.Rects[Ledger] = Rect{x + half, 5 + pel, w - half, rest - pel}
}

// leaveOut drops a pane, and gives its height to those that stand on it.
func (l *Layout) leaveOut(p Pane, above ...Pane) {
	for _, a := range above {
		r := l.Rects[a]
		r.H += l.Rects[p].H
		l.Rects[a] = r
	}
	delete(l.Rects, p)
}

// Home lays out the home screen: one place between header and footer.
func Home(w, h int) Layout {
	l := start(w, h)
	l.Rects[Story] = Rect{0, 1, w, h - 2}
	return l
}

func start(w, h int) Layout {
	return Layout{W: w, H: h, Rects: map[Pane]Rect{Header: {0, 0, w, 1}, Footer: {0, h - 1, w, 1}}}
}

// fold shows one of the panes, the focused one if it is among them.
func (l *Layout) fold(focus Pane, panes []Pane, at Rect) {
	l.Fold = panes
	shown := panes[0]
	for _, p := range panes {
		if p == focus {
			shown = p
		}
	}
	l.Rects[shown] = at
}

func clamp(n, lo, hi int) int { return max(lo, min(n, hi)) }
