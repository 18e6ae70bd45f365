package lessons

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"pelscope/redisx/client"
	"pelscope/redisx/resp"
	"pelscope/redisx/state"
)

// Sent is one command that an actor sent.
type Sent struct {
	Actor   string
	Args    []string // as sent
	Short   []string // as the lesson has it: keys without Options.Prefix
	Reply   resp.Value
	Waiting bool  // the server has not replied yet: the command blocks
	Err     error // why there is no reply; the connection is gone then

	ran [][]string // what an EXEC ran, as the lesson has it
}

// Typed is the command exactly as one types it in redis-cli, without the prompt.
func (s Sent) Typed() string { return resp.Join(s.Args) }

// line is "actor> COMMAND …" with the lesson's own names, as conditions match it.
func (s Sent) line() string { return s.Actor + "> " + resp.Join(s.Short) }

// Outcome is what a step, a typed command or an event brought.
type Outcome struct {
	Sent          []Sent
	Before, After state.State
	Changes       []state.Change // from Before to After, with causes where a command explains them
	Notes         []string       // what else there is to say, such as how a simulated worker fared
	Answers       []Graded       // the predicted cells
	Choice        *GradedChoice  // the predicted question; nil when the step asks none
	GoalsReached  []string       // goals that became reached
	Strayed       []string       // how this differs from what the lesson says; undo helps

	aged map[state.Place]bool // rows that SkipWait aged
	acts []int                // for each action, how many commands were sent by its end
}

// Reply is the last reply as redis-cli prints it, without the final line break; empty when there is none.
func (o Outcome) Reply() string {
	for i := len(o.Sent) - 1; i >= 0; i-- {
		if s := o.Sent[i]; !s.Waiting && s.Err == nil {
			return printed(s.Reply)
		}
	}
	return ""
}

func printed(v resp.Value) string { return strings.TrimSuffix(resp.Print(v), "\n") }

// Run does what the current step does, and looks at what it changed. An error reply is a reply, not an
// error. When the world is no longer as the lesson expects it, Outcome.Strayed says so.
func (s *Session) Run(ctx context.Context) (Outcome, error) {
	return s.play(ctx, performance{
		actions: s.lesson.step(s.Index()).Do,
		before: func(ctx context.Context) error {
			switch {
			case s.lesson.step(s.index).Challenge():
				return ErrNoRun
			case s.finished:
				return ErrFinished
			case s.ran:
				return ErrRan
			case len(s.lesson.step(s.index).Do) == 0:
				return nil
			}
			return s.remember(ctx)
		},
		after: func(o *Outcome) {
			s.ran = true
			s.grade(o)
			o.Strayed = append(o.Strayed, s.strayed(s.lesson.step(s.index), *o)...)
		},
	})
}

// performance is some actions that are one operation.
type performance struct {
	actions []Action
	before  func(context.Context) error // says whether it may be, and remembers what undo goes back to
	after   func(*Outcome)              // when all went well
}

func (s *Session) play(ctx context.Context, p performance) (Outcome, error) {
	var o Outcome
	err := s.operate(ctx, length(p.actions), func(ctx context.Context) error {
		if s.half {
			return ErrHalf
		}
		if err := p.before(ctx); err != nil {
			return err
		}
		s.half = len(p.actions) > 0
		err := s.perform(ctx, p.actions, &o)
		if err == nil {
			s.half = false
			p.after(&o)
		}
		s.outcome = o
		return err
	})
	return o, err
}

// perform does actions and tells what came of them.
func (s *Session) perform(ctx context.Context, actions []Action, o *Outcome) error {
	if err := s.see(ctx, o, nil); err != nil {
		return err
	}
	s.forgetLost(s.last)
	o.Before, o.After = s.last, s.last
	for _, a := range actions {
		err := s.act(ctx, a, o)
		o.After, o.acts = s.last, append(o.acts, len(o.Sent))
		if err != nil {
			return err
		}
	}
	o.Changes = state.Explain(state.Diff(o.Before, o.After), commands(o.Sent))
	return nil
}

// act does one action and looks.
func (s *Session) act(ctx context.Context, a Action, o *Outcome) error {
	if err := s.tick(ctx); err != nil {
		return err
	}
	before := len(o.Sent)
	var err error
	if a.Event != nil {
		err = s.event(ctx, *a.Event, o)
	} else {
		var sent Sent
		if sent, err = s.command(ctx, a); sent.Args != nil {
			o.Sent = append(o.Sent, sent)
		}
	}
	var down *downError
	if errors.As(err, &down) {
		o.stray(down.Error())
		err = nil
	}
	if err != nil {
		return err
	}
	if err := s.see(ctx, o, o.Sent[before:]); err != nil {
		return err
	}
	if a.Event != nil && a.Save != "" && len(o.Sent) > before {
		s.saved[a.Save] = o.Sent[len(o.Sent)-1].Reply.Text()
	}
	o.expectReply(s, a, o.Sent[before:])
	return nil
}

// expectReply holds the reply against what the action says it is.
func (o *Outcome) expectReply(s *Session, a Action, sent []Sent) {
	for _, x := range sent {
		if x.Reply.IsError() && a.Reply == "" {
			o.stray(fmt.Sprintf("%s: the reply is %s", x.line(), s.short(printed(x.Reply))))
		}
	}
	if a.Reply == "" || len(sent) == 0 {
		return
	}
	last := sent[len(sent)-1]
	if last.Waiting {
		o.stray(fmt.Sprintf("%s: no reply yet, expected %s", last.line(), a.Reply))
		return
	}
	want, got := strings.TrimSpace(Expand(a.Reply, s.saved)), s.short(printed(last.Reply))
	if !Glob(want, got) {
		o.stray(fmt.Sprintf("%s: expected the reply %s, was %s", last.line(), want, got))
	}
}

func (o *Outcome) stray(what string) { o.Strayed = append(o.Strayed, what) }

func (o *Outcome) note(format string, args ...any) {
	o.Notes = append(o.Notes, fmt.Sprintf(format, args...))
}

// command sends an action's command, and saves the reply where it says so.
func (s *Session) command(ctx context.Context, a Action) (Sent, error) {
	sent, err := s.send(ctx, a.Actor, s.expand(a.Args))
	if err == nil && a.Save != "" {
		s.saved[a.Save] = sent.Reply.Text()
	}
	return sent, err
}

func (s *Session) expand(args []string) []string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = Expand(a, s.saved)
	}
	return out
}

// send sends a command in an actor's connection; without an actor, in the session's own.
func (s *Session) send(ctx context.Context, who string, short []string) (Sent, error) {
	sent := Sent{Actor: who, Short: short, Args: s.really(short)}
	do := s.c.Do
	if who != "" {
		a, err := s.running(ctx, who)
		if err != nil {
			return Sent{}, err
		}
		do = a.conn.Do
	}
	if d := blockTime(short); d > 0 {
		s.waiting = Wait{For: d}
		s.publish()
		defer func() { s.waiting = Wait{} }()
	}
	sent.Reply, sent.Err = do(ctx, sent.Args...)
	if a := s.actor(who); a != nil {
		sent.ran = a.queue(sent)
	}
	return sent, sent.Err
}

func (s Sent) isQueued() bool { return s.Reply.Kind == resp.Status && s.Reply.Str == "QUEUED" }

// queue follows an actor's MULTI, and gives what EXEC has run.
func (a *actor) queue(sent Sent) (ran [][]string) {
	switch name := strings.ToUpper(sent.Short[0]); {
	case name == "EXEC" && sent.Reply.Kind == resp.Array:
		ran = a.queued
		fallthrough
	case name == "EXEC", name == "DISCARD", name == "UNWATCH":
		a.queued = nil
	case sent.isQueued():
		a.queued = append(a.queued, sent.Short)
	}
	a.multi = opensMulti(a.multi, sent.Short)
	return ran
}

func opensMulti(open bool, args []string) bool {
	if len(args) == 0 {
		return open
	}
	switch strings.ToUpper(args[0]) {
	case "MULTI", "WATCH":
		return true
	case "EXEC", "DISCARD", "UNWATCH":
		return false
	}
	return open
}

// tick waits until the server's clock is past the last look, so that whatever happens next bears
// another time than what was seen.
func (s *Session) tick(ctx context.Context) error {
	for {
		v, err := s.ask(ctx, "TIME")
		if err != nil {
			return err
		}
		if len(v.Elems) == 2 {
			sec, _ := v.Elems[0].Int64()
			us, _ := v.Elems[1].Int64()
			if state.Instant(sec*1000+us/1000) > s.last.At {
				return nil
			}
		}
		if err := s.o.Sleep(ctx, time.Millisecond); err != nil {
			return err
		}
	}
}

// see looks after some commands, collects what came to waiting actors (in a challenge, where no event does
// it), and judges the goals.
func (s *Session) see(ctx context.Context, o *Outcome, sent []Sent) error {
	now, err := s.observe(ctx)
	if err != nil {
		return err
	}
	if s.lesson.step(s.index).Challenge() {
		came, err := s.collect(ctx, now)
		if err != nil {
			return err
		}
		sent = append(sent[:len(sent):len(sent)], came...)
		o.Sent = append(o.Sent, came...)
	}
	changes := state.Explain(state.Diff(s.last, now), commands(sent))
	l := s.lookOf(s.last, now, changes, sent)
	s.last, s.lastLook = now, l
	o.GoalsReached = append(o.GoalsReached, s.judge(l)...)
	return nil
}

// Look looks again, for the panes of a living screen, and judges a challenge's goals. While another
// operation runs it only looks. Replies that came to waiting actors are kept for Arrived.
func (s *Session) Look(ctx context.Context) (state.State, error) {
	ctx, cancel := context.WithTimeout(ctx, client.DefaultTimeout)
	defer cancel()
	select {
	case s.turn <- struct{}{}:
	default:
		return s.Watch(ctx)
	}
	defer func() {
		s.publish()
		<-s.turn
	}()
	var o Outcome
	err := s.see(ctx, &o, nil)
	s.mu.Lock()
	s.arrived = append(s.arrived, o.Sent...)
	s.mu.Unlock()
	return s.last, err
}

// lookOf is what conditions are judged on.
func (s *Session) lookOf(before, after state.State, changes []state.Change, sent []Sent) Look {
	l := Look{Before: before, After: after, Home: s.home, Ledger: s.ledger, Saved: s.saved}
	for _, c := range changes {
		l.Changes = append(l.Changes, state.Notation(c, s.home))
	}
	for _, x := range sent {
		for _, ran := range commands([]Sent{x}) {
			l.Sent = append(l.Sent, Sent{Actor: x.Actor, Short: ran}.line())
		}
		if !x.Waiting && x.Err == nil {
			l.Reply = s.short(printed(x.Reply))
		}
	}
	return l
}

// commands are the words of what was sent and has run: what a MULTI queues, when its EXEC runs it.
func commands(sent []Sent) [][]string {
	var out [][]string
	for _, x := range sent {
		if !x.isQueued() {
			out = append(append(out, x.ran...), x.Short)
		}
	}
	return out
}

// length is how long actions wait on purpose.
func length(actions []Action) time.Duration {
	var d time.Duration
	for _, a := range actions {
		if a.Event != nil {
			d += a.Event.For + blockTime(a.Event.Args)
		}
		d += blockTime(a.Args)
	}
	return d
}
