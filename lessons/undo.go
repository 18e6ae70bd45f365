package lessons

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"pelscope/redisx/client"
	"pelscope/redisx/state"
	"pelscope/redisx/workers"
)

// deepest is how many actions can be undone.
const deepest = 200

// snapshot is everything that an undo puts back.
type snapshot struct {
	keys   []dumped
	world  world // the memory of the session; its actors are told by the two that follow
	actors []actorMemory
}

// dumped is a key as DUMP gave it.
type dumped struct {
	name    string // as on the server
	payload string // empty when the key was absent
	ttl     int64  // ms to live; 0 for ever
}

// actorMemory is what an actor was doing.
type actorMemory struct {
	name      string
	connected bool
	crashed   bool
	waiting   *Sent         // the blocked command; nil when there was none
	came      *client.Reply // its reply, when that had come and was not asked for yet
	turn      int           // its place among the blocked ones
	work      []workers.Entry
}

// UndoError tells that the server did not come back to what it was.
type UndoError struct{ Differs []string }

// Error names what differs.
func (e *UndoError) Error() string {
	return "undo did not bring the keys back: " + strings.Join(e.Differs, ", ")
}

// remember puts a snapshot on the pile, to be undone to.
func (s *Session) remember(ctx context.Context) error {
	snap, err := s.snapshot(ctx)
	if err != nil {
		return err
	}
	s.past = append(slices.Clone(s.past), snap)
	if len(s.past) > deepest {
		s.past = s.past[1:]
	}
	return nil
}

func (s *Session) snapshot(ctx context.Context) (snapshot, error) {
	snap := snapshot{}
	for _, key := range s.keys() {
		v, err := s.ask(ctx, "DUMP", key)
		if err != nil {
			return snap, err
		}
		ttl, err := s.ask(ctx, "PTTL", key)
		if err != nil {
			return snap, err
		}
		ms, _ := ttl.Int64()
		snap.keys = append(snap.keys, dumped{key, v.Text(), max(0, ms)})
	}
	now, err := s.observe(ctx)
	if err != nil {
		return snap, err
	}
	for _, a := range s.actors {
		if err := s.settle(ctx, a, now); err != nil {
			return snap, err
		}
		m := actorMemory{name: a.name, connected: a.conn != nil, crashed: a.crashed, work: slices.Clone(a.work)}
		if a.waiting != nil {
			m.waiting, m.came, m.turn = &a.waiting.sent, a.waiting.came, a.waiting.turn
		}
		snap.actors = append(snap.actors, m)
	}
	snap.world = s.world
	snap.world.last = now
	snap.world.saved = maps.Clone(s.saved)
	snap.world.actors = nil
	return snap, nil
}

// settle takes the reply of an actor that the server does not show waiting any more: what was replied
// cannot be asked for again after an undo.
func (s *Session) settle(ctx context.Context, a *actor, now state.State) error {
	if a.waiting == nil || isBlocked(now, a.conn.ID()) {
		return nil
	}
	for range tries {
		if a.waiting.arrived() {
			return nil
		}
		if err := s.o.Sleep(ctx, pause); err != nil {
			return err
		}
	}
	return &downError{a.name, "neither waits nor has a reply"}
}

// Undo takes back the last thing that was done: keys, connections, the workers' memory, saved replies,
// goals and the place in the lesson are as they were before it.
func (s *Session) Undo(ctx context.Context) error {
	return s.operate(ctx, 0, func(ctx context.Context) error {
		if len(s.past) == 0 {
			return ErrNoUndo
		}
		return s.restore(ctx, s.past[len(s.past)-1])
	})
}

// restore puts a snapshot back. The error is an *UndoError when the keys are not as they were.
func (s *Session) restore(ctx context.Context, snap snapshot) error {
	if err := s.quiet(ctx); err != nil {
		return err
	}
	if err := s.restoreKeys(ctx, snap.keys); err != nil {
		return err
	}
	actors := s.actors
	s.world = snap.world
	s.saved = maps.Clone(snap.world.saved)
	s.actors = actors
	now, err := s.observe(ctx)
	if err != nil {
		return err
	}
	s.forgetLost(now)
	if differs := differences(snap.world.last, now, s.home); len(differs) > 0 {
		s.last = now
		return &UndoError{differs}
	}
	if err := s.restoreActors(ctx, snap.actors); err != nil {
		return err
	}
	s.last, err = s.observe(ctx)
	return err
}

// forgetLost drops connections that the server lost without our doing, as when it was restarted.
func (s *Session) forgetLost(now state.State) {
	for _, a := range s.actors {
		if a.conn == nil || slices.ContainsFunc(now.Clients, func(c state.Client) bool { return c.ID == a.conn.ID() && c.Name == a.name }) {
			continue
		}
		a.conn.Cut()
		a.lose()
	}
}

// quiet ends the connections that RESTORE would wake or that hold an open MULTI.
func (s *Session) quiet(ctx context.Context) error {
	for _, a := range s.actors {
		if a.waiting == nil && !a.multi {
			continue
		}
		if err := s.cut(ctx, a); err != nil {
			return err
		}
	}
	return nil
}

func (s *Session) restoreKeys(ctx context.Context, keys []dumped) error {
	had := map[string]bool{}
	for _, k := range keys {
		had[k.name] = true
		cmd := []string{"DEL", k.name}
		if k.payload != "" {
			cmd = []string{"RESTORE", k.name, strconv.FormatInt(k.ttl, 10), k.payload, "REPLACE"}
		}
		if err := s.must(ctx, cmd); err != nil {
			return err
		}
	}
	for _, name := range s.keys() { // named by a command for the first time since
		if had[name] {
			continue
		}
		if err := s.must(ctx, []string{"DEL", name}); err != nil {
			return err
		}
	}
	return nil
}

// restoreActors connects who was connected, ends who was not, and lets those wait again who waited, in the
// same order.
func (s *Session) restoreActors(ctx context.Context, then []actorMemory) error {
	for _, a := range s.actors {
		was := slices.ContainsFunc(then, func(m actorMemory) bool { return m.name == a.name && m.connected })
		if was {
			continue
		}
		if err := s.cut(ctx, a); err != nil {
			return err
		}
	}
	kept := make([]*actor, 0, len(then))
	for _, m := range then {
		a := s.actor(m.name)
		if a == nil {
			a = &actor{name: m.name}
		}
		a.crashed, a.work = m.crashed, m.work
		kept = append(kept, a)
	}
	s.actors = kept
	for _, m := range then {
		if !m.connected {
			continue
		}
		if _, err := s.connect(ctx, m.name); err != nil {
			return err
		}
	}
	return s.blockAgain(ctx, then)
}

func (s *Session) blockAgain(ctx context.Context, then []actorMemory) error {
	then = slices.Clone(then)
	slices.SortStableFunc(then, func(a, b actorMemory) int { return cmp.Compare(a.turn, b.turn) })
	for _, m := range then {
		if m.waiting == nil {
			continue
		}
		if m.came != nil {
			s.waits++
			s.actor(m.name).waiting = &blocked{sent: *m.waiting, came: m.came, turn: s.waits}
			continue
		}
		sent, err := s.block(ctx, m.name, m.waiting.Short)
		if err != nil {
			return err
		}
		if !sent.Waiting {
			return fmt.Errorf("after undo %s does not wait any more in %s", m.name, m.waiting.Typed())
		}
	}
	return nil
}

// differences says what differs in the keys of two States, in the notation of changes.
func differences(want, got state.State, home state.Place) []string {
	want.Clients, got.Clients = nil, nil
	if state.Equal(want, got) {
		return nil
	}
	var out []string
	for _, c := range state.Diff(want, got) {
		out = append(out, state.Notation(c, home))
	}
	if len(out) == 0 {
		out = []string{"in a way that no change names"}
	}
	return out
}

// Solve plays the n-th solution of the current challenge from the challenge's beginning. One undo takes it
// back to what the learner had reached.
func (s *Session) Solve(ctx context.Context, n int) (Outcome, error) {
	step := s.lesson.step(s.Index())
	if n < 0 || n >= len(step.Solutions) {
		return Outcome{}, &RefusedError{"the solution", "there is none to show"}
	}
	return s.play(ctx, performance{
		actions: step.Solutions[n],
		before:  s.fromBeginning,
		after:   func(*Outcome) { s.solved = true },
	})
}

// fromBeginning remembers, and then goes back to the beginning of the challenge.
func (s *Session) fromBeginning(ctx context.Context) error {
	if s.finished || !s.lesson.step(s.index).Challenge() {
		return ErrNotOpen
	}
	first := s.beginning()
	if err := s.remember(ctx); err != nil || first < 0 {
		return err
	}
	past := s.past
	err := s.restore(ctx, past[first])
	s.past = past
	return err
}

// beginning is the place in the past of the first action of the current step, or -1.
func (s *Session) beginning() int {
	return slices.IndexFunc(s.past, func(p snapshot) bool { return p.world.index == s.index })
}
