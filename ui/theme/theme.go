package theme

import (
	"hash/fnv"
	"slices"
	"strings"

	"pelscope/ui/draw"
)

// Kind is which colours a theme has.
type Kind uint8

const (
	Dark  Kind = iota // colours for a dark background
	Light             // colours for a light background
	None              // no colours at all: NO_COLOR
)

// String is the kind's name: dark, light, none.
func (k Kind) String() string { return [...]string{"dark", "light", "none"}[k] }

// Owners is how many different styles consumers can have.
const Owners = 8

// Theme is every colour and glyph of the screen. It is a value, made once by New and then only read.
type Theme struct {
	Kind   Kind
	Glyphs Glyphs

	Text   Style // ordinary data
	Quiet  Style // chrome and headers: quieter than the rows they head
	Title  Style // a pane's name, a heading
	Accent Style // the one accent: the focused pane, what is active
	Key    Style // a key in the footer
	Strong Style // a figure or word that matters in its line

	Cursor      Style // the group's cursor
	CursorOther Style // another group's cursor
	Passed      Style // delivered and no longer pending
	Pending     Style // pending, where no owner's style is used
	Undelivered Style // not yet delivered
	Gone        Style // deleted or trimmed; signs only

	Warn    Style
	Bad     Style
	Good    Style
	Changed Style // a cell that just changed

	Selected Style // laid under a whole row, other styles inside
	Command  Style // a command as one would type it
	Typed    Style // what is being typed, in an input
	Caret    Style // the place in an input where the next letter goes

	owners [Owners]Style
	edge   Style // an unfocused border
}

// New makes a theme. ascii asks for the glyphs of ASCII.
func New(kind Kind, ascii bool) *Theme {
	t := &Theme{Kind: kind, Glyphs: Unicode()}
	if ascii {
		t.Glyphs = ASCII()
	}
	t.fill(looks(kind))
	return t
}

// Owner is the style of a consumer's pending entries, always the same for the same name. In the theme
// None it is plain. An entry that nobody owns (name "") has the style Quiet.
func (t *Theme) Owner(consumer string) Style {
	if consumer == "" {
		return t.Quiet
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(consumer)) // a hash never fails to write
	sum := h.Sum32()
	return t.owners[(sum^sum>>15)%Owners]
}

// Clean makes foreign bytes printable in this theme's glyphs; see draw.Clean.
func (t *Theme) Clean(s string) string {
	if t.Glyphs.ASCII {
		return draw.CleanASCII(s)
	}
	return draw.Clean(s)
}

// Fit makes s exactly w columns; see draw.Fit.
func (t *Theme) Fit(s string, w int) string { return draw.FitMark(s, w, t.Glyphs.Cut) }

// FitRight makes s exactly w columns, standing at the right; see draw.FitRight.
func (t *Theme) FitRight(s string, w int) string { return draw.FitRight(s, w, t.Glyphs.Cut) }

// FitTail makes s exactly w columns and keeps its end; see draw.FitTail.
func (t *Theme) FitTail(s string, w int) string { return draw.FitTail(s, w, t.Glyphs.Cut) }

// FitMiddle makes s exactly w columns and keeps both its ends; see draw.FitMiddle.
func (t *Theme) FitMiddle(s string, w int) string { return draw.FitMiddle(s, w, t.Glyphs.Cut) }

// Block is a block of w columns and h lines; see draw.New.
func (t *Theme) Block(w, h int, lines ...string) draw.Block {
	return draw.NewMark(w, h, t.Glyphs.Cut, lines)
}

// Box draws a border around content, two columns and two lines larger than it. title and right are
// clean text; the focused pane's border is in the accent, and its title underlined where there is no
// colour to tell.
func (t *Theme) Box(focused bool, title, right string, content draw.Block) draw.Block {
	f := t.Glyphs.Border
	edge, name := t.edge, t.Quiet
	if focused {
		edge, name = t.Accent, t.Title
		if t.Kind == None {
			name = Style{On: t.Title.On + "\x1b[4m", Off: "\x1b[24m" + t.Title.Off}
		}
	}
	f.On, f.Off = edge.On, edge.Off
	return draw.Box(f, name.Render(title), t.Quiet.Render(right), content)
}

// Row lays the style Selected under a line that is already exactly as wide as it shall be.
func (t *Theme) Row(line string, selected bool) string {
	if !selected {
		return line
	}
	return t.Selected.Render(line)
}

// Keys writes a footer: each key with what it does, exactly w columns in all. When they do not all fit, the
// last pair stays and those before it go, from the end. pairs are key, words, key, words.
func (t *Theme) Keys(w int, pairs ...string) string {
	var sb strings.Builder
	used := 0
	for _, p := range fitting(w, pairs) {
		if used > 0 {
			sb.WriteString(keyGap)
			used += len(keyGap)
		}
		t.Key.Apply(&sb, p[0])
		sb.WriteByte(' ')
		t.Quiet.Apply(&sb, p[1])
		used += keyWidth(p)
	}
	sb.WriteString(draw.Spaces(w - used))
	return sb.String()
}

const keyGap = "  "

// keyWidth is how many columns a key and its words take.
func keyWidth(pair []string) int { return draw.Width(pair[0]) + 1 + draw.Width(pair[1]) }

// fitting picks the pairs of a footer that fit.
func fitting(w int, pairs []string) [][]string {
	all := slices.Collect(slices.Chunk(pairs[:len(pairs)&^1], 2))
	for len(all) > 0 {
		need := -len(keyGap)
		for _, p := range all {
			need += len(keyGap) + keyWidth(p)
		}
		if need <= w {
			break
		}
		all = slices.Delete(all, max(0, len(all)-2), max(1, len(all)-1))
	}
	return all
}

func utf8Locale(v string) bool {
	v = strings.ToLower(v)
	return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
}
