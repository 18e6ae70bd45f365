package workers

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"pelscope/redisx/client"
	"pelscope/redisx/state"
)

// Clock waits; tests have one of their own.
type Clock interface {
	// Sleep waits for d, or until the context ends, whose error it returns.
	Sleep(ctx context.Context, d time.Duration) error
}

// Run is a worker's whole life: Recover, then pass after pass, with working time between reading and the
// effect of each batch, and rest when there was nothing. It ends with the context's error, with the
// connection, or with ErrCrashed; seen is given every report, also the last.
func (w *Worker) Run(ctx context.Context, clock Clock, working, rest time.Duration, seen func(Report)) error {
	r, err := w.Recover(ctx)
	seen(r)
	for err == nil && !w.crashed {
		r, err = w.Begin(ctx)
		if err != nil {
			return err
		}
		wait := working
		if len(w.hand) == 0 {
			wait = rest
		}
		if err = clock.Sleep(ctx, wait); err == nil {
			var more Report
			more, err = w.Finish(ctx)
			r.add(more)
		}
		seen(r)
	}
	if err == nil {
		err = ErrCrashed
	}
	return err
}

// Producer publishes events on a stream, with a connection of its own.
type Producer struct {
	name, stream string
	session      *client.Session
}

// StartProducer connects a producer; name is also its CLIENT SETNAME.
func StartProducer(ctx context.Context, c *client.Client, name, stream string) (*Producer, error) {
	s, err := c.Session(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("starting %s: %w", name, err)
	}
	return &Producer{name: name, stream: stream, session: s}, nil
}

// Publish adds an event with a new id: event and amount are the entry's fields. Publishing the same event
// again, as a retry does, gives it another stream id.
func (p *Producer) Publish(ctx context.Context, event string, amount int64) (state.ID, Sent, error) {
	return p.PublishRaw(ctx, "event", event, "amount", strconv.FormatInt(amount, 10))
}

// PublishRaw adds an entry of these fields and values: also one that no worker can parse.
func (p *Producer) PublishRaw(ctx context.Context, fields ...string) (state.ID, Sent, error) {
	args := append([]string{"XADD", p.stream, "*"}, fields...)
	v, err := p.session.Do(ctx, args...)
	sent := Sent{Actor: p.name, Args: args, Reply: v}
	if err != nil {
		return state.ID{}, sent, fmt.Errorf("%s: %w", p.name, err)
	}
	if v.IsError() {
		return state.ID{}, sent, nil
	}
	id, err := state.ParseID(v.Text())
	return id, sent, err
}

// Stop ends the producer.
func (p *Producer) Stop() error { return p.session.Close() }
