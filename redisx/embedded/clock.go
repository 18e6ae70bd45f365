package embedded

import "time"

// Clock is where the engine takes the time from: timestamps of entries, idle times, expiry and the
// time-outs of blocked clients.
type Clock interface {
	// Now is the current time; the engine uses its milliseconds.
	Now() time.Time
	// AfterFunc calls f, in a goroutine of its own or of whoever moves the clock, when d has passed.
	// The returned function prevents that and says whether it was in time.
	AfterFunc(d time.Duration, f func()) (stop func() bool)
}

// realClock is package time, which is virtual within a bubble of testing/synctest.
type realClock struct{}

func (realClock) Now() time.Time { return time.Now() }

func (realClock) AfterFunc(d time.Duration, f func()) (stop func() bool) {
	return time.AfterFunc(d, f).Stop
}
