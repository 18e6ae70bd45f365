package lessons

import (
	"slices"
	"strings"
	"testing"
)

// goalsOver judges goals on looks told by the changes they bring ("a b" is one look with two), and tells
// after each which are reached (and, with !, broken).
func goalsOver(goals []Goal, looks ...string) []string {
	s := &Session{}
	s.goals = newGoals(&Step{Goals: goals})
	var out []string
	for _, l := range looks {
		s.judge(Look{Changes: strings.Fields(l)})
		var now []string
		for _, g := range s.goalStates() {
			if g.Reached {
				now = append(now, g.ID)
			}
			if g.Broken {
				now = append(now, "!"+g.ID)
			}
		}
		out = append(out, strings.Join(now, " "))
	}
	return out
}

func TestGoals(t *testing.T) {
	on := func(change string) *Cond { return &Cond{Change: change} }
	either := func(changes ...string) *Cond {
		c := &Cond{}
		for _, x := range changes {
			c.Any = append(c.Any, Cond{Change: x})
		}
		return c
	}
	for _, c := range []struct {
		name  string
		goals []Goal
		looks []string
		want  []string
	}{
		{"what holds once is reached for good", []Goal{{ID: "g", When: on("a")}}, []string{"", "a", ""}, []string{"", "g", "g"}},
		{"until loses it again", []Goal{{ID: "g", When: on("a"), Until: on("u")}},
			[]string{"a", "u", "", "a"}, []string{"g", "", "", "g"}},
		{"seen wants the order", []Goal{{ID: "g", Seen: []Cond{{Change: "a"}, {Change: "b"}}}},
			[]string{"b", "a", "", "b"}, []string{"", "", "", "g"}},
		{"seen in one look", []Goal{{ID: "g", Seen: []Cond{{Change: "a"}, {Change: "b"}}}}, []string{"b a"}, []string{"g"}},
		{"seen and when together", []Goal{{ID: "g", Seen: []Cond{{Change: "a"}}, When: on("b")}},
			[]string{"b", "a", "b"}, []string{"", "", "g"}},
		{"always is reached with the others", []Goal{{ID: "g", When: on("a")}, {ID: "c", Always: either("a", "ok")}},
			[]string{"ok", "a", ""}, []string{"", "g c", "g !c"}},
		{"always broken stays broken", []Goal{{ID: "g", When: on("a")}, {ID: "c", Always: either("a", "ok")}},
			[]string{"ok", "", "a"}, []string{"", "!c", "g !c"}},
		{"never", []Goal{{ID: "g", When: on("a")}, {ID: "n", Never: on("x")}}, []string{"", "a", "x"}, []string{"", "g n", "g !n"}},
		{"never before", []Goal{{ID: "g", When: on("a")}, {ID: "n", Never: on("x")}}, []string{"x", "a"}, []string{"!n", "g !n"}},
		{"never beside a goal's own condition", []Goal{{ID: "g", When: on("a"), Never: on("x")}},
			[]string{"x", "a"}, []string{"!g", "!g"}},
		{"guards alone are reached at once", []Goal{{ID: "n", Never: on("x")}}, []string{""}, []string{"n"}},
		{"lost goals take guards along", []Goal{{ID: "g", When: on("a"), Until: on("u")}, {ID: "n", Never: on("x")}},
			[]string{"a", "u"}, []string{"g n", ""}},
	} {
		if got := goalsOver(c.goals, c.looks...); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestChangesAreMatchedOneToOne(t *testing.T) {
	for _, c := range []struct {
		patterns, lines, missing, extra string
	}{
		{"a b", "b a", "", ""},
		{"a", "a b", "", "b"},
		{"a b", "a", "b", ""},
		{"* a", "a b", "", ""}, // the star gives way
		{"* a*", "ab c", "", ""},
		{"a*", "a1 a2", "", "a2"},
		{"a* a*", "a1", "a*", ""},
		{"a a", "a", "a", ""},
	} {
		patterns, lines := strings.Fields(c.patterns), strings.Fields(c.lines)
		missing, extra := match(patterns, lines)
		pick := func(from []string, at []int) string {
			var out []string
			for _, i := range at {
				out = append(out, from[i])
			}
			return strings.Join(out, " ")
		}
		if m, e := pick(patterns, missing), pick(lines, extra); m != c.missing || e != c.extra {
			t.Errorf("%s against %s: missing %q, extra %q", c.patterns, c.lines, m, e)
		}
	}
}

func TestTheFirstHintThatFitsIsSaid(t *testing.T) {
	two := int64(2)
	s := &Session{lesson: &Lesson{Steps: []Step{{Hints: []Hint{
		{If: &Cond{Cell: &Cell{Name: "length"}, AtLeast: &two}, Say: "long"},
		{If: &Cond{Change: "x"}, Say: "x"},
	}}}}}
	s.publish()
	if say, ok := s.Hint(); ok {
		t.Error(say)
	}
	s.lastLook = Look{Changes: []string{"x"}}
	s.publish()
	if say, ok := s.Hint(); say != "x" || !ok {
		t.Error(say, ok)
	}
}
