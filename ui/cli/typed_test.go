package cli_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"pelscope/ui/cli"
)

// setting is what a command line is typed in. Its zero value is a pipe, with an empty environment.
type setting struct {
	env      map[string]string // PELSCOPE_STATE is a folder of the test's own unless it is here
	terminal bool
}

// answer is what a command line wrote, and its exit status.
type answer struct {
	out, err string
	status   int
}

// typed carries out a command line with no terminal and nothing in the environment.
func typed(t *testing.T, args ...string) answer {
	t.Helper()
	return setting{}.typed(t, args...)
}

func (s setting) typed(t *testing.T, args ...string) answer {
	t.Helper()
	env := map[string]string{"PELSCOPE_STATE": t.TempDir()}
	for name, value := range s.env {
		env[name] = value
	}
	var out, err bytes.Buffer
	status := cli.Run(t.Context(), cli.World{
		Args: args, Getenv: func(name string) string { return env[name] },
		Stdout: &out, Stderr: &err, Terminal: s.terminal, Now: time.Now,
	})
	return answer{out.String(), err.String(), status}
}

// worked gives what was written, and fails unless all went well.
func (a answer) worked(t *testing.T) string {
	t.Helper()
	if a.status != 0 || a.err != "" {
		t.Fatalf("exit status %d, on standard error %q, on standard output:\n%s", a.status, a.err, a.out)
	}
	return a.out
}

// refused gives the one line that says why not, and fails unless it is the only thing written.
func (a answer) refused(t *testing.T, status int) string {
	t.Helper()
	line, ok := strings.CutPrefix(a.err, "pelscope: ")
	if a.status != status || a.out != "" || !ok || strings.Count(line, "\n") != 1 || !strings.HasSuffix(line, "\n") {
		t.Errorf("exit status %d, want %d and one line on standard error alone; it wrote %q and there %q", a.status, status, a.out, a.err)
	}
	return strings.TrimSuffix(line, "\n")
}

// has fails for each of these texts that is not in s.
func has(t *testing.T, s string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(s, text) {
			t.Errorf("nothing says %q in\n%s", text, s)
		}
	}
}

// hasNot fails for each of these texts that is in s.
func hasNot(t *testing.T, s string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(s, text) {
			t.Errorf("there should be no %q in\n%s", text, s)
		}
	}
}
