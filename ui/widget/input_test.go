package widget

import (
	"strings"
	"testing"

	"pelscope/ui/draw"
	"pelscope/ui/theme"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// edit feeds keys to an input: names separated by spaces, 'text typed as it is.
func edit(in *Input, script string) {
	for _, k := range strings.Split(script, " ") {
		if text, ok := strings.CutPrefix(k, "'"); ok {
			in.Insert(strings.ReplaceAll(text, "_", " "))
			continue
		}
		in.Key(k, "")
	}
}

func TestInputEdits(t *testing.T) {
	for _, c := range []struct {
		script, value string
		caret         int
	}{
		{"'abc", "abc", 3},
		{"'abc left left 'X", "aXbc", 2},
		{"'abc home 'X", "Xabc", 1},
		{"'abc home right delete", "ac", 1},
		{"'abc backspace", "ab", 2},
		{"'XACK_orders_workers_1-0 ctrl+w 'x", "XACK orders workers x", 21},
		{"'XACK_orders__ ctrl+w", "XACK ", 5},
		{"'XACK_orders alt+left alt+left alt+right", "XACK orders", 4},
		{"'XACK_orders ctrl+u", "", 0},
		{"'XACK_orders home alt+f ctrl+k", "XACK", 4},
		{"'한국어 left backspace", "한어", 2},
		{"'한국어 home right", "한국어", 2},
		{"'e 'x left 'u\u0301", "eu\u0301x", 2},
		{"'ex left '\u0301", "e\u0301x", 1},
		{"'\u1112 '\u1161 '\u11ab", "\u1112\u1161\u11ab", 36}, // shown escaped: terminals disagree about its width
		{"home left backspace end right delete", "", 0},
	} {
		in := NewInput(theme.New(theme.None, false), "")
		in.SetWidth(60)
		edit(in, c.script)
		if in.Value() != c.value || in.Caret() != c.caret {
			t.Errorf("%s: %q with the caret at %d, want %q and %d", c.script, in.Value(), in.Caret(), c.value, c.caret)
		}
	}
}

func TestInputKeepsPastesToOneLine(t *testing.T) {
	in := NewInput(theme.New(theme.None, false), "")
	in.SetWidth(40)
	in.Insert("XADD s *\r\na 1\tb\x1b[2J\x07 2\n")
	if want := "XADD s * a 1 b[2J 2 "; in.Value() != want {
		t.Errorf("value %q, want %q", in.Value(), want)
	}
}

func TestInputHistory(t *testing.T) {
	in := NewInput(theme.New(theme.None, false), "")
	in.SetWidth(40)
	for _, s := range []string{"one", "two", "two", ""} {
		in.SetValue(s)
		in.Submit()
	}
	in.Insert("half")
	var got []string
	for _, k := range []string{"up", "up", "up", "down", "down", "down"} {
		in.Key(k, "")
		got = append(got, in.Value())
	}
	if want := "two one one two half half"; strings.Join(got, " ") != want {
		t.Errorf("went through %v, want %s", got, want)
	}
	if got := in.Submit(); got != "half" || in.Value() != "" {
		t.Errorf("submitted %q, left %q", got, in.Value())
	}
}

func TestInputScrollsToItsCaret(t *testing.T) {
	in := NewInput(theme.New(theme.None, true), "alice> ")
	in.DrawCaret = false
	in.SetWidth(17)
	in.Insert("XREADGROUP GROUP workers alice")
	if got := ansi.Strip(in.View(true)); got != "alice> ers alice " || in.Caret() != 16 {
		t.Errorf("%q, caret %d", got, in.Caret())
	}
	in.Key("home", "")
	if got := ansi.Strip(in.View(true)); got != "alice> XREADGROUP" || in.Caret() != 7 {
		t.Errorf("%q, caret %d", got, in.Caret())
	}
}

func TestInputLeavesOtherKeysAlone(t *testing.T) {
	in := NewInput(theme.New(theme.None, true), "")
	for _, k := range []string{"enter", "esc", "tab", "ctrl+c", "f1"} {
		if in.Key(k, "") {
			t.Errorf("%s was taken", k)
		}
	}
	if !in.Key("q", "q") || in.Value() != "q" {
		t.Error("a letter was not typed")
	}
}

func TestInputIsExactAndShowsItsCaret(t *testing.T) {
	all := themes()
	rapid.Check(t, func(t *rapid.T) {
		th := rapid.SampledFrom(all).Draw(t, "theme")
		in := NewInput(th, words(th).Draw(t, "prompt"))
		in.SetGhost(words(th).Draw(t, "ghost"))
		in.DrawCaret = rapid.Bool().Draw(t, "draw")
		w := rapid.IntRange(0, 40).Draw(t, "w")
		in.SetWidth(w)
		for range rapid.IntRange(0, 12).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "type") {
				in.Insert(rapid.OneOf(rapid.String(), rapid.StringMatching("[a-z가-힣 ]{0,9}"), rapid.SampledFrom([]string{"👩‍🚀", "\xff", "\u0301"})).Draw(t, "text"))
			} else {
				in.Key(rapid.SampledFrom([]string{"left", "right", "home", "end", "ctrl+w", "backspace", "delete", "alt+left", "ctrl+k", "up"}).Draw(t, "key"), "")
			}
			line := in.View(rapid.Bool().Draw(t, "focused"))
			if a, b := ansi.StringWidth(line), ansi.StringWidthWc(line); a != w || b != w || draw.Width(line) != w {
				t.Fatalf("%q: %d and %d columns, want %d", line, a, b, w)
			}
			if c := in.Caret(); w > 8 && (c < 0 || c >= w) {
				t.Fatalf("the caret is at %d of %d columns", c, w)
			}
		}
	})
}
