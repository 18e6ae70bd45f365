package assets_test

import (
	"bytes"
	"context"
	"sync"
	"testing"
	"time"

	"pelscope/assets"
	"pelscope/lessons"
	"pelscope/redisx/client"
	"pelscope/redisx/private/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }

// Every lesson says what every server does: its changes, its answers, its solutions, its wrong ways.
func TestLessonsOnRealServers(t *testing.T) {
	all, err := lessons.LoadAll(assets.Lessons, "lessons")
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup // a lesson mostly waits, so all are played at once, each on its own server
	results := make(chan func(), 1000)
	for _, b := range servertest.Binaries(t) {
		for _, l := range all {
			to, err := client.Parse(servertest.On(t, b).URL())
			if err != nil {
				t.Fatal(err)
			}
			running.Go(func() {
				tell := check(l, to)
				results <- func() { t.Run(l.ID+" on "+b.String(), tell) }
			})
		}
	}
	running.Wait()
	close(results)
	for run := range results {
		run()
	}
}

// check plays one lesson and gives the test that tells how it went.
func check(l *lessons.Lesson, to client.Target) func(*testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	connect := func(ctx context.Context) (*client.Client, error) {
		return client.Open(ctx, to, client.Options{Write: true})
	}
	var report bytes.Buffer
	r, err := lessons.Check(ctx, l, connect, &report, lessons.CheckOptions{})
	return func(t *testing.T) {
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Failures {
			t.Error(f)
		}
		for _, s := range r.Skipped {
			t.Errorf("skipped %s: %s", s.Step, s.Why)
		}
		if t.Failed() {
			t.Logf("\n%s", report.String())
		}
	}
}
