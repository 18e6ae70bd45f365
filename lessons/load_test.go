package lessons

import (
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/charmbracelet/x/exp/golden"
	"github.com/google/go-cmp/cmp"

	"pelscope/redisx/resp"
)

func TestAGoodLessonLoadsAsItStands(t *testing.T) {
	l, err := LoadDir(os.DirFS("testdata"), "good")
	if err != nil {
		t.Fatal(err)
	}
	words := l.Words
	l.Words = nil
	if diff := cmp.Diff(goodLesson(), l); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if len(words) != 2 || words["ko"].Title != "좋은 레슨" {
		t.Errorf("want English and Korean words, got %v", words)
	}
	en := words["en"]
	if want := "Three orders wait in the stream `orders`; **alice** and **bob** work for one group."; en.Summary != want {
		t.Errorf("summary %q", en.Summary)
	}
	want := StepWords{
		Title: "Alice reads with 0", Story: "She is back, under her old name, and reads with `0`.",
		Why:  "The same entries came again, and were counted as delivered again:\n\n```\n1-0  alice  x2\n2-0  alice  x2\n```",
		Asks: map[string]string{"cursor": "Where is the cursor after this?"},
		Options: map[string]OptionWords{
			"stays": {"It stays where it is.", "A read with `0` reads her PEL, not the stream."},
			"back":  {"It goes back to the start.", "The cursor is the group's, and `0` does not touch it."},
		},
		Goals: map[string]string{}, Hints: map[string]string{},
		Code: []Code{{Title: "go-redis", Lang: "go", Source: "rdb.XReadGroup(ctx, &redis.XReadGroupArgs{\n" +
			"\tGroup: \"workers\", Consumer: \"alice\", Streams: []string{\"orders\", \"0\"},\n})\n"}},
	}
	if diff := cmp.Diff(want, en.Steps["again"]); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func goodLesson() *Lesson {
	args := func(line string) []string {
		a, err := resp.Split(line)
		if err != nil {
			panic(err)
		}
		return a
	}
	sent := func(actor, line string) Action { return Action{Actor: actor, Args: args(line)} }
	event := func(e Event) Action { return Action{Event: &e} }
	cell := func(name, arg string) *Cell { return &Cell{Name: name, Arg: arg} }
	text := func(s string) *string { return &s }
	two := int64(2)
	return &Lesson{
		ID: "good", Minutes: 3, Needs: Needs{Commands: []string{"XREADGROUP"}},
		Clauses: []Clause{
			{"N1", "a crashed worker's connection is gone and its entries stay in its PEL"},
			{"N2", "a read with 0 gives them again, moves no cursor, and is a delivery"},
		},
		World: []Thing{
			{Name: "orders", Kind: "stream", Groups: []WorldGroup{{"workers", []string{"alice", "bob"}}}},
			{Name: "charges", Kind: "ledger"},
		},
		Seed: []Action{
			sent("", "XADD orders 1-0 event A17 amount 49000"), sent("", "XADD orders 2-0 event A18 amount 12000"),
			sent("", "XADD orders 3-0 event A19 amount 7000"), sent("", "XGROUP CREATE orders workers 0"),
		},
		Steps: []Step{
			{ID: "look", Line: 17},
			{ID: "read", Line: 18, As: "alice",
				Do:      []Action{sent("alice", "XREADGROUP GROUP workers alice COUNT 2 STREAMS orders >")},
				Changes: []Expected{{Text: "cursor 0-0 -> 2-0"}, {Text: "+pending(1-0) alice x1"}, {Text: "+pending(2-0) alice x1"}}},
			{ID: "crash", Line: 22,
				Do:      []Action{sent("alice", `RPUSH charges "A17 alice"`), event(Event{Kind: EventCrash, Who: "alice"})},
				Changes: []Expected{{Text: "+key(charges) list"}, {Text: `list(charges) +"A17 alice"`}, {Text: "-client(alice)"}},
				Shows:   []string{"N1"}},
			{ID: "again", Line: 28, As: "alice",
				Do: []Action{event(Event{Kind: EventStart, Who: "alice"}), event(Event{Kind: EventIdle, Who: "alice", For: time.Second}),
					sent("alice", "XREADGROUP GROUP workers alice STREAMS orders 0")},
				Predict: &Predict{
					Cells: []Cell{{"cursor", ""}, {"deliveries", "1-0"}, {"pending", "alice"}},
					Choice: &Choice{Ask: "cursor", Options: []Option{
						{"right", "stays", Cond{Cell: cell("cursor", ""), Unchanged: true}},
						{"zero-rereads-the-stream", "back", Cond{Cell: cell("cursor", ""), Is: text("0-0")}},
					}},
				},
				Changes: []Expected{{Text: "deliveries(1-0) 1 -> 2"}, {Text: "deliveries(2-0) 1 -> 2"},
					{Text: "redelivered(1-0)"}, {Text: "redelivered(2-0)"}, {Text: "+client(alice)"}},
				Shows: []string{"N2"}},
			{ID: "challenge", Line: 48, As: "alice",
				Goals: []Goal{
					{ID: "drained", When: &Cond{Cell: cell("pending", ""), Is: text("0")}},
					{ID: "order", Seen: []Cond{{Change: "-pending(1-0) alice"}, {Change: "-pending(3-0) *"}}},
					{ID: "kept", Never: &Cond{Cell: cell("consumer", "alice"), Is: text("absent")}},
				},
				Hints: []Hint{{If: &Cond{Cell: cell("pending", "alice"), AtLeast: &two}, Say: "ack"}, {Say: "rest"}},
				Solutions: [][]Action{{sent("alice", "XACK orders workers 1-0 2-0"),
					sent("bob", "XREADGROUP GROUP workers bob STREAMS orders >"),
					{Actor: "bob", Args: args("XACK orders workers 3-0"), Reply: "(integer) 1"}}},
				Wrong: []Wrong{{Do: []Action{sent("alice", "XGROUP DELCONSUMER orders workers alice")}, Fails: "kept"}}},
		},
	}
}

// goodFiles is the good lesson with some texts replaced: pairs of old and new, in lesson.yaml or, where
// old begins with "en:", in en.md.
func goodFiles(t testing.TB, replace ...string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	for _, name := range []string{"good/lesson.yaml", "good/en.md", "good/ko.md"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: text, Mode: 0o644}
	}
	for i := 0; i < len(replace); i += 2 {
		name, old := "good/lesson.yaml", replace[i]
		if rest, ok := strings.CutPrefix(old, "en:"); ok {
			name, old = "good/en.md", rest
		}
		before := string(files[name].Data)
		if strings.Count(before, old) == 0 {
			t.Fatalf("%s has no %q", name, old)
		}
		files[name].Data = []byte(strings.Replace(before, old, replace[i+1], 1))
	}
	return files
}

// TestProblems is the table of what can be wrong; its golden file shows each with its message.
func TestProblems(t *testing.T) {
	var out strings.Builder
	shown := strings.NewReplacer("\n", "\n     ", "\xf6", `\xf6`, "\x1b", `\x1b`)
	for _, c := range slices.Concat(fileProblems(), keyProblems(), worldProblems(), stepProblems(), goalProblems(), wordsProblems()) {
		l, err := LoadDir(goodFiles(t, c.replace...), "good")
		if err == nil || l != nil {
			t.Errorf("%s: no error", c.name)
			continue
		}
		for i := 0; i < len(c.replace); i += 2 {
			out.WriteString("  " + strings.TrimSpace(c.replace[i]) + "\n  => " + shown.Replace(c.replace[i+1]) + "\n")
		}
		out.WriteString(err.Error() + "\n\n")
	}
	golden.RequireEqual(t, out.String())
}

func TestEveryProblemOfAFileIsTold(t *testing.T) {
	_, err := LoadDir(goodFiles(t, "minutes: 3", "minutes: soon", "shows: [N1]", "shows: [N7]", "fails: kept", "fails: keep", "en:### goal order", "### goal odrer"), "good")
	got := strings.Split(err.Error(), "\n")
	var lines []string
	for _, g := range got {
		at, _, _ := strings.Cut(g, ": ")
		lines = append(lines, at)
	}
	want := "good/lesson.yaml:3 good/lesson.yaml:6 good/lesson.yaml:27 good/lesson.yaml:62 good/en.md:46"
	if strings.Join(lines, " ") != want {
		t.Errorf("want problems at %s, got\n%v", want, err)
	}
}

func TestWhatEditorsOnWindowsAddDoesNotMatter(t *testing.T) {
	files := goodFiles(t)
	for _, f := range files {
		f.Data = []byte("\ufeff" + strings.ReplaceAll(string(f.Data), "\n", "\r\n"))
	}
	l, err := LoadDir(files, "good")
	if err != nil {
		t.Fatal(err)
	}
	l.Words = nil
	if diff := cmp.Diff(goodLesson(), l); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestProblemsAreBounded(t *testing.T) {
	files := goodFiles(t)
	files["good/lesson.yaml"].Data = append(files["good/lesson.yaml"].Data, []byte(strings.Repeat("  - {id: x, rnu: y}\n", 500))...)
	_, err := LoadDir(files, "good")
	if n := strings.Count(err.Error(), "\n") + 1; n > 3*(maxProblems+1) {
		t.Errorf("%d problems told", n)
	}
	if !strings.Contains(err.Error(), "more problems") {
		t.Error("it does not say that there are more")
	}
}

func TestAFolderThatIsNoLesson(t *testing.T) {
	for name, files := range map[string]fstest.MapFS{
		"nothing":   {"good": {Mode: fs.ModeDir | 0o755}},
		"a folder":  {"good/lesson.yaml": {Mode: fs.ModeDir | 0o755}},
		"too big":   {"good/lesson.yaml": {Data: make([]byte, maxFileSize+1)}},
		"no folder": {},
	} {
		if l, err := LoadDir(files, "good"); err == nil || l != nil || !strings.HasPrefix(err.Error(), "good/") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLoadAllKeepsTheOrder(t *testing.T) {
	files := manyLessons(t, map[string]string{"a": "needs: {lessons: [d]}", "b": "", "c": "needs: {lessons: [x]}", "d": ""})
	files["root/order.yaml"] = &fstest.MapFile{Data: []byte("[c, a]")}
	list, err := LoadAll(files, "root", "x")
	if err != nil {
		t.Fatal(err)
	}
	if got := ids(list); got != "c d a b" {
		t.Errorf("order %q", got)
	}
}

func TestLoadAllGivesTheGoodOnesAndEveryProblem(t *testing.T) {
	files := manyLessons(t, map[string]string{"a": "mintues: 3", "b": "", "c": "needs: {lessons: [e]}", "d": "needs: {lessons: [f]}", "f": "needs: {lessons: [d]}", "x": ""})
	files["root/order.yaml"] = &fstest.MapFile{Data: []byte("- b\n- bb\n")}
	list, err := LoadAll(files, "root", "x")
	if got := ids(list); got != "b c f d" {
		t.Errorf("loaded %q", got)
	}
	golden.RequireEqual(t, err.Error()+"\n")
}

// manyLessons are copies of the good lesson, with a line each in the place of their needs.
func manyLessons(t *testing.T, needs map[string]string) fstest.MapFS {
	files := fstest.MapFS{}
	for id, line := range needs {
		for name, f := range goodFiles(t, "id: good", "id: "+id, "needs: {commands: [XREADGROUP]}", line) {
			files["root/"+id+strings.TrimPrefix(name, "good")] = f
		}
	}
	return files
}

func ids(list []*Lesson) string {
	var out []string
	for _, l := range list {
		out = append(out, l.ID)
	}
	return strings.Join(out, " ")
}

func FuzzLoad(f *testing.F) {
	yaml, err := os.ReadFile("testdata/good/lesson.yaml")
	if err != nil {
		f.Fatal(err)
	}
	words, err := os.ReadFile("testdata/good/en.md")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(yaml), string(words))
	for _, s := range []string{"", "a", "- a", "{", "steps: [{}]", "steps:\n- do: [{}, '', 'x> ', {event: {}}]", "world: {a: {stream: {groups: {b: [c]}}}}",
		"id: &a good\nminutes: *a", "steps: [{id: a, goals: [{}], hints: [{}], wrong: [{}], solutions: [[]]}]", "? a\n: b", "<<: {id: good}", "id: |\n", "--- |\n x",
		strings.Repeat("[", 5000), strings.Repeat("- ", 5000), strings.Repeat("{a: ", 5000), "steps: [{predict: {cells: ['a(', 'owner(x', 'cursor(/)'], choice: {options: [{when: {all: [{}]}}]}}}]"} {
		f.Add(s, string(words))
	}
	for _, s := range []string{"# ", "## a:", "### why", "# a\n## b: c\n### code go: x\n```\n```", "# a\n```", "# `a ``b` **c", "# a\n## b: c\n### option x\n\n\n"} {
		f.Add(string(yaml), s)
	}
	f.Fuzz(func(t *testing.T, yaml, words string) {
		files := fstest.MapFS{"good/lesson.yaml": {Data: []byte(yaml)}, "good/en.md": {Data: []byte(words)}}
		l, err := LoadDir(files, "good")
		if (l == nil) == (err == nil) {
			t.Errorf("lesson %v, error %v", l, err)
		}
	})
}
