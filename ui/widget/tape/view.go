package tape

import (
	"strings"

	"pelscope/ui/draw"
	"pelscope/ui/theme"
)

// View draws the tape: the strip, and below it where the cursor stands and the group's figures. It is two
// lines of as many columns as the tape has cells.
func (t Tape) View(th *theme.Theme) draw.Block {
	info, letters := t.info(th)
	return th.Block(len(t.Cells), 2, t.strip(th, letters), info)
}

// strip draws the cells. letters, when not nil, are shown for pending entries instead of their colour.
func (t Tape) strip(th *theme.Theme, letters map[string]string) string {
	if t.Trouble != "" && !t.any() {
		return th.Warn.Render(th.Fit(th.Clean(t.Trouble), len(t.Cells)))
	}
	var sb strings.Builder
	for i := 0; i < len(t.Cells); {
		sign, style := t.sign(t.Cells[i], th, letters)
		n := i + 1
		for n < len(t.Cells) {
			more, same := t.sign(t.Cells[n], th, letters)
			if same != style {
				break
			}
			sign += more
			n++
		}
		style.Apply(&sb, sign)
		i = n
	}
	return sb.String()
}

func (t Tape) any() bool {
	for _, c := range t.Cells {
		if c.Kind != Blank {
			return true
		}
	}
	return false
}

// sign is how a cell looks.
func (t Tape) sign(c Cell, th *theme.Theme, letters map[string]string) (string, theme.Style) {
	g := th.Glyphs
	switch c.Kind {
	case Passed:
		return g.Passed, th.Passed
	case Pending:
		if l, ok := letters[c.Owner]; ok {
			return l, th.Pending
		}
		return g.Pending, th.Owner(c.Owner)
	case PendingDeleted:
		return g.PendingDeleted, th.Owner(c.Owner)
	case Undelivered:
		return g.Undelivered, th.Undelivered
	case Entry:
		return g.Entry, th.Text
	case Gone:
		return g.Gone, th.Gone
	case Cursor:
		return g.Cursor, th.Cursor
	case CursorOther:
		return g.CursorThin, th.CursorOther
	case Seam:
		return g.Approx, th.Quiet
	}
	return " ", theme.Style{}
}
