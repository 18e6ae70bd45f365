package intent_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"pelscope/ui/intent"
)

const (
	begin = "<!-- keys: written by go test ./ui/intent -readme -->\n"
	end   = "<!-- end of keys -->"
)

// The README's table of keys is the code's.
func TestREADMEHasTheKeysThatWork(t *testing.T) {
	const path = "../../README.md"
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(src), begin)
	old, tail, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("README.md has no place for the keys: want %q and %q", begin, end)
	}
	want := "\n" + intent.Markdown()
	if old == want {
		return
	}
	if f := flag.Lookup("readme"); f != nil && f.Value.String() == "true" {
		if err := os.WriteFile(path, []byte(head+begin+want+end+tail), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Error("the table of keys in README.md is stale: go test ./ui/intent -readme")
}

var _ = flag.Bool("readme", false, "write the table of keys into README.md")
