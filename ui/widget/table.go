package widget

import (
	"strings"

	"pelscope/ui/draw"
	"pelscope/ui/theme"
)

// Cell is one cell of a table.
type Cell struct {
	Text  string // clean; may hold SGR sequences
	Style theme.Style
}

// Row is one row of a table.
type Row struct {
	Key   string // what the row is, the same at every refresh: an id, a name
	Cells []Cell // one for each column; missing ones are empty, surplus ones are not shown
	// Fill gives the cells instead of Cells, asked only for rows that are on the screen.
	Fill func() []Cell
	// Rule makes this no row but a line with a word in it, through the whole width: a group's cursor
	// between two entries. It can't be selected.
	Rule  string
	Style theme.Style // of the whole row, or of the rule
}

// Follow says which end of its rows a table stays at until the user moves away from it.
type Follow uint8

const (
	FollowNone  Follow = iota // the selection stays on its row
	FollowFirst               // at the first row: newest first
	FollowLast                // at the last row: newest last
)

// Table shows rows of cells, one of them selected. Make one with NewTable.
type Table struct {
	theme   *theme.Theme
	columns []Column
	empty   string
	follow  Follow
	w, h    int

	rows     []Row
	index    map[string]int
	selected int    // in rows; -1 when nothing can be selected
	key      string // the selected row's key; kept while there are no rows
	top      int    // the first row on the screen
	pinned   bool   // at the end that follow names

	natural []int // the widest content seen of each column; it only grows, so that scrolling moves no column
	cache   cache
}

// cache is the last block drawn, and whether it still holds.
type cache struct {
	valid, focused bool
	block          draw.Block
}

// NewTable makes a table that has no rows yet.
func NewTable(th *theme.Theme, columns ...Column) *Table {
	t := &Table{theme: th, selected: -1, pinned: true}
	t.SetColumns(columns...)
	return t
}

// SetColumns changes the columns; the rows stay.
func (t *Table) SetColumns(columns ...Column) {
	t.columns = columns
	t.natural = make([]int, len(columns))
	t.cache.valid = false
}

// SetTheme changes colours and glyphs.
func (t *Table) SetTheme(th *theme.Theme) {
	t.theme = th
	t.cache.valid = false
}

// SetEmpty sets the words that stand where there are no rows.
func (t *Table) SetEmpty(words string) {
	if words != t.empty {
		t.empty = words
		t.cache.valid = false
	}
}

// SetFollow sets the end that the table stays at until the user moves away; Home and End come back.
func (t *Table) SetFollow(f Follow) { t.follow = f }

// SetSize sets the columns and lines of the view, the header among them.
func (t *Table) SetSize(w, h int) {
	if w == t.w && h == t.h {
		return
	}
	if w != t.w {
		clear(t.natural)
	}
	t.w, t.h = max(0, w), max(0, h)
	t.reveal()
}

// SetRows replaces the rows. The selection stays on its key and at its place on the screen; when the key
// is gone it goes to the nearest row that is still there.
func (t *Table) SetRows(rows []Row) {
	at, fresh := t.selected-t.top, t.selected < 0 // its line on the screen
	index := make(map[string]int, len(rows))
	for i, r := range rows {
		index[r.Key] = i
	}
	i := t.place(rows, index)
	t.rows, t.index = rows, index
	t.choose(i)
	switch {
	case fresh, t.pinned && t.follow == FollowFirst:
		t.top = 0
	case t.pinned && t.follow == FollowLast:
		t.top = len(rows)
	default:
		t.top = t.selected - at
	}
	t.reveal()
}

// choose makes row i the selected one; -1 keeps the key for when it comes back.
func (t *Table) choose(i int) {
	t.selected = i
	if i >= 0 {
		t.key = t.rows[i].Key
	}
}

// place is where the selection goes among new rows.
func (t *Table) place(rows []Row, index map[string]int) int {
	switch {
	case t.pinned && t.follow == FollowLast:
		return nearest(rows, len(rows)-1)
	case t.pinned && t.follow == FollowFirst:
		return nearest(rows, 0)
	case t.selected < 0:
		if i, ok := index[t.key]; ok && rows[i].Rule == "" {
			return i
		}
		return nearest(rows, 0)
	}
	for d := 0; d < len(t.rows); d++ {
		for _, old := range [2]int{t.selected + d, t.selected - d} {
			if old < 0 || old >= len(t.rows) || t.rows[old].Rule != "" {
				continue
			}
			if i, ok := index[t.rows[old].Key]; ok && rows[i].Rule == "" {
				return i
			}
		}
	}
	return nearest(rows, t.selected)
}

// nearest is the row that can be selected and is nearest to i, or -1.
func nearest(rows []Row, i int) int {
	i = min(max(0, i), len(rows)-1)
	for d := 0; d < len(rows); d++ {
		for _, at := range [2]int{i + d, i - d} {
			if at >= 0 && at < len(rows) && rows[at].Rule == "" {
				return at
			}
		}
	}
	return -1
}

// Len is how many rows there are, rules among them.
func (t *Table) Len() int { return len(t.rows) }

// Selected is the key of the selected row; false when there is none.
func (t *Table) Selected() (key string, ok bool) {
	if t.selected < 0 {
		return "", false
	}
	return t.rows[t.selected].Key, true
}

// Select selects the row with this key; false when there is none.
func (t *Table) Select(key string) bool {
	i, ok := t.index[key]
	if !ok || t.rows[i].Rule != "" {
		return false
	}
	t.pinned = false
	t.choose(i)
	t.reveal()
	return true
}

// Move moves the selection by n rows, down when n is positive, and stops at either end.
func (t *Table) Move(n int) {
	if t.selected < 0 || n == 0 {
		return
	}
	step := 1
	if n < 0 {
		step = -1
	}
	at := t.selected
	for i := at + step; i >= 0 && i < len(t.rows) && n != 0; i += step {
		if t.rows[i].Rule == "" {
			at = i
			n -= step
		}
	}
	if at == t.selected {
		t.showRulesAtTheEnd(step)
		return
	}
	t.pinned = false
	t.choose(at)
	t.reveal()
}

// showRulesAtTheEnd scrolls to rules that stand before the first or behind the last row: nothing else
// would ever bring them to the screen.
func (t *Table) showRulesAtTheEnd(step int) {
	t.top = t.selected - t.lines() + 1
	if step > 0 {
		t.top = max(t.top, len(t.rows)-t.lines())
	} else {
		t.top = 0
	}
	t.reveal()
}

// Page moves by n screens.
func (t *Table) Page(n int) { t.Move(n * max(1, t.lines()-1)) }

// Home selects the first row and, with FollowFirst, stays there.
func (t *Table) Home() { t.edge(0, FollowFirst) }

// End selects the last row and, with FollowLast, stays there.
func (t *Table) End() { t.edge(len(t.rows)-1, FollowLast) }

func (t *Table) edge(i int, f Follow) {
	t.choose(nearest(t.rows, i))
	t.pinned = t.follow == f
	t.top = i
	t.reveal()
}

// Following says whether the table stays at its end by itself.
func (t *Table) Following() bool { return t.pinned && t.follow != FollowNone }

// RowAt is the key of the row on line y of the view.
func (t *Table) RowAt(y int) (key string, ok bool) {
	i := t.top + y - t.header()
	if y < t.header() || y >= t.h || i < 0 || i >= len(t.rows) || t.rows[i].Rule != "" {
		return "", false
	}
	return t.rows[i].Key, true
}

// Hidden is how many rows stand above and below what is on the screen.
func (t *Table) Hidden() (above, below int) {
	return t.top, max(0, len(t.rows)-t.top-t.lines())
}

// Hint says how many rows stand above and below, as "↑12 ↓180", for a pane's edge; empty when all of
// them are on the screen. more counts rows that the table was not given.
func (t *Table) Hint(moreAbove, moreBelow int64) string {
	above, below := t.Hidden()
	var parts []string
	if n := int64(above) + moreAbove; n > 0 {
		parts = append(parts, t.theme.Glyphs.Up+draw.Count(n))
	}
	if n := int64(below) + moreBelow; n > 0 {
		parts = append(parts, t.theme.Glyphs.Down+draw.Count(n))
	}
	return strings.Join(parts, " ")
}

// header is how many lines the titles take.
func (t *Table) header() int {
	if t.h < 3 {
		return 0
	}
	for _, c := range t.columns {
		if c.Title != "" {
			return 1
		}
	}
	return 0
}

// lines is how many rows the screen holds.
func (t *Table) lines() int { return max(0, t.h-t.header()) }

// reveal scrolls as little as needed to have the selection on the screen and no empty lines below while
// there are rows above.
func (t *Table) reveal() {
	t.cache.valid = false
	lines := max(1, t.lines())
	if t.selected >= 0 {
		t.top = min(t.top, t.selected)
		t.top = max(t.top, t.selected-lines+1)
	}
	t.top = max(0, min(t.top, len(t.rows)-lines))
}

// View draws the table. A focused one shows its selection as a band, any other as a mark only.
func (t *Table) View(focused bool) draw.Block {
	if !t.cache.valid || t.cache.focused != focused {
		t.cache = cache{valid: true, focused: focused, block: t.draw(focused)}
	}
	return t.cache.block
}

func (t *Table) draw(focused bool) draw.Block {
	if len(t.rows) == 0 {
		return t.theme.Block(t.w, t.h, t.theme.Quiet.Render(t.theme.Fit(" "+t.empty, t.w)))
	}
	shown := t.rows[t.top:min(len(t.rows), t.top+t.lines())]
	cells := make([][]Cell, len(shown))
	for i, r := range shown {
		cells[i] = r.Cells
		if r.Fill != nil {
			cells[i] = r.Fill()
		}
		t.measure(cells[i])
	}
	ws := widths(t.columns, t.natural, t.titles(), t.w-1)
	lines := make([]string, 0, t.h)
	if t.header() > 0 {
		lines = append(lines, t.titleLine(ws))
	}
	for i, r := range shown {
		if r.Rule != "" {
			lines = append(lines, t.rule(r))
			continue
		}
		lines = append(lines, t.line(r, cells[i], ws, t.top+i == t.selected, focused))
	}
	return t.theme.Block(t.w, t.h, lines...)
}

func (t *Table) measure(cells []Cell) {
	for i, c := range cells {
		if i < len(t.natural) {
			t.natural[i] = max(t.natural[i], draw.Width(c.Text))
		}
	}
}

// titles are the titles' widths, 0 where they are not shown.
func (t *Table) titles() []int {
	out := make([]int, len(t.columns))
	if t.header() == 0 {
		return out
	}
	for i, c := range t.columns {
		out[i] = draw.Width(c.Title)
	}
	return out
}

func (t *Table) titleLine(ws []int) string {
	var sb strings.Builder
	sb.WriteByte(' ')
	first := true
	for i, c := range t.columns {
		if ws[i] == 0 {
			continue
		}
		if !first {
			sb.WriteString(draw.Spaces(gap))
		}
		first = false
		if c.Right {
			sb.WriteString(t.theme.FitRight(c.Title, ws[i]))
		} else {
			sb.WriteString(t.theme.Fit(c.Title, ws[i]))
		}
	}
	return t.theme.Quiet.Render(sb.String())
}

func (t *Table) line(r Row, cells []Cell, ws []int, selected, focused bool) string {
	var sb strings.Builder
	sb.Grow(2 * t.w)
	if selected {
		sb.WriteString(t.theme.Accent.Render(t.theme.Glyphs.Chosen))
	} else {
		sb.WriteByte(' ')
	}
	used, first := 1, true
	for i, c := range t.columns {
		if ws[i] == 0 {
			continue
		}
		if !first {
			sb.WriteString(draw.Spaces(gap))
			used += gap
		}
		first = false
		var cell Cell
		if i < len(cells) {
			cell = cells[i]
		}
		style := cell.Style
		if style == (theme.Style{}) {
			style = r.Style
		}
		style.Apply(&sb, t.fit(c, cell.Text, ws[i]))
		used += ws[i]
	}
	sb.WriteString(draw.Spaces(t.w - used))
	return t.theme.Row(sb.String(), selected && focused)
}

func (t *Table) fit(c Column, text string, w int) string {
	switch {
	case c.Tail && draw.Width(text) > w:
		return t.theme.FitTail(text, w)
	case c.Middle && draw.Width(text) > w:
		return t.theme.FitMiddle(text, w)
	case c.Right:
		return t.theme.FitRight(text, w)
	}
	return t.theme.Fit(text, w)
}

// rule is a quiet line with a word in its middle.
func (t *Table) rule(r Row) string {
	style := r.Style
	if style == (theme.Style{}) {
		style = t.theme.Quiet
	}
	word := " " + r.Rule + " "
	room := t.w - 2
	if room < 1 {
		return t.theme.Fit("", t.w)
	}
	if draw.Width(word) > room {
		word = t.theme.Fit(r.Rule, min(room, draw.Width(r.Rule)))
	}
	left := (room - draw.Width(word)) / 2
	line := strings.Repeat(t.theme.Glyphs.Rule, left) + word + strings.Repeat(t.theme.Glyphs.Rule, room-left-draw.Width(word))
	return " " + style.Render(line) + " "
}
