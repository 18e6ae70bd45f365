package draw

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// nasty draws strings that mix ordinary text with everything that ever bent a screen.
func nasty() *rapid.Generator[string] {
	piece := rapid.SampledFrom([]string{
		"a", "orderId=", " ", "日本語", "한국어", "한", "é", "\u0301", "👩‍🚀", "❤️", "👍🏽", "🇰🇷", "🇰", "क्षि", "ﾊﾟ",
		"\x1b", "\x1b]52;c;aGk=\x07", "\x1b[2J", "\x1b[31m", "\x1b[m", "\x1b[38;5;9m", "\x1b[1", "\u009b31m", "\u0085", "\u202e", "\u2066",
		"\u2028", "\u2029", "\u200b", "\u200d", "\ufeff", "\u00ad", "\u3164", "\u115f", "\ufe0f", "\U000e0041", "\u1112", "\u1161", "\u11ab", "가", "क", "\u094d", "\u0d4e", "\ue000", "\U0010ffff",
		"\n", "\r\n", "\t", "\x00", "\x7f", "\xc3\x28", "\xff", "\xe2\x80", "\\", "■◆┃", "…", "\u3000", "Z͑ͫ̓ͪ̂ͫ",
	})
	mixed := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, "pieces"), "")
	})
	bytes := rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 24), func(b []byte) string { return string(b) })
	return rapid.OneOf(mixed, rapid.String(), bytes)
}

// sure fails unless terminals agree that s, with its styles, is w columns, and nothing in it can act.
func sure(t *rapid.T, s string, w int) {
	t.Helper()
	if a, b := ansi.StringWidth(s), ansi.StringWidthWc(s); a != w || b != w {
		t.Fatalf("%q: want %d columns, by graphemes %d, by wcwidth %d", s, w, a, b)
	}
	if got := Width(s); got != w {
		t.Fatalf("%q: Width says %d, want %d", s, got, w)
	}
	for i := 0; i < len(s); {
		n, _, k := next(s[i:])
		if k == bad {
			t.Fatalf("%q: bytes %q must not be printed", s, s[i:i+n])
		}
		i += n
	}
}

func TestCleanLeavesOnlyWhatIsPlainlyVisible(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := nasty().Draw(t, "s")
		c := Clean(s)
		for _, r := range c {
			if odd(r) || r == utf8.RuneError && !strings.Contains(s, "\uFFFD") {
				t.Fatalf("Clean(%q) = %q holds %U", s, c, r)
			}
		}
		if strings.Contains(c, "\x1b") {
			t.Fatalf("Clean(%q) = %q holds ESC", s, c)
		}
		sure(t, c, ansi.StringWidth(c))
		if again := Clean(c); again != c {
			t.Fatalf("Clean(%q) = %q, cleaned again %q", s, c, again)
		}
	})
}

func TestCleanASCIIIsASCII(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := CleanASCII(nasty().Draw(t, "s"))
		for i := range len(c) {
			if c[i] < 0x20 || c[i] > 0x7e {
				t.Fatalf("%q holds byte %#x", c, c[i])
			}
		}
	})
}

func TestCleanByExample(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"00014", "00014"},
		{`{"a":"b\n"}`, `{"a":"b\n"}`},
		{"日本語 한국어 é", "日本語 한국어 é"},
		{"e\u0301", "e\u0301"},
		{"\xc3\x28\x00\xff", `\xc3(\x00\xff`},
		{"\x1b]52;c;aGk=\x07", `\x1b]52;c;aGk=\x07`},
		{"\x1b[2J", `\x1b[2J`},
		{"\x1b[31mred\x1b[m", `\x1b[31mred\x1b[m`},
		{"\u009b31m", `\xc2\x9b31m`},
		{"\u202eabc", `\xe2\x80\xaeabc`},
		{"a\nb\tc\r\n", `a\nb\tc\r\n`},
		{"👩‍🚀", `👩\xe2\x80\x8d🚀`},
		{"❤️", `❤\xef\xb8\x8f`},
		{"👍🏽", `👍\xf0\x9f\x8f\xbd`},
		{"🇰🇷", "🇰🇷"},
		{"\u0301", `\xcc\x81`},
		{"\u2028", `\xe2\x80\xa8`},
		{"\u1112\u1161", `\xe1\x84\x92\xe1\x85\xa1`},
	} {
		if got := Clean(c.in); got != c.want {
			t.Errorf("Clean(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestSimpleCharactersHaveTheWidthTerminalsGiveThem(t *testing.T) {
	for r := rune(1); r < 0x11000; r++ {
		w := simple(r)
		if w == 0 {
			continue
		}
		s := string(r)
		if a, b := ansi.StringWidth(s), ansi.StringWidthWc(s); a != w || b != w || odd(r) {
			t.Errorf("%U: %d here, %d by graphemes, %d by wcwidth, odd %v", r, w, a, b, odd(r))
		}
		if pair := s + s + "가─"; ansi.StringWidth(pair) != 2*w+3 {
			t.Errorf("%U joins its neighbour", r)
		}
	}
}

func TestFitIsExactWhateverComes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := nasty().Draw(t, "s")
		w := rapid.IntRange(0, 30).Draw(t, "w")
		mark := rapid.SampledFrom([]string{Mark, "~", "", ".."}).Draw(t, "mark")
		sure(t, Fit(s, w), w)
		sure(t, FitMark(s, w, mark), w)
		sure(t, FitRight(s, w, mark), w)
		sure(t, FitTail(s, w, mark), w)
		sure(t, FitMiddle(s, w, mark), w)
		from := rapid.IntRange(0, 20).Draw(t, "from")
		sure(t, Cut(s, from, from+w), w)
	})
}

func TestFitByExample(t *testing.T) {
	id := "1735200000412-0"
	for _, c := range []struct{ got, want string }{
		{Fit("abc", 5), "abc  "},
		{Fit("abcdef", 4), "abc…"},
		{Fit("abcdef", 1), "…"},
		{Fit("한국어", 4), "한 …"},
		{Fit("\x1b[1mabcdef\x1b[22m", 4), "\x1b[1mabc…\x1b[22m"},
		{FitMark("abcdef", 4, "~"), "abc~"},
		{FitRight("abc", 5, Mark), "  abc"},
		{FitTail(id, 8, Mark), "…00412-0"},
		{FitMiddle(id, 9, Mark), "1735…12-0"},
		{Cut("한국어", 1, 5), " 국 "},
		{Cut("abc", 1, 6), "bc   "},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestWrapKeepsWordsAndWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[a-z가-힣]{1,6}`), 0, 12).Draw(t, "words")
		w := rapid.IntRange(12, 40).Draw(t, "w")
		lines := Wrap(strings.Join(words, " "), w)
		for _, l := range lines {
			if Width(l) > w {
				t.Fatalf("%q is wider than %d", l, w)
			}
		}
		if got := strings.Fields(strings.Join(lines, " ")); strings.Join(got, " ") != strings.Join(words, " ") {
			t.Fatalf("words %q became %q", words, got)
		}
	})
}

// exact fails unless every line of b is b.W columns and b has b.H lines.
func exact(t *rapid.T, b Block, w, h int) {
	t.Helper()
	if b.W != w || b.H != h || len(b.lines) != h {
		t.Fatalf("block says %d×%d with %d lines, want %d×%d", b.W, b.H, len(b.lines), w, h)
	}
	for _, l := range b.lines {
		sure(t, l, w)
	}
}

func TestBlocksAreExactWhateverTheyHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		block := func(name string) Block {
			lines := rapid.SliceOfN(nasty(), 0, 5).Draw(t, name)
			return New(rapid.IntRange(0, 20).Draw(t, name+" w"), rapid.IntRange(0, 6).Draw(t, name+" h"), lines...)
		}
		a, b := block("a"), block("b")
		exact(t, Beside(a, b), a.W+b.W, max(a.H, b.H))
		exact(t, Above(a, b), max(a.W, b.W), a.H+b.H)
		exact(t, Over(a, b, rapid.IntRange(-9, 20).Draw(t, "x"), rapid.IntRange(-3, 6).Draw(t, "y")), a.W, a.H)
		exact(t, Center(a, b), a.W, a.H)
		exact(t, a.Size(b.W, b.H), b.W, b.H)
		f := Frame{"╭", "─", "╮", "│", "│", "╰", "─", "╯", "\x1b[2m", "\x1b[22m", Mark}
		exact(t, Box(f, nasty().Draw(t, "title"), nasty().Draw(t, "right"), a), a.W+2, a.H+2)
	})
}

func TestBoxByDrawing(t *testing.T) {
	f := Frame{"╭", "─", "╮", "│", "│", "╰", "─", "╯", "", "", Mark}
	for _, c := range []struct {
		w     int
		title string
		right string
		want  string
	}{
		{14, "groups", "2", "" +
			"╭ groups ── 2 ╮\n" +
			"│settlement    │\n" +
			"╰──────────────╯"},
		{9, "groups", "more", "" +
			"╭ groups ─╮\n" +
			"│settleme…│\n" +
			"╰─────────╯"},
		{5, "groups", "", "" +
			"╭ gr… ╮\n" +
			"│sett…│\n" +
			"╰─────╯"},
		{2, "groups", "", "" +
			"╭──╮\n" +
			"│s…│\n" +
			"╰──╯"},
	} {
		want := c.want
		if c.w == 14 {
			want = strings.Replace(want, "── 2", "─── 2", 1)
		}
		if got := Box(f, c.title, c.right, Lines(c.w, "settlement")).String(); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}

func TestOverByDrawing(t *testing.T) {
	base := Lines(8, "abcdefgh", "한국어한", "abcdefgh")
	got := Over(base, Lines(3, "123", "456"), 3, 0).String()
	want := "abc123gh\n한 456한\nabcdefgh"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	styled := Lines(6, "\x1b[1mabcdef\x1b[22m")
	if got, want := Over(styled, Lines(2, "XY"), 2, 0).Line(0), "\x1b[1mab\x1b[22mXY\x1b[1mef\x1b[22m"; got != want {
		t.Errorf("a popup takes the style of what it covers: got %q, want %q", got, want)
	}
}

func TestUnits(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Count(0), "0"}, {Count(999), "999"}, {Count(18204), "18,204"}, {Count(-1234567), "-1,234,567"},
		{Count(-9223372036854775808), "-9,223,372,036,854,775,808"},
		{Plural(1, "entry", "entries"), "1 entry"}, {Plural(18204, "entry", "entries"), "18,204 entries"},
		{Age(-time.Second), "0s"}, {Age(0), "0s"}, {Age(310 * time.Millisecond), "310ms"}, {Age(12900 * time.Millisecond), "12s"},
		{Age(time.Minute), "1m0s"}, {Age(252 * time.Second), "4m12s"}, {Age(3*time.Hour + 5*time.Minute), "3h5m"}, {Age(51 * time.Hour), "2d3h"},
		{Bytes(310), "310 B"}, {Bytes(1024), "1.0 KiB"}, {Bytes(1300), "1.3 KiB"}, {Bytes(12345), "12 KiB"},
		{Bytes(1 << 20), "1.0 MiB"}, {Bytes(1<<20 - 1), "1.0 MiB"}, {Bytes(1 << 62), "4.0 EiB"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
