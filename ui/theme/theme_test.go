package theme

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"pelscope/ui/draw"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// contrast is the WCAG contrast ratio of two colours given as #rrggbb, 1 to 21.
func contrast(a, b string) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func luminance(hex string) float64 {
	r, g, b, _ := rgb(hex).RGBA()
	lin := func(v uint32) float64 {
		c := float64(v) / 0xffff
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*lin(r) + 0.7152*lin(g) + 0.0722*lin(b)
}

func TestTextIsReadable(t *testing.T) {
	for _, k := range []struct {
		name, ground string
		p            palette
	}{{"dark", darkGround, dark()}, {"light", lightGround, light()}} {
		text := map[string]string{
			"text": k.p.text.fg, "quiet": k.p.quiet.fg, "title": k.p.title.fg, "accent": k.p.accent.fg, "key": k.p.key.fg, "strong": k.p.strong.fg,
			"cursor": k.p.cursor.fg, "cursorOther": k.p.cursorOther.fg, "passed": k.p.passed.fg, "pending": k.p.pending.fg, "undelivered": k.p.undelivered.fg,
			"warn": k.p.warn.fg, "bad": k.p.bad.fg, "good": k.p.good.fg, "changed": k.p.changed.fg, "command": k.p.command.fg, "typed": k.p.typed.fg,
		}
		for i, fg := range k.p.owners {
			text["owner "+string(rune('0'+i))] = fg
		}
		for role, fg := range text {
			if c := contrast(fg, k.ground); c < 4.5 {
				t.Errorf("%s: %s %s on %s has contrast %.2f, want 4.5", k.name, role, fg, k.ground, c)
			}
			if c := contrast(fg, k.p.selected.bg); c < 3.5 {
				t.Errorf("%s: %s %s on the selected row has contrast %.2f, want 3.5", k.name, role, fg, c)
			}
		}
		if c := contrast(k.p.gone.fg, k.ground); c < 3 {
			t.Errorf("%s: signs of what is gone have contrast %.2f, want 3", k.name, c)
		}
		if contrast(k.p.quiet.fg, k.ground) >= contrast(k.p.text.fg, k.ground) {
			t.Errorf("%s: headers are not quieter than rows", k.name)
		}
	}
}

func TestOwnersAreToldApart(t *testing.T) {
	for _, p := range []palette{dark(), light()} {
		seen := map[string]bool{}
		for _, fg := range p.owners {
			seen[fg] = true
		}
		if len(seen) != Owners {
			t.Errorf("%d different owner colours, want %d", len(seen), Owners)
		}
	}
	th := New(Dark, false)
	used := map[Style]bool{}
	for _, name := range []string{"consumer-a", "consumer-b", "consumer-c", "consumer-d", "alice", "bob", "carol", "worker-1", "worker-2", "worker-3", "worker-4"} {
		if th.Owner(name) != New(Dark, true).Owner(name) {
			t.Errorf("%s has two styles", name)
		}
		used[th.Owner(name)] = true
	}
	if len(used) < 5 {
		t.Errorf("eleven names share %d styles", len(used))
	}
	if th.Owner("") != th.Quiet {
		t.Error("what nobody owns looks owned")
	}
}

func TestNoneHasNoColour(t *testing.T) {
	v := reflect.ValueOf(*New(None, false))
	for i := range v.NumField() {
		if v.Field(i).Type() != reflect.TypeFor[Style]() {
			continue
		}
		on := v.Field(i).Field(0).String()
		for _, p := range strings.FieldsFunc(on, func(r rune) bool { return r < '0' || r > '9' }) {
			if p != "1" && p != "4" && p != "7" {
				t.Errorf("%s begins with %q", v.Type().Field(i).Name, on)
			}
		}
	}
}

// glyphs walks every sign of a set.
func glyphs(g Glyphs) map[string]string {
	all := map[string]string{}
	var walk func(name string, v reflect.Value)
	walk = func(name string, v reflect.Value) {
		switch v.Kind() {
		case reflect.String:
			all[name] = v.String()
		case reflect.Slice:
			for i := range v.Len() {
				walk(name+string(rune('0'+i)), v.Index(i))
			}
		case reflect.Struct:
			for i := range v.NumField() {
				walk(name+v.Type().Field(i).Name, v.Field(i))
			}
		}
	}
	walk("", reflect.ValueOf(g))
	return all
}

func TestGlyphsAreCertainInWidth(t *testing.T) {
	wide := map[string]int{"AtLeast": 2, "Arrow": 2, "Enter": 5} // in ASCII
	for name, g := range glyphs(Unicode()) {
		if strings.HasSuffix(name, "On") || strings.HasSuffix(name, "Off") {
			continue
		}
		if ansi.StringWidth(g) != 1 || ansi.StringWidthWc(g) != 1 || draw.Clean(g) != g {
			t.Errorf("%s %q is not plainly one column", name, g)
		}
	}
	for name, g := range glyphs(ASCII()) {
		if strings.HasSuffix(name, "On") || strings.HasSuffix(name, "Off") {
			continue
		}
		if want := max(1, wide[name]); len(g) != want || draw.CleanASCII(g) != g {
			t.Errorf("%s %q: want %d characters of ASCII", name, g, want)
		}
	}
}

func TestTapeSignsDiffer(t *testing.T) {
	for _, g := range []Glyphs{Unicode(), ASCII()} {
		seen := map[string]bool{}
		signs := []string{g.Passed, g.Pending, g.PendingDeleted, g.Undelivered, g.Cursor, g.CursorThin, g.Gone}
		for _, s := range signs {
			seen[s] = true
		}
		if len(seen) != len(signs) {
			t.Errorf("two of %q are the same", signs)
		}
	}
}

func TestStylesNest(t *testing.T) {
	th := New(Dark, false)
	got := th.Selected.Render("a " + th.Owner("bob").Render("b") + " c")
	if strings.Contains(got, "\x1b[m") || strings.Contains(got, "\x1b[0m") {
		t.Errorf("a style inside ends the row's: %q", got)
	}
	if ansi.Strip(got) != "a b c" {
		t.Errorf("text became %q", ansi.Strip(got))
	}
}

func TestFocusShowsWithoutColour(t *testing.T) {
	th := New(None, true)
	c := draw.Blank(20, 1)
	if th.Box(true, "groups", "", c).String() == th.Box(false, "groups", "", c).String() {
		t.Error("the focused pane looks like any other")
	}
}

func TestKeysAreExact(t *testing.T) {
	th := New(Dark, false)
	rapid.Check(t, func(t *rapid.T) {
		pairs := rapid.SliceOf(rapid.StringMatching(`[a-z가-힣]{1,8}`)).Draw(t, "pairs")
		w := rapid.IntRange(0, 60).Draw(t, "w")
		if got := draw.Width(th.Keys(w, pairs...)); got != w {
			t.Fatalf("%d columns, want %d", got, w)
		}
	})
}

func TestTheLastKeyStaysInANarrowFooter(t *testing.T) {
	th := New(None, true)
	for w, want := range map[int]string{
		30: "enter open  q quit  ? keys    ",
		24: "enter open  ? keys      ",
		18: "enter open  ? keys",
		17: "? keys           ",
		5:  "     ",
	} {
		if got := ansi.Strip(th.Keys(w, "enter", "open", "q", "quit", "?", "keys")); got != want {
			t.Errorf("%d columns: %q, want %q", w, got, want)
		}
	}
}

func TestNeedASCII(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want bool
	}{
		{map[string]string{"TERM": "xterm-256color", "LANG": "ko_KR.UTF-8"}, false},
		{map[string]string{"TERM": "xterm-256color", "LANG": "en_US.utf8"}, false},
		{map[string]string{"TERM": "xterm-256color"}, false},
		{map[string]string{"TERM": "xterm-256color", "LANG": "C"}, true},
		{map[string]string{"TERM": "xterm", "LC_ALL": "C", "LANG": "en_US.UTF-8"}, true},
		{map[string]string{"TERM": "dumb", "LANG": "en_US.UTF-8"}, true},
		{map[string]string{"TERM": "linux", "LANG": "en_US.UTF-8"}, true},
	} {
		if got := NeedASCII(func(n string) string { return c.env[n] }); got != c.want {
			t.Errorf("%v: %v, want %v", c.env, got, c.want)
		}
	}
}
