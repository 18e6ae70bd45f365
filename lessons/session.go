package lessons

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"pelscope/redisx/client"
	"pelscope/redisx/state"
)

// Options are how a lesson is played. The zero value is a private or embedded server and a real clock.
type Options struct {
	// Prefix goes before the name of every key and connection, so that a lesson can be played on a server
	// that also holds other things (--learn-here). States, cells and changes use the short names; commands
	// are shown as they are sent.
	Prefix string

	// Sleep waits; nil is a timer. A virtual clock moves on here. It returns the context's error when that
	// ends first.
	Sleep func(ctx context.Context, d time.Duration) error
}

// Errors of a Session that the caller decides on.
var (
	ErrRan       = errors.New("this step has run: undo it, or go on")
	ErrNotRun    = errors.New("this step has not run yet")
	ErrNoRun     = errors.New("a challenge has no command of its own: type one")
	ErrNotOpen   = errors.New("commands are typed in a challenge only")
	ErrUnreached = errors.New("not all goals are reached yet")
	ErrHalf      = errors.New("the last action broke off in the middle: undo puts everything back")
	ErrNoUndo    = errors.New("there is nothing to undo")
	ErrFinished  = errors.New("the lesson is finished")
)

// NeedsError tells that the server cannot play a lesson at all.
type NeedsError struct{ Lesson, Why string }

// Error is one sentence.
func (e *NeedsError) Error() string { return "lesson " + e.Lesson + " cannot be played here: " + e.Why }

// Skip is a step that was left out on this server, and why.
type Skip struct{ Step, Why string }

// Session is one learner in one lesson on one server. Its operations (Run, Next, Type, Event,
// Look, Undo, Reset, Solve, Close) run one at a time; a further one waits. What it tells (Step, State,
// Goals …), Predict and SkipWait may be called at any moment from any goroutine: they tell what the last finished
// operation left.
type Session struct {
	lesson *Lesson
	c      *client.Client
	o      Options
	home   state.Place
	ledger string

	turn  chan struct{} // held by the running operation
	shown atomic.Pointer[view]
	guess atomic.Pointer[Prediction] // of the current step
	skip  skipper

	mu      sync.Mutex
	arrived []Sent // replies that came to waiting actors and were not asked for yet

	world        // what only the running operation touches, with the two that follow
	waiting Wait // what it waits for just now
	hurry   bool // rows are aged instead of waited for: the check does so where it has waited before
}

// world is everything that undo puts back besides the keys, and the keys' last State.
type world struct {
	actors   []*actor
	waits    int      // how many commands have begun to wait
	extras   []string // keys besides the lesson's own that the learner's commands named
	saved    map[string]string
	index    int
	finished bool
	ran      bool
	half     bool
	solved   bool // the solution of this challenge was shown
	last     state.State
	lastLook Look
	outcome  Outcome
	goals    []goalTrack
	skipped  []Skip
	seeded   []Sent
	past     []snapshot
}

// view is what a Session tells about itself, made at the end of each operation.
type view struct {
	index    int
	finished bool
	ran      bool
	solved   bool
	state    state.State
	outcome  Outcome
	goals    []GoalState
	skipped  []Skip
	seeded   []Sent
	canUndo  bool
	actors   []ActorState
	wait     Wait
	saved    map[string]string
	look     Look // what hints are judged on
}

// Wait is a time that is being waited for just now; For is 0 when there is none.
type Wait struct {
	Who string // whose rows must grow idle; empty when it is only a wait
	For time.Duration
}

// ActorState is what an actor of the lesson is doing, as the Session knows it; State.Clients has what the
// server knows.
type ActorState struct {
	Name    string
	Crashed bool
	Waiting string     // the blocked command as typed; empty when it does not wait
	Working []state.ID // entries a slow worker has read and is at work on
}

// Start begins a lesson: it removes the world's keys (and no other), runs the seed, creates the consumers,
// connects them, and looks. The error is a *NeedsError when the server lacks something.
func Start(ctx context.Context, l *Lesson, c *client.Client, o Options) (*Session, error) {
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	s := &Session{lesson: l, c: c, o: o, home: l.Home(), ledger: l.Ledger(), turn: make(chan struct{}, 1)}
	s.publish()
	if why := s.lacks(ctx, l.Needs); why != "" {
		return nil, &NeedsError{l.ID, why}
	}
	if err := s.operate(ctx, 0, s.begin); err != nil {
		short, cancel := context.WithTimeout(context.WithoutCancel(ctx), client.DefaultTimeout)
		defer cancel()
		_ = s.Close(short) // what kept it from beginning is said; that it cannot be cleared up either adds nothing
		return nil, err
	}
	return s, nil
}

// Reset begins the lesson again from its seed.
func (s *Session) Reset(ctx context.Context) error {
	return s.operate(ctx, 0, func(ctx context.Context) error {
		if err := s.stopActors(ctx); err != nil {
			return err
		}
		return s.begin(ctx)
	})
}

// Close ends the actors' connections and removes the lesson's keys from the server.
func (s *Session) Close(ctx context.Context) error {
	return s.operate(ctx, 0, func(ctx context.Context) error {
		return errors.Join(s.stopActors(ctx), s.wipe(ctx))
	})
}

func (s *Session) begin(ctx context.Context) error {
	if err := s.wipe(ctx); err != nil {
		return err
	}
	s.world = world{saved: map[string]string{}}
	if err := s.seed(ctx); err != nil {
		return err
	}
	for _, name := range s.consumers() {
		if _, err := s.connect(ctx, name); err != nil {
			return err
		}
	}
	now, err := s.observe(ctx)
	if err != nil {
		return err
	}
	s.last = now
	return s.enter(ctx, 0)
}

// Lesson is what is being played.
func (s *Session) Lesson() *Lesson { return s.lesson }

// Index is the current step's place in Lesson().Steps.
func (s *Session) Index() int { return s.shown.Load().index }

// Step is the current step.
func (s *Session) Step() *Step { return s.lesson.step(s.Index()) }

// Finished says whether the last step is done.
func (s *Session) Finished() bool { return s.shown.Load().finished }

// State is the last look, with the short names.
func (s *Session) State() state.State { return s.shown.Load().state }

// Home is the stream and group that go without saying.
func (s *Session) Home() state.Place { return s.home }

// Ran says whether the current step has run.
func (s *Session) Ran() bool { return s.shown.Load().ran }

// Outcome is what the last Run, Type, Event or Solve of the current step brought.
func (s *Session) Outcome() Outcome { return s.shown.Load().outcome }

// Goals is how far the current challenge is; empty in other steps.
func (s *Session) Goals() []GoalState { return slices.Clone(s.shown.Load().goals) }

// Done says whether every goal of the current challenge is reached.
func (s *Session) Done() bool {
	goals := s.shown.Load().goals
	return len(goals) > 0 && !slices.ContainsFunc(goals, func(g GoalState) bool { return !g.Reached })
}

// Solved says whether a solution of the current challenge was played.
func (s *Session) Solved() bool { return s.shown.Load().solved }

// Skipped lists the steps left out so far, with the reason.
func (s *Session) Skipped() []Skip { return slices.Clone(s.shown.Load().skipped) }

// Seeded is what filled the world at the start.
func (s *Session) Seeded() []Sent { return slices.Clone(s.shown.Load().seeded) }

// CanUndo says whether something can be undone.
func (s *Session) CanUndo() bool { return s.shown.Load().canUndo }

// Actors tells what the actors are doing.
func (s *Session) Actors() []ActorState { return slices.Clone(s.shown.Load().actors) }

// Waiting is the wait that goes on just now, for a bar; SkipWait cuts it short.
func (s *Session) Waiting() Wait { return s.shown.Load().wait }

// Expand puts the saved replies in for $name in a text of the lesson, such as a command to be shown.
func (s *Session) Expand(text string) string { return Expand(text, s.shown.Load().saved) }

// Arrived gives the replies that came to waiting actors since it was last asked.
func (s *Session) Arrived() []Sent {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.arrived
	s.arrived = nil
	return out
}

// Predict keeps what the learner expects of the current step; it is graded when the step runs.
func (s *Session) Predict(p Prediction) { s.guess.Store(&p) }

// Next goes on to the next step, past those that this server cannot do. After the last one the
// lesson is Finished. It does not run anything.
func (s *Session) Next(ctx context.Context) error {
	return s.operate(ctx, 0, func(ctx context.Context) error {
		step := s.lesson.step(s.index)
		switch {
		case s.finished:
			return ErrFinished
		case step.Challenge() && !s.allReached():
			return ErrUnreached
		case len(step.Do) > 0 && !s.ran:
			return ErrNotRun
		}
		return s.enter(ctx, s.index+1)
	})
}

// enter makes a step the current one, or the first after it that the server can do.
func (s *Session) enter(ctx context.Context, i int) error {
	for ; i < len(s.lesson.Steps); i++ {
		step := s.lesson.step(i)
		if why := s.lacks(ctx, step.Needs); why != "" {
			s.skipped = append(s.skipped, Skip{step.ID, why})
			continue
		}
		s.index, s.ran, s.solved, s.outcome = i, false, false, Outcome{}
		s.guess.Store(&Prediction{})
		s.goals = newGoals(step)
		s.lastLook = s.lookOf(s.last, s.last, nil, nil)
		s.judge(s.lastLook)
		return nil
	}
	s.finished = true
	return nil
}

// operate runs one operation: alone, with a deadline, and with what it did shown afterwards. extra is how
// long it may wait on purpose.
func (s *Session) operate(ctx context.Context, extra time.Duration, f func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second+extra)
	defer cancel()
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() {
		s.publish()
		<-s.turn
	}()
	return f(ctx)
}

func (s *Session) publish() {
	v := &view{
		index: s.index, finished: s.finished, ran: s.ran, solved: s.solved, state: s.last, outcome: s.outcome,
		goals: s.goalStates(), skipped: slices.Clone(s.skipped), seeded: s.seeded, canUndo: len(s.past) > 0,
		saved: maps.Clone(s.saved), wait: s.waiting, look: s.lastLook,
	}
	v.look.Saved = v.saved
	for _, a := range s.actors {
		v.actors = append(v.actors, a.tell())
	}
	s.shown.Store(v)
}

// lacks says what of the needs this server does not have, in words; empty when it has everything.
func (s *Session) lacks(ctx context.Context, n Needs) string {
	server := s.c.Server().String()
	for _, f := range n.Features {
		if !s.c.Features().Has(f) {
			return fmt.Sprintf("%s has no %s", server, f)
		}
	}
	for _, name := range n.Commands {
		if s.c.Features().Has(name) {
			continue
		}
		v, err := s.c.Do(ctx, "COMMAND", "INFO", name)
		if err != nil || len(v.Elems) == 0 || len(v.Elems[0].Elems) == 0 {
			return fmt.Sprintf("%s has no %s", server, name)
		}
	}
	return ""
}

func (l *Lesson) step(i int) *Step {
	if i < 0 || i >= len(l.Steps) {
		return &Step{}
	}
	return &l.Steps[i]
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// skipper lets SkipWait end the wait that goes on.
type skipper struct {
	mu  sync.Mutex
	end context.CancelFunc
}

func (k *skipper) set(end context.CancelFunc) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.end = end
}

// SkipWait ends the wait that goes on: rows that should grow idle are aged by XCLAIM … IDLE instead.
func (s *Session) SkipWait() {
	s.skip.mu.Lock()
	defer s.skip.mu.Unlock()
	if s.skip.end != nil {
		s.skip.end()
	}
}
