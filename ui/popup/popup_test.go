package popup_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"pelscope/ui/draw"
	"pelscope/ui/intent"
	"pelscope/ui/popup"
	"pelscope/ui/theme"
	"pelscope/ui/uitest"
)

func plain() *theme.Theme { return theme.New(theme.None, false) }

func long(n int) func(*theme.Theme, int) []string {
	return func(th *theme.Theme, w int) []string {
		var out []string
		for i := 1; i <= n; i++ {
			out = append(out, th.Fit(fmt.Sprintf("line %d of %d columns", i, w), w))
		}
		return out
	}
}

const help = "HOST:PORT, redis://, rediss:// (TLS), valkey:// or unix:///path. Nothing is written to it."

// popups are one of each kind, with little and with much in it.
func popups(th *theme.Theme) map[string]popup.Popup {
	ask := popup.NewAsk(th, "explore a server", help)
	mend := popup.NewAsk(th, "explore a server", help)
	mend.SetValue("redis://10.0.3.7:6379")
	mend.Wrong("10.0.3.7:6379: the server's certificate is not trusted: name its authority with ?tls_ca=FILE " + strings.Repeat("and more ", 40))
	var streams []string
	for i := range 300 {
		streams = append(streams, fmt.Sprintf("stream:%03d\n\x1b[2J", i))
	}
	return map[string]popup.Popup{
		"text":         popup.NewText(th, "keys", long(4)),
		"text-long":    popup.NewText(th, strings.Repeat("a long title ", 20), long(500)),
		"text-empty":   popup.NewText(th, "nothing", long(0)),
		"confirm":      popup.NewConfirm(th, "reset", "Begin the lesson again?"),
		"confirm-long": popup.NewConfirm(th, "reset", strings.Repeat("Everything that you have done is taken back. ", 20)),
		"ask":          ask,
		"ask-wrong":    mend,
		"pick":         popup.NewPick(th, "streams", "", []string{"orders", "payments"}),
		"pick-long":    popup.NewPick(th, "streams", "there are more than these", streams),
		"pick-none":    popup.NewPick(th, "streams", "", nil),
	}
}

// A popup is never larger than the screen, and leaves no byte on it that is not its own.
func TestPopupsFitOnEveryScreen(t *testing.T) {
	for _, th := range []*theme.Theme{plain(), theme.New(theme.Dark, false), theme.New(theme.None, true)} {
		for name, p := range popups(th) {
			for w := 40; w <= 200; w += 13 {
				for h := 11; h <= 70; h += 5 {
					b := p.View(w, h)
					if b.W > w || b.H > h {
						t.Fatalf("%s: %d×%d on a screen of %d×%d", name, b.W, b.H, w, h)
					}
					for i := range b.H {
						if got := ansi.StringWidth(b.Line(i)); got != b.W {
							t.Fatalf("%s: line %d is %d columns, not %d", name, i, got, b.W)
						}
					}
					if s := ansi.Strip(b.String()); strings.ContainsAny(strings.ReplaceAll(s, "\n", ""), "\x1b\n\r\t") {
						t.Fatalf("%s: a control byte in %q", name, s)
					}
				}
			}
		}
	}
}

func TestPopups(t *testing.T) {
	for name, p := range popups(plain()) {
		t.Run(name, func(t *testing.T) {
			for _, size := range [][2]int{{40, 11}, {80, 23}, {120, 35}} {
				uitest.Golden(t, fmt.Sprintf("%dx%d", size[0], size[1]), ansi.Strip(p.View(size[0], size[1]).String())+"\n")
			}
		})
	}
}

// What is typed stays in sight on the smallest screen, however long the words around it.
func TestTheLineThatIsTypedIsAlwaysInSight(t *testing.T) {
	for name, p := range popups(plain()) {
		if p.Mode() != intent.Ask {
			continue
		}
		for _, letter := range "typed" {
			p.Key(string(letter), string(letter))
		}
		for h := 11; h < 40; h++ {
			if s := p.View(40, h).String(); !strings.Contains(s, "> ") || !strings.Contains(s, "typed") {
				t.Errorf("%s: the line is not to be seen on 40×%d:\n%s", name, h, s)
			}
		}
	}
}

func TestATextIsReadToItsEnd(t *testing.T) {
	p := popup.NewText(plain(), "many", long(100))
	shows := func(n int) bool {
		return strings.Contains(p.View(80, 20).String(), fmt.Sprintf("line %d of", n))
	}
	if !shows(1) || shows(100) {
		t.Error("it does not begin at its first line")
	}
	seen := map[int]bool{}
	for range 20 {
		for i := 1; i <= 100; i++ {
			seen[i] = seen[i] || shows(i)
		}
		p.Do(intent.PageDown)
	}
	if len(seen) != 100 || !shows(100) {
		t.Errorf("%d of 100 lines were seen", len(seen))
	}
	p.Do(intent.Top)
	p.Do(intent.Down)
	if shows(1) || !shows(2) {
		t.Error("one line down from the top is not the second line")
	}
	p.View(60, 18)
	p.SetTheme(theme.New(theme.Light, true))
	if b := p.View(80, 20); !strings.HasPrefix(ansi.Strip(b.String()), "+") {
		t.Error("another theme does not reach it")
	}
	if done, _, ok := p.Do(intent.Back); !done || ok {
		t.Error("it does not close without an answer")
	}
}

func TestOneOfManyIsPicked(t *testing.T) {
	var names []string
	for i := range 100 {
		names = append(names, fmt.Sprintf("s\x00%02d", i))
	}
	p := popup.NewPick(plain(), "streams", "", names)
	p.Select(names[40])
	p.Do(intent.Down)
	if done, got, ok := p.Do(intent.Open); !done || !ok || got != names[41] {
		t.Errorf("picked %q", got)
	}
	p.Do(intent.Bottom)
	if _, got, _ := p.Do(intent.Open); got != names[99] {
		t.Errorf("the last is %q", got)
	}
	none := popup.NewPick(plain(), "streams", "", nil)
	if done, _, ok := none.Do(intent.Open); done || ok {
		t.Error("something was picked of nothing")
	}
	if done, _, ok := none.Do(intent.Back); !done || ok {
		t.Error("an empty list cannot be left")
	}
}

func TestALineIsTypedAndMended(t *testing.T) {
	p := popup.NewAsk(plain(), "server", "which")
	if done, _, _ := p.Do(intent.Submit); done {
		t.Error("an empty line was taken")
	}
	p.SetValue("localhost")
	p.Wrong("no port")
	p.Key("", ":6379") // pasted
	if done, got, ok := p.Do(intent.Submit); !done || !ok || got != "localhost:6379" {
		t.Errorf("got %q", got)
	}
	if done, _, ok := p.Do(intent.Back); !done || ok {
		t.Error("it does not close without an answer")
	}
}

func TestAQuestionIsAnswered(t *testing.T) {
	for _, c := range []struct {
		press    intent.Intent
		done, ok bool
	}{{intent.Yes, true, true}, {intent.No, true, false}, {intent.Back, true, false}, {intent.Up, false, false}} {
		if done, _, ok := popup.NewConfirm(plain(), "q", "sure?").Do(c.press); done != c.done || ok != c.ok {
			t.Errorf("%s: done %v, yes %v", c.press, done, ok)
		}
	}
}

// It is laid over the middle and leaves the rest of the screen as it is.
func TestItLiesOverTheScreen(t *testing.T) {
	base := draw.Lines(80, slicesOf("x", 80, 23)...)
	out := draw.Center(base, popups(plain())["confirm"].View(80, 23))
	if out.W != 80 || out.H != 23 || !strings.HasPrefix(out.Line(11), "xx") || !strings.HasSuffix(out.Line(11), "xx") {
		t.Errorf("over the screen:\n%s", out)
	}
}

func slicesOf(s string, w, h int) []string {
	out := make([]string, h)
	for i := range out {
		out[i] = strings.Repeat(s, w)
	}
	return out
}
