package ui_test

import (
	"context"
	"errors"
	"net"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"pelscope/assets"
	"pelscope/lessons"
	"pelscope/redisx/client"
	"pelscope/redisx/embedded"
	"pelscope/redisx/private/servertest"
	"pelscope/ui"
	"pelscope/ui/theme"
	"pelscope/ui/uitest"
)

func TestMain(m *testing.M) { servertest.Main(m) }

// program is the whole program on a virtual screen, with lessons on an embedded engine.
type program struct {
	*uitest.Session
	t        *testing.T
	engine   *embedded.Engine
	wire     *wire
	model    *ui.Model
	progress *lessons.Progress
}

// curriculum is every built-in lesson.
func curriculum(t *testing.T) []*lessons.Lesson {
	t.Helper()
	all, err := lessons.LoadAll(assets.Lessons, "lessons")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// begin starts the program at a lesson (or, without one, at home), inside a synctest bubble.
func begin(t *testing.T, lesson string, options ...uitest.Option) *program {
	t.Helper()
	progress, err := lessons.OpenProgress("")
	if err != nil {
		t.Fatal(err)
	}
	p := &program{t: t, engine: embedded.New(embedded.Options{}), progress: progress}
	p.wire = &wire{dial: p.engine.Dial}
	p.model = ui.New(ui.Deps{
		Now: time.Now, Lessons: curriculum(t), Progress: progress, Theme: theme.Dark, ThemeFixed: true, Lesson: lesson,
		OpenLab: func(ctx context.Context) (*ui.Lab, error) { return openLab(ctx, p.wire.Dial) },
		Connect: func(context.Context, string) (*client.Client, error) {
			return nil, errors.New("no server in this test")
		},
	})
	p.Session = uitest.Start(t, probed{p.model}, options...)
	p.Advance(time.Second)
	return p
}

func openLab(ctx context.Context, dial func(context.Context) (net.Conn, error)) (*ui.Lab, error) {
	c, err := client.Open(ctx, client.Target{}, client.Options{Write: true, Name: "pelscope", Dial: dial})
	if err != nil {
		return nil, err
	}
	return &ui.Lab{Client: c, Name: c.Server().String(), Close: c.Close}, nil
}

// end leaves the program and closes what it opened, so that the bubble can end.
func (p *program) end() {
	p.t.Helper()
	p.Quit()
	if err := p.model.Close(); err != nil {
		p.t.Error(err)
	}
	if err := p.engine.Close(); err != nil {
		p.t.Error(err)
	}
	synctest.Wait()
}

// wire is the connection to a server that can be cut: then every connection breaks and no new one opens.
type wire struct {
	dial func(context.Context) (net.Conn, error)

	mu    sync.Mutex
	down  bool
	conns []net.Conn
}

// Dial opens a connection, unless the wire is cut.
func (w *wire) Dial(ctx context.Context) (net.Conn, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.down {
		return nil, errors.New("connection refused")
	}
	c, err := w.dial(ctx)
	if err == nil {
		w.conns = append(w.conns, c)
	}
	return c, err
}

func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.down = true
	for _, c := range w.conns {
		_ = c.Close()
	}
	w.conns = nil
}

func (w *wire) mend() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.down = false
}

// probed is the program that also answers a test's questions, in its own goroutine.
type probed struct{ *ui.Model }

// question is asked of the model between two messages.
type question func(*ui.Model)

// Update implements tea.Model.
func (p probed) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if ask, ok := msg.(question); ok {
		ask(p.Model)
		return p, nil
	}
	_, cmd := p.Model.Update(msg)
	return p, cmd
}

// ask asks the running program something.
func ask[T any](p *program, f func(*ui.Model) T) T {
	p.t.Helper()
	answer := make(chan T, 1)
	p.Send(question(func(m *ui.Model) { answer <- f(m) }))
	return <-answer
}
