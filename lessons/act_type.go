package lessons

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"pelscope/redisx/client"
	"pelscope/redisx/resp"
)

// RefusedError tells why something that the learner asked for was not done. Nothing was sent.
type RefusedError struct{ What, Why string }

// Error is one sentence.
func (e *RefusedError) Error() string { return e.What + ": " + e.Why }

// Type sends a command that the learner typed in a challenge, in an actor's connection. A command that
// blocks goes on in the background: its Sent is Waiting, and its reply comes with a later Outcome or in
// Arrived. The error is a *RefusedError or a *resp.SplitError when nothing was sent.
func (s *Session) Type(ctx context.Context, who, line string) (Outcome, error) {
	args, err := resp.Split(line)
	if err != nil {
		return Outcome{}, err
	}
	if len(args) == 0 {
		return Outcome{}, &RefusedError{"an empty line", "there is no command in it"}
	}
	if why := refused(args, s.o.Prefix != ""); why != "" {
		return Outcome{}, &RefusedError{strings.ToUpper(args[0]), why}
	}
	a := Action{Actor: who, Args: s.brief(args), Reply: "*"}
	if blocks(args) {
		a = Action{Event: &Event{Kind: EventBlock, Who: who, Args: a.Args}, Reply: "*"}
	}
	return s.free(ctx, a, func(ctx context.Context) error {
		if err := s.onlyOurs(ctx, a.words()); err != nil {
			return err
		}
		return s.cover(ctx, a.words())
	})
}

// words are the command of an action, also of one that blocks.
func (a Action) words() []string {
	if a.Event != nil {
		return a.Event.Args
	}
	return a.Args
}

// Event lets something happen in a challenge that the learner asked for by a key: a crash, a start, a wait.
func (s *Session) Event(ctx context.Context, e Event) (Outcome, error) {
	return s.free(ctx, Action{Event: &e, Reply: "*"}, func(context.Context) error { return nil })
}

// free does one action of the learner's own in a challenge. What cannot be done now is refused, and is not
// kept for undo.
func (s *Session) free(ctx context.Context, a Action, before func(context.Context) error) (Outcome, error) {
	o, err := s.play(ctx, performance{
		actions: []Action{a},
		before: func(ctx context.Context) error {
			if s.finished || !s.lesson.step(s.index).Challenge() {
				return ErrNotOpen
			}
			if err := before(ctx); err != nil {
				return err
			}
			return s.remember(ctx)
		},
		after: func(o *Outcome) {
			if len(o.Sent) > 0 {
				o.Strayed = nil // something was done, and a challenge has no script to stray from
			}
			if len(o.Strayed) > 0 {
				s.past = s.past[:len(s.past)-1]
			}
			o.hints(s)
		},
	})
	var guard *client.GuardError
	switch {
	case errors.As(err, &guard):
		s.forgive(ctx)
		return Outcome{}, &RefusedError{guard.Command, guard.Why}
	case err != nil:
		return o, err
	case len(o.Strayed) > 0:
		return Outcome{}, &RefusedError{describe(a), strings.Join(o.Strayed, "; ")}
	}
	return o, nil
}

// forgive forgets an action of which nothing reached the server.
func (s *Session) forgive(ctx context.Context) {
	_ = s.operate(ctx, 0, func(context.Context) error {
		if s.half && len(s.past) > 0 {
			s.half, s.past = false, s.past[:len(s.past)-1]
		}
		return nil
	})
}

func describe(a Action) string {
	switch {
	case a.Event == nil:
		return strings.ToUpper(a.Args[0])
	case a.Event.Kind == EventBlock:
		return strings.ToUpper(a.Event.Args[0])
	}
	return string(a.Event.Kind)
}

// brief takes the prefix off the keys of a command, should the learner have typed it.
func (s *Session) brief(args []string) []string {
	if s.o.Prefix == "" {
		return args
	}
	out := slices.Clone(args)
	places, _ := keyPlaces(args)
	for _, i := range places {
		out[i] = strings.TrimPrefix(out[i], s.o.Prefix)
	}
	return out
}

// refused says why a typed command is not sent. foreign: the server also holds other things.
func refused(args []string, foreign bool) string {
	name := strings.ToUpper(args[0])
	switch name {
	case "FLUSHALL", "FLUSHDB", "SWAPDB":
		return "it would empty the whole server; reset begins the lesson again"
	case "SHUTDOWN", "CONFIG", "DEBUG", "REPLICAOF", "SLAVEOF", "FAILOVER", "CLUSTER", "MODULE", "ACL", "SAVE", "BGSAVE",
		"BGREWRITEAOF", "MIGRATE", "LATENCY", "SLOWLOG", "PSYNC", "SYNC", "RESTORE-ASKING", "PFDEBUG":
		return "it administers the server, and a lesson only works with keys"
	case "SELECT", "MOVE", "AUTH", "HELLO", "RESET", "QUIT", "ASKING", "READONLY", "READWRITE":
		return "it changes the connection itself, which the lesson needs as it is"
	case "CLIENT":
		if len(args) > 1 && slices.Contains([]string{"LIST", "INFO", "ID", "GETNAME"}, strings.ToUpper(args[1])) {
			return ""
		}
		return "of CLIENT only LIST, INFO, ID and GETNAME are let through"
	case "SUBSCRIBE", "PSUBSCRIBE", "SSUBSCRIBE", "MONITOR":
		return "it does not answer with one reply, and that is all that can be shown here"
	case "COPY":
		if slices.ContainsFunc(args, func(w string) bool { return strings.EqualFold(w, "DB") }) {
			return "the lesson lives in one database"
		}
	}
	if !foreign {
		return ""
	}
	switch name {
	case "EVAL", "EVALSHA", "EVAL_RO", "EVALSHA_RO", "FCALL", "FCALL_RO", "SCRIPT", "FUNCTION":
		return "no scripts on a server that also holds other things"
	case "WAIT":
		return "it has no key of the lesson"
	}
	if _, known := keyPlaces(args); !known {
		return "on a server that also holds other things only commands whose keys are known are let through"
	}
	return ""
}

// onlyOurs asks the server itself which keys a command has, when the server also holds other things.
func (s *Session) onlyOurs(ctx context.Context, short []string) error {
	if s.o.Prefix == "" {
		return nil
	}
	args := s.really(short)
	keys, err := s.keysOf(ctx, args)
	for _, k := range keys {
		if !strings.HasPrefix(k, s.o.Prefix) {
			return &RefusedError{strings.ToUpper(args[0]), fmt.Sprintf("%s is no key of this lesson", k)}
		}
	}
	return err
}

// cover lets undo and clearing up also cover keys besides the world's that a command names.
func (s *Session) cover(ctx context.Context, short []string) error {
	keys, err := s.keysOf(ctx, s.really(short))
	for _, k := range keys {
		if !slices.Contains(s.keys(), k) {
			s.extras = append(s.extras, k)
		}
	}
	return err
}

// keysOf is which keys a command has: as the server says, or (where it does not say) as keyPlaces does. A
// command that the server would refuse has none.
func (s *Session) keysOf(ctx context.Context, args []string) ([]string, error) {
	places, known := keyPlaces(args)
	if known && len(places) == 0 {
		return nil, nil
	}
	v, err := s.c.Do(ctx, append([]string{"COMMAND", "GETKEYS"}, args...)...)
	if err != nil {
		return nil, err
	}
	var keys []string
	for _, e := range v.Elems {
		keys = append(keys, e.Text())
	}
	if v.IsError() {
		for _, i := range places {
			keys = append(keys, args[i])
		}
	}
	return keys, nil
}

// hints points out replies that are easily read over.
func (o *Outcome) hints(s *Session) {
	for _, x := range o.Sent {
		if x.Waiting || x.Err != nil || len(x.Short) < 4 {
			continue
		}
		n, number := x.Reply.Int64()
		switch name := strings.ToUpper(x.Short[0]); {
		case name == "XACK" && number && n == 0:
			o.note("0 acknowledged: nothing of this is pending in group %s of %s", x.Short[2], x.Short[1])
		case name == "XACK" && number && int(n) < len(x.Short)-3:
			o.note("%d of %d acknowledged: the others are not pending in group %s", n, len(x.Short)-3, x.Short[2])
		case name == "XGROUP" && strings.EqualFold(x.Short[1], "DELCONSUMER") && n > 0:
			o.note("%d pending entries were dropped with the consumer: > will not deliver them again", n)
		}
	}
	for _, x := range o.Sent {
		places, _ := keyPlaces(x.Short)
		for _, i := range places {
			if i < len(x.Short) && !s.lesson.has(x.Short[i]) {
				o.note("%s is no key of this lesson", x.Short[i])
			}
		}
	}
}

func (l *Lesson) has(key string) bool {
	return slices.ContainsFunc(l.World, func(t Thing) bool { return t.Name == key })
}
