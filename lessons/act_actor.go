package lessons

import (
	"context"
	"fmt"
	"slices"
	"time"

	"pelscope/redisx/client"
	"pelscope/redisx/resp"
	"pelscope/redisx/state"
	"pelscope/redisx/workers"
)

// Bounds of the waits for something that the server does at once.
const (
	pause = 2 * time.Millisecond
	tries = 1500
)

// actor is somebody with a connection of their own: a worker, a producer, the learner.
type actor struct {
	name    string
	conn    *client.Session // nil when there is none
	crashed bool            // its process died and was not started again
	multi   bool            // MULTI or WATCH is open in its connection
	queued  [][]string      // what is queued in the MULTI
	waiting *blocked
	work    []workers.Entry // what a slow worker has read and is at work on
}

// blocked is a command that waits for its reply.
type blocked struct {
	sent  Sent
	reply <-chan client.Reply
	came  *client.Reply // its reply, when it has come and the lesson has not asked for it yet
	turn  int           // its place in the order in which commands began to wait: the server serves them so
}

// downError tells that an actor is in no state to do something.
type downError struct{ who, why string }

func (e *downError) Error() string { return e.who + " " + e.why }

func (s *Session) actor(name string) *actor {
	for _, a := range s.actors {
		if a.name == name {
			return a
		}
	}
	return nil
}

func (a *actor) tell() ActorState {
	t := ActorState{Name: a.name, Crashed: a.crashed}
	if a.waiting != nil {
		t.Waiting = a.waiting.sent.Typed()
	}
	for _, e := range a.work {
		t.Working = append(t.Working, e.ID)
	}
	return t
}

// connect gives an actor a connection, and is done when CLIENT LIST shows it.
func (s *Session) connect(ctx context.Context, name string) (*actor, error) {
	a := s.actor(name)
	if a == nil {
		a = &actor{name: name}
		s.actors = append(s.actors, a)
	}
	if a.conn != nil {
		return a, nil
	}
	conn, err := s.c.Session(ctx, s.o.Prefix+name)
	if err != nil {
		return nil, fmt.Errorf("connecting %s: %w", name, err)
	}
	a.conn, a.crashed = conn, false
	return a, nil
}

// running is an actor that can send a command now. One that was never there connects; one that crashed
// must be started first.
func (s *Session) running(ctx context.Context, name string) (*actor, error) {
	a := s.actor(name)
	switch {
	case a != nil && a.crashed:
		return nil, &downError{name, "has crashed: start it first"}
	case a != nil && a.waiting != nil:
		return nil, &downError{name, "waits in " + resp.Join(a.waiting.sent.Short)}
	}
	return s.connect(ctx, name)
}

// lose forgets a connection, and what the process that had it was doing.
func (a *actor) lose() {
	a.conn, a.waiting, a.work, a.multi, a.queued = nil, nil, nil, false, nil
}

// cut ends an actor's connection without a word, and is done when CLIENT LIST has lost it.
func (s *Session) cut(ctx context.Context, a *actor) error {
	if a.conn == nil {
		return nil
	}
	id := a.conn.ID()
	a.conn.Cut()
	a.lose()
	return s.until(ctx, fmt.Sprintf("CLIENT LIST loses %s", a.name), func(st state.State) bool {
		return !slices.ContainsFunc(st.Clients, func(c state.Client) bool { return c.ID == id })
	})
}

// stopActors ends every connection of the lesson.
func (s *Session) stopActors(ctx context.Context) error {
	ids := map[int64]bool{}
	for _, a := range s.actors {
		if a.conn != nil {
			ids[a.conn.ID()] = true
			a.conn.Cut()
		}
		a.lose()
	}
	if len(ids) == 0 {
		return nil
	}
	return s.until(ctx, "CLIENT LIST loses the actors", func(st state.State) bool {
		return !slices.ContainsFunc(st.Clients, func(c state.Client) bool { return ids[c.ID] })
	})
}

// until looks again and again until something is so, for at most three seconds.
func (s *Session) until(ctx context.Context, what string, so func(state.State) bool) error {
	for range tries {
		st, err := s.observe(ctx)
		if err != nil {
			return err
		}
		if so(st) {
			return nil
		}
		if err := s.o.Sleep(ctx, pause); err != nil {
			return fmt.Errorf("waiting until %s: %w", what, err)
		}
	}
	return fmt.Errorf("waited in vain until %s", what)
}

// block sends a command that may wait, and is done when CLIENT LIST shows it waiting or its reply came.
func (s *Session) block(ctx context.Context, who string, short []string) (Sent, error) {
	a, err := s.running(ctx, who)
	if err != nil {
		return Sent{}, err
	}
	sent := Sent{Actor: who, Short: short, Args: s.really(short)}
	reply, err := a.conn.Start(sent.Args...)
	if err != nil {
		return sent, err
	}
	var came *Sent
	s.waits++
	a.waiting = &blocked{sent: sent, reply: reply, turn: s.waits}
	err = s.until(ctx, who+" waits or has its reply", func(st state.State) bool {
		came = a.take()
		return came != nil || isBlocked(st, a.conn.ID())
	})
	if came != nil {
		return *came, came.Err
	}
	sent.Waiting = true
	return sent, err
}

// take is the waiting command with its reply, when that has come.
func (a *actor) take() *Sent {
	if a.waiting == nil || !a.waiting.arrived() {
		return nil
	}
	sent := a.waiting.sent
	sent.Reply, sent.Err = a.waiting.came.Value, a.waiting.came.Err
	a.waiting = nil
	return &sent
}

// arrived says whether the reply has come.
func (b *blocked) arrived() bool {
	if b.came != nil {
		return true
	}
	select {
	case r := <-b.reply:
		b.came = &r
		return true
	default:
		return false
	}
}

func isBlocked(st state.State, id int64) bool {
	return slices.ContainsFunc(st.Clients, func(c state.Client) bool { return c.ID == id && c.Blocked })
}

// collect takes the replies of those who wait no more.
func (s *Session) collect(ctx context.Context, now state.State) ([]Sent, error) {
	var came []Sent
	for _, a := range s.actors {
		if a.waiting == nil || isBlocked(now, a.conn.ID()) {
			continue
		}
		sent, err := s.reply(ctx, a, time.Second)
		if err != nil {
			return came, err
		}
		came = append(came, sent)
	}
	return came, nil
}

// reply waits for the reply of an actor's waiting command, for at most so long.
func (s *Session) reply(ctx context.Context, a *actor, longest time.Duration) (Sent, error) {
	for waited := time.Duration(0); waited <= longest; waited += pause {
		if sent := a.take(); sent != nil {
			return *sent, sent.Err
		}
		if err := s.o.Sleep(ctx, pause); err != nil {
			return a.waiting.sent, err
		}
	}
	return a.waiting.sent, &downError{a.name, "still waits in " + resp.Join(a.waiting.sent.Short)}
}
