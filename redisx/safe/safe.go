// Package safe is the one place where a goroutine starts.
//
// A panic in a goroutine that nobody recovers ends the whole process and leaves the terminal in
// raw mode (and, under a shared server, takes every other session along). So everything in this
// module starts its goroutines here. The package imports nothing of ours; everybody may import it.
package safe

import (
	"fmt"
	"runtime/debug"
)

// PanicError is a recovered panic of a goroutine: what was panicked with, and the stack at that place.
type PanicError struct {
	Value any
	Stack []byte
}

// Error names the panic without its stack; the stack is for a log, not for a status line.
func (e *PanicError) Error() string { return fmt.Sprintf("internal error: %v", e.Value) }

// Go runs f in a new goroutine. When f panics, the panic is recovered and given to failed as a
// *PanicError; failed may be nil when there is nobody to tell.
func Go(failed func(error), f func()) {
	go func() {
		defer Recover(failed)
		f()
	}()
}

// Recover is to be deferred: it turns a panic into a *PanicError given to failed.
func Recover(failed func(error)) {
	v := recover()
	if v == nil || failed == nil {
		return
	}
	failed(&PanicError{Value: v, Stack: debug.Stack()})
}
