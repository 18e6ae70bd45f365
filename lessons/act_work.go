package lessons

import (
	"context"
	"slices"
	"strconv"
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

// work lets a worker live one pass of its loop: XREADGROUP with >, then for each entry the effect (an item
// of the ledger) and XACK.
func (s *Session) work(ctx context.Context, e Event, o *Outcome) error {
	at := s.place(e.Who)
	n := strconv.Itoa(max(1, e.Count))
	sent, err := s.send(ctx, e.Who, []string{"XREADGROUP", "GROUP", at.Group, e.Who, "COUNT", n, "STREAMS", at.Key, ">"})
	if err != nil {
		return err
	}
	o.Sent = append(o.Sent, sent)
	entries := entriesOf(sent.Reply)
	if len(entries) == 0 {
		o.note("%s finds nothing new", e.Who)
		return nil
	}
	a := s.actor(e.Who)
	switch e.Like {
	case LikeSlow:
		a.work = append(a.work, entries...)
		o.note("%s has read %s and is at work", e.Who, idList(entries))
		return nil
	case LikePoisoned:
		o.note("%s fails on %s: no effect, no XACK", e.Who, idList(entries))
		return nil
	case LikeCrashing:
		if e.At == BeforeAck {
			if err := s.effect(ctx, e.Who, entries[0], o); err != nil {
				return err
			}
		}
		o.note("%s dies %s of %s", e.Who, dies(e.At), entries[0].ID)
		return s.crash(ctx, e.Who)
	}
	for _, entry := range entries {
		if err := s.complete(ctx, e.Who, at, entry, o); err != nil {
			return err
		}
	}
	return nil
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
	at := s.place(who)
	for len(a.work) > 0 {
		entry := a.work[0]
		a.work = a.work[1:]
		if err := s.complete(ctx, who, at, entry, o); err != nil {
			return err
		}
	}
	return nil
}

// complete is a worker's work on one entry. What it cannot make sense of it leaves pending.
func (s *Session) complete(ctx context.Context, who string, at state.Place, e workers.Entry, o *Outcome) error {
	if why := e.Fault(); why != "" {
		o.note("%s fails on %s (%s): no effect, no XACK", who, e.ID, why)
		return nil
	}
	if err := s.effect(ctx, who, e, o); err != nil {
		return err
	}
	sent, err := s.send(ctx, who, []string{"XACK", at.Key, at.Group, e.ID.String()})
	o.Sent = append(o.Sent, sent)
	return err
}

// effect is what a worker does to the outside world: an item "EVENT WORKER ID" in the ledger.
func (s *Session) effect(ctx context.Context, who string, e workers.Entry, o *Outcome) error {
	if s.ledger == "" {
		return nil
	}
	item := strings.Join([]string{e.Field("event"), who, e.ID.String()}, " ")
	sent, err := s.send(ctx, who, []string{"RPUSH", s.ledger, item})
	o.Sent = append(o.Sent, sent)
	return err
}

// entriesOf reads the entries of an XREADGROUP reply of one stream.
func entriesOf(v resp.Value) []workers.Entry {
	if len(v.Elems) == 0 || len(v.Elems[0].Elems) < 2 {
		return nil
	}
	return workers.Entries(v.Elems[0].Elems[1])
}

func idList(entries []workers.Entry) string {
	ids := make([]string, len(entries))
	for i, e := range entries {
		ids[i] = e.ID.String()
	}
	return strings.Join(ids, ", ")
}
