// Package home is the first screen: the lessons with what was done of them, and the way to a server.
//
// It does no I/O and knows neither lessons nor servers: it is given items, and says which one was
// chosen. It imports the widgets, draw, theme, layout and intent.
package home

import (
	"pelscope/ui/draw"
	"pelscope/ui/intent"
	"pelscope/ui/layout"
	"pelscope/ui/theme"
	"pelscope/ui/widget"
)

// Status is how far somebody is with a lesson.
type Status uint8

// How far one can be.
const (
	NotBegun Status = iota
	Begun
	Done
)

// Item is something to choose.
type Item struct {
	ID      string // the lesson's id; empty for what is not a lesson
	Title   string
	Summary string // Markdown of one or two paragraphs
	Minutes int
	Status  Status
	Detail  string // such as "step 4 of 11"; may be empty
	Action  Action
}

// Action is what choosing an item does.
type Action uint8

// The actions.
const (
	OpenLesson Action = iota
	OpenServer
)

// Screen is the home screen. Make one with New.
type Screen struct {
	theme *theme.Theme
	w, h  int
	items []Item
	table *widget.Table
	lab   string // where lessons run; empty until it is known
}

// New makes a home screen.
func New(th *theme.Theme) *Screen {
	t := widget.NewTable(th,
		widget.Column{Min: 1, Max: 1},
		widget.Column{Title: "lesson", Min: 16, Grow: 1},
		widget.Column{Title: "min", Right: true, Min: 3, Priority: 2},
		widget.Column{Title: "done", Min: 4, Priority: 1},
	)
	return &Screen{theme: th, table: t}
}

// SetTheme changes colours and glyphs.
func (s *Screen) SetTheme(th *theme.Theme) {
	s.theme = th
	s.table.SetTheme(th)
	s.SetItems(s.items)
}

// SetSize tells the size of the whole screen.
func (s *Screen) SetSize(w, h int) {
	s.w, s.h = w, h
	list, _ := s.split()
	s.table.SetSize(list-2, max(0, h-4))
}

// SetLab tells which server lessons run on, in words.
func (s *Screen) SetLab(words string) { s.lab = words }

// SetItems tells what there is to choose.
func (s *Screen) SetItems(items []Item) {
	s.items = items
	rows := make([]widget.Row, 0, len(items))
	for _, it := range items {
		rows = append(rows, s.row(it))
	}
	s.table.SetRows(rows)
}

func (s *Screen) row(it Item) widget.Row {
	mark, style := " ", s.theme.Text
	switch it.Status {
	case Done:
		mark, style = s.theme.Glyphs.Good, s.theme.Good
	case Begun:
		mark, style = s.theme.Glyphs.Dot, s.theme.Pending
	}
	minutes := ""
	if it.Minutes > 0 {
		minutes = draw.Count(int64(it.Minutes))
	}
	return widget.Row{Key: key(it), Cells: []widget.Cell{
		{Text: mark, Style: style}, {Text: s.theme.Clean(it.Title)},
		{Text: minutes, Style: s.theme.Quiet}, {Text: it.Detail, Style: s.theme.Quiet},
	}}
}

func key(it Item) string {
	if it.ID != "" {
		return it.ID
	}
	return "server"
}

// Selected is the item under the cursor; false when there are none.
func (s *Screen) Selected() (Item, bool) {
	k, ok := s.table.Selected()
	if !ok {
		return Item{}, false
	}
	for _, it := range s.items {
		if key(it) == k {
			return it, true
		}
	}
	return Item{}, false
}

// Select puts the cursor on a lesson.
func (s *Screen) Select(id string) { s.table.Select(id) }

// Do moves the cursor.
func (s *Screen) Do(i intent.Intent) {
	switch i {
	case intent.Up:
		s.table.Move(-1)
	case intent.Down:
		s.table.Move(1)
	case intent.PageUp:
		s.table.Page(-1)
	case intent.PageDown:
		s.table.Page(1)
	case intent.Top:
		s.table.Home()
	case intent.Bottom:
		s.table.End()
	}
}

// split is how wide the list and the text beside it are; text is 0 where there is no room for it.
func (s *Screen) split() (list, detail int) {
	if s.w < 76 {
		return s.w, 0
	}
	list = min(s.w*3/5, 66)
	return list, s.w - list
}

// View draws the screen without its last line, the footer.
func (s *Screen) View() draw.Block {
	if layout.TooSmall(s.w, s.h) {
		return draw.Blank(s.w, max(0, s.h-1))
	}
	_, detail := s.split()
	header := s.theme.Fit(s.theme.Title.Render("pelscope")+s.theme.Quiet.Render("  the cursor, the PEL, and what each command did to them"), s.w)
	body := s.theme.Box(true, "lessons", s.table.Hint(0, 0), s.table.View(true))
	if detail > 0 {
		body = draw.Beside(body, s.theme.Box(false, s.detailTitle(), "", s.theme.Block(detail-2, s.h-4, s.detail(detail-4)...)))
	}
	return draw.Above(draw.Lines(s.w, header), body)
}

func (s *Screen) detailTitle() string {
	it, _ := s.Selected()
	return s.theme.Clean(it.Title)
}

// detail is the text beside the list: what the selected item is about, and where it runs.
func (s *Screen) detail(w int) []string {
	it, ok := s.Selected()
	if !ok {
		return nil
	}
	lines := []string{""}
	for _, line := range widget.Markdown(s.theme, it.Summary, w) {
		lines = append(lines, " "+line)
	}
	lines = append(lines, "")
	if s.lab != "" && it.Action == OpenLesson {
		for _, line := range draw.Wrap(s.theme.Clean("Runs on: "+s.lab), w) {
			lines = append(lines, " "+s.theme.Quiet.Render(line))
		}
	}
	return lines
}
