package draw

import "strings"

// Block is a rectangle of text: H lines, each exactly W columns. Its lines may hold SGR sequences, and
// each line ends every style it begins. A Block is a value; nothing alters one.
type Block struct {
	W, H  int
	lines []string
}

// New is a block of w columns and h lines: the lines given, each fitted, with blank ones after them or
// without those too many.
func New(w, h int, lines ...string) Block { return NewMark(w, h, Mark, lines) }

// NewMark is New with another mark for what is cut.
func NewMark(w, h int, mark string, lines []string) Block {
	w, h = max(0, w), max(0, h)
	b := Block{W: w, H: h, lines: make([]string, h)}
	for i := range b.lines {
		if i < len(lines) {
			b.lines[i] = FitMark(lines[i], w, mark)
		} else {
			b.lines[i] = Spaces(w)
		}
	}
	return b
}

// Lines is a block of w columns with as many lines as are given.
func Lines(w int, lines ...string) Block { return New(w, len(lines), lines...) }

// Blank is a block of spaces.
func Blank(w, h int) Block { return New(w, h) }

// Line is the i-th line, from 0.
func (b Block) Line(i int) string { return b.lines[i] }

// String joins the lines with newlines.
func (b Block) String() string { return strings.Join(b.lines, "\n") }

// Size is b made w columns and h lines: cut at its right and its bottom (without a mark), or padded.
func (b Block) Size(w, h int) Block {
	w, h = max(0, w), max(0, h)
	if w == b.W && h == b.H {
		return b
	}
	out := Block{W: w, H: h, lines: make([]string, h)}
	for i := range out.lines {
		if i < b.H {
			out.lines[i] = b.widen(i, w)
		} else {
			out.lines[i] = Spaces(w)
		}
	}
	return out
}

// widen is line i made w columns.
func (b Block) widen(i, w int) string {
	switch {
	case w == b.W:
		return b.lines[i]
	case w > b.W:
		return b.lines[i] + Spaces(w-b.W)
	}
	return Cut(b.lines[i], 0, w)
}

// Rows is the part of b with the lines [from, to).
func (b Block) Rows(from, to int) Block {
	from = min(max(0, from), b.H)
	to = min(max(from, to), b.H)
	return Block{W: b.W, H: to - from, lines: b.lines[from:to:to]}
}

// Beside sets blocks side by side, from the left; the lower ones are padded to the highest.
func Beside(blocks ...Block) Block {
	var out Block
	for _, b := range blocks {
		out.W += b.W
		out.H = max(out.H, b.H)
	}
	out.lines = make([]string, out.H)
	var sb strings.Builder
	for i := range out.lines {
		sb.Reset()
		sb.Grow(2 * out.W)
		for _, b := range blocks {
			if i < b.H {
				sb.WriteString(b.lines[i])
			} else {
				spaces(&sb, b.W)
			}
		}
		out.lines[i] = sb.String()
	}
	return out
}

// Above sets blocks one above the other; the narrower ones are padded to the widest.
func Above(blocks ...Block) Block {
	var out Block
	for _, b := range blocks {
		out.W = max(out.W, b.W)
		out.H += b.H
	}
	out.lines = make([]string, 0, out.H)
	for _, b := range blocks {
		for i := range b.lines {
			out.lines = append(out.lines, b.widen(i, out.W))
		}
	}
	return out
}

// Over lays top upon base with its upper left corner at column x and line y of base; what lies outside
// base is cut off. The size is base's.
func Over(base, top Block, x, y int) Block {
	from, to := max(0, x), min(base.W, x+top.W) // the columns covered
	out := Block{W: base.W, H: base.H, lines: make([]string, base.H)}
	copy(out.lines, base.lines)
	if from >= to {
		return out
	}
	var sb strings.Builder
	for i := range top.lines {
		row := y + i
		if row < 0 || row >= base.H {
			continue
		}
		sb.Reset()
		cutStyled(&sb, base.lines[row], 0, from, "")
		if to-from == top.W {
			sb.WriteString(top.lines[i])
		} else {
			cutStyled(&sb, top.lines[i], from-x, to-x, "")
		}
		cutStyled(&sb, base.lines[row], to, base.W, "")
		out.lines[row] = sb.String()
	}
	return out
}

// Center lays top upon the middle of base.
func Center(base, top Block) Block { return Over(base, top, (base.W-top.W)/2, (base.H-top.H)/2) }
