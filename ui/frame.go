package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pelscope/ui/draw"
	"pelscope/ui/intent"
	"pelscope/ui/layout"
	"pelscope/ui/popup"
	"pelscope/ui/theme"
)

// frame is the screen with its footer, and popups over it.
func (m *Model) frame() draw.Block {
	var body draw.Block
	switch m.at {
	case atExplorer:
		body = m.explore.View()
	case atLesson:
		body = m.learn.View()
	default:
		body = m.home.View()
	}
	for _, p := range m.popups {
		body = draw.Center(body, p.View(m.w, m.h-1))
	}
	return draw.Above(body, draw.Lines(m.w, m.footer()))
}

// footer names the keys that work now, or what there is to tell.
func (m *Model) footer() string {
	if m.note != "" {
		return m.theme.Warn.Render(m.theme.Fit(m.theme.Clean(m.note), m.w))
	}
	return m.theme.Keys(m.w, footerKeys(m.mode(), m.works, m.label)...)
}

// works says whether an intent can do anything now, so that the footer shows no dead key.
func (m *Model) works(i intent.Intent) bool {
	return m.at != atLesson || len(m.popups) > 0 || m.learn.Works(i)
}

// label says in one or two words what a key does now.
func (m *Model) label(b intent.Binding) string {
	if m.at == atLesson && len(m.popups) == 0 && b.Intent == intent.Run {
		return cmp.Or(m.learn.Going(), b.Label)
	}
	return b.Label
}

// footerKeys gives keys and labels, the most useful first.
func footerKeys(mode intent.Mode, works func(intent.Intent) bool, label func(intent.Binding) string) []string {
	list := slices.DeleteFunc(intent.For(mode), func(b intent.Binding) bool { return b.Rank == 0 || !works(b.Intent) })
	slices.SortStableFunc(list, func(a, b intent.Binding) int { return cmp.Compare(a.Rank, b.Rank) })
	var out []string
	for _, b := range list {
		out = append(out, b.Keys[0], label(b))
	}
	return out
}

// helpPopup explains every key of a mode.
func helpPopup(th *theme.Theme, mode intent.Mode) popup.Popup {
	return popup.NewText(th, "keys "+th.Glyphs.Dot+" "+strings.ToLower(mode.Title()), func(th *theme.Theme, w int) []string {
		var lines []string
		for _, b := range intent.For(mode) {
			keys := strings.Join(b.Keys, ", ")
			for i, text := range draw.Wrap(b.Help, max(10, w-18)) {
				if i > 0 {
					keys = ""
				}
				lines = append(lines, th.Key.Render(th.Fit(keys, 16))+"  "+text)
			}
		}
		return lines
	})
}

// tooSmall is the one sentence that a very small screen shows, cut to what there is.
func tooSmall(w, h int) string {
	words := fmt.Sprintf("pelscope needs a screen of %d×%d at least; this one is %d×%d. ctrl+c leaves.", layout.MinWidth, layout.MinHeight, w, h)
	lines := draw.Wrap(words, w)
	return draw.New(w, h, lines[:min(len(lines), h)]...).String()
}
