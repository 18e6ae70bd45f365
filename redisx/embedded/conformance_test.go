package embedded_test

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"pelscope/redisx/private/servertest"
	"pelscope/redisx/resp"
)

// The files of testdata that are not about streams hold scenarios in the form that
// stream_conformance_test.go describes. A line may begin with one word more, which says how its reply
// is compared: @like (only its kind, because the content is the server's own), @unordered (elements in
// any order).

func plainScenarioFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	files = slices.DeleteFunc(files, func(f string) bool { return strings.HasPrefix(filepath.Base(f), "stream-") })
	if err != nil || len(files) == 0 {
		t.Fatal("no scenarios", err)
	}
	return files
}

// sameReply says where two replies differ, or "".
func sameReply(how string, want, got resp.Value) string {
	switch how {
	case "@like":
		if want.Kind != got.Kind {
			return fmt.Sprintf("%v and %v", want.Kind, got.Kind)
		}
		return ""
	case "@unordered":
		sortElems(want)
		sortElems(got)
	}
	return differ(want, got)
}

func sortElems(v resp.Value) {
	for _, e := range v.Elems {
		sortElems(e)
	}
	slices.SortFunc(v.Elems, func(a, b resp.Value) int { return cmp.Compare(show(a), show(b)) })
}

// play runs a scenario on a real server and on the engine in lockstep and compares every reply.
func play(t *testing.T, file string, sc scenario, want, got place, proto string) {
	a, b := want.session(t), got.session(t)
	defer a.close()
	defer b.close()
	for _, s := range []*session{a, b} {
		s.on("observer").do("FLUSHALL")
		s.on("observer").do("SCRIPT", "FLUSH")
		s.on("observer").do("CONFIG", "SET", "notify-keyspace-events", "")
		s.on("").do("HELLO", proto)
	}
	for _, l := range sc.lines {
		how := ""
		if l.args[0] == "@like" || l.args[0] == "@unordered" {
			how, l.args = l.args[0], l.args[1:]
		}
		var y resp.Value
		var okY bool
		var other sync.WaitGroup
		other.Go(func() { y, okY = b.run(l) })
		x, okX := a.run(l)
		other.Wait()
		d := ""
		switch {
		case okX != okY:
			d = fmt.Sprintf("%s replied: %v, %s replied: %v", want.name, okX, got.name, okY)
		case okX:
			d = sameReply(how, x, y)
		}
		if d != "" {
			t.Errorf("%s:%d: %s\n%s\n%s: %s\n%s: %s", file, l.no, l.text, d, want.name, show(x), got.name, show(y))
		}
	}
}

func TestCommandsAnswerAsRealServersDo(t *testing.T) {
	servertest.Each(t, func(t *testing.T, srv servertest.Server) {
		newest := srv.AtLeast(8, 6)
		for _, file := range plainScenarioFiles(t) {
			for _, sc := range readScenarios(t, file) {
				if !newest && !sc.all {
					continue
				}
				for _, proto := range []string{"2", "3"} {
					t.Run(filepath.Base(file)+"/"+sc.title+"/RESP"+proto, func(t *testing.T) {
						play(t, file, sc, realPlace(t, srv), enginePlace(t), proto)
					})
				}
			}
		}
	})
}
