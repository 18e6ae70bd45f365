package lessons

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"pelscope/redisx/state"
)

// event lets something happen around Redis. A *downError means that it cannot happen now.
func (s *Session) event(ctx context.Context, e Event, o *Outcome) error {
	switch e.Kind {
	case EventCrash:
		return s.crash(ctx, e.Who)
	case EventStart:
		if a := s.actor(e.Who); a != nil && a.conn != nil {
			return &downError{e.Who, "is running already"}
		}
		_, err := s.connect(ctx, e.Who)
		return err
	case EventIdle:
		return s.idle(ctx, e, o)
	case EventWait:
		_, err := s.wait(ctx, e.For, Wait{For: e.For})
		return err
	case EventBlock:
		sent, err := s.block(ctx, e.Who, s.expand(e.Args))
		if sent.Args != nil {
			o.Sent = append(o.Sent, sent)
		}
		if err == nil && !sent.Waiting {
			o.stray(sent.line() + ": did not wait, its reply came at once")
		}
		return err
	case EventReply:
		return s.awaitReply(ctx, e, o)
	case EventWork:
		return s.work(ctx, e, o)
	case EventFinish:
		return s.finish(ctx, e.Who, o)
	}
	return fmt.Errorf("there is no event %q", e.Kind)
}

func (s *Session) crash(ctx context.Context, who string) error {
	a := s.actor(who)
	if a == nil || a.conn == nil {
		return &downError{who, "has no connection to lose"}
	}
	a.crashed = true
	return s.cut(ctx, a)
}

func (s *Session) awaitReply(ctx context.Context, e Event, o *Outcome) error {
	a := s.actor(e.Who)
	if a == nil || a.waiting == nil {
		return &downError{e.Who, "waits for no reply"}
	}
	longest := blockTime(a.waiting.sent.Short)
	s.waiting = Wait{For: longest}
	s.publish()
	sent, err := s.reply(ctx, a, 3*time.Second+longest)
	s.waiting = Wait{}
	if err == nil {
		o.Sent = append(o.Sent, sent)
	}
	return err
}

// held is a pending row with its place.
type held struct {
	key, group string
	row        state.Pending
	present    bool // the entry is still in the stream
}

// heldBy finds every row that somebody owns.
func heldBy(st state.State, who string) []held {
	var out []held
	for _, k := range st.Keys {
		if k.Stream == nil {
			continue
		}
		for _, g := range k.Stream.Groups {
			for _, r := range g.PEL.Of(who) {
				out = append(out, held{k.Name, g.Name, r, k.Stream.Present(r.ID).Or(false)})
			}
		}
	}
	return out
}

// idle waits until every row that somebody owns has been idle for long enough. SkipWait ages the rows.
func (s *Session) idle(ctx context.Context, e Event, o *Outcome) error {
	for skipped := false; ; {
		now, err := s.observe(ctx)
		if err != nil {
			return err
		}
		rows := heldBy(now, e.Who)
		if len(rows) == 0 {
			return &downError{e.Who, "owns no pending entry that could grow idle"}
		}
		left := time.Duration(0)
		for _, h := range rows {
			left = max(left, e.For-h.row.Idle(now.At))
		}
		if left == 0 {
			return nil
		}
		cut, err := s.wait(ctx, left, Wait{Who: e.Who, For: e.For})
		if err != nil {
			return err
		}
		if cut && !skipped {
			skipped = true
			if err := s.age(ctx, e, o); err != nil {
				return err
			}
		}
	}
}

// age makes somebody's rows look as if they had been idle for so long: XCLAIM for their owner, with IDLE
// and JUSTID. Entries that are gone are left alone: since 7.0 a claim would take them out of the PEL.
func (s *Session) age(ctx context.Context, e Event, o *Outcome) error {
	now, err := s.observe(ctx)
	if err != nil {
		return err
	}
	for _, h := range heldBy(now, e.Who) {
		if !h.present || h.row.Idle(now.At) >= e.For {
			continue
		}
		ms := strconv.FormatInt(e.For.Milliseconds(), 10)
		sent, err := s.send(ctx, "you", []string{"XCLAIM", h.key, h.group, e.Who, "0", h.row.ID.String(), "IDLE", ms, "JUSTID"})
		o.Sent = append(o.Sent, sent)
		if err != nil {
			return err
		}
		if o.aged == nil {
			o.aged = map[state.Place]bool{}
		}
		o.aged[state.Place{Key: h.key, Group: h.group, Consumer: e.Who, ID: h.row.ID}] = true
	}
	return nil
}

// wait waits, and says whether SkipWait cut it short. Meanwhile Waiting tells of it.
func (s *Session) wait(ctx context.Context, d time.Duration, w Wait) (cut bool, err error) {
	if s.hurry && w.Who != "" {
		return true, nil
	}
	short, end := context.WithCancel(ctx)
	defer end()
	s.skip.set(end)
	defer s.skip.set(nil)
	s.waiting = w
	s.publish()
	err = s.o.Sleep(short, d)
	s.waiting = Wait{}
	s.publish()
	if err != nil && ctx.Err() == nil && short.Err() != nil {
		return true, nil
	}
	return false, err
}
