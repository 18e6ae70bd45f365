package explore_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"pelscope/redisx/state"
	"pelscope/ui/draw"
	"pelscope/ui/explore"
	"pelscope/ui/intent"
	"pelscope/ui/layout"
	"pelscope/ui/theme"
	"pelscope/ui/uitest"
)

// complainer is what a failing check needs of a test, rapid's among them.
type complainer interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// exact fails unless a view is w×(h-1) cells, each line as wide as it says, and free of foreign bytes.
func exact(t complainer, b draw.Block, w, h int) {
	t.Helper()
	list := lines(b)
	if b.W != w || b.H != h-1 || len(list) != h-1 {
		t.Fatalf("a view of %d×%d with %d lines, want %d×%d", b.W, b.H, len(list), w, h-1)
	}
	for y, line := range list {
		plain := ansi.Strip(line)
		if got := ansi.StringWidth(plain); got != w {
			t.Errorf("line %d is %d columns by graphemes, want %d: %q", y, got, w, plain)
		}
		if got := ansi.StringWidthWc(plain); got != w {
			t.Errorf("line %d is %d columns by wcwidth, want %d: %q", y, got, w, plain)
		}
		onlyStyles(t, line)
	}
}

// onlyStyles fails when a line holds a control byte that is no part of an SGR sequence, or a character
// that turns the direction of text.
func onlyStyles(t complainer, line string) {
	t.Helper()
	if !utf8.ValidString(line) {
		t.Fatalf("bytes that are no UTF-8 reach the screen: %q", line)
	}
	for rest := line; rest != ""; {
		if seq, ok := sgr(rest); ok {
			rest = rest[len(seq):]
			continue
		}
		r := []rune(rest)[0]
		if r < 0x20 || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			t.Fatalf("%U reaches the screen: %q", r, line)
		}
		rest = rest[len(string(r)):]
	}
}

// sgr is the SGR sequence at the beginning of s.
func sgr(s string) (string, bool) {
	if !strings.HasPrefix(s, "\x1b[") {
		return "", false
	}
	n := 2 + strings.IndexFunc(s[2:], func(r rune) bool { return !strings.ContainsRune("0123456789;:", r) })
	if n < 2 || s[n] != 'm' {
		return "", false
	}
	return s[:n+1], true
}

func TestScreens(t *testing.T) {
	for _, sc := range scenes() {
		t.Run(sc.name, func(t *testing.T) {
			for _, size := range sizes() {
				w, h := size[0], size[1]
				s := sc.screen(theme.New(theme.None, false), w, h)
				exact(t, s.View(), w, h)
				text := ansi.Strip(s.View().String())
				uitest.Golden(t, fmt.Sprintf("%dx%d", w, h), text+"\n")
				if w == 120 {
					says(t, text, sc.shows, sc.never)
				}
			}
		})
	}
}

// says fails unless a screen shows all of some texts and none of others, however spaces stand.
func says(t *testing.T, screen string, shows, never []string) {
	t.Helper()
	flat := strings.Join(strings.Fields(screen), " ")
	for _, want := range shows {
		if !strings.Contains(flat, want) {
			t.Errorf("%q is not on the screen:\n%s", want, screen)
		}
	}
	for _, bad := range never {
		if strings.Contains(flat, bad) {
			t.Errorf("%q is on the screen:\n%s", bad, screen)
		}
	}
}

func TestThemes(t *testing.T) {
	sc := scene{group: "settlement", states: []state.State{ordinary(), next()}}
	for _, kind := range []theme.Kind{theme.Dark, theme.Light} {
		s := sc.screen(theme.New(kind, false), 120, 36)
		exact(t, s.View(), 120, 36)
		uitest.Golden(t, kind.String(), s.View().String()+"\n")
	}
	plain := sc.screen(theme.New(theme.None, false), 120, 36)
	text := plain.View().String()
	for _, colour := range []string{"\x1b[3", "\x1b[38", "\x1b[48", ";38;", ";48;"} {
		if strings.Contains(text, colour) {
			t.Errorf("without colour the screen has %q", colour)
		}
	}
	plain.SetTheme(theme.New(theme.Dark, false))
	dark := sc.screen(theme.New(theme.Dark, false), 120, 36)
	if plain.View().String() != dark.View().String() {
		t.Error("a screen that changed its theme is another than one that had it from the start")
	}
}

func TestASCII(t *testing.T) {
	for _, sc := range scenes() {
		s := sc.screen(theme.New(theme.None, true), 120, 36)
		exact(t, s.View(), 120, 36)
		text := s.View().String()
		if i := strings.IndexFunc(text, func(r rune) bool { return r > 0x7e }); i >= 0 {
			t.Errorf("%s: %q on a screen of ASCII only", sc.name, text[i:i+4])
		}
		if sc.name == "ordinary" {
			uitest.Golden(t, "ordinary", ansi.Strip(text)+"\n")
		}
	}
}

// Whatever is foreign is cleaned, in every pane.
func TestNoForeignByteReachesTheScreen(t *testing.T) {
	sc := scene{
		stream: hostile, states: []state.State{hostiles()}, group: hostile, lost: hostile + ": " + hostile,
		server: func(s *explore.Server) { s.Where, s.What, s.Note = hostile, hostile, hostile },
	}
	gone := named(hostile, &state.Stream{GroupsUnknown: hostile, Entries: state.Window{Unknown: hostile}})
	for _, size := range sizes() {
		for _, pane := range []layout.Pane{layout.Entries, layout.Pending, layout.Members, layout.Groups, layout.Changes, layout.Tape} {
			for _, states := range [][]state.State{{hostiles()}, {gone, hostiles()}, {hostiles(), gone}, {hostiles(), keyNamed(hostile, "none")}, {keyNamed(hostile, hostile)}} {
				sc.pane, sc.states = pane, states
				s := sc.screen(theme.New(theme.Dark, false), size[0], size[1])
				exact(t, s.View(), size[0], size[1])
			}
		}
	}
}

func keyNamed(name, typ string) state.State {
	return state.State{At: at, Keys: []state.Key{{Name: name, Type: typ}}}
}

func TestAmongAHundredConsumersTheActiveOnesStandFirst(t *testing.T) {
	for _, size := range sizes() {
		sc := scene{pane: layout.Members, states: []state.State{crowd(100, "c-%03d")}}
		text := ansi.Strip(sc.screen(theme.New(theme.None, false), size[0], size[1]).View().String())
		says(t, text, []string{"2 active, 98 stale", "c-007", "c-093"}, nil)
	}
}

// All fifty can be reached, and each name is whole, or its cut is marked and leaves its end, in which such
// names differ.
func TestEveryConsumerCanBeReached(t *testing.T) {
	const name = "settlement-worker-eu-central-1-7f9c6d5b8-%02d"
	for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 60}} {
		s := scene{pane: layout.Members, states: []state.State{crowd(50, name)}}.screen(theme.New(theme.None, false), size[0], size[1])
		reached := map[string]bool{}
		for range 50 {
			exact(t, s.View(), size[0], size[1])
			for _, row := range regexp.MustCompile(`▸settle(\S*)`).FindAllStringSubmatch(ansi.Strip(s.View().String()), -1) {
				rest := row[1]
				if strings.Contains(rest, "…") || strings.HasSuffix("settle"+rest, name[6:len(name)-4]+rest[max(0, len(rest)-2):]) {
					reached[rest[max(0, len(rest)-2):]] = true
				}
			}
			s.Do(intent.Down)
		}
		delete(reached, "nt") // the group is selected too
		if len(reached) != 50 {
			t.Errorf("%d×%d: reached %d of 50 consumers: %v\n%s", size[0], size[1], len(reached), reached, s.View())
		}
	}
}

func TestAnEntryWithManyDeliveriesStandsFirst(t *testing.T) {
	sc := scene{pane: layout.Pending, states: []state.State{poisoned()}}
	for range 2 { // by consumer; by deliveries
		s := sc.screen(theme.New(theme.None, false), 120, 36)
		text := ansi.Strip(s.View().String())
		rows := text[strings.Index(text, "deliveries"):]
		if first := strings.Index(rows, "×"); first < 0 || !strings.HasPrefix(rows[first:], "×800 ⚠ poison?") {
			t.Errorf("the first pending row is not the one delivered 800 times:\n%s", text)
		}
		sc.do = append(sc.do, intent.Sort)
	}
}

// A silent or lost server's age goes on by the second; a live one's screen does not change at all.
func TestOnlyWhatIsStaleChangesWithTheClock(t *testing.T) {
	s := scene{group: "settlement", states: []state.State{ordinary()}}.screen(theme.New(theme.Dark, false), 120, 36)
	live := s.View().String()
	now := time.UnixMilli(int64(at))
	s.Tick(now.Add(2 * time.Second))
	if s.View().String() != live {
		t.Error("a tick of the clock changed a screen that is fresh")
	}
	s.Lost("x: no answer in time", now.Add(5*time.Second))
	for _, age := range []time.Duration{5 * time.Second, 61 * time.Second} {
		s.Tick(now.Add(age))
		says(t, ansi.Strip(s.View().String()), []string{"stale " + draw.Age(age) + ", retrying: no answer in time", "1735200000024-0"}, nil)
	}
	s.Tick(now.Add(62 * time.Second))
	s.Observed(ordinary(), explore.Cost{})
	says(t, ansi.Strip(s.View().String()), []string{"live 1s", "connected again"}, []string{"stale", "retrying"})
}
