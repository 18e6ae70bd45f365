package lessons

import (
	"os"
	"regexp"
	"testing"
	"testing/fstest"

	"pelscope/redisx/private/servertest"
)

// The lesson that the README shows as a pattern is one.
func TestTheLessonOfTheREADMEPasses(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := map[string][]byte{}
	for _, m := range regexp.MustCompile("(?s)```(yaml|markdown)\n(.*?)```").FindAllSubmatch(readme, -1) {
		blocks[string(m[1])] = m[2]
	}
	l, err := LoadDir(fstest.MapFS{
		"my-lesson/lesson.yaml": {Data: blocks["yaml"]},
		"my-lesson/en.md":       {Data: blocks["markdown"]},
	}, "my-lesson")
	if err != nil {
		t.Fatal(err)
	}
	servertest.Each(t, func(t *testing.T, srv servertest.Server) {
		if r, report := checked(t, l, srv, CheckOptions{}); !r.OK() {
			t.Errorf("%v\n%s", r.Failures, report)
		}
	})
}
