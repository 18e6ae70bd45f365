package lessons

import (
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// The form of lesson.yaml. Every key but those marked * may be left out.
//
//	id: crash-then-zero *               the folder's name
//	minutes: 12 *
//	needs: {lessons: [normal], commands: [XACKDEL], features: [lag]}
//	clauses: {N1: what is seen, …} *    each is shown by a step
//	world: *                            every key of the lesson
//	  orders: {stream: {group: workers, consumers: [alice, bob]}}
//	  events: {stream: {groups: {settlement: [a, b], mail: []}}}
//	  charges: {ledger: {}}             also list, hash, set, zset, string
//	seed: [an action, …]
//	steps: *
//	  - id: read *
//	    needs: {features: [lag]}
//	    as: alice                       who sends the step's commands, where they do not say it
//	    run: XLEN orders                one command; or event: {crash: alice}; or
//	    do: [an action, …]              several
//	    save: d                         keep the one command's reply as $d
//	    reply: (integer) 3              what redis-cli prints for it; * is anything
//	    predict: {cells: [cursor], choice: {ask: q1, options: [{is: right, text: a, when: a condition}, …]}}
//	    changes: [lag 3 -> 1, {change: …, feature: lag}, {change: …, without: lag}]
//	    shows: [N1]
//	    goals:                          a challenge, in the place of run, event and do
//	      - {id: drained, when: a condition, until: a condition}
//	      - {id: order, seen: [a condition, …]}     also always, never
//	    hints: [{if: a condition, say: h1}, {say: h2}]
//	    solutions: [[an action, …], …]
//	    wrong: [{do: [an action, …], fails: drained}]
//
// An action is a command line, "bob> XLEN orders" or, for who is named by as, XLEN orders; or {run: …,
// as: …, save: …, reply: …}; or {event: …} with one of
//
//	{crash: alice}  {start: alice}  {idle: 2s, of: alice}  {wait: 500ms}  {finish: alice}
//	{block: "bob> XREAD BLOCK 0 STREAMS orders $"}  {reply: bob}
//	{work: alice, like: normal, count: 2}  {work: alice, like: crashing, at: before-ack}
//
// The forms of a condition are told at Cond, the cells at CellNames, the words at partNames.

// lessonLoader reads lesson.yaml. What needs the whole lesson to be judged (is this clause there? is
// this a key of the world?) is put off with later.
type lessonLoader struct {
	reader
	folder    string
	lesson    *Lesson         // nil when the file is no YAML
	delayed   []func()        // checks that need the whole lesson
	saved     map[string]bool // names of saved replies
	worldLine map[string]int
	needsLine map[string]int // line of each lesson in needs
	keys      []*stepKeys    // of each step
	step      stepContext

	shown       map[string]bool // clauses that steps show, of whatever else is wrong with them
	showsBroken bool            // some shows could not be read
	homeless    bool            // it was said that the world names no group
}

// stepContext is what goes without saying in the step being read.
type stepContext struct {
	what string // "the seed", or `step "read"`
	as   string
	seed bool
}

func (l *lessonLoader) later(f func()) { l.delayed = append(l.delayed, f) }

// plainName is a name that needs no quotes and cannot be taken for a place (which has slashes).
var plainName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.:-]*$`)

// kebabName is a name that progress and words are kept by.
var kebabName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`)

var clauseName = regexp.MustCompile(`^N[1-9][0-9]*$`)

func (l *lessonLoader) load(text string) {
	root := l.parse(text)
	if root == nil {
		return
	}
	l.lesson = &Lesson{}
	l.shown, l.saved, l.worldLine, l.needsLine = map[string]bool{}, map[string]bool{}, map[string]int{}, map[string]int{}
	minutes := int64(0)
	found := l.mapping("a lesson", root,
		must("id", l.lessonID),
		must("minutes", l.number(&minutes, 1, 90)),
		may("needs", l.needs(&l.lesson.Needs, true)),
		must("clauses", l.clauses),
		must("world", l.world),
		may("seed", l.seed),
		must("steps", l.steps))
	l.lesson.Minutes = int(minutes)
	if found == nil {
		l.lesson = nil
		return
	}
	l.later(l.checkClausesShown(found["clauses"]))
	for _, check := range l.delayed {
		check()
	}
}

func (l *lessonLoader) lessonID(what string, n ast.Node) {
	l.name(&l.lesson.ID, kebabName, "small letters, digits and dashes")(what, n)
	if id := l.lesson.ID; id != "" && id != l.folder && l.folder != "." && l.folder != "/" {
		l.bad(n, "the id %q is not the folder's name %q: they must be the same", id, l.folder)
	}
}

// name reads a text of a certain shape.
func (l *lessonLoader) name(to *string, shape *regexp.Regexp, shapeText string) read {
	return func(what string, n ast.Node) {
		var s string
		l.text(&s)(what, n)
		if s != "" && !shape.MatchString(s) {
			l.bad(n, "%s may have %s only, not %q", what, shapeText, shorten(s))
			return
		}
		*to = s
	}
}

// plain reads a name of a consumer, a group or a saved reply.
func (l *lessonLoader) plain(to *string) read {
	return l.name(to, plainName, "letters, digits and . _ - :")
}

func (l *lessonLoader) needs(to *Needs, ofLesson bool) read {
	return func(what string, n ast.Node) {
		fields := []field{
			may("commands", l.texts(&to.Commands, func(s string, n ast.Node) {
				if s != strings.ToUpper(s) || strings.ContainsAny(s, " \t") {
					l.bad(n, "%q is no command's name: write it in capitals, such as XACKDEL or, with its subcommand, XINFO|STREAM", s)
				}
			})),
			may("features", l.texts(&to.Features, l.checkFeature)),
		}
		if ofLesson {
			fields = append(fields, may("lessons", l.texts(&to.Lessons, func(s string, n ast.Node) {
				l.needsLine[s] = line(n)
			})))
		}
		l.mapping(what, n, fields...)
	}
}

func (l *lessonLoader) clauses(what string, n ast.Node) {
	l.entries(what, n, func(id string, key, value ast.Node) {
		if !clauseName.MatchString(id) {
			l.bad(key, "%q is no clause's name; they are N1, N2, …", id)
			return
		}
		c := Clause{ID: id}
		l.text(&c.Text)(id, value)
		l.lesson.Clauses = append(l.lesson.Clauses, c)
	})
}

// checkClausesShown wants every clause to be shown by a step.
func (l *lessonLoader) checkClausesShown(clauses ast.Node) func() {
	return func() {
		m, ok := clauses.(*ast.MappingNode)
		if !ok || l.showsBroken {
			return
		}
		for _, v := range m.Values {
			if id := v.Key.String(); !l.shown[id] && clauseName.MatchString(id) {
				l.bad(v, "no step shows %s; name it in the shows of the step where it is seen", id)
			}
		}
	}
}

func (l *lessonLoader) world(what string, n ast.Node) {
	l.entries(what, n, func(name string, key, value ast.Node) {
		t := Thing{Name: name}
		if !plainName.MatchString(name) {
			l.bad(key, "the key %q may have letters, digits and . _ - : only", shorten(name))
			return
		}
		l.worldLine[name] = line(key)
		if kind, ok := scalar(value); ok && slices.Contains(thingKinds(), kind) {
			l.bad(value, "write %s: {%s: {}}", name, kind)
			return
		}
		var fields []field
		for _, kind := range thingKinds() {
			fields = append(fields, may(kind, l.thing(&t, kind)))
		}
		found := l.mapping("a key of the world", value, fields...)
		if found != nil && len(found) != 1 {
			l.bad(key, "the key %q must be one of %s, such as {stream: {}}", name, list(thingKinds()))
			return
		}
		if t.Kind == "ledger" && l.lesson.Ledger() != "" {
			l.bad(key, "there is a ledger already, %q; a world has one", l.lesson.Ledger())
		}
		l.lesson.World = append(l.lesson.World, t)
	})
	l.later(func() { l.checkNames(n) })
}

func thingKinds() []string {
	return []string{"stream", "ledger", "list", "hash", "set", "zset", "string"}
}

func (l *lessonLoader) thing(t *Thing, kind string) read {
	return func(what string, n ast.Node) {
		t.Kind = kind
		_, null := n.(*ast.NullNode)
		switch {
		case null:
		case kind == "stream":
			l.stream(t, n)
		default:
			l.mapping("a "+kind, n)
		}
	}
}

func (l *lessonLoader) stream(t *Thing, n ast.Node) {
	var one WorldGroup
	found := l.mapping("a stream", n,
		may("group", l.plain(&one.Name)),
		may("consumers", l.consumers(&one.Consumers)),
		may("groups", func(what string, n ast.Node) {
			l.entries(what, n, func(name string, key, value ast.Node) {
				g := WorldGroup{}
				l.plain(&g.Name)("a group", key)
				l.consumers(&g.Consumers)(name, value)
				t.Groups = append(t.Groups, g)
			})
		}))
	switch {
	case found["group"] != nil && found["groups"] != nil:
		l.bad(n, "a stream has either group or groups, not both")
	case found["consumers"] != nil && found["group"] == nil:
		l.bad(n, "consumers belong to a group: name it with group, or write groups: {workers: [alice, bob]}")
	case one.Name != "":
		t.Groups = append(t.Groups, one)
	}
}

func (l *lessonLoader) consumers(to *[]string) read {
	return l.texts(to, func(s string, n ast.Node) {
		if !plainName.MatchString(s) {
			l.bad(n, "the consumer %q may have letters, digits and . _ - : only", shorten(s))
		}
	})
}

// checkNames keeps the names of groups and consumers apart from those of keys, so that a name stands
// for one thing, also where keys carry a prefix.
func (l *lessonLoader) checkNames(world ast.Node) {
	for _, t := range l.lesson.World {
		for _, g := range t.Groups {
			for _, name := range append([]string{g.Name}, g.Consumers...) {
				if at, taken := l.worldLine[name]; taken {
					l.badLine(l.worldLine[t.Name], "%q is the name of a key (line %d), and of a group or consumer of %q: take another name", name, at, t.Name)
				}
			}
		}
	}
}

func (l *lessonLoader) seed(what string, n ast.Node) {
	l.step = stepContext{what: "the seed", seed: true}
	l.lesson.Seed = l.actions(what, n)
}
