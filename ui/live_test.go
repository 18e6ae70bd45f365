package ui_test

import (
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"

	"pelscope/redisx/client"
	"pelscope/ui"
)

// liveProgram is the whole program on a virtual screen in real time, for what a bubble cannot hold: a
// server that reads and does not answer.
type liveProgram struct {
	t     *testing.T
	emu   *vt.SafeEmulator
	input *io.PipeWriter

	mu    sync.Mutex
	wrote chan struct{} // closed at the next write
}

// Write implements io.Writer: what the program writes is shown.
func (l *liveProgram) Write(p []byte) (int, error) {
	_, err := l.emu.Write([]byte(strings.ReplaceAll(string(p), "\n", "\r\n")))
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.wrote)
	l.wrote = make(chan struct{})
	return len(p), err
}

// live starts the program on a server, in real time.
func live(t *testing.T, open opener, lines []string) *liveProgram {
	t.Helper()
	others, err := open(context.Background(), client.Options{Write: true})
	if err != nil {
		t.Fatal(err)
	}
	(&explorer{t: t, others: others}).do(lines...)
	_ = others.Close()
	c, err := open(context.Background(), client.Options{Name: "pelscope"})
	if err != nil {
		t.Fatal(err)
	}
	m := ui.New(deps(ui.Deps{Server: c, Stream: "orders", Group: "settlement"}, open))
	source, input := io.Pipe()
	l := &liveProgram{t: t, emu: vt.NewSafeEmulator(120, 36), input: input, wrote: make(chan struct{})}
	p := tea.NewProgram(m, tea.WithInput(source), tea.WithOutput(l), tea.WithWindowSize(120, 36), tea.WithoutSignalHandler(),
		tea.WithEnvironment([]string{"TERM=xterm-256color"}))
	var running sync.WaitGroup
	running.Go(func() { _, _ = io.Copy(input, l.emu) })
	running.Go(func() { _, _ = p.Run() })
	t.Cleanup(func() {
		p.Quit()
		p.Wait()
		_ = input.Close()
		if c, ok := l.emu.InputPipe().(io.Closer); ok {
			_ = c.Close()
		}
		running.Wait()
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

func (l *liveProgram) press(bytes string) {
	if _, err := io.WriteString(l.input, bytes); err != nil {
		l.t.Fatal(err)
	}
}

// waitFor waits, at most ten seconds, until a text is on the screen.
func (l *liveProgram) waitFor(text string) {
	l.t.Helper()
	limit := time.After(10 * time.Second)
	for {
		l.mu.Lock()
		next := l.wrote
		l.mu.Unlock()
		screen := ansi.Strip(l.emu.Render())
		if strings.Contains(screen, text) {
			return
		}
		select {
		case <-next:
		case <-limit:
			l.t.Fatalf("%q never came to the screen:\n%s", text, screen)
		}
	}
}
