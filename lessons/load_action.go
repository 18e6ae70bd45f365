package lessons

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"pelscope/redisx/resp"
)

// maxWait bounds every wait of a lesson, so that a step never lasts.
const maxWait = 3 * time.Second

// savedShape is the name of a saved reply, as $name uses it.
var savedShape = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

// actions reads a list of actions: command lines, {run: …} and {event: …}.
func (l *lessonLoader) actions(what string, n ast.Node) []Action {
	var out []Action
	count := l.items(what, n, func(n ast.Node) {
		a := Action{}
		if m, ok := n.(*ast.MappingNode); ok {
			l.actionMap(&a, m)
		} else {
			l.command(&a)("a command", n)
		}
		out = append(out, a)
	})
	if _, isList := n.(*ast.SequenceNode); isList && count == 0 && !l.step.seed {
		l.bad(n, "%s is empty", what)
	}
	return out
}

func (l *lessonLoader) actionMap(a *Action, n *ast.MappingNode) {
	before := l.step.as
	if own := peek(n, "as"); own != "" {
		l.step.as = own
	}
	var as string
	found := l.mapping("an action", n,
		may("as", l.actor(&as)),
		may("run", l.command(a)),
		may("event", l.event(a)),
		may("save", l.save(&a.Save)),
		may("reply", l.text(&a.Reply)))
	l.step.as = before
	if found == nil {
		return
	}
	if (found["run"] != nil) == (found["event"] != nil) {
		l.bad(n, "an action has either run or event")
	}
	if found["as"] != nil && found["event"] != nil {
		l.bad(found["as"], "an event says itself whom it befalls; leave out as")
	}
	l.checkReply(n, a)
}

// checkReply wants save and reply only where there is a reply.
func (l *lessonLoader) checkReply(n ast.Node, a *Action) {
	if a.Event != nil && a.Event.Kind != EventReply && (a.Reply != "" || a.Save != "") {
		l.bad(n, "the event %s has no reply to keep or to compare; only a command and the event reply have one", a.Event.Kind)
	}
}

// command reads a command line, with its actor before it as in "bob> XLEN orders".
func (l *lessonLoader) command(a *Action) read {
	return func(what string, n ast.Node) {
		a.Actor, a.Args = l.commandLine(what, n)
		if l.step.seed && len(a.Args) > 0 {
			l.checkSeed(a, n)
		}
	}
}

func (l *lessonLoader) commandLine(what string, n ast.Node) (actor string, args []string) {
	var text string
	l.text(&text)(what, n)
	if text == "" {
		return "", nil
	}
	text = strings.TrimSpace(text)
	actor = l.step.as
	first, rest, _ := strings.Cut(text, " ")
	if name, ok := strings.CutSuffix(first, ">"); ok && name != "" {
		actor, text = name, strings.TrimSpace(rest)
		l.checkActor(actor, n)
	}
	args, err := resp.Split(text)
	switch {
	case err != nil:
		l.bad(n, "%q is no command line: %v", shorten(text), err)
		return "", nil
	case len(args) == 0:
		l.bad(n, "%s> is followed by no command", actor)
		return "", nil
	case actor == "" && !l.step.seed:
		l.bad(n, "nobody sends %q: write \"alice> %s\", or as: alice for the whole step", shorten(text), shorten(text))
	}
	l.useSaved(text, n)
	l.later(func() { l.checkArgs(args, n) })
	return actor, args
}

// checkSeed wants the seed to make the same ids in every run.
func (l *lessonLoader) checkSeed(a *Action, n ast.Node) {
	if strings.EqualFold(a.Args[0], "XADD") && slices.Contains(a.Args, "*") {
		l.later(func() {
			if a.Save == "" {
				l.bad(n, "XADD with * gives another id in each run: write an id such as 1-0, or keep it: {run: …, save: d} and then $d")
			}
		})
	}
}

// actor reads a name of a connection.
func (l *lessonLoader) actor(to *string) read {
	return func(what string, n ast.Node) {
		l.plain(to)(what, n)
		if *to != "" {
			l.checkActor(*to, n)
		}
	}
}

func (l *lessonLoader) checkActor(name string, n ast.Node) {
	if !plainName.MatchString(name) {
		l.bad(n, "the actor %q may have letters, digits and . _ - : only", shorten(name))
		return
	}
	l.later(func() {
		if at, taken := l.worldLine[name]; taken {
			l.bad(n, "%q cannot act: it is the name of a key (line %d)", name, at)
		}
	})
}

func (l *lessonLoader) save(to *string) read {
	return func(what string, n ast.Node) {
		l.name(to, savedShape, "letters, digits and _")(what, n)
		if *to != "" {
			l.saved[*to] = true
		}
	}
}

// useSaved wants every $name of a text to be saved somewhere in the lesson.
func (l *lessonLoader) useSaved(text string, n ast.Node) {
	for _, m := range savedName.FindAllString(text, -1) {
		l.later(func() {
			name := m[1:]
			if l.saved[name] {
				return
			}
			known := sortedKeys(l.saved)
			l.bad(n, "nothing is saved as %s%s The lesson saves %s", m, orDot(meant(name, known)), list(known))
		})
	}
}

// eventKeys are the keys of each event's mapping, its own first.
func eventKeys() map[EventKind][]string {
	return map[EventKind][]string{
		EventCrash: {"crash"}, EventStart: {"start"}, EventIdle: {"idle", "of"}, EventWait: {"wait"},
		EventBlock: {"block"}, EventReply: {"reply"}, EventWork: {"work", "like", "at", "count"}, EventFinish: {"finish"},
	}
}

func eventKinds() []string {
	return []string{"crash", "start", "idle", "wait", "block", "reply", "work", "finish"}
}

// event reads {crash: alice} and the like.
func (l *lessonLoader) event(a *Action) read {
	return func(what string, n ast.Node) {
		m, ok := n.(*ast.MappingNode)
		if !ok {
			l.wrongType(what, n, "one of {crash: alice}, {start: alice}, {idle: 2s, of: alice}, {wait: 500ms}, {block: \"bob> …\"}, {reply: bob}, {work: alice, like: normal} and {finish: alice}")
			return
		}
		e := &Event{}
		for _, kind := range eventKinds() {
			if hasKey(m, kind) {
				e.Kind = EventKind(kind)
				break
			}
		}
		if e.Kind == "" {
			first := m.Values[:min(1, len(m.Values))]
			word := ""
			for _, v := range first {
				word, _ = scalar(v.Key)
			}
			l.bad(n, "unknown event %q%s There are %s", word, orDot(meant(word, eventKinds())), list(eventKinds()))
			return
		}
		a.Event = e
		l.eventFields(e, m)
	}
}

func (l *lessonLoader) eventFields(e *Event, m *ast.MappingNode) {
	count := int64(0)
	readers := map[string]read{
		"crash": l.actor(&e.Who), "start": l.actor(&e.Who), "of": l.actor(&e.Who), "reply": l.actor(&e.Who),
		"work": l.actor(&e.Who), "finish": l.actor(&e.Who),
		"idle": l.duration(&e.For), "wait": l.duration(&e.For),
		"block": l.blocking(e),
		"like":  l.oneOf(&e.Like, "normal", "slow", "crashing", "poisoned"),
		"at":    l.oneOf(&e.At, "before-effect", "before-ack"),
		"count": l.number(&count, 1, 100),
	}
	var fields []field
	for i, key := range eventKeys()[e.Kind] {
		f := may(key, readers[key])
		f.must = i == 0 || key == "of" || key == "like"
		fields = append(fields, f)
	}
	found := l.mapping("the event "+string(e.Kind), m, fields...)
	e.Count = int(count)
	if e.Kind != EventWork {
		return
	}
	switch crashing := e.Like == "crashing"; {
	case crashing && found["at"] == nil:
		l.bad(m, "a crashing worker wants to know when: at: before-effect or at: before-ack")
	case !crashing && e.Like != "" && found["at"] != nil:
		l.bad(found["at"], "at says when a crashing worker dies; this one is %s", e.Like)
	}
	l.later(func() {
		if l.lesson.Ledger() == "" {
			l.bad(m, "a worker at work writes its effects into the ledger, and the world has none; add one, such as charges: {ledger: {}}")
		}
	})
}

// duration reads a time such as 500ms or 2s.
func (l *lessonLoader) duration(to *time.Duration) read {
	return func(what string, n ast.Node) {
		var s string
		l.text(&s)(what, n)
		if s == "" {
			return
		}
		d, err := time.ParseDuration(s)
		switch {
		case err != nil:
			l.bad(n, "%s wants a time such as 500ms or 2s, not %q", what, shorten(s))
		case d <= 0 || d > maxWait:
			l.bad(n, "%s may be up to %v, not %v", what, maxWait, d)
		default:
			*to = d
		}
	}
}

// blocking reads the command of a block event.
func (l *lessonLoader) blocking(e *Event) read {
	return func(what string, n ast.Node) {
		e.Who, e.Args = l.commandLine(what, n)
		if len(e.Args) == 0 {
			return
		}
		verb := strings.ToUpper(e.Args[0])
		switch {
		case blocks(e.Args):
		case verb == "XREAD" || verb == "XREADGROUP":
			l.bad(n, "this %s does not block: give it BLOCK and milliseconds", verb)
		default:
			l.bad(n, "%s is no blocking command; to send it, use run", verb)
		}
	}
}
