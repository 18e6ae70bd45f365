package lessons

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func TestProgressIsThereAfterOpeningAgain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	p := openProgress(t, dir)
	right := Answer{Key: "deliveries(1-0)", Given: "2", Right: true}
	unknown := Answer{Key: "q1"}
	later := noon.Add(time.Hour)
	noErr(t, p.StepDone("crash", "read", noon.In(time.FixedZone("KST", 9*3600)), right, unknown))
	noErr(t, p.StepDone("crash", "read", later))
	noErr(t, p.SolutionSeen("crash", "challenge", noon))
	noErr(t, p.SolutionSeen("crash", "challenge", later))
	noErr(t, p.ChallengeDone("crash", "challenge", later))
	noErr(t, p.ChallengeDone("normal", "challenge", later))

	want := LessonProgress{Steps: map[string]StepProgress{
		"read":      {First: noon, Last: later, Answers: []Answer{right, unknown}},
		"challenge": {First: later, Last: later, SolutionSeen: noon},
	}}
	for name, p := range map[string]*Progress{"the same": p, "opened again": openProgress(t, dir)} {
		if diff := cmp.Diff(want, p.Of("crash")); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
		if len(p.Of("handover").Steps) != 0 {
			t.Errorf("%s: something of a lesson never begun", name)
		}
	}
	if crash, normal := p.Of("crash").Steps["challenge"], p.Of("normal").Steps["challenge"]; crash.Unaided() || !normal.Unaided() {
		t.Error("a challenge whose solution was seen is not solved unaided; the other one is")
	}
}

func TestResetForgetsOneLesson(t *testing.T) {
	dir := t.TempDir()
	p := openProgress(t, dir)
	noErr(t, p.StepDone("a", "s", noon))
	noErr(t, p.StepDone("b", "s", noon))
	noErr(t, p.Reset("a"))
	p = openProgress(t, dir)
	if p.Of("a").Steps["s"].Done() || !p.Of("b").Steps["s"].Done() {
		t.Errorf("a: %v, b: %v", p.Of("a"), p.Of("b"))
	}
}

func TestOfIsACopy(t *testing.T) {
	p := openProgress(t, "")
	noErr(t, p.StepDone("a", "s", noon, Answer{Key: "q"}))
	l := p.Of("a")
	l.Steps["s"].Answers[0].Key = "other"
	l.Steps["t"] = StepProgress{First: noon}
	if got := p.Of("a"); len(got.Steps) != 1 || got.Steps["s"].Answers[0].Key != "q" {
		t.Errorf("altered from outside: %v", got)
	}
}

func TestWritersLoseNothingOfEachOther(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for w := range 4 {
		p := openProgress(t, dir) // as four programs: each has its own view and its own lock
		for g := range 2 {
			wg.Go(func() {
				for i := range 5 {
					if err := p.StepDone("a", fmt.Sprintf("w%d-g%d-%d", w, g, i), noon); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	wg.Wait()
	if got := len(openProgress(t, dir).Of("a").Steps); got != 40 {
		t.Errorf("%d of 40 steps are there", got)
	}
}

// TestAKilledWriterLosesNothing kills another process that writes without a pause: what it has said
// to be written is there, and the file can be read and written.
func TestAKilledWriterLosesNothing(t *testing.T) {
	if dir := os.Getenv("PELSCOPE_TEST_WRITE"); dir != "" {
		p := openProgress(t, dir)
		for i := 0; ; i++ {
			noErr(t, p.StepDone("a", fmt.Sprint("step-", i), noon))
			fmt.Printf("wrote step-%d\n", i)
		}
	}
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestAKilledWriterLosesNothing$")
	cmd.Env = append(os.Environ(), "PELSCOPE_TEST_WRITE="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ours := openProgress(t, dir)
	last := 0
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if _, err := fmt.Sscanf(lines.Text(), "wrote step-%d", &last); err != nil {
			t.Fatalf("the writer said %q", lines.Text())
		}
		if last%10 == 0 {
			noErr(t, ours.StepDone("b", fmt.Sprint("step-", last), noon))
		}
		if last == 40 {
			break
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait() // killed: its error is the signal
	p := openProgress(t, dir)
	if err := p.Broken(); err != nil {
		t.Fatal(err)
	}
	for i := range last + 1 {
		if !p.Of("a").Steps[fmt.Sprint("step-", i)].Done() {
			t.Fatalf("step-%d of %d was written and is not there", i, last)
		}
	}
	if n := len(p.Of("b").Steps); n != 5 {
		t.Errorf("%d of our 5 steps are there", n)
	}
	noErr(t, p.StepDone("a", "after", noon))
}

func TestAHalfWrittenNewFileDoesNotMatter(t *testing.T) {
	dir := t.TempDir()
	noErr(t, openProgress(t, dir).StepDone("a", "s", noon))
	writeFile(t, filepath.Join(dir, "progress.json.new"), `{"version": 1, "less`)
	p := openProgress(t, dir)
	noErr(t, p.StepDone("a", "t", noon))
	if n := len(openProgress(t, dir).Of("a").Steps); n != 2 || p.Broken() != nil {
		t.Errorf("%d steps, broken %v", n, p.Broken())
	}
}

func TestABrokenFileIsKeptAsideAndSaid(t *testing.T) {
	for _, text := range []string{"", "{", "[]", `{"version": 1}x`, `{"lessons": {}}`, `{"version": "1"}`, `{"version": 1, "lessons": [1]}`, "\x00\x00\x00"} {
		dir := t.TempDir()
		file := filepath.Join(dir, "progress.json")
		for i := 1; i <= 2; i++ {
			writeFile(t, file, text)
			p := openProgress(t, dir)
			kept := fmt.Sprintf("%s.broken-%d", file, i)
			var broken *BrokenProgressError
			if err := p.Broken(); !errors.As(err, &broken) || broken.Kept != kept || !strings.Contains(err.Error(), kept) {
				t.Errorf("%q: it says %v", text, err)
			}
			if got, err := os.ReadFile(kept); err != nil || string(got) != text {
				t.Errorf("%q: kept %q, %v", text, got, err)
			}
			noErr(t, p.StepDone("a", "s", noon))
			if p := openProgress(t, dir); p.Broken() != nil || !p.Of("a").Steps["s"].Done() {
				t.Errorf("%q: afterwards %v", text, p.Broken())
			}
		}
	}
}

func TestAFileBrokenMeanwhileIsWrittenAgain(t *testing.T) {
	dir := t.TempDir()
	p := openProgress(t, dir)
	noErr(t, p.StepDone("a", "s", noon))
	writeFile(t, filepath.Join(dir, "progress.json"), "oops")
	noErr(t, p.StepDone("a", "t", noon))
	if p.Broken() == nil {
		t.Error("it is not said")
	}
	if n := len(openProgress(t, dir).Of("a").Steps); n != 2 {
		t.Errorf("%d of 2 steps are there", n)
	}
}

func TestAFileOfANewerProgramIsLeftAlone(t *testing.T) {
	for _, text := range []string{`{"version": 2, "lessons": {}}`, `{"version": 3, "lessons": "elsewhere"}`} {
		dir := t.TempDir()
		file := filepath.Join(dir, "progress.json")
		writeFile(t, file, text)
		p, err := OpenProgress(dir)
		var newer *NewerProgressError
		if !errors.As(err, &newer) || newer.Path != file {
			t.Errorf("opening: %v", err)
		}
		if err := p.StepDone("a", "s", noon); !errors.As(err, &newer) {
			t.Errorf("writing: %v", err)
		}
		if !p.Of("a").Steps["s"].Done() {
			t.Error("it is not even kept in memory")
		}
		if got, _ := os.ReadFile(file); string(got) != text {
			t.Errorf("the file is now %q", got)
		}
	}
}

func TestWhatCouldNotBeWrittenIsWrittenLater(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	writeFile(t, dir, "a file where the folder should be")
	p, err := OpenProgress(dir)
	if err == nil {
		t.Fatal("no error")
	}
	if err := p.StepDone("a", "s", noon); err == nil {
		t.Error("no error in writing")
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	noErr(t, p.StepDone("a", "t", noon))
	if n := len(openProgress(t, dir).Of("a").Steps); n != 2 {
		t.Errorf("%d of 2 steps are there", n)
	}
}

func TestALockThatIsNeverGivenBackIsAnError(t *testing.T) {
	dir := t.TempDir()
	unlock, err := lockProgress(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	synctest.Test(t, func(t *testing.T) {
		if _, err := OpenProgress(dir); err == nil || !strings.Contains(err.Error(), "progress.lock") {
			t.Errorf("got %v", err)
		}
	})
}

func TestProgressIsTheLearnersOwn(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // permissions are not these there
	}
	dir := filepath.Join(t.TempDir(), "pelscope")
	noErr(t, openProgress(t, dir).StepDone("a", "s", noon))
	for name, want := range map[string]os.FileMode{".": 0o700, "progress.json": 0o600, "progress.lock": 0o600} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v", name, info.Mode(), err)
		}
	}
}

func TestWithoutAFolderNothingIsWritten(t *testing.T) {
	t.Chdir(t.TempDir())
	p := openProgress(t, "")
	noErr(t, p.StepDone("a", "s", noon))
	if !p.Of("a").Steps["s"].Done() {
		t.Error("not in memory")
	}
	if files, _ := os.ReadDir("."); len(files) != 0 {
		t.Errorf("there is %v", files)
	}
}

func TestStateDir(t *testing.T) {
	abs := t.TempDir()
	for _, c := range []struct {
		goos string
		env  map[string]string
		want string
	}{
		{"linux", map[string]string{"PELSCOPE_STATE": "here", "XDG_STATE_HOME": abs, "HOME": abs}, "here"},
		{"linux", map[string]string{"XDG_STATE_HOME": abs, "HOME": "/h"}, filepath.Join(abs, "pelscope")},
		{"linux", map[string]string{"XDG_STATE_HOME": "relative", "HOME": abs}, filepath.Join(abs, ".local", "state", "pelscope")},
		{"darwin", map[string]string{"HOME": abs}, filepath.Join(abs, ".local", "state", "pelscope")},
		{"windows", map[string]string{"LOCALAPPDATA": abs, "HOME": "/h"}, filepath.Join(abs, "pelscope")},
		{"windows", map[string]string{"HOME": "/h"}, ""},
		{"linux", nil, ""},
	} {
		got, err := StateDir(c.goos, func(k string) string { return c.env[k] })
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s %v: %q, %v", c.goos, c.env, got, err)
		}
	}
}

func openProgress(t *testing.T, dir string) *Progress {
	t.Helper()
	p, err := OpenProgress(dir)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func noErr(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
