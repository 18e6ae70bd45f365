package ui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"pelscope/lessons"
	"pelscope/redisx/client"
	"pelscope/redisx/search"
	"pelscope/redisx/state"
)

// patience is how long one thing that was asked of a server may take before it counts as failed.
const patience = 5 * time.Second

func tickClock() tea.Cmd {
	return tea.Tick(time.Second, func(at time.Time) tea.Msg { return clockMsg{at} })
}

// pollAfter asks for another look after a while.
func pollAfter(d time.Duration, gen int) tea.Cmd {
	return tea.Tick(d, func(time.Time) tea.Msg { return pollMsg{gen} })
}

// tickWait moves the bar of a wait on.
func tickWait(gen int) tea.Cmd {
	return tea.Tick(waitStep, func(at time.Time) tea.Msg { return waitMsg{gen, at} })
}

// waitStep is how often the bar of a wait moves.
const waitStep = 100 * time.Millisecond

func (m *Model) connect(server string) tea.Cmd {
	ctx, open := m.ctx, m.d.Connect
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, 2*patience)
		defer cancel()
		c, err := open(ctx, server)
		return connectedMsg{client: c, typed: server, err: err}
	}
}

func (m *Model) listStreams(c *client.Client) tea.Cmd {
	ctx := m.ctx
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, 6*patience)
		defer cancel()
		names, more, err := search.Streams(ctx, c)
		return streamsMsg{client: c, names: names, more: more, err: err}
	}
}

func (m *Model) observe(c *client.Client, scope client.Scope, gen int) tea.Cmd {
	ctx, now := m.ctx, m.d.Now
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		st, err := c.Observe(ctx, scope)
		return observedMsg{gen: gen, state: st, cost: c.Log().Cost(), err: err, at: now()}
	}
}

func (m *Model) fetchEntry(c *client.Client, key string, id state.ID) tea.Cmd {
	ctx := m.ctx
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		e, found, err := c.Entry(ctx, key, id)
		return entryMsg{id: id, entry: e, found: found, err: err}
	}
}

func (m *Model) startLab() tea.Cmd {
	ctx, open := m.ctx, m.d.OpenLab
	return func() tea.Msg {
		lab, err := open(ctx)
		return labMsg{lab, err}
	}
}

func (m *Model) startSession(l *lessons.Lesson, lab *Lab, gen int) tea.Cmd {
	ctx := m.ctx
	return func() tea.Msg {
		s, err := lessons.Start(ctx, l, lab.Client, lessons.Options{Prefix: lab.Prefix})
		return startedMsg{gen: gen, session: s, err: err}
	}
}

// act runs one operation on the lesson.
func (m *Model) act(what action, f func(context.Context) (lessons.Outcome, error)) tea.Cmd {
	ctx, gen := m.ctx, m.le.gen
	return func() tea.Msg {
		o, err := f(ctx)
		return actedMsg{gen: gen, what: what, outcome: o, err: err}
	}
}

func (m *Model) watch(s *lessons.Session) tea.Cmd {
	ctx, gen := m.ctx, m.le.gen
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		_, err := s.Look(ctx)
		return watchedMsg{gen: gen, err: err}
	}
}

// closeAll ends sessions and connections; it runs after the program has ended and has a bound.
func (m *Model) closeAll() error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var errs []error
	if m.le.session != nil {
		_ = m.le.session.Close(ctx) // what it can't remove goes with the server, or the lab removes it and tells
	}
	if m.ex.client != nil {
		errs = append(errs, m.ex.client.Close())
	}
	if m.le.lab != nil {
		errs = append(errs, m.le.lab.Close())
	}
	return errors.Join(errs...)
}
