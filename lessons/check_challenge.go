package lessons

import (
	"context"
	"slices"
	"strings"
)

// challenge checks a challenge, and leaves it solved by its first solution, whose changes it gives.
func (k *checker) challenge(ctx context.Context, step *Step) ([]string, error) {
	for _, g := range k.s.Goals() {
		if g.Reached {
			k.fail("goal %s is reached before anything was done", g.ID)
		}
		if g.Broken {
			k.fail("goal %s is broken before anything was done", g.ID)
		}
	}
	if len(step.Solutions) == 0 {
		k.fail("the challenge has no solution")
	}
	start := k.s.State()
	if k.full {
		for n := len(step.Solutions) - 1; n > 0; n-- {
			if _, err := k.solve(ctx, step, n); err != nil {
				return nil, err
			}
			if !k.undo(ctx, start) {
				return nil, ctx.Err()
			}
		}
		for n := range step.Wrong {
			if err := k.wrong(ctx, step, n); err != nil {
				return nil, err
			}
			if !k.undo(ctx, start) {
				return nil, ctx.Err()
			}
		}
	}
	if len(step.Solutions) == 0 {
		return nil, nil
	}
	changes, err := k.solve(ctx, step, 0)
	if err == nil && k.full {
		err = k.undoBlocked(ctx)
	}
	return changes, err
}

// solve plays a solution: every goal must be reached, by commands that all work.
func (k *checker) solve(ctx context.Context, step *Step, n int) ([]string, error) {
	o, err := k.s.Solve(ctx, n)
	if err != nil {
		return nil, err
	}
	if k.full {
		k.out.line("solution %d", n+1)
		k.out.outcome(k.s, step.Solutions[n], o)
		k.r.Solutions++
		k.r.Commands += len(o.Sent)
	}
	for _, what := range o.Strayed {
		k.fail("solution %d: %s", n+1, what)
	}
	for _, g := range k.s.Goals() {
		switch {
		case g.Broken:
			k.fail("solution %d breaks goal %s", n+1, g.ID)
		case !g.Reached:
			k.fail("solution %d does not reach goal %s", n+1, g.ID)
		}
	}
	return k.told(o, k.s.saved, nil), nil
}

// wrong plays a way that must not reach its goal.
func (k *checker) wrong(ctx context.Context, step *Step, n int) error {
	w := step.Wrong[n]
	o, err := k.aside(ctx, w.Do...)
	if err != nil {
		return err
	}
	k.out.line("wrong way %d, which must not reach goal %s", n+1, w.Fails)
	k.out.outcome(k.s, w.Do, o)
	for _, what := range o.Strayed {
		k.fail("wrong way %d: %s", n+1, what)
	}
	goals := k.s.Goals()
	i := slices.IndexFunc(goals, func(g GoalState) bool { return g.ID == w.Fails })
	switch {
	case i < 0:
		k.fail("wrong way %d names the goal %s; there are %s", n+1, w.Fails, goalNames(goals))
	case goals[i].Reached:
		k.fail("wrong way %d reaches goal %s", n+1, w.Fails)
	default:
		k.r.Wrong++
	}
	return nil
}

func goalNames(goals []GoalState) string {
	names := make([]string, len(goals))
	for i, g := range goals {
		names[i] = g.ID
	}
	return strings.Join(names, ", ")
}
