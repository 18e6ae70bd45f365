package lessons

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"pelscope/redisx/client"
	"pelscope/redisx/resp"
	"pelscope/redisx/state"
)

// runStep checks a step that is no challenge, and gives the changes that it made.
func (k *checker) runStep(ctx context.Context, step *Step) ([]string, error) {
	k.guess(step)
	o, err := k.s.Run(ctx)
	if err != nil {
		return nil, err
	}
	if k.full {
		k.out.outcome(k.s, step.Do, o)
		k.r.Commands += len(o.Sent)
		k.r.Changes += len(o.Changes)
	}
	for _, what := range o.Strayed {
		k.fail("%s", what)
	}
	k.predictions(step, o)
	changes := k.told(o, k.s.saved, nil)
	if k.full && len(step.Do) > 0 {
		return changes, k.undoStep(ctx, step, o)
	}
	return changes, nil
}

// guess predicts the right option and leaves the cells open, so that grading is run through as well.
func (k *checker) guess(step *Step) {
	if step.Predict != nil {
		k.s.Predict(Prediction{Choice: "right"})
	}
}

// predictions holds what a step asks against what happened.
func (k *checker) predictions(step *Step, o Outcome) {
	if step.Predict == nil {
		return
	}
	for _, g := range o.Answers {
		if g.Now == unknown && g.Cell.Name != "lag" && g.Cell.Name != "entries-read" {
			k.fail("prediction %s cannot be read", g.Cell)
		}
	}
	if c := step.Predict.Choice; c != nil {
		for _, what := range rightOption(c, k.s.lookOf(o.Before, o.After, o.Changes, o.Sent)) {
			k.fail("%s", what)
		}
	}
	if k.full {
		k.r.Answers += len(o.Answers)
		if step.Predict.Choice != nil {
			k.r.Answers++
		}
	}
}

// undoStep undoes the step and runs it again: the State must be the one before it, and the changes the same.
func (k *checker) undoStep(ctx context.Context, step *Step, o Outcome) error {
	saved := maps.Clone(k.s.saved)
	if !k.undo(ctx, o.Before) {
		return ctx.Err()
	}
	k.guess(step)
	k.s.hurry = true
	again, err := k.s.Run(ctx)
	k.s.hurry = false
	if err != nil {
		return err
	}
	k.same("after an undo", k.told(o, saved, again.aged), k.told(again, k.s.saved, o.aged))
	return k.undoBlocked(ctx)
}

// undo takes back one action and holds the State against what it was.
func (k *checker) undo(ctx context.Context, before state.State) bool {
	err := k.s.Undo(ctx)
	var differs *UndoError
	switch {
	case errors.As(err, &differs):
		k.fail("undo: %s", strings.Join(differs.Differs, ", "))
		return true
	case err != nil:
		k.fail("undo: %s", err)
		return false
	}
	k.r.Undos++
	now := k.s.State()
	seen := func(st state.State) string { return connections(st) }
	for _, line := range differences(timeless(before), timeless(now), k.s.home) {
		k.fail("undo: %s differs", line)
	}
	if a, b := seen(before), seen(now); a != b {
		k.fail("undo: connections were %s, are %s", a, b)
	}
	return true
}

// timeless is a State without the consumers' times of their last attempt: a worker that waits again after
// an undo has just made one.
func timeless(st state.State) state.State {
	st.Keys = slices.Clone(st.Keys)
	for i := range st.Keys {
		if st.Keys[i].Stream == nil {
			continue
		}
		stream := *st.Keys[i].Stream
		stream.Groups = slices.Clone(stream.Groups)
		for j := range stream.Groups {
			g := &stream.Groups[j]
			g.Consumers = slices.Clone(g.Consumers)
			for c := range g.Consumers {
				g.Consumers[c].Seen = state.Unknown[state.Instant]("")
			}
		}
		st.Keys[i].Stream = &stream
	}
	return st
}

// connections names who is connected and who of them waits.
func connections(st state.State) string {
	var names []string
	for _, c := range st.Clients {
		name := c.Name
		if c.Blocked {
			name += " (blocked)"
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return none
	}
	return strings.Join(names, ", ")
}

// undoBlocked tries undo with a worker blocked in a read: once from inside (an entry has come and woken it),
// once from the read itself. It does so once in a lesson, at the first step that leaves a group with
// everything read.
func (k *checker) undoBlocked(ctx context.Context) error {
	st := k.s.State()
	at, ok := allRead(st)
	if k.tried || !ok {
		return nil
	}
	k.tried = true
	const who = "undo-check"
	read := []string{"XREADGROUP", "GROUP", at.Group, who, "BLOCK", "0", "STREAMS", at.Key, ">"}
	if _, err := k.aside(ctx, Action{Event: &Event{Kind: EventBlock, Who: who, Args: read}}); err != nil {
		return err
	}
	waits := k.s.State()
	if !strings.Contains(connections(waits), who+" (blocked)") {
		k.fail("undo: %s does not wait in %s", who, resp.Join(read))
		return nil
	}
	o, err := k.aside(ctx, Action{Actor: "you", Args: []string{"XADD", at.Key, "*", "event", "U1"}})
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(o.Changes, func(c state.Change) bool { return c.Kind() == state.KindPendingAdded }) {
		k.fail("undo: the entry did not wake %s", who)
	}
	if !k.undo(ctx, waits) {
		return ctx.Err()
	}
	k.undo(ctx, st)
	k.out.line("  undone too: %s blocked in %s, before and after an entry came", who, resp.Join(read))
	return ctx.Err()
}

// allRead finds a group that has read every entry of its stream.
func allRead(st state.State) (state.Place, bool) {
	for _, k := range st.Keys {
		if k.Stream == nil || !k.Stream.LastID.Known {
			continue
		}
		for _, g := range k.Stream.Groups {
			if !g.LastDelivered.Less(k.Stream.LastID.Value) {
				return state.Place{Key: k.Name, Group: g.Name}, true
			}
		}
	}
	return state.Place{}, false
}

// aside does something that the lesson does not do, to be undone.
func (k *checker) aside(ctx context.Context, a ...Action) (Outcome, error) {
	return k.s.play(ctx, performance{actions: a, before: k.s.remember, after: func(*Outcome) {}})
}

// leftovers finds keys and connections that are still there after the end.
func (k *checker) leftovers(ctx context.Context, c *client.Client, before resp.Value, actors []ActorState) error {
	for _, key := range k.s.keys() {
		v, err := c.Do(ctx, "EXISTS", key)
		if err != nil {
			return err
		}
		if v.Int != 0 {
			k.fail("the key %s was left behind", key)
		}
	}
	after, err := c.Do(ctx, "DBSIZE")
	if err != nil {
		return err
	}
	if k.o.Prefix == "" && after.Int > before.Int {
		k.fail("%d keys were left behind", after.Int-before.Int)
	}
	if err := k.leftUnderPrefix(ctx, c); err != nil {
		return err
	}
	var names []string
	for _, a := range actors {
		names = append(names, a.Name)
	}
	st, err := k.s.observeWith(ctx, names)
	if err == nil && len(st.Clients) > 0 {
		k.fail("connections were left behind: %s", connections(st))
	}
	return err
}

// leftUnderPrefix finds every key that bears the prefix, by a bounded scan.
func (k *checker) leftUnderPrefix(ctx context.Context, c *client.Client) error {
	if k.o.Prefix == "" {
		return nil
	}
	for cursor := "0"; ; {
		v, err := c.Do(ctx, "SCAN", cursor, "MATCH", escapeGlob(k.o.Prefix)+"*", "COUNT", "1000")
		if err != nil || len(v.Elems) != 2 {
			return err
		}
		for _, key := range v.Elems[1].Elems {
			k.fail("the key %s was left behind", key.Text())
		}
		if cursor = v.Elems[0].Text(); cursor == "0" {
			return nil
		}
	}
}

// escapeGlob makes a text match only itself in SCAN's MATCH.
func escapeGlob(s string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`, `]`, `\]`).Replace(s)
}
