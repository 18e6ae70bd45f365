package lessons

import (
	"slices"

	"github.com/goccy/go-yaml/ast"
)

// stepKeys are the keys under which a step's words must be found, each with its line.
type stepKeys struct {
	id                          string
	line                        int
	asks, options, goals, hints map[string]int
}

func (l *lessonLoader) steps(what string, n ast.Node) {
	lines := map[string]int{}
	count := l.items(what, n, func(n ast.Node) {
		s, ok := l.readStep(n)
		if !ok {
			return
		}
		if at := lines[s.ID]; at > 0 {
			l.badLine(s.Line, "there is a step %q already, in line %d", s.ID, at)
			return
		}
		lines[s.ID] = s.Line
		l.lesson.Steps = append(l.lesson.Steps, s)
	})
	if _, isList := n.(*ast.SequenceNode); isList && count == 0 {
		l.bad(n, "a lesson without steps")
	}
}

// peek finds a step's id and actor before the rest of it is read, as they stand in any order.
func peek(n ast.Node, key string) string {
	if m, ok := n.(*ast.MappingNode); ok {
		for _, v := range m.Values {
			if k, _ := scalar(v.Key); k == key {
				s, _ := scalar(v.Value)
				return s
			}
		}
	}
	return ""
}

func (l *lessonLoader) readStep(n ast.Node) (Step, bool) {
	s := Step{Line: line(n)}
	keys := &stepKeys{id: peek(n, "id"), line: s.Line,
		asks: map[string]int{}, options: map[string]int{}, goals: map[string]int{}, hints: map[string]int{}}
	l.step = stepContext{what: "step \"" + keys.id + "\"", as: peek(n, "as")}
	single := &Action{}
	found := l.mapping("a step", n,
		must("id", l.name(&s.ID, kebabName, "small letters, digits and dashes")),
		may("as", l.actor(&s.As)),
		may("needs", l.needs(&s.Needs, false)),
		may("run", l.command(single)),
		may("event", l.event(single)),
		may("do", func(what string, n ast.Node) { s.Do = l.actions(what, n) }),
		may("save", l.save(&single.Save)),
		may("reply", l.text(&single.Reply)),
		may("predict", l.predict(&s, keys)),
		may("changes", l.expected(&s.Changes)),
		may("shows", l.shows(&s.Shows)),
		may("goals", l.goals(&s, keys)),
		may("hints", l.hints(&s, keys)),
		may("solutions", l.solutions(&s)),
		may("wrong", l.wrong(&s)))
	if keys.id != "" && !slices.ContainsFunc(l.keys, func(k *stepKeys) bool { return k.id == keys.id }) {
		l.keys = append(l.keys, keys)
	}
	if found == nil || s.ID == "" {
		return s, false
	}
	if found["run"] != nil || found["event"] != nil {
		l.checkSingle(n, found, single)
		s.Do = []Action{*single}
	}
	l.checkStep(n, found)
	return s, true
}

// checkSingle judges a step of one action.
func (l *lessonLoader) checkSingle(n ast.Node, found map[string]ast.Node, a *Action) {
	l.checkReply(n, a)
	for _, pair := range [][2]string{{"run", "event"}, {"run", "do"}, {"event", "do"}} {
		if found[pair[0]] != nil && found[pair[1]] != nil {
			l.bad(n, "%s has %s and %s; put all of it into do", l.step.what, pair[0], pair[1])
		}
	}
}

// checkStep judges which of a step's keys go together: it acts, or is a challenge, or only tells.
func (l *lessonLoader) checkStep(n ast.Node, found map[string]ast.Node) {
	acts := found["run"] != nil || found["event"] != nil || found["do"] != nil
	challenge := found["goals"] != nil
	reject := func(why string, keys ...string) {
		for _, k := range keys {
			if v := found[k]; v != nil {
				l.bad(v, "%s has %s but %s", l.step.what, k, why)
			}
		}
	}
	switch {
	case challenge:
		reject("also goals: a challenge is reached by any route, so it has neither actions nor predictions of its own",
			"run", "event", "do", "predict", "changes")
		if found["as"] == nil {
			l.bad(n, "%s is a challenge and must say as whom the learner types: as: alice", l.step.what)
		}
		if found["solutions"] == nil {
			l.bad(n, "%s is a challenge without solutions; give at least one", l.step.what)
		}
	case acts && found["changes"] == nil:
		l.bad(n, "%s does something and must list what it changes; changes: [] when nothing", l.step.what)
	case !acts:
		reject("does nothing (no run, event, do)", "predict", "changes")
	}
	if !challenge {
		reject("no goals", "hints", "solutions", "wrong")
	}
	if found["run"] == nil && found["event"] == nil {
		reject("neither run nor event; in do it belongs to one command, {run: …, reply: …}", "save", "reply")
	}
}

func (l *lessonLoader) shows(to *[]string) read {
	return func(what string, n ast.Node) {
		if _, ok := n.(*ast.SequenceNode); !ok {
			l.showsBroken = true
		}
		l.texts(to, l.checkClause)(what, n)
		for _, id := range *to {
			l.shown[id] = true
		}
	}
}

func (l *lessonLoader) checkClause(id string, n ast.Node) {
	l.later(func() {
		known := make([]string, len(l.lesson.Clauses))
		for i, c := range l.lesson.Clauses {
			known[i] = c.ID
		}
		if !slices.Contains(known, id) {
			l.bad(n, "there is no clause %q%s The lesson has %s", id, orDot(meant(id, known)), list(known))
		}
	})
}

func (l *lessonLoader) predict(s *Step, keys *stepKeys) read {
	return func(what string, n ast.Node) {
		p := &Predict{}
		found := l.mapping(what, n,
			may("cells", func(what string, n ast.Node) {
				l.items(what, n, func(n ast.Node) {
					var c Cell
					l.cell(&c)("a cell", n)
					if slices.Contains(p.Cells, c) {
						l.bad(n, "the cell %s stands here twice", c)
					}
					p.Cells = append(p.Cells, c)
				})
			}),
			may("choice", func(what string, n ast.Node) { p.Choice = l.choice(what, n, keys) }))
		if found != nil && len(p.Cells) == 0 && p.Choice == nil {
			l.bad(n, "predict wants cells, or a choice, or both")
		}
		s.Predict = p
	}
}

func (l *lessonLoader) choice(what string, n ast.Node, keys *stepKeys) *Choice {
	c := &Choice{}
	right := 0
	found := l.mapping(what, n,
		must("ask", l.wordsKey(&c.Ask, keys.asks)),
		must("options", func(what string, n ast.Node) {
			l.items(what, n, func(n ast.Node) {
				o := Option{}
				l.mapping("an option", n,
					must("is", l.name(&o.Is, kebabName, "small letters, digits and dashes")),
					must("text", l.wordsKey(&o.Text, keys.options)),
					must("when", l.cond(&o.When)))
				if o.Is == "right" {
					right++
				} else if slices.ContainsFunc(c.Options, func(x Option) bool { return x.Is == o.Is && o.Is != "" }) {
					l.bad(n, "two options are %q", o.Is)
				}
				c.Options = append(c.Options, o)
			})
		}))
	switch {
	case found["options"] == nil:
	case len(c.Options) < 2:
		l.bad(n, "a choice wants at least two options")
	case right != 1:
		l.bad(n, "%d options are right; exactly one must be {is: right, …}", right)
	}
	return c
}

// wordsKey reads a key under which the words must have a text.
func (l *lessonLoader) wordsKey(to *string, keys map[string]int) read {
	return func(what string, n ast.Node) {
		l.name(to, kebabName, "small letters, digits and dashes")(what, n)
		if *to == "" {
			return
		}
		if at := keys[*to]; at > 0 {
			l.bad(n, "%s %q stands in this step already, in line %d", what, *to, at)
			return
		}
		keys[*to] = line(n)
	}
}

func (l *lessonLoader) goals(s *Step, keys *stepKeys) read {
	return func(what string, n ast.Node) {
		reachable := false
		l.items(what, n, func(n ast.Node) {
			g := Goal{}
			cond := func(to **Cond) read {
				return func(what string, n ast.Node) {
					*to = &Cond{}
					l.cond(*to)(what, n)
				}
			}
			found := l.mapping("a goal", n,
				must("id", l.wordsKey(&g.ID, keys.goals)),
				may("when", cond(&g.When)),
				may("seen", l.conds(&g.Seen)),
				may("always", cond(&g.Always)),
				may("never", cond(&g.Never)),
				may("until", cond(&g.Until)))
			if found == nil {
				return
			}
			l.checkGoal(n, found)
			reachable = reachable || found["when"] != nil || found["seen"] != nil
			s.Goals = append(s.Goals, g)
		})
		if !reachable {
			l.bad(n, "%s can never be reached: at least one goal must have when or seen", l.step.what)
		}
	}
}

func (l *lessonLoader) checkGoal(n ast.Node, found map[string]ast.Node) {
	forms := 0
	for _, k := range []string{"when", "seen", "always", "never"} {
		if found[k] != nil {
			forms++
		}
	}
	switch {
	case forms != 1:
		l.bad(n, "a goal has exactly one of when, seen, always and never; this has %d", forms)
	case found["until"] != nil && found["when"] == nil && found["seen"] == nil:
		l.bad(found["until"], "until goes with when or seen; an always or never is lost by itself")
	}
}

func (l *lessonLoader) hints(s *Step, keys *stepKeys) read {
	return func(what string, n ast.Node) {
		count := l.items(what, n, func(n ast.Node) {
			h := Hint{}
			l.mapping("a hint", n,
				may("if", func(what string, n ast.Node) {
					h.If = &Cond{}
					l.cond(h.If)(what, n)
				}),
				must("say", l.wordsKey(&h.Say, keys.hints)))
			if i := len(s.Hints); i > 0 && s.Hints[i-1].If == nil {
				l.bad(n, "this hint is never said: the one before it has no if, and the first that fits is said")
			}
			s.Hints = append(s.Hints, h)
		})
		if count > 0 && s.Hints[count-1].If != nil {
			l.bad(n, "the last hint must have no if, so that there is always one to say")
		}
	}
}

func (l *lessonLoader) solutions(s *Step) read {
	return func(what string, n ast.Node) {
		count := l.items(what, n, func(n ast.Node) {
			s.Solutions = append(s.Solutions, l.actions("a solution", n))
		})
		if _, isList := n.(*ast.SequenceNode); isList && count == 0 {
			l.bad(n, "%s is a challenge without solutions; give at least one", l.step.what)
		}
	}
}

func (l *lessonLoader) wrong(s *Step) read {
	return func(what string, n ast.Node) {
		l.items(what, n, func(n ast.Node) {
			w := Wrong{}
			l.mapping("a wrong way", n,
				must("do", func(what string, n ast.Node) { w.Do = l.actions(what, n) }),
				must("fails", func(what string, n ast.Node) {
					l.text(&w.Fails)(what, n)
					l.later(func() { l.checkGoalName(s.ID, w.Fails, n) })
				}))
			s.Wrong = append(s.Wrong, w)
		})
	}
}

func (l *lessonLoader) checkGoalName(step, goal string, n ast.Node) {
	i := slices.IndexFunc(l.lesson.Steps, func(s Step) bool { return s.ID == step })
	if i < 0 || goal == "" {
		return
	}
	var known []string
	for _, g := range l.lesson.Steps[i].Goals {
		known = append(known, g.ID)
	}
	if !slices.Contains(known, goal) {
		l.bad(n, "step %q has no goal %q%s It has %s", step, goal, orDot(meant(goal, known)), list(known))
	}
}
