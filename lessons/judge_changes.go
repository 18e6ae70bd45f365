package lessons

import (
	"fmt"
	"strings"

	"pelscope/redisx/state"
)

// valid says whether an expected change is expected on a server with these features.
func (e Expected) valid(has func(string) bool) bool {
	return (e.Feature == "" || has(e.Feature)) && (e.Without == "" || !has(e.Without))
}

// strayed says how a step's changes differ from those that it lists.
func (s *Session) strayed(step *Step, o Outcome) []string {
	if len(step.Do) == 0 {
		return nil
	}
	var want []string
	for _, e := range step.Changes {
		if e.valid(s.c.Features().Has) {
			want = append(want, Expand(e.Text, s.saved))
		}
	}
	var got []string
	derived := map[int]bool{}
	for _, c := range o.Changes {
		// What SkipWait aged may or may not be listed: without it nothing would have been seen.
		derived[len(got)] = c.Kind().Derived() || c.Kind() == state.KindRedelivered && o.aged[c.Place()]
		got = append(got, state.Notation(c, s.home))
	}
	missing, extra := match(want, got)
	var out []string
	for _, i := range missing {
		out = append(out, "missing change: "+want[i])
	}
	for _, i := range extra {
		if !derived[i] {
			out = append(out, "unexpected change: "+got[i])
		}
	}
	return out
}

// match pairs patterns with lines, each with at most one, so that as many as possible are paired, and
// gives the places of those that are left.
func match(patterns, lines []string) (missing, extra []int) {
	by := make([]int, len(lines)) // the pattern that has the line, -1 none
	for i := range by {
		by[i] = -1
	}
	for p := range patterns {
		if !place(p, patterns, lines, by, make([]bool, len(lines))) {
			missing = append(missing, p)
		}
	}
	for i, p := range by {
		if p < 0 {
			extra = append(extra, i)
		}
	}
	return missing, extra
}

// place finds a line for pattern p, moving others where that helps (Kuhn's augmenting paths).
func place(p int, patterns, lines []string, by []int, tried []bool) bool {
	for i, line := range lines {
		if tried[i] || !Glob(patterns[p], line) {
			continue
		}
		tried[i] = true
		if by[i] < 0 || place(by[i], patterns, lines, by, tried) {
			by[i] = p
			return true
		}
	}
	return false
}

// anonymous writes $name in place of saved ids, so that two runs can be compared.
func anonymous(line string, saved map[string]string) string {
	for name, text := range saved {
		if _, err := state.ParseID(text); err == nil && strings.Contains(text, "-") {
			line = strings.ReplaceAll(line, text, "$"+name)
		}
	}
	return line
}

// rightOption recomputes which options hold, and says what is wrong with the question; empty when
// exactly the right one holds.
func rightOption(c *Choice, l Look) []string {
	var out []string
	rights := 0
	for _, option := range c.Options {
		holds := option.When.Holds(l)
		switch {
		case option.Is == "right" && !holds:
			out = append(out, fmt.Sprintf("question %s: the option marked right does not hold", c.Ask))
		case option.Is != "right" && holds:
			out = append(out, fmt.Sprintf("question %s: the option %s holds, but is not marked right", c.Ask, option.Is))
		}
		if option.Is == "right" {
			rights++
		}
	}
	if rights != 1 {
		out = append(out, fmt.Sprintf("question %s: %d options are marked right", c.Ask, rights))
	}
	return out
}
