package lessons

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// maxDepth bounds brackets within brackets and dashes in a row: the YAML parser calls itself for each.
const maxDepth = 100

// reader reads the nodes of a YAML file strictly: what is not asked for is a problem.
type reader struct {
	file     string
	problems *problems
}

// read takes the value of a key; what names the key in messages.
type read func(what string, n ast.Node)

// field is a key that a mapping may or must have.
type field struct {
	name string
	must bool
	read read
}

func must(name string, r read) field { return field{name: name, must: true, read: r} }
func may(name string, r read) field  { return field{name: name, read: r} }

func (r *reader) badLine(line int, format string, args ...any) {
	r.problems.report(r.file, line, format, args...)
}

func (r *reader) bad(n ast.Node, format string, args ...any) {
	r.badLine(line(n), format, args...)
}

// line is where a node begins.
func line(n ast.Node) int {
	switch m := n.(type) {
	case *ast.MappingNode:
		if !m.IsFlowStyle && len(m.Values) > 0 {
			return line(m.Values[0])
		}
	case *ast.MappingValueNode:
		return line(m.Key)
	}
	if n == nil || n.GetToken() == nil || n.GetToken().Position == nil {
		return 0
	}
	return n.GetToken().Position.Line
}

// parse gives the root of a YAML text, or nil after a problem was reported.
func (r *reader) parse(text string) (root ast.Node) {
	if line, deep := tooDeep(text); deep {
		r.badLine(line, "brackets or dashes are nested more than %d deep", maxDepth)
		return nil
	}
	defer func() {
		if v := recover(); v != nil { // a bug of the parser is the file's problem, not the program's
			r.badLine(0, "this is not YAML that can be read (%v)", v)
			root = nil
		}
	}()
	f, err := parser.ParseBytes([]byte(text), 0)
	if err != nil {
		r.syntax(err)
		return nil
	}
	for _, d := range f.Docs {
		switch {
		case d.Body == nil:
		case root != nil:
			r.bad(d.Body, "a second document begins here; a file holds one")
			return nil
		default:
			root = d.Body
		}
	}
	if root == nil {
		r.badLine(0, "the file is empty")
	}
	return root
}

// syntax reports the parser's error, with what is mostly behind it.
func (r *reader) syntax(err error) {
	at, text := 0, err.Error()
	var bad *yaml.SyntaxError
	if errors.As(err, &bad) {
		text = bad.Message
		if bad.Token != nil && bad.Token.Position != nil {
			at = bad.Token.Position.Line
		}
	}
	switch {
	case strings.Contains(text, "mapping value is not allowed"):
		text += `; text that has ": " in it must stand in quotes`
	case strings.Contains(text, "reserved character"):
		text += "; text that begins with it must stand in quotes"
	case strings.Contains(text, "cannot start any token"):
		text += "; indent with spaces, not with tabs"
	case strings.Contains(text, "not found"), strings.Contains(text, "could not find"):
		text += "; something that was opened is not closed"
	}
	r.badLine(at, "not YAML: %s", text)
}

// tooDeep looks for nesting that no lesson has, before the parser meets it.
func tooDeep(text string) (line int, deep bool) {
	brackets := 0
	for i, l := range strings.Split(text, "\n") {
		dashes := 0
		for _, c := range l {
			switch c {
			case '[', '{':
				brackets++
			case ']', '}':
				brackets = max(0, brackets-1)
			case '-', '?', ':', '&', '!', '*', '|', '>':
				dashes++
			}
			if brackets > maxDepth {
				return i + 1, true
			}
		}
		if dashes > 20*maxDepth {
			return i + 1, true
		}
	}
	return 0, false
}

// mapping reads a mapping that has no other keys than these. It gives the nodes of the keys found, or
// nil when n is no mapping. A misspelt key counts as the one that was meant, once it has been reported:
// so nothing else is said to be missing on its account.
func (r *reader) mapping(what string, n ast.Node, fields ...field) map[string]ast.Node {
	m, ok := n.(*ast.MappingNode)
	if !ok {
		r.wrongType(what, n, "key: value pairs")
		return nil
	}
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	found := map[string]ast.Node{}
	for _, v := range m.Values {
		key, ok := r.key(v)
		if !ok {
			continue
		}
		i := slices.Index(names, key)
		if i < 0 {
			r.bad(v, "unknown key %q%s %s may have %s", key, orDot(meant(key, names)), capital(what), list(names))
			if i = slices.Index(names, nearest(key, names)); i < 0 || hasKey(m, names[i]) {
				continue
			}
			key = names[i]
		}
		found[key] = v.Value
		fields[i].read(key, v.Value)
	}
	for _, f := range fields {
		if f.must && found[f.name] == nil {
			r.bad(n, "%s lacks its %q", what, f.name)
		}
	}
	return found
}

func hasKey(m *ast.MappingNode, key string) bool {
	return slices.ContainsFunc(m.Values, func(v *ast.MappingValueNode) bool {
		k, _ := scalar(v.Key)
		return k == key
	})
}

// entries reads a mapping whose keys are names of the lesson's own, in order.
func (r *reader) entries(what string, n ast.Node, each func(name string, key, value ast.Node)) {
	if _, null := n.(*ast.NullNode); null {
		r.bad(n, "%s is empty", what)
		return
	}
	m, ok := n.(*ast.MappingNode)
	if !ok {
		r.wrongType(what, n, "name: value pairs")
		return
	}
	for _, v := range m.Values {
		if key, ok := r.key(v); ok {
			each(key, v.Key, v.Value)
		}
	}
}

// key is the text of a key. Merge keys are not part of a lesson.
func (r *reader) key(v *ast.MappingValueNode) (string, bool) {
	if s, ok := scalar(v.Key); ok {
		return s, true
	}
	if v.Key.IsMergeKey() {
		r.bad(v, "<< is not part of a lesson: write it out")
		return "", false
	}
	r.bad(v, "a key must be a plain word")
	return "", false
}

// items reads a list; a null is a problem, an empty list is none.
func (r *reader) items(what string, n ast.Node, each func(ast.Node)) int {
	s, ok := n.(*ast.SequenceNode)
	if !ok {
		r.wrongType(what, n, "a list")
		return 0
	}
	for _, v := range s.Values {
		each(v)
	}
	return len(s.Values)
}

// scalar is the text of a word, a number or a block of text as it was written.
func scalar(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		return n.Value.Value, true
	case *ast.MappingKeyNode:
		return scalar(n.Value)
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, true
	}
	return "", false
}

// wrongType reports a value of a wrong type.
func (r *reader) wrongType(what string, n ast.Node, want string) {
	switch n := n.(type) {
	case *ast.AliasNode:
		r.bad(n, "%s begins with *, which YAML reads as a reference: put it in quotes", what)
	case *ast.AnchorNode:
		r.bad(n, "%s begins with &, which YAML reads as a name: put it in quotes", what)
	case *ast.TagNode:
		r.bad(n, "%s begins with !, which YAML reads as a type: put it in quotes", what)
	case *ast.NullNode, nil:
		r.bad(n, "%s is empty; want %s", what, want)
	case *ast.MappingNode, *ast.MappingValueNode:
		r.bad(n, "%s wants %s, not key: value pairs (text with \": \" or {} in it must stand in quotes)", what, want)
	case *ast.SequenceNode:
		r.bad(n, "%s wants %s, not a list (text that begins with [ must stand in quotes)", what, want)
	default:
		text, _ := scalar(n)
		r.bad(n, "%s wants %s, not %q", what, want, shorten(text))
	}
}

// text reads a text that is not empty, without the line ends that a block of text has behind it.
func (r *reader) text(to *string) read {
	return func(what string, n ast.Node) {
		s, ok := scalar(n)
		switch {
		case !ok:
			r.wrongType(what, n, "a text")
		case strings.TrimSpace(s) == "":
			r.bad(n, "%s is empty", what)
		default:
			*to = strings.TrimRight(s, "\n")
		}
	}
}

// oneOf reads one of these words.
func (r *reader) oneOf(to *string, words ...string) read {
	return func(what string, n ast.Node) {
		var s string
		r.text(&s)(what, n)
		if s != "" && !slices.Contains(words, s) {
			r.bad(n, "%s may be %s, not %q%s", what, either(words), shorten(s), meant(s, words))
			return
		}
		*to = s
	}
}

// texts reads a list of texts, and gives each to check, which may be nil.
func (r *reader) texts(to *[]string, check func(s string, n ast.Node)) read {
	return func(what string, n ast.Node) {
		r.items(what, n, func(n ast.Node) {
			var s string
			r.text(&s)("an item of "+what, n)
			if s == "" {
				return
			}
			if slices.Contains(*to, s) {
				r.bad(n, "%s has %q twice", what, s)
				return
			}
			*to = append(*to, s)
			if check != nil {
				check(s, n)
			}
		})
	}
}

// number reads a whole number from least to most.
func (r *reader) number(to *int64, least, most int64) read {
	return func(what string, n ast.Node) {
		s, ok := scalar(n)
		if !ok {
			r.wrongType(what, n, "a whole number")
			return
		}
		v, err := strconv.ParseInt(s, 10, 64)
		switch {
		case err != nil:
			r.wrongType(what, n, "a whole number")
		case v < least || v > most:
			r.bad(n, "%s may be from %d to %d, not %d", what, least, most, v)
		default:
			*to = v
		}
	}
}

func orDot(s string) string {
	if s == "" {
		return "."
	}
	return s
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// shorten keeps a message on one line.
func shorten(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}
