package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"

	tea "charm.land/bubbletea/v2"

	"pelscope/assets"
	"pelscope/lessons"
	"pelscope/redisx/client"
	"pelscope/ui"
)

// home opens the lessons, or one of them.
func (w *World) home(ctx context.Context, f *flags, lesson string) error {
	lab, err := w.chooseLab(f)
	if err != nil {
		return err
	}
	d, err := w.deps(f)
	if err != nil {
		return err
	}
	if lesson != "" && !has(d.Lessons, lesson) {
		return usagef("there is no lesson %q; there are %s", lesson, names(d.Lessons))
	}
	if err := w.needTerminal("pelscope lessons check runs every lesson without one, and pelscope lessons list names them"); err != nil {
		return err
	}
	d.OpenLab, d.Lesson = opener(lab), lesson
	return w.show(ctx, d)
}

// explore opens the explorer on a server. It connects before the screen is touched.
func (w *World) explore(ctx context.Context, f *flags, server, stream, group string) error {
	lab, err := w.chooseLab(f)
	if err != nil {
		return err
	}
	c, err := w.connect(ctx, server)
	if err != nil {
		return usagef("%v", err)
	}
	if err := w.needTerminal("pelscope state SERVER STREAM prints one look"); err != nil {
		return errors.Join(err, c.Close())
	}
	d, err := w.deps(f)
	if err != nil {
		return errors.Join(err, c.Close())
	}
	d.OpenLab, d.Server, d.Stream, d.Group = opener(lab), c, stream, group
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
	if w.Terminal {
		return nil
	}
	return usagef("this needs a terminal, and standard output is none: %s", instead)
}

func (w *World) deps(f *flags) (ui.Deps, error) {
	all, err := w.lessons(f)
	if err != nil {
		return ui.Deps{}, err
	}
	progress, notice := w.progress()
	kind, fixed, ascii := f.look(w.Getenv)
	return ui.Deps{
		Now: w.Now, Connect: w.connect, Lessons: all, Progress: progress, Notice: notice,
		Theme: kind, ThemeFixed: fixed, ASCII: ascii,
	}, nil
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
	more, err := lessons.LoadAll(os.DirFS(f.lessonsDir), ".", ids...)
	if err != nil {
		return nil, usagef("--lessons %s: %v", f.lessonsDir, err)
	}
	return append(all, more...), nil
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

// show runs the program until it ends, and closes whatever it opened.
func (w *World) show(ctx context.Context, d ui.Deps) error {
	m := ui.New(d)
	p := tea.NewProgram(m, tea.WithContext(ctx), tea.WithEnvironment(w.Environ))
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
