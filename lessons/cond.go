package lessons

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"pelscope/redisx/state"
)

// Cond is a condition on what was seen. Exactly one of its forms is used:
//
//	{cell: pending(alice), is: 0}           also: at-least, at-most, unchanged: true, changed: true
//	{change: "+pending(*) bob x1"}          a change of this look, as Notation writes it; * is anything
//	{reply: "(nil)"}                        the last reply, as redis-cli prints it; * is anything
//	{sent: "alice> XACK orders workers *"}  a command since the look before; * is anything
//	{all: […]}  {any: […]}  {not: …}
type Cond struct {
	All, Any []Cond
	Not      *Cond

	Cell      *Cell
	Is        *string
	AtLeast   *int64 // a number; for idle, seconds
	AtMost    *int64
	Unchanged bool
	Changed   bool

	Change string
	Reply  string
	Sent   string
}

// Look is what a condition is judged on: two States, what was sent between them and what it changed.
type Look struct {
	Before, After state.State
	Changes       []string // as Notation writes them
	Sent          []string // "actor> COMMAND …", as typed
	Reply         string   // the last reply as redis-cli prints it; empty when there was none
	Home          state.Place
	Ledger        string
	Saved         map[string]string // $name → text
}

// Holds says whether the condition holds at a look.
func (c Cond) Holds(l Look) bool {
	switch {
	case len(c.All) > 0:
		for _, x := range c.All {
			if !x.Holds(l) {
				return false
			}
		}
		return true
	case len(c.Any) > 0:
		for _, x := range c.Any {
			if x.Holds(l) {
				return true
			}
		}
		return false
	case c.Not != nil:
		return !c.Not.Holds(l)
	case c.Cell != nil:
		return c.cellHolds(l)
	case c.Change != "":
		return anyMatches(l.expand(c.Change), l.Changes)
	case c.Reply != "":
		return Glob(l.expand(c.Reply), l.Reply)
	case c.Sent != "":
		return anyMatches(l.expand(c.Sent), l.Sent)
	}
	return false
}

func (c Cond) cellHolds(l Look) bool {
	cell := Cell{Name: c.Cell.Name, Arg: l.expand(c.Cell.Arg)}
	now := cell.Value(l.After, l.Home, l.Ledger)
	switch {
	case c.Unchanged:
		return now == cell.Value(l.Before, l.Home, l.Ledger)
	case c.Changed:
		return now != cell.Value(l.Before, l.Home, l.Ledger)
	case c.Is != nil:
		return SameValue(now, l.expand(*c.Is))
	}
	n, ok := number(now)
	if !ok {
		return false
	}
	return (c.AtLeast == nil || n >= *c.AtLeast) && (c.AtMost == nil || n <= *c.AtMost)
}

// expand puts saved replies in for $name.
func (l Look) expand(s string) string { return Expand(s, l.Saved) }

// Expand puts the saved texts in for $name; a longer name goes before a shorter one that begins it.
func Expand(s string, saved map[string]string) string {
	if !strings.Contains(s, "$") || len(saved) == 0 {
		return s
	}
	return savedName.ReplaceAllStringFunc(s, func(m string) string {
		if v, ok := saved[m[1:]]; ok {
			return v
		}
		return m
	})
}

// Only names that begin with a letter: the id "$" of XREAD and XGROUP is not one.
var savedName = regexp.MustCompile(`\$[A-Za-z][A-Za-z0-9_]*`)

// SameValue compares two texts of a cell as a learner means them: 2 and 2-0 are the same id, 0 and 0s
// the same time, and case and spaces do not count.
func SameValue(a, b string) bool { return canonical(a) == canonical(b) }

func canonical(s string) string {
	s = strings.ToLower(strings.TrimSpace(s))
	if id, err := state.ParseID(s); err == nil && strings.Contains(s, "-") {
		if id.Seq == 0 {
			return strconv.FormatUint(id.MS, 10)
		}
		return id.String()
	}
	if d, err := time.ParseDuration(s); err == nil {
		return strconv.FormatInt(int64(d/time.Second), 10)
	}
	switch s {
	case "no", "nobody", "nothing", "-", "nil", "(nil)":
		return none
	}
	return s
}

func number(s string) (int64, bool) {
	n, err := strconv.ParseInt(canonical(s), 10, 64)
	return n, err == nil
}

func anyMatches(pattern string, list []string) bool {
	for _, s := range list {
		if Glob(pattern, s) {
			return true
		}
	}
	return false
}

// Glob matches s against pattern, in which * stands for any text and everything else for itself.
func Glob(pattern, s string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == s
	}
	if !strings.HasPrefix(s, parts[0]) {
		return false
	}
	s = s[len(parts[0]):]
	last := len(parts) - 1
	for _, p := range parts[1:last] {
		i := strings.Index(s, p)
		if i < 0 {
			return false
		}
		s = s[i+len(p):]
	}
	return len(s) >= len(parts[last]) && strings.HasSuffix(s, parts[last])
}
