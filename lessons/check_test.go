package lessons

import (
	"context"
	"os"
	"strings"
	"testing"

	"pelscope/redisx/client"
	"pelscope/redisx/private/servertest"
)

// good is the small whole lesson of testdata.
func good(t *testing.T) *Lesson {
	t.Helper()
	l, err := LoadDir(os.DirFS("testdata"), "good")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// to connects to a server as the program does for a lesson.
func to(t testing.TB, s servertest.Server) func(context.Context) (*client.Client, error) {
	t.Helper()
	target, err := client.Parse(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	return func(ctx context.Context) (*client.Client, error) {
		return client.Open(ctx, target, client.Options{Write: true, Name: "pelscope"})
	}
}

func TestAGoodLessonPassesOnEveryServer(t *testing.T) {
	l := good(t)
	servertest.Each(t, func(t *testing.T, srv servertest.Server) {
		for _, prefix := range []string{"", "pelscope:learn:"} {
			var report strings.Builder
			r, err := Check(t.Context(), l, to(t, srv), &report, CheckOptions{Prefix: prefix})
			if err != nil {
				t.Fatalf("%v\n%s", err, &report)
			}
			if !r.OK() || len(r.Skipped) > 0 {
				t.Errorf("failures %v, skipped %v\n%s", r.Failures, r.Skipped, &report)
			}
			t.Logf("%+v\n%s", r, &report)
		}
	})
}
