package lessons

import (
	"slices"

	"pelscope/redisx/state"
)

// Prediction is what a learner expects of a step. What is missing was answered with "don't know".
type Prediction struct {
	Cells  map[string]string // by Cell.String: the value after the step
	Choice string            // the Is of the chosen option
}

// Verdict says how an answer compares with what happened.
type Verdict string

// The verdicts.
const (
	VerdictRight Verdict = "right"
	VerdictWrong Verdict = "wrong"
	VerdictNone  Verdict = "not answered"
)

// Graded is a predicted cell beside what became of it.
type Graded struct {
	Cell     Cell
	Was, Now string
	Yours    string
	Verdict  Verdict
}

// GradedChoice is the answer to a question.
type GradedChoice struct {
	Chosen  *Option // nil when it was not answered
	Right   *Option
	Verdict Verdict
}

// grade compares the prediction with the outcome of the step that just ran.
func (s *Session) grade(o *Outcome) {
	p := s.lesson.step(s.index).Predict
	if p == nil {
		return
	}
	guess := Prediction{}
	if g := s.guess.Load(); g != nil {
		guess = *g
	}
	for _, c := range p.Cells {
		at := Cell{Name: c.Name, Arg: Expand(c.Arg, s.saved)}
		g := Graded{
			Cell: c, Yours: guess.Cells[c.String()], Verdict: VerdictNone,
			Was: at.Value(o.Before, s.home, s.ledger), Now: at.Value(o.After, s.home, s.ledger),
		}
		if g.Yours != "" {
			g.Verdict = verdict(SameValue(g.Yours, g.Now))
		}
		o.Answers = append(o.Answers, g)
	}
	if p.Choice == nil {
		return
	}
	o.Choice = &GradedChoice{Verdict: VerdictNone}
	for i := range p.Choice.Options {
		option := &p.Choice.Options[i]
		if option.Is == "right" {
			o.Choice.Right = option
		}
		if option.Is == guess.Choice {
			o.Choice.Chosen = option
			o.Choice.Verdict = verdict(option.Is == "right")
		}
	}
}

func verdict(right bool) Verdict {
	if right {
		return VerdictRight
	}
	return VerdictWrong
}

// GoalState is how far a goal of a challenge is.
type GoalState struct {
	ID      string
	Reached bool
	Broken  bool          // what must always hold did not, or what must never hold did: only undo helps
	Seen    int           // how many of the things to be seen in order were seen, of Goal.Seen
	Since   state.Instant // when it was reached, on the server's clock
}

// goalTrack judges one goal, look by look.
type goalTrack struct {
	goal Goal
	GoalState
}

func newGoals(step *Step) []goalTrack {
	var out []goalTrack
	for _, g := range step.Goals {
		out = append(out, goalTrack{g, GoalState{ID: g.ID}})
	}
	return out
}

// guard is a goal that only says what must always or never be: it is reached when all others are.
func (g Goal) guard() bool { return g.When == nil && len(g.Seen) == 0 }

// judge judges every goal on one more look, and gives the ids of those newly reached.
func (s *Session) judge(l Look) []string {
	goals := slices.Clone(s.goals) // snapshots keep the old ones
	var reached []string
	for i := range goals {
		if goals[i].look(l) {
			reached = append(reached, goals[i].ID)
		}
	}
	others := !slices.ContainsFunc(goals, func(t goalTrack) bool { return !t.goal.guard() && !t.Reached })
	for i := range goals {
		t := &goals[i]
		if !t.goal.guard() {
			continue
		}
		was := t.Reached
		t.Reached = others && !t.Broken
		if t.Reached && !was {
			t.Since = l.After.At
			reached = append(reached, t.ID)
		}
	}
	s.goals = goals
	return reached
}

// look judges the goal on one look, and says whether it is newly reached. Guards are reached elsewhere.
func (t *goalTrack) look(l Look) bool {
	if t.goal.Always != nil && !t.goal.Always.Holds(l) || t.goal.Never != nil && t.goal.Never.Holds(l) {
		t.Broken = true
	}
	if t.goal.guard() {
		return false
	}
	if t.Broken || t.Reached && t.goal.Until != nil && t.goal.Until.Holds(l) {
		t.Reached, t.Seen = false, 0
		return false
	}
	for t.Seen < len(t.goal.Seen) && t.goal.Seen[t.Seen].Holds(l) {
		t.Seen++
	}
	if t.Reached || t.Seen < len(t.goal.Seen) || t.goal.When != nil && !t.goal.When.Holds(l) {
		return false
	}
	t.Reached, t.Since = true, l.After.At
	return true
}

func (s *Session) allReached() bool {
	return !slices.ContainsFunc(s.goals, func(t goalTrack) bool { return !t.Reached })
}

func (s *Session) goalStates() []GoalState {
	var out []GoalState
	for _, t := range s.goals {
		out = append(out, t.GoalState)
	}
	return out
}

// Hint is the first hint of the current step that fits what was seen last: the key of its words.
func (s *Session) Hint() (say string, ok bool) {
	v := s.shown.Load()
	for _, h := range s.lesson.step(v.index).Hints {
		if h.If == nil || h.If.Holds(v.look) {
			return h.Say, true
		}
	}
	return "", false
}
