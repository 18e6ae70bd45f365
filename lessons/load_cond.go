package lessons

import (
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"pelscope/redisx/state"
)

// cond reads a condition, which has exactly one of the forms that Cond documents.
func (l *lessonLoader) cond(to *Cond) read {
	return func(what string, n ast.Node) {
		var c Cell
		var is string
		var atLeast, atMost int64
		most := int64(1) << 62
		found := l.mapping(condition(what), n,
			may("all", l.conds(&to.All)),
			may("any", l.conds(&to.Any)),
			may("not", func(what string, n ast.Node) {
				to.Not = &Cond{}
				l.cond(to.Not)(what, n)
			}),
			may("cell", l.cell(&c)),
			may("is", l.text(&is)),
			may("at-least", l.number(&atLeast, 0, most)),
			may("at-most", l.number(&atMost, 0, most)),
			may("unchanged", l.yes(&to.Unchanged)),
			may("changed", l.yes(&to.Changed)),
			may("change", l.change(&to.Change)),
			may("reply", l.pattern(&to.Reply)),
			may("sent", l.sent(&to.Sent)))
		if found == nil || !l.oneForm(n, found) {
			return
		}
		if found["cell"] != nil {
			to.Cell = &c
		}
		if found["is"] != nil {
			to.Is = &is
			l.useSaved(is, found["is"])
			l.checkIs(c, is, found["is"])
		}
		if found["at-least"] != nil {
			to.AtLeast = &atLeast
			l.checkNumeric(c, found["at-least"])
		}
		if found["at-most"] != nil {
			to.AtMost = &atMost
			l.checkNumeric(c, found["at-most"])
		}
	}
}

// condition names a condition in messages by the key it stands under.
func condition(key string) string {
	if strings.Contains(key, "condition") {
		return key
	}
	return "the condition of " + key
}

// oneForm wants one form of condition, and one comparison of a cell.
func (l *lessonLoader) oneForm(n ast.Node, found map[string]ast.Node) bool {
	given := func(keys ...string) (have []string) {
		for _, k := range keys {
			if found[k] != nil {
				have = append(have, k)
			}
		}
		return have
	}
	forms := given("all", "any", "not", "cell", "change", "reply", "sent")
	compared := given("is", "at-least", "at-most", "unchanged", "changed")
	between := len(compared) == 2 && compared[0] == "at-least" && compared[1] == "at-most"
	switch {
	case len(forms) == 0:
		l.bad(n, "a condition is one of cell, change, reply, sent, all, any and not; such as {cell: pending(alice), is: 0}")
	case len(forms) > 1:
		l.bad(n, "a condition is one thing; this has %s (put them in all or any)", list(forms))
	case found["cell"] != nil && len(compared) == 0:
		l.bad(n, "the cell is compared with nothing: add is, at-least, at-most, unchanged: true or changed: true")
	case found["cell"] != nil && len(compared) > 1 && !between:
		l.bad(n, "a cell is compared once; this has %s", list(compared))
	case found["cell"] == nil && len(compared) > 0:
		l.bad(n, "%s compares a cell; this condition is a %s", list(compared), forms[0])
	default:
		return true
	}
	return false
}

func (l *lessonLoader) conds(to *[]Cond) read {
	return func(what string, n ast.Node) {
		count := l.items(what, n, func(n ast.Node) {
			c := Cond{}
			l.cond(&c)("a condition of "+what, n)
			*to = append(*to, c)
		})
		if _, isList := n.(*ast.SequenceNode); isList && count == 0 {
			l.bad(n, "%s is empty", what)
		}
	}
}

// yes reads true; a condition that does not matter is left out.
func (l *lessonLoader) yes(to *bool) read {
	return func(what string, n ast.Node) {
		if s, _ := scalar(n); s != "true" {
			l.bad(n, "%s may be true only; leave it out otherwise", what)
			return
		}
		*to = true
	}
}

func (l *lessonLoader) pattern(to *string) read {
	return func(what string, n ast.Node) {
		l.text(to)(what, n)
		l.useSaved(*to, n)
	}
}

// sent reads a pattern of a command, which stands behind its actor.
func (l *lessonLoader) sent(to *string) read {
	return func(what string, n ast.Node) {
		l.pattern(to)(what, n)
		first, _, _ := strings.Cut(*to, " ")
		if *to != "" && first[0] != '*' && !strings.HasSuffix(first, ">") {
			l.bad(n, "sent wants to know who sends it: \"alice> %s\", or \"*> %s\" for anyone", shorten(*to), shorten(*to))
		}
	}
}

// change reads a change as state.Notation writes it.
func (l *lessonLoader) change(to *string) read {
	return func(what string, n ast.Node) {
		l.text(to)(what, n)
		if *to == "" {
			return
		}
		l.useSaved(*to, n)
		l.checkChange(*to, n)
	}
}

// changeWords are the words that begin a change.
func changeWords() []string {
	return []string{
		"cursor", "set-back", "owner", "deliveries", "redelivered", "list", "item", "client",
		"+key", "-key", "+entry", "-entry", "+group", "-group", "+consumer", "-consumer",
		"+pending", "-pending", "+client", "-client",
		string(state.KindLength), string(state.KindFirstID), string(state.KindLastID), string(state.KindEntriesAdded),
		string(state.KindMaxDeleted), string(state.KindEntriesRead), string(state.KindLag),
		string(state.KindPendingCount), string(state.KindSeen), string(state.KindActive),
	}
}

func (l *lessonLoader) checkChange(text string, n ast.Node) {
	words := changeWords()
	known := slices.ContainsFunc(words, func(w string) bool {
		rest, ok := strings.CutPrefix(text, w)
		return ok && (rest == "" || rest[0] == '(' || rest[0] == ' ' || rest[0] == '*')
	})
	if known || text[0] == '*' {
		return
	}
	end := strings.IndexAny(text, "( ")
	if end < 0 {
		end = len(text)
	}
	l.bad(n, "%q is no change%s A change begins with one of %s", shorten(text), orDot(meant(text[:end], words)), list(words))
}

// expected reads the changes of a step.
func (l *lessonLoader) expected(to *[]Expected) read {
	return func(what string, n ast.Node) {
		l.items(what, n, func(n ast.Node) {
			x := Expected{}
			if m, ok := n.(*ast.MappingNode); ok {
				found := l.mapping("a change", m,
					must("change", l.change(&x.Text)),
					may("feature", l.feature(&x.Feature)),
					may("without", l.feature(&x.Without)))
				if found["feature"] != nil && found["without"] != nil {
					l.bad(n, "a change has either feature or without")
				}
			} else {
				l.change(&x.Text)("a change", n)
			}
			if slices.Contains(*to, x) && x.Text != "" {
				l.bad(n, "the change %q stands here twice", shorten(x.Text))
			}
			*to = append(*to, x)
		})
	}
}

// featureNames are the features that client.Features knows by name.
func featureNames() []string {
	return []string{"lag", "inactive", "full-info", "readgroup-claim", "idmp", "script", "multi", "no-touch"}
}

func (l *lessonLoader) feature(to *string) read {
	return func(what string, n ast.Node) {
		l.text(to)(what, n)
		if *to != "" {
			l.checkFeature(*to, n)
		}
	}
}

// checkFeature takes a feature, or a command in capitals.
func (l *lessonLoader) checkFeature(s string, n ast.Node) {
	if slices.Contains(featureNames(), s) || s == strings.ToUpper(s) && strings.ToLower(s) != s {
		return
	}
	l.bad(n, "unknown feature %q%s There are %s, and commands in capitals", shorten(s), orDot(meant(s, featureNames())), list(featureNames()))
}

// cell reads a cell; what it names must be there.
func (l *lessonLoader) cell(to *Cell) read {
	return func(what string, n ast.Node) {
		var s string
		l.text(&s)(what, n)
		if s == "" {
			return
		}
		name, _, _ := strings.Cut(s, "(")
		if known := sortedKeys(CellNames()); !slices.Contains(known, name) {
			l.bad(n, "there is no cell %q%s There are %s", shorten(name), orDot(meant(name, known)), list(known))
			return
		}
		c, err := ParseCell(s)
		if err != nil {
			l.bad(n, "%v", err)
			return
		}
		*to = c
		l.useSaved(c.Arg, n)
		l.later(func() { l.checkCell(c, n) })
	}
}

// checkCell judges a cell by the world.
func (l *lessonLoader) checkCell(c Cell, n ast.Node) {
	key, last := "", c.Arg
	parts := strings.Split(c.Arg, "/")
	switch c.Name {
	case "length", "key", "last-id":
		key = c.Arg
	case "entry", "item", "holds":
		if len(parts) > 1 {
			key, last = parts[0], strings.Join(parts[1:], "/")
		}
	case "cursor", "lag", "entries-read", "group":
		if len(parts) > 1 {
			key = parts[0]
		}
	case "pending", "consumer", "owner", "deliveries", "idle":
		if len(parts) > 2 {
			key = parts[0]
		}
		last = parts[len(parts)-1]
	case "times", "most-times":
		if l.lesson.Ledger() == "" {
			l.bad(n, "%s counts in the ledger, and the world has none", c)
		}
		return
	case "connection":
		return
	}
	if key != "" {
		l.checkKey(key, n)
	}
	switch c.Name {
	case "owner", "deliveries", "idle", "entry":
		if _, err := state.ParseID(last); err != nil && !strings.Contains(last, "$") {
			l.bad(n, "%s: %v", c, err)
		}
	}
	l.checkHome(c, key, n)
}

// checkHome wants a stream or group in the world where the cell leaves it out.
func (l *lessonLoader) checkHome(c Cell, key string, n ast.Node) {
	if key != "" {
		return
	}
	home := l.lesson.Home()
	switch c.Name {
	case "owner", "deliveries", "idle", "pending", "consumer", "cursor", "lag", "entries-read":
		if home.Group == "" && !strings.Contains(c.Arg, "/") && (c.Arg == "" || c.Name != "cursor" && c.Name != "lag" && c.Name != "entries-read") {
			if !l.homeless {
				l.bad(n, "%s leaves out the group, and the world names none: write orders: {stream: {group: workers}}", c)
			}
			l.homeless = true // said once: it is so everywhere
			return
		}
	}
	if home.Key == "" && c.Name != "key" {
		l.bad(n, "%s leaves out the key, and the world has no stream", c)
	}
}

// checkNumeric wants a cell that holds a number.
func (l *lessonLoader) checkNumeric(c Cell, n ast.Node) {
	switch c.Name {
	case "cursor", "owner", "entry", "last-id", "key", "group", "consumer", "connection":
		l.bad(n, "%s holds no number; compare it with is, unchanged or changed", c)
	}
}

// checkIs wants a value that the cell can have.
func (l *lessonLoader) checkIs(c Cell, is string, n ast.Node) {
	var words []string
	switch c.Name {
	case "entry":
		words = []string{present, gone}
	case "group", "consumer":
		words = []string{present, absent}
	case "connection":
		words = []string{none, "open", "blocked"}
	case "key":
		words = []string{none, "stream", "list", "hash", "set", "zset", "string"}
	case "lag", "entries-read", "pending", "deliveries", "length", "times", "most-times", "holds":
		if _, err := strconv.ParseInt(is, 10, 64); err == nil {
			return
		}
		words = []string{"a whole number", none, unknown}
	default:
		return
	}
	words = append(words, unknown)
	if strings.HasPrefix(is, "$") || slices.ContainsFunc(words, func(w string) bool { return SameValue(w, is) }) {
		return
	}
	words = slices.Compact(words)
	l.bad(n, "%s is never %q%s It is %s", c, shorten(is), orDot(meant(is, words)), either(words))
}
