package widget

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"pelscope/ui/draw"
	"pelscope/ui/theme"

	"github.com/charmbracelet/x/ansi"
)

// Input edits one line: a command, a filter. Its value is the bytes that were typed; on the screen they
// are shown clean. Everything moves by whole characters as a person counts them, wide ones included.
type Input struct {
	theme  *theme.Theme
	prompt string
	ghost  string // quiet words while there is no value
	w      int

	chars  []string // the value, one character each
	at     int      // the caret stands before chars[at]
	scroll int      // columns of the value that are out of sight at the left

	history []string
	recall  int // which of history is shown; len(history) for what is being typed
	typed   string

	// DrawCaret draws the caret into the line while focused. Switch it off where the terminal's own
	// cursor is put at Caret, as input methods like.
	DrawCaret bool
}

// maxHistory is how many lines an input remembers.
const maxHistory = 200

// NewInput makes an empty input behind a prompt, which may hold SGR sequences.
func NewInput(th *theme.Theme, prompt string) *Input {
	return &Input{theme: th, prompt: prompt, DrawCaret: true}
}

// SetTheme changes colours and glyphs.
func (in *Input) SetTheme(th *theme.Theme) { in.theme = th }

// SetPrompt changes what stands before the value.
func (in *Input) SetPrompt(prompt string) { in.prompt = prompt; in.reveal() }

// SetGhost sets quiet words that stand there while nothing is typed.
func (in *Input) SetGhost(words string) { in.ghost = words }

// SetWidth sets the columns of the view, the prompt among them.
func (in *Input) SetWidth(w int) {
	in.w = max(0, w)
	in.reveal()
}

// Value is the line as it was typed.
func (in *Input) Value() string { return strings.Join(in.chars, "") }

// SetValue replaces the line; the caret goes to its end.
func (in *Input) SetValue(s string) {
	in.chars = split(oneLine(s))
	in.at = len(in.chars)
	in.scroll = 0
	in.reveal()
}

// Insert types s, or pastes it: a line break or tab in it becomes a space, other control characters go.
func (in *Input) Insert(s string) {
	s = oneLine(s)
	if s == "" {
		return
	}
	before := strings.Join(in.chars[:in.at], "") + s
	in.chars = split(before + strings.Join(in.chars[in.at:], ""))
	in.at = 0
	for n := 0; n < len(before) && in.at < len(in.chars); in.at++ { // a mark may have joined the letter after the caret
		n += len(in.chars[in.at])
	}
	in.reveal()
}

// Submit gives the line, remembers it, and empties the input.
func (in *Input) Submit() string {
	s := in.Value()
	if s != "" && (len(in.history) == 0 || in.history[len(in.history)-1] != s) {
		in.history = append(in.history, s)
		in.history = in.history[max(0, len(in.history)-maxHistory):]
	}
	in.recall = len(in.history)
	in.typed = ""
	in.SetValue("")
	return s
}

// Key handles a key by Bubble Tea's name for it, text being what it types, if anything. It says whether the
// key was one of its own; enter and esc are not.
func (in *Input) Key(name, text string) bool {
	switch name {
	case "left", "ctrl+b":
		in.move(-1)
	case "right", "ctrl+f":
		in.move(1)
	case "home", "ctrl+a":
		in.move(-in.at)
	case "end", "ctrl+e":
		in.move(len(in.chars) - in.at)
	case "alt+left", "ctrl+left", "alt+b":
		in.move(in.wordStart() - in.at)
	case "alt+right", "ctrl+right", "alt+f":
		in.move(in.wordEnd() - in.at)
	case "backspace", "ctrl+h":
		in.remove(in.at-1, in.at)
	case "delete", "ctrl+d":
		in.remove(in.at, in.at+1)
	case "ctrl+w", "alt+backspace":
		in.remove(in.wordStart(), in.at)
	case "ctrl+u":
		in.remove(0, in.at)
	case "ctrl+k":
		in.remove(in.at, len(in.chars))
	case "up", "ctrl+p":
		in.remember(-1)
	case "down", "ctrl+n":
		in.remember(1)
	default:
		if text == "" {
			return false
		}
		in.Insert(text)
	}
	return true
}

func (in *Input) move(n int) {
	in.at = min(max(0, in.at+n), len(in.chars))
	in.reveal()
}

func (in *Input) remove(from, to int) {
	from, to = max(0, from), min(to, len(in.chars))
	if from >= to {
		return
	}
	before := strings.Join(in.chars[:from], "")
	in.chars = split(before + strings.Join(in.chars[to:], ""))
	in.at = 0
	for n := 0; n < len(before) && in.at < len(in.chars); in.at++ {
		n += len(in.chars[in.at])
	}
	in.reveal()
}

// remember goes n lines through the history; what was being typed waits at its end.
func (in *Input) remember(n int) {
	to := min(max(0, in.recall+n), len(in.history))
	if to == in.recall {
		return
	}
	if in.recall == len(in.history) {
		in.typed = in.Value()
	}
	in.recall = to
	if to == len(in.history) {
		in.SetValue(in.typed)
	} else {
		in.SetValue(in.history[to])
	}
}

func (in *Input) wordStart() int {
	i := in.at
	for i > 0 && in.chars[i-1] == " " {
		i--
	}
	for i > 0 && in.chars[i-1] != " " {
		i--
	}
	return i
}

func (in *Input) wordEnd() int {
	i := in.at
	for i < len(in.chars) && in.chars[i] == " " {
		i++
	}
	for i < len(in.chars) && in.chars[i] != " " {
		i++
	}
	return i
}

// room is how many columns the value has, and the prompt's as far as there is space for it.
func (in *Input) room() (prompt, value int) {
	prompt = min(draw.Width(in.prompt), max(0, in.w-8))
	return prompt, in.w - prompt
}

// columns is the width of chars[:n] on the screen.
func (in *Input) columns(n int) int {
	w := 0
	for _, c := range in.chars[:n] {
		w += draw.Width(in.theme.Clean(c))
	}
	return w
}

// reveal scrolls sideways as little as needed to have the caret, and the character on it, in sight.
func (in *Input) reveal() {
	_, room := in.room()
	col, wide := in.columns(in.at), 1
	if in.at < len(in.chars) {
		wide = max(1, in.columns(in.at+1)-col)
	}
	in.scroll = max(in.scroll, col+min(wide, room)-room)
	in.scroll = max(0, min(in.scroll, col))
	if total := in.columns(len(in.chars)) + 1; total <= room {
		in.scroll = 0
	}
}

// Caret is the column of the view that the caret stands on.
func (in *Input) Caret() int {
	prompt, _ := in.room()
	return prompt + in.columns(in.at) - in.scroll
}

// View draws the input, one line of exactly its width.
func (in *Input) View(focused bool) string {
	promptWidth, room := in.room()
	if room <= 0 {
		return draw.Spaces(in.w)
	}
	var sb strings.Builder
	sb.WriteString(in.theme.Fit(in.prompt, promptWidth))
	caret := focused && in.DrawCaret
	if len(in.chars) == 0 && in.ghost != "" {
		first, rest := " ", in.ghost
		if !caret {
			return sb.String() + in.theme.Quiet.Render(in.theme.Fit(in.ghost, room))
		}
		sb.WriteString(in.theme.Caret.Render(first))
		return sb.String() + in.theme.Quiet.Render(in.theme.Fit(rest, room-1))
	}
	var value strings.Builder
	for i, c := range in.chars {
		if c = in.theme.Clean(c); i == in.at && caret {
			c = in.theme.Caret.Render(c)
		}
		value.WriteString(c)
	}
	if in.at == len(in.chars) && caret {
		value.WriteString(in.theme.Caret.Render(" "))
	}
	in.theme.Typed.Apply(&sb, draw.Cut(value.String(), in.scroll, in.scroll+room))
	return sb.String()
}

// split cuts a line into characters as a person counts them. Bytes that are no UTF-8 stand alone.
func split(s string) []string {
	var out []string
	for s != "" {
		n := 1
		if r, size := utf8.DecodeRuneInString(s); r != utf8.RuneError || size > 1 {
			cluster, _ := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
			n = len(cluster)
		}
		out = append(out, s[:n])
		s = s[n:]
	}
	return slices.Clip(out)
}

// oneLine makes every break a space and drops the other control characters.
func oneLine(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\r', r == '\t', r == '\u2028', r == '\u2029':
			return ' '
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, s)
}
