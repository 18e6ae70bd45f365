package lessons

import (
	"context"
	"slices"
	"strings"

	"pelscope/redisx/resp"
	"pelscope/redisx/state"
	"pelscope/redisx/workers"
)

// How a simulated worker behaves in EventWork, and where a crashing one dies.
const (
	LikeNormal   = "normal"
	LikeSlow     = "slow"
	LikeCrashing = "crashing"
	LikePoisoned = "poisoned"

	BeforeEffect = "before-effect"
	BeforeAck    = "before-ack"
)

// place is the stream and group that somebody works on: the first of the world that knows them as a
// consumer, else home.
func (s *Session) place(who string) state.Place {
	for _, t := range s.lesson.World {
		for _, g := range t.Groups {
			if slices.Contains(g.Consumers, who) {
				return state.Place{Key: t.Name, Group: g.Name}
			}
		}
	}
	return s.home
}

// port is a worker's connection in a lesson: what it sends is part of what happened, and shown.
type port struct {
	s   *Session
	who string
	o   *Outcome
}

// Do implements workers.Conn.
func (p port) Do(ctx context.Context, args ...string) (resp.Value, error) {
	sent, err := p.s.send(ctx, p.who, args)
	if sent.Args != nil {
		p.o.Sent = append(p.o.Sent, sent)
	}
	return sent.Reply, err
}

// Cut implements workers.Conn. The session cuts, since it waits until CLIENT LIST has lost the connection.
func (port) Cut() {}

// worker is who works on its stream and group, with what it has in hand.
func (s *Session) worker(who string, count int, like workers.Behaviour, hand []workers.Entry, o *Outcome) *workers.Worker {
	at := s.place(who)
	return workers.Over(port{s, who, o}, workers.Spec{
		Name: who, Stream: at.Key, Group: at.Group, Count: count, Like: like, Ledger: s.ledger,
	}, slices.Clone(hand)...)
}

// behaviour is how a worker of EventWork behaves.
func behaviour(e Event) workers.Behaviour {
	switch {
	case e.Like == LikeSlow:
		return workers.Slow
	case e.Like == LikePoisoned:
		return workers.Poisoned
	case e.Like == LikeCrashing && e.At == BeforeAck:
		return workers.CrashAfterEffect
	case e.Like == LikeCrashing:
		return workers.CrashBefore
	}
	return workers.Normal
}

// work lets a worker live one pass of its loop: XREADGROUP with >, then for each entry the effect (an item
// "EVENT WORKER ID" of the ledger) and XACK.
func (s *Session) work(ctx context.Context, e Event, o *Outcome) error {
	w := s.worker(e.Who, e.Count, behaviour(e), nil, o)
	_, err := w.Begin(ctx)
	read := w.Hand()
	switch {
	case err != nil:
		return err
	case len(read) == 0:
		o.note("%s finds nothing new", e.Who)
		return nil
	case e.Like == LikeSlow:
		a := s.actor(e.Who)
		a.work = append(a.work, read...)
		o.note("%s has read %s and is at work", e.Who, idList(read))
		return nil
	}
	done, err := w.Finish(ctx)
	if err != nil {
		return err
	}
	o.fails(e.Who, done)
	if done.Crashed {
		o.note("%s dies %s of %s", e.Who, dies(e.At), done.At)
		return s.crash(ctx, e.Who)
	}
	return nil
}

// fails notes what a worker could not work on, and so left pending.
func (o *Outcome) fails(who string, r workers.Report) {
	for _, f := range r.Failed {
		o.note("%s fails on %s (%s): no effect, no XACK", who, f.ID, f.Why)
	}
}

func dies(at string) string {
	if at == BeforeAck {
		return "after the effect and before the XACK"
	}
	return "before the effect"
}

// finish lets a slow worker finish what it is at work on.
func (s *Session) finish(ctx context.Context, who string, o *Outcome) error {
	a := s.actor(who)
	if a == nil || len(a.work) == 0 {
		return &downError{who, "is not at work on anything"}
	}
	done, err := s.worker(who, 1, workers.Slow, a.work, o).Finish(ctx)
	if err != nil {
		return err
	}
	a.work = nil
	o.fails(who, done)
	return nil
}

func idList(entries []workers.Entry) string {
	ids := make([]string, len(entries))
	for i, e := range entries {
		ids[i] = e.ID.String()
	}
	return strings.Join(ids, ", ")
}
