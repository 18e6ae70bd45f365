package lessons

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"pelscope/redisx/resp"
	"pelscope/redisx/state"
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
func (s *Session) complete(ctx context.Context, who string, at state.Place, e state.Entry, o *Outcome) error {
	if why := unreadable(e); why != "" {
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

// effect is what a worker does to the outside world: an item "EVENT by WORKER" in the ledger.
func (s *Session) effect(ctx context.Context, who string, e state.Entry, o *Outcome) error {
	if s.ledger == "" {
		return nil
	}
	sent, err := s.send(ctx, who, []string{"RPUSH", s.ledger, event(e) + " by " + who})
	o.Sent = append(o.Sent, sent)
	return err
}

// event is the business event that an entry tells of: its field event, else its first value, else its id.
func event(e state.Entry) string {
	for _, f := range e.Fields {
		if f.Name == "event" {
			return f.Value
		}
	}
	if len(e.Fields) > 0 {
		return e.Fields[0].Value
	}
	return e.ID.String()
}

// unreadable says why a worker cannot make sense of an entry: its amount must be a number.
func unreadable(e state.Entry) string {
	for _, f := range e.Fields {
		if f.Name != "amount" {
			continue
		}
		if _, err := strconv.ParseInt(f.Value, 10, 64); err != nil {
			return fmt.Sprintf("amount is %s", resp.Quote(f.Value))
		}
	}
	return ""
}

// entriesOf reads the entries of an XREADGROUP reply of one stream; deleted ones (nil fields) are left out.
func entriesOf(v resp.Value) []state.Entry {
	if len(v.Elems) == 0 || len(v.Elems[0].Elems) < 2 {
		return nil
	}
	var out []state.Entry
	for _, row := range v.Elems[0].Elems[1].Elems {
		if len(row.Elems) < 2 || row.Elems[1].IsNil() {
			continue
		}
		id, err := state.ParseID(row.Elems[0].Text())
		if err != nil {
			continue
		}
		e := state.Entry{ID: id}
		words := row.Elems[1].Elems
		for i := 0; i+1 < len(words); i += 2 {
			e.Fields = append(e.Fields, state.Field{Name: words[i].Text(), Value: words[i+1].Text()})
		}
		out = append(out, e)
	}
	return out
}

func idList(entries []state.Entry) string {
	text := ""
	for i, e := range entries {
		if i > 0 {
			text += ", "
		}
		text += e.ID.String()
	}
	return text
}
