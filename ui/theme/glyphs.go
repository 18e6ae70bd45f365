package theme

import "pelscope/ui/draw"

// Glyphs are the signs of the screen, one column each unless said otherwise.
type Glyphs struct {
	ASCII bool // nothing outside ASCII may be printed: foreign text neither

	// the tape and the lists of entries
	Passed         string // delivered and no longer pending
	Pending        string // in the PEL
	PendingDeleted string // in the PEL, but the entry itself is gone
	Undelivered    string // behind the cursor: not yet delivered
	Cursor         string // last-delivered-id, standing between two entries
	CursorThin     string // another group's cursor
	CursorUp       string // points up at the cursor
	Gone           string // deleted or trimmed
	Entry          string // an entry, where there is no group to see it by

	// words' helpers
	Approx   string // about
	AtLeast  string // at least
	Times    string // × before a delivery count
	Warn     string
	Good     string
	Bad      string
	Changed  string // beside something that just changed
	Unknown  string // where a number would stand that could not be read
	Cut      string // where text was cut
	Chosen   string // before the selected row
	Into     string // between the parts of a path
	Arrow    string // from → to
	Up, Down string
	Enter    string // the key
	Dot      string // between two things of one line
	Rule     string // a quiet line through a list
	Bullet   string

	Spark   []string // the bars of a sparkline, from lowest to highest
	Full    string   // a gauge's done part
	Empty   string   // a gauge's part still to come
	Spinner []string // one after the other for something that goes on

	Border draw.Frame // corners and edges, without styles
}

// Unicode is the set for a terminal with UTF-8 whose box lines are one column.
func Unicode() Glyphs {
	return Glyphs{
		Passed: "■", Pending: "◆", PendingDeleted: "◇", Undelivered: "□", Cursor: "┃", CursorThin: "│", CursorUp: "▲", Gone: "·", Entry: "▮",
		Approx: "≈", AtLeast: "≥", Times: "×", Warn: "⚠", Good: "✓", Bad: "✗", Changed: "•", Unknown: "?", Cut: draw.Mark, Chosen: "▸", Into: "▸",
		Arrow: "→", Up: "↑", Down: "↓", Enter: "⏎", Dot: "·", Rule: "┄", Bullet: "•",
		Spark: []string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}, Full: "━", Empty: "─",
		Spinner: []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"},
		Border: draw.Frame{
			TopLeft: "╭", Top: "─", TopRight: "╮", Left: "│", Right: "│",
			BottomLeft: "╰", Bottom: "─", BottomRight: "╯", Mark: draw.Mark,
		},
	}
}

// ASCII is the set for every other terminal.
func ASCII() Glyphs {
	return Glyphs{
		ASCII:  true,
		Passed: "=", Pending: "@", PendingDeleted: "x", Undelivered: ".", Cursor: "|", CursorThin: "!", CursorUp: "^", Gone: ":", Entry: "#",
		Approx: "~", AtLeast: ">=", Times: "x", Warn: "!", Good: "+", Bad: "x", Changed: "*", Unknown: "?", Cut: "~", Chosen: ">", Into: ">",
		Arrow: "->", Up: "^", Down: "v", Enter: "enter", Dot: "-", Rule: "-", Bullet: "*",
		Spark: []string{"_", ".", "-", "=", "+", "*", "%", "#"}, Full: "#", Empty: ".",
		Spinner: []string{"|", "/", "-", "\\"},
		Border: draw.Frame{
			TopLeft: "+", Top: "-", TopRight: "+", Left: "|", Right: "|",
			BottomLeft: "+", Bottom: "-", BottomRight: "+", Mark: "~",
		},
	}
}

// NeedASCII says whether the environment tells of a terminal on which the Unicode glyphs would be
// broken: no UTF-8 in the locale, a terminal that only knows ASCII, or one whose box lines are two
// columns wide. getenv is os.Getenv or the like of a remote session.
func NeedASCII(getenv func(string) string) bool {
	switch getenv("TERM") {
	case "dumb", "linux", "vt100", "vt102", "vt220":
		return true
	}
	if draw.AmbiguousWide() {
		return true
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := getenv(name); v != "" {
			return !utf8Locale(v)
		}
	}
	return false // nothing said: most terminals of today, ssh without a forwarded locale among them
}
