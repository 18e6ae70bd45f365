package tape

import (
	"strconv"
	"strings"

	"pelscope/ui/draw"
	"pelscope/ui/theme"
)

// info is the line below the strip: ▲ under the cursor with its id, and the figures where there is room. It
// gives the letters that stand for the owners in a theme without colour, when it explains them.
func (t Tape) info(th *theme.Theme) (string, map[string]string) {
	w := len(t.Cells)
	if t.Group == "" {
		return th.Quiet.Render(th.Fit(t.plainWords(th), w)), nil
	}
	if t.Trouble != "" {
		return th.Warn.Render(th.Fit(th.Clean(t.Trouble), w)), nil
	}
	at := t.CursorAt()
	letters := t.letters(th)
	for _, f := range t.figures(th, letters) {
		for _, label := range f.labels {
			if line, ok := arrange(th, w, at, label, f.text); ok {
				if !f.owners {
					letters = nil
				}
				return line, letters
			}
		}
	}
	return th.Fit("", w), nil
}

// plainWords is what there is to say without a group.
func (t Tape) plainWords(th *theme.Theme) string {
	switch {
	case t.Empty:
		return "no entries"
	case t.NoGroups:
		return join("no consumer group", t.scale(th))
	case t.Span > 1:
		return t.scale(th)
	}
	return ""
}

// arrange sets arrow, label and figures on a line of w columns, if they fit: the label right of the arrow,
// or left of it; the figures at the right end, or at the left where the arrow stands too far right.
func arrange(th *theme.Theme, w, at int, label, figures string) (string, bool) {
	fw, lw := draw.Width(figures), draw.Width(label)
	if at < 0 { // no cursor on the strip
		return th.Fit(figures, w), fw <= w
	}
	if lw > 0 {
		lw++ // the space between arrow and label
	}
	gap := 3
	if fw == 0 {
		gap = 0
	}
	arrow, text := th.Cursor.Render(th.Glyphs.CursorUp), th.Text.Render(label)
	toRight, toLeft := arrow, arrow
	if lw > 0 {
		toRight, toLeft = arrow+" "+text, text+" "+arrow
	}
	switch {
	case at+1+lw+gap+fw <= w:
		return draw.Spaces(at) + toRight + draw.Spaces(w-at-1-lw-fw) + figures, true
	case lw <= at && at+1+gap+fw <= w:
		return draw.Spaces(at-lw) + toLeft + draw.Spaces(w-at-1-fw) + figures, true
	case fw+gap <= at && at+1+lw <= w:
		return figures + draw.Spaces(at-fw) + toRight + draw.Spaces(w-at-1-lw), true
	case fw+gap+lw <= at:
		return figures + draw.Spaces(at-lw-fw) + toLeft + draw.Spaces(w-at-1), true
	}
	return "", false
}

// figure is one way to say the group's figures, with what may stand at the arrow beside it.
type figure struct {
	text   string
	owners bool // it tells who owns the pending entries
	labels []string
}

// figures are the ways to say them, the fullest first. Who owns what goes before the words at the arrow,
// these before why the lag is unknown, and the last ones leave something out.
func (t Tape) figures(th *theme.Theme, letters map[string]string) []figure {
	id := t.LastDelivered.String()
	words, short, any := []string{"last-delivered-id " + id}, []string{id}, []string{id, ""}
	lag, why := t.lag(th)
	pending, oldest := t.pending(th), t.oldest(th)
	scale, empty := th.Quiet.Render(t.scale(th)), ""
	if t.Empty {
		empty = th.Quiet.Render("no entries")
	}
	var out []figure
	if owners := t.owners(th, letters); owners != "" {
		whose := pending + th.Quiet.Render(":") + " " + owners
		for _, labels := range [][]string{words, short} {
			out = append(out,
				figure{join(scale, empty, lag+why, whose, oldest), true, labels},
				figure{join(empty, lag+why, whose, oldest), true, labels},
				figure{join(empty, lag, whose, oldest), true, labels})
		}
	}
	for _, labels := range [][]string{words, short} {
		out = append(out,
			figure{join(scale, empty, lag+why, pending, oldest), false, labels},
			figure{join(empty, lag+why, pending, oldest), false, labels},
			figure{join(empty, lag, pending, oldest), false, labels})
	}
	return append(out,
		figure{join(lag, pending, oldest), false, any},
		figure{join(lag, pending), false, any},
		figure{lag, false, any},
		figure{"", false, any})
}

// join sets figures apart, without those that are empty.
func join(parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, "   ")
}

// lag is the lag, and why it is not known, where it is not.
func (t Tape) lag(th *theme.Theme) (lag, why string) {
	if t.Lag.Known {
		return th.Quiet.Render("lag ") + th.Strong.Render(draw.Count(t.Lag.Value)), ""
	}
	if t.Lag.Why != "" {
		why = th.Quiet.Render(" (" + th.Clean(t.Lag.Why) + ")")
	}
	return th.Quiet.Render("lag ") + th.Warn.Render("unknown"), why
}

func (t Tape) pending(th *theme.Theme) string {
	if t.Pending.Known {
		return th.Quiet.Render("pending ") + th.Strong.Render(draw.Count(t.Pending.Value))
	}
	return th.Quiet.Render("pending ") + th.Warn.Render("unknown")
}

// oldest is the longest idle time; "≥" where not every pending entry was read.
func (t Tape) oldest(th *theme.Theme) string {
	if !t.Oldest.Known {
		return ""
	}
	sign := ""
	if t.AtLeast {
		sign = th.Glyphs.AtLeast + " "
	}
	return th.Quiet.Render("oldest ") + th.Strong.Render(sign+draw.Age(t.Oldest.Value))
}

// owners says how many pending entries each consumer owns, when these are all of them and there are few
// consumers: "◆ consumer-a 2, ◆ consumer-b 1".
func (t Tape) owners(th *theme.Theme, letters map[string]string) string {
	if t.AtLeast || len(t.Owners) == 0 || len(t.Owners) > 4 {
		return ""
	}
	var parts []string
	for _, o := range t.Owners {
		name := th.Clean(o.Name)
		if o.Name == "" {
			name = "nobody"
		}
		if draw.Width(name) > 24 {
			name = th.FitMiddle(name, 24)
		}
		sign := th.Owner(o.Name).Render(th.Glyphs.Pending)
		if l, ok := letters[o.Name]; ok {
			sign = th.Pending.Render(l)
		}
		parts = append(parts, sign+" "+th.Text.Render(name)+" "+strconv.Itoa(o.Count))
	}
	return strings.Join(parts, ", ")
}

// letters are a, b, c … for the owners, in a theme without colour and where there are several.
func (t Tape) letters(th *theme.Theme) map[string]string {
	if th.Kind != theme.None || len(t.Owners) < 2 || len(t.Owners) > 4 {
		return nil
	}
	out := map[string]string{}
	for i, o := range t.Owners {
		out[o.Name] = string(rune('a' + i))
	}
	return out
}

// scale says what an approximate cell stands for.
func (t Tape) scale(th *theme.Theme) string {
	if t.Span <= 1 {
		return ""
	}
	return "1 cell " + th.Glyphs.Approx + " " + draw.Plural(t.Span, "entry", "entries")
}
