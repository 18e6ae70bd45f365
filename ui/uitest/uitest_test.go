package uitest

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
)

// counter is a tiny program: it counts seconds, shows the last key and what was pasted, asks for the
// background, and ends on q.
type counter struct {
	w, h, seconds int
	key, pasted   string
	ground        string
}

type second struct{}

func tick() tea.Cmd { return tea.Tick(time.Second, func(time.Time) tea.Msg { return second{} }) }

func (c counter) Init() tea.Cmd { return tea.Batch(tick(), tea.RequestBackgroundColor) }

func (c counter) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		c.w, c.h = msg.Width, msg.Height
	case second:
		c.seconds++
		return c, tick()
	case tea.PasteMsg:
		c.pasted = msg.Content
	case tea.BackgroundColorMsg:
		c.ground = "light"
		if msg.IsDark() {
			c.ground = "dark"
		}
	case tea.KeyPressMsg:
		c.key += msg.String() + " "
		if msg.String() == "q" {
			return c, tea.Quit
		}
	}
	return c, nil
}

func (c counter) View() tea.View {
	v := tea.NewView(fmt.Sprintf("%d×%d %s\n\x1b[31mseconds\x1b[m %d\nkeys %s\npasted %q", c.w, c.h, c.ground, c.seconds, c.key, c.pasted))
	v.AltScreen = true
	v.WindowTitle = "counter"
	return v
}

func TestTheScreenShowsWhatAPersonWouldSee(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := Start(t, counter{}, Size(40, 6))
		if !s.AltScreen() || s.Title() != "counter" {
			t.Errorf("alternate screen %v, title %q", s.AltScreen(), s.Title())
		}
		s.Shows("40×6 dark", "seconds 0")
		s.Press("j", "enter", "esc", "ctrl+a", "up", "shift+tab", "space", "alt+x", "한", "pgdown")
		s.Shows("keys j enter esc ctrl+a up shift+tab")
		s.Paste("two\nlines")
		s.Shows(`pasted "two\nlines"`)
		s.Resize(60, 4)
		s.Shows("60×4 dark")
		s.Golden("resized")
		s.GoldenStyled("styled")
		s.Press("q")
		if !s.Ended() || s.Err() != nil || s.AltScreen() {
			t.Errorf("ended %v, error %v, still on the alternate screen %v", s.Ended(), s.Err(), s.AltScreen())
		}
		if c, ok := s.Model().(counter); !ok || !strings.HasSuffix(c.key, "alt+x 한 pgdown q ") {
			t.Errorf("the last model is %+v", s.Model())
		}
	})
}

func TestTimeIsVirtual(t *testing.T) {
	began := time.Now()
	synctest.Test(t, func(t *testing.T) {
		s := Start(t, counter{}, Size(40, 6))
		s.Advance(5 * time.Minute)
		s.Shows("seconds 300")
		s.WaitFor("seconds 320")
		s.WaitGone("seconds 320")
	})
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("five virtual minutes took %v", took)
	}
}

func TestBytesAreThoseOfOneChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := Start(t, counter{}, Size(120, 36))
		s.Advance(500 * time.Millisecond)
		if n := s.Bytes(); n < 50 {
			t.Errorf("a first screen of %d bytes", n)
		}
		if n := s.Bytes(); n != 0 {
			t.Errorf("%d bytes counted twice", n)
		}
		s.Advance(time.Second)
		if n := s.Bytes(); n < 1 || n > 40 {
			t.Errorf("one digit changed and %d bytes were written", n)
		}
		if !strings.Contains(s.Output(), "seconds") {
			t.Error("the output does not hold what was written")
		}
	})
}

func TestNoColorReachesTheTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := Start(t, counter{}, Size(40, 6), NoColor())
		if strings.Contains(s.Output(), "\x1b[31m") {
			t.Error("colour in spite of NO_COLOR")
		}
	})
}

func TestLightIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		Start(t, counter{}, Size(40, 6), Light()).Shows("light")
	})
}

func TestAnUnknownKeyIsAnError(t *testing.T) {
	for _, key := range []string{"entr", "ctrl+1", "", "alt+nothing"} {
		if _, err := bytesOf(key); err == nil {
			t.Errorf("%q passes for a key", key)
		}
	}
}
