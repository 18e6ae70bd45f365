package cli_test

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pelscope/redisx/private/servertest"
)

// folder is one for --lessons with the README's lesson in it, whose lesson.yaml is changed by replacing texts.
func folder(t *testing.T, replace ...string) string {
	t.Helper()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "my-lesson"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, language := range map[string]string{"lesson.yaml": "yaml", "en.md": "markdown"} {
		_, text, _ := strings.Cut(string(readme), "```"+language+"\n")
		text, _, _ = strings.Cut(text, "```\n")
		if name == "lesson.yaml" {
			for i := 0; i < len(replace); i += 2 {
				has(t, text, replace[i])
			}
			text = strings.NewReplacer(replace...).Replace(text)
		}
		if err := os.WriteFile(filepath.Join(dir, "my-lesson", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// ids gives the first word of each line.
func ids(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		out = append(out, strings.Fields(line)[0])
	}
	return out
}

func TestListNamesEveryLessonInTheirOrder(t *testing.T) {
	five := []string{"normal", "crash-then-zero", "handover", "slow-consumer", "dead-letter"}
	out := typed(t, "lessons", "list").worked(t)
	if got := ids(out); !slices.Equal(got, five) {
		t.Errorf("listed are %q, want %q", got, five)
	}
	for line := range strings.Lines(out) {
		if !regexp.MustCompile(`^\S+ +0 of +\d+ +\d+ min  \S.*\n$`).MatchString(line) {
			t.Errorf("a line is %q", line)
		}
	}
	out = typed(t, "lessons", "list", "--lessons", folder(t)).worked(t)
	if got, want := ids(out), append(five, "my-lesson"); !slices.Equal(got, want) {
		t.Errorf("listed are %q, want %q", got, want)
	}
	has(t, out, "0 of  1   5 min  My lesson\n")
}

// It runs where it was told to; PELSCOPE_URL and REDIS_URL, where nobody answers, have no say.
func TestALessonThatIsRightPassesItsCheck(t *testing.T) {
	env := map[string]string{"PELSCOPE_URL": "127.0.0.1:1", "REDIS_URL": "127.0.0.1:1"}
	out := setting{env: env}.typed(t, "lessons", "check", "normal", "--server", "embedded").worked(t)
	has(t, out, "lesson normal: ", "server embedded engine, as Redis ", "run 2 of 2 from fresh", "alice> XREADGROUP GROUP workers alice",
		"+pending(1-0) alice x1", "lesson normal on embedded engine, as Redis", " passed: ")
	hasNot(t, out, "FAILED", "is skipped", "lesson handover")
	harmless(t, out)
}

func TestTheReadmesLessonPassesItsCheckOnEveryServer(t *testing.T) {
	dir := folder(t)
	one := `^my-lesson on (embedded engine, as )?(Redis|Valkey) \S+: 1 steps, \d+ changes, 0 failures\n$`
	if out := typed(t, "lessons", "check", "-q", "--lessons", dir, "my-lesson", "--server", "embedded").worked(t); !regexp.MustCompile(one).MatchString(out) {
		t.Error(out)
	}
	for _, b := range servertest.Binaries(t) {
		out := typed(t, "lessons", "check", "-q", "--lessons", dir, "my-lesson", "--server-bin", b.Path).worked(t)
		if !regexp.MustCompile(one).MatchString(out) || !strings.Contains(out, b.String()) {
			t.Errorf("on %s: %s", b, out)
		}
	}
}

func TestALessonThatDiffersFailsItsCheckAtTheStep(t *testing.T) {
	dir := folder(t, "deliveries(1-0) 1 -> 2", "deliveries(1-0) 1 -> 3")
	for _, flag := range []string{"--quiet", "--quiet=false"} {
		a := typed(t, "lessons", "check", flag, "--server", "embedded", "--lessons", dir, "my-lesson")
		if a.status != 1 || a.err != "" {
			t.Errorf("exit status %d, want 1; %q", a.status, a.err)
		}
		has(t, a.out, "my-lesson/again: ", "deliveries(1-0) 1 -> 3", "deliveries(1-0) 1 -> 2")
	}
}

func TestOneThatDiffersKeepsNoOtherFromBeingChecked(t *testing.T) {
	dir := folder(t, "redelivered(1-0)", "redelivered(2-0)")
	a := typed(t, "lessons", "check", "-q", "--server", "embedded", "--lessons", dir, "my-lesson", "dead-letter")
	if a.status != 1 || a.err != "" {
		t.Errorf("exit status %d, want 1; %q", a.status, a.err)
	}
	has(t, a.out, "my-lesson/again: ", "dead-letter on embedded engine")
	hasNot(t, a.out, "dead-letter/")
}

func TestAMistakeInALessonIsToldWithItsLine(t *testing.T) {
	dir := folder(t, "    changes:", "    chnages:", "minutes: 5", "minutes: soon")
	first, second := "my-lesson/lesson.yaml:2: minutes wants a whole number", `my-lesson/lesson.yaml:15: unknown key "chnages"; did you mean "changes"?`
	for _, args := range []string{"", "learn", "learn my-lesson", "lessons list", "explore 127.0.0.1:1"} {
		line := typed(t, append(strings.Fields(args), "--lessons", dir)...).refused(t, 2)
		has(t, line, "--lessons "+dir+": "+first, "(and 1 more problem: pelscope lessons check lists all)")
	}
	a := typed(t, "lessons", "check", "--lessons", dir)
	if lines := strings.Split(a.out, "\n"); len(lines) != 3 || !strings.HasPrefix(lines[0], first) || !strings.HasPrefix(lines[1], second) {
		t.Errorf("not both problems, a line each:\n%s", a.out)
	}
	has(t, answer{err: a.err, status: a.status}.refused(t, 2), first)
}

func TestALessonWithAnIDThatIsTakenIsRefused(t *testing.T) {
	dir := folder(t, "id: my-lesson", "id: normal")
	if err := os.Rename(filepath.Join(dir, "my-lesson"), filepath.Join(dir, "normal")); err != nil {
		t.Fatal(err)
	}
	has(t, typed(t, "lessons", "list", "--lessons", dir).refused(t, 2), `normal/lesson.yaml: there is a lesson "normal" already`)
}

// contents gives every key of a server with its value, exactly.
func contents(t *testing.T, srv servertest.Server) map[string]string {
	t.Helper()
	c := srv.Client(t)
	all := map[string]string{}
	for _, key := range send(t, c, "KEYS", "*").([]any) {
		all[key.(string)] = send(t, c, "DUMP", key.(string)).(string)
	}
	return all
}

// The server has keys of the very names that the lesson uses.
func TestALessonOnASharedServerTouchesNoOtherKeyAndLeavesNoneOfItsOwn(t *testing.T) {
	servertest.Each(t, func(t *testing.T, srv servertest.Server) {
		ordersHalfDone(t, srv)
		do(t, srv.Client(t), "RPUSH charges A17", "SET pelscope:mine 1", "XGROUP CREATE orders-dlq workers 0 MKSTREAM")
		before := contents(t, srv)
		for name, address := range map[string]string{
			"its own prefix is enough": as(t, srv, "learner", "~pelscope:????????:*", "+@all"),
			"nothing keeps it":         srv.URL(),
		} {
			out := typed(t, "lessons", "check", "dead-letter", "--learn-here", "--url", address).worked(t)
			has(t, out, "lesson dead-letter on "+srv.Name+" passed: ")
			if after := contents(t, srv); !reflect.DeepEqual(before, after) {
				t.Errorf("%s: it was\n%q\nand is\n%q", name, before, after)
			}
		}
	})
}

func TestALessonThatFailsOnASharedServerLeavesNoKeyEither(t *testing.T) {
	dirs := []string{folder(t, "1 -> 2", "1 -> 3"), folder(t, "  - XGROUP CREATE orders workers 0\n", "  - XGROUP CREATE orders others 0\n")}
	servertest.Each(t, func(t *testing.T, srv servertest.Server) {
		for _, dir := range dirs {
			a := typed(t, "lessons", "check", "-q", "my-lesson", "--lessons", dir, "--learn-here", "--url", srv.URL())
			if a.status != 1 || a.err != "" {
				t.Errorf("exit status %d, want 1; %q", a.status, a.err)
			}
			hasNot(t, a.out, "0 failures")
			if left := contents(t, srv); len(left) != 0 {
				t.Errorf("left are %q", left)
			}
		}
	})
}
