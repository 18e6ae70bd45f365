package uitest

import (
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/charmbracelet/x/vt"
)

// frame is how long a key is given to reach the screen: more than one frame at 60 a second.
const frame = 40 * time.Millisecond

// escape is more than the input reader waits to see whether ESC, alone or with one letter behind it,
// begins a longer sequence.
const escape = 200 * time.Millisecond

// Session is a running program and the terminal it runs on. Its methods are for the test's goroutine.
type Session struct {
	t       testing.TB
	emu     *vt.SafeEmulator
	program *tea.Program
	input   *io.PipeWriter // to the program
	source  *io.PipeReader
	done    chan struct{} // closed when the program has ended
	ended   bool          // the terminal is closed
	running sync.WaitGroup

	mu      sync.Mutex
	written strings.Builder // everything the program ever wrote
	counted int             // of which Bytes has told
	title   string
	model   tea.Model // the last one, when the program has ended
	err     error
}

// Start runs a model, inside a synctest bubble, and waits for its first screen. The program is ended
// with the test.
func Start(t testing.TB, model tea.Model, options ...Option) *Session {
	t.Helper()
	c := config{w: 120, h: 36, profile: colorprofile.TrueColor, env: []string{"TERM=xterm-256color", "LANG=en_US.UTF-8"}}
	for _, o := range options {
		o(&c)
	}
	s := &Session{t: t, emu: vt.NewSafeEmulator(c.w, c.h), done: make(chan struct{})}
	s.source, s.input = io.Pipe()
	if c.ground != nil {
		s.emu.SetDefaultBackgroundColor(c.ground)
	}
	s.emu.SetCallbacks(vt.Callbacks{Title: func(title string) { s.title = title }}) // called from Write, under mu
	s.program = tea.NewProgram(model, append([]tea.ProgramOption{
		tea.WithInput(s.source), tea.WithOutput(screen{s}), tea.WithWindowSize(c.w, c.h),
		tea.WithColorProfile(c.profile), tea.WithEnvironment(c.env), tea.WithoutSignalHandler(),
	}, c.program...)...)
	s.running.Go(func() { _, _ = io.Copy(s.input, s.emu) }) // the terminal's answers
	s.running.Go(func() {
		defer close(s.done)
		model, err := s.program.Run()
		s.mu.Lock()
		defer s.mu.Unlock()
		s.model, s.err = model, err
	})
	t.Cleanup(s.Quit)
	s.settle(2 * frame)
	return s
}

// screen is the program's output: what it writes is kept, counted and shown.
type screen struct{ s *Session }

// Write gives the emulator what a terminal in its usual mode would see: "\n" goes to column one too.
func (w screen) Write(p []byte) (int, error) {
	w.s.mu.Lock()
	defer w.s.mu.Unlock()
	w.s.written.Write(p)
	_, err := w.s.emu.Write([]byte(strings.ReplaceAll(string(p), "\n", "\r\n")))
	return len(p), err
}

// settle lets virtual time pass until everything that was to happen has happened.
func (s *Session) settle(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// Press presses keys, one after the other, by Bubble Tea's names: "j", "enter", "ctrl+c", "shift+tab".
// Each is given a frame (40 ms of virtual time) to reach the screen.
func (s *Session) Press(keys ...string) {
	s.t.Helper()
	for _, key := range keys {
		bytes, err := bytesOf(key)
		if err != nil {
			s.t.Fatal(err)
		}
		s.send(bytes)
		if bytes[0] == 0x1b && len(bytes) <= 2 {
			s.settle(escape)
		}
		s.settle(frame)
	}
}

// Type types text, all of it in one go. A text that ends the program before its last letter leaves the
// rest unread for ever; press the keys instead.
func (s *Session) Type(text string) {
	s.t.Helper()
	s.send(text)
	s.settle(frame)
}

// Paste pastes text as a terminal with bracketed paste does.
func (s *Session) Paste(text string) {
	s.t.Helper()
	s.send(ansi.BracketedPasteStart + text + ansi.BracketedPasteEnd)
	s.settle(frame)
}

// send writes to the program's input; after the program has ended there is nobody to read it.
func (s *Session) send(bytes string) {
	s.t.Helper()
	if s.Ended() {
		s.t.Fatalf("the program has ended (%v), it reads no %q", s.err, bytes)
	}
	_, _ = io.WriteString(s.input, bytes) // fails only when the program ends meanwhile
}

// Send gives the program a message, as a command would.
func (s *Session) Send(msg tea.Msg) {
	s.program.Send(msg)
	s.settle(frame)
}

// Resize makes the terminal another size.
func (s *Session) Resize(w, h int) {
	s.emu.Resize(w, h)
	s.program.Send(tea.WindowSizeMsg{Width: w, Height: h})
	s.settle(2 * frame)
}

// Advance lets d of virtual time pass, and everything happen that happens in it.
func (s *Session) Advance(d time.Duration) { s.settle(d) }

// Screen is the text on the screen, a line a row, without spaces at the lines' ends.
func (s *Session) Screen() string { return plain(s.Styled()) }

// Styled is the screen with its colours, as SGR sequences.
func (s *Session) Styled() string { return s.emu.Render() }

// Line is row y of the screen, from 0, without spaces at its end.
func (s *Session) Line(y int) string {
	s.t.Helper()
	lines := strings.Split(s.Screen(), "\n")
	if y < 0 || y >= len(lines) {
		s.t.Fatalf("the screen has no row %d", y)
	}
	return lines[y]
}

// Bytes is how many bytes the program wrote to the terminal since Bytes was last asked, or since its
// start.
func (s *Session) Bytes() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.written.Len() - s.counted
	s.counted = s.written.Len()
	return n
}

// Output is every byte that the program wrote since its start.
func (s *Session) Output() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.written.String()
}

// Title is the title that the program gave its window.
func (s *Session) Title() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.title
}

// WaitFor lets virtual time pass, at most a minute, until text is on the screen.
func (s *Session) WaitFor(text string) {
	s.t.Helper()
	s.waitUntil("shows "+text, func(screen string) bool { return strings.Contains(screen, text) })
}

// WaitGone lets virtual time pass, at most a minute, until text is no longer on the screen.
func (s *Session) WaitGone(text string) {
	s.t.Helper()
	s.waitUntil("is rid of "+text, func(screen string) bool { return !strings.Contains(screen, text) })
}

func (s *Session) waitUntil(what string, ok func(screen string) bool) {
	s.t.Helper()
	for range 1200 {
		if ok(s.Screen()) {
			return
		}
		s.settle(50 * time.Millisecond)
	}
	s.t.Fatalf("after a minute no screen that %s, but:\n%s", what, s.Screen())
}

// Shows fails the test unless every one of texts is on the screen now.
func (s *Session) Shows(texts ...string) {
	s.t.Helper()
	screen := s.Screen()
	for _, text := range texts {
		if !strings.Contains(screen, text) {
			s.t.Fatalf("%q is not on the screen:\n%s", text, screen)
		}
	}
}

// Golden compares the screen's text with testdata/<test>/<name>.golden; go test -update writes it.
func (s *Session) Golden(name string) {
	s.t.Helper()
	Golden(s.t, name, s.Screen()+"\n")
}

// GoldenStyled is Golden with the colours.
func (s *Session) GoldenStyled(name string) {
	s.t.Helper()
	Golden(s.t, name, s.Styled()+"\n")
}

// Ended says whether the program has ended by itself.
func (s *Session) Ended() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

// Err is what the program ended with; nil while it runs.
func (s *Session) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Model is the last model of a program that has ended; nil while it runs.
func (s *Session) Model() tea.Model {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.model
}

// AltScreen says whether the terminal is still on its alternate screen.
func (s *Session) AltScreen() bool { return s.emu.IsAltScreen() }

// Quit ends the program if it still runs, closes the terminal, and lets enough virtual time pass for
// ticks on their way to end. It is called at the test's end by itself; a second time it does nothing.
func (s *Session) Quit() {
	if s.ended {
		return
	}
	s.ended = true
	s.program.Quit()
	<-s.done
	_ = s.input.Close()
	_ = s.source.Close()
	if c, ok := s.emu.InputPipe().(io.Closer); ok {
		_ = c.Close() // not emu.Close, whose flag the copying goroutine reads
	}
	s.running.Wait()
	s.settle(2 * time.Minute)
}

// Golden compares text with testdata/<test>/<name>.golden; go test -update writes it.
func Golden(t testing.TB, name, text string) {
	t.Helper()
	golden.RequireEqual(within{t, name}, text)
}

// within is a test under a longer name, because a bubble has no subtests.
type within struct {
	testing.TB
	name string
}

// Name is the test's name with the golden's behind it.
func (w within) Name() string { return w.TB.Name() + "/" + w.name }

func plain(styled string) string {
	lines := strings.Split(ansi.Strip(styled), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " \r")
	}
	return strings.Join(lines, "\n")
}
