package draw

import "strings"

// Frame is what a border is drawn with. Each part is one column.
type Frame struct {
	TopLeft, Top, TopRight          string
	Left, Right                     string
	BottomLeft, Bottom, BottomRight string
	On, Off                         string // SGR sequences before and after each stretch of border; may be empty
	Mark                            string // what marks a cut title
}

// Box draws a border around content, with title in its upper edge at the left and right at its right.
// It is content.W+2 columns and content.H+2 lines. Both titles may hold SGR sequences; when there is no
// room for both, right goes first, then the title is cut.
func Box(f Frame, title, right string, content Block) Block {
	out := Block{W: content.W + 2, H: content.H + 2, lines: make([]string, 0, content.H+2)}
	out.lines = append(out.lines, f.top(title, right, content.W))
	left := f.On + f.Left + f.Off
	end := f.On + f.Right + f.Off
	for _, line := range content.lines {
		out.lines = append(out.lines, left+line+end)
	}
	out.lines = append(out.lines, f.On+f.BottomLeft+strings.Repeat(f.Bottom, content.W)+f.BottomRight+f.Off)
	return out
}

// top is the upper edge around w columns: "╭ title ───── right ╮", with a piece of line between the two.
func (f Frame) top(title, right string, w int) string {
	title, right = printable(title), printable(right)
	tw, rw := Width(title), Width(right)
	if rw > 0 && w < padded(tw)+rw+3 {
		right, rw = "", 0
	}
	if tw > 0 && w < 3 {
		title, tw = "", 0
	}
	if tw > w-2 && tw > 0 {
		title, tw = FitMark(title, w-2, f.Mark), w-2
	}
	line := w - padded(tw) - padded(rw)
	var sb strings.Builder
	sb.WriteString(f.On + f.TopLeft)
	if tw > 0 {
		sb.WriteString(f.Off + " " + title + " " + f.On)
	}
	sb.WriteString(strings.Repeat(f.Top, line))
	if rw > 0 {
		sb.WriteString(f.Off + " " + right + " " + f.On)
	}
	sb.WriteString(f.TopRight + f.Off)
	return sb.String()
}

// padded is a title's width with a space at either side; an empty one takes none.
func padded(w int) int {
	if w == 0 {
		return 0
	}
	return w + 2
}
