package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	tea "charm.land/bubbletea/v2"

	"pelscope/assets"
	"pelscope/lessons"
	"pelscope/redisx/client"
	"pelscope/ui"
	"pelscope/ui/draw"
)

// home opens the lessons, or one of them.
func (w *World) home(ctx context.Context, f *flags, lesson string) error {
	if err := f.forLessons(); err != nil {
		return err
	}
	all, err := w.lessons(f)
	if err != nil {
		return err
	}
	if lesson != "" && !has(all, lesson) {
		return usagef("there is no lesson %q; there are %s", lesson, names(all))
	}
	lab, err := w.chooseLab(ctx, f)
	if err != nil {
		return err
	}
	if err := w.needTerminal("pelscope lessons check runs every lesson without one, and pelscope lessons list names them"); err != nil {
		return err
	}
	d := w.deps(f, all)
	d.OpenLab, d.Lesson = opener(lab), lesson
	return w.show(ctx, d)
}

// explore opens the explorer on a server. It connects before the screen is touched.
func (w *World) explore(ctx context.Context, f *flags, to place) error {
	if to.argument && f.url != "" && !f.learnHere {
		return usagef("two servers to look at: name one, as an argument or with --url")
	}
	all, err := w.lessons(f)
	if err != nil {
		return err
	}
	lab, err := w.chooseLab(ctx, f)
	if err != nil {
		return err
	}
	c, err := w.connect(ctx, to.server)
	switch {
	case err != nil && to.from != "":
		return usagef("%s: %v", to.from, err)
	case err != nil:
		return usagef("%v", err)
	}
	if err := w.needTerminal("pelscope state SERVER STREAM prints one look"); err != nil {
		return errors.Join(err, c.Close())
	}
	d := w.deps(f, all)
	d.OpenLab, d.Server, d.Stream, d.Group = opener(lab), c, to.stream, to.group
	return w.show(ctx, d)
}

// connect opens a server that is only looked at.
func (w *World) connect(ctx context.Context, server string) (*client.Client, error) {
	target, err := client.Parse(server)
	if err != nil {
		return nil, err
	}
	return client.Open(ctx, target, client.Options{Name: "pelscope"})
}

func (w *World) needTerminal(instead string) error {
	switch {
	case !w.Terminal:
		return usagef("this needs a terminal as standard input and output: %s", instead)
	case w.Getenv("TERM") == "dumb":
		return usagef("this needs a terminal that can move its cursor, and TERM is dumb: %s", instead)
	}
	return nil
}

func (w *World) deps(f *flags, all []*lessons.Lesson) ui.Deps {
	progress, notice := w.progress()
	kind, fixed, ascii := f.look(w.Getenv)
	return ui.Deps{
		Now: w.Now, Connect: w.connect, Lessons: all, Progress: progress, Notice: notice,
		Theme: kind, ThemeFixed: fixed, ASCII: ascii,
	}
}

func (w *World) lessons(f *flags) ([]*lessons.Lesson, error) {
	all, err := lessons.LoadAll(assets.Lessons, "lessons")
	if err != nil {
		return nil, fmt.Errorf("the built-in lessons are broken: %w", err)
	}
	if f.lessonsDir == "" {
		return all, nil
	}
	ids := make([]string, 0, len(all))
	for _, l := range all {
		ids = append(ids, l.ID)
	}
	if info, err := os.Stat(f.lessonsDir); err != nil || !info.IsDir() {
		return nil, usagef("--lessons %s: there is no such folder", f.lessonsDir)
	}
	more, err := lessons.LoadAll(os.DirFS(f.lessonsDir), ".", ids...)
	if err != nil {
		return nil, wrongLessons(f.lessonsDir, err)
	}
	return append(all, more...), nil
}

// wrongLessons tells the first thing that is wrong in the lessons of a folder.
func wrongLessons(dir string, err error) error {
	all := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		all = joined.Unwrap()
	}
	text := fmt.Sprintf("--lessons %s: %v", dir, all[0])
	if more := len(all) - 1; more > 0 {
		text += " (and " + draw.Plural(int64(more), "more problem", "more problems") + ": pelscope lessons check lists all)"
	}
	return &usageError{text: text, all: all}
}

// progress opens what was done before. When that can't be, the program goes on and says so.
func (w *World) progress() (p *lessons.Progress, notice string) {
	dir, err := lessons.StateDir(runtime.GOOS, w.Getenv)
	if err != nil {
		dir = ""
	}
	p, openErr := lessons.OpenProgress(dir)
	if err = errors.Join(err, openErr, p.Broken()); err != nil {
		return p, err.Error()
	}
	return p, ""
}

// fps is how often a second the screen may be written: enough for a key to be answered at once, and half
// the work of Bubble Tea's own 60 while nothing happens.
const fps = 30

// show runs the program until it ends, and closes whatever it opened.
func (w *World) show(ctx context.Context, d ui.Deps) error {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGHUP) // of the others Bubble Tea takes care
	defer stop()
	m := ui.New(d)
	p := tea.NewProgram(m, tea.WithContext(ctx), tea.WithEnvironment(w.Environ), tea.WithFPS(fps))
	_, err := p.Run()
	closeErr := m.Close()
	switch {
	case errors.Is(err, tea.ErrInterrupted), errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil:
		return closeErr
	case err != nil:
		return errors.Join(fmt.Errorf("the screen ended: %w", err), closeErr)
	}
	return closeErr
}

func has(all []*lessons.Lesson, id string) bool {
	for _, l := range all {
		if l.ID == id {
			return true
		}
	}
	return false
}
