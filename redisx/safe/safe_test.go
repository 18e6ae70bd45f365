package safe_test

import (
	"errors"
	"strings"
	"testing"

	"pelscope/redisx/safe"
)

func TestAPanicIsHandedOverInsteadOfEndingTheProcess(t *testing.T) {
	failed := make(chan error, 1)
	safe.Go(func(err error) { failed <- err }, func() { panic("boom") })
	err := <-failed
	var p *safe.PanicError
	if !errors.As(err, &p) {
		t.Fatalf("got %T, want *PanicError", err)
	}
	if p.Error() != "internal error: boom" {
		t.Errorf("message %q", p.Error())
	}
	if !strings.Contains(string(p.Stack), "safe_test") {
		t.Error("the stack does not lead to the place that panicked")
	}
}

func TestWithoutAPanicNobodyIsTold(t *testing.T) {
	done := make(chan struct{})
	safe.Go(func(error) { t.Error("told of a panic that was none") }, func() { close(done) })
	<-done
}
