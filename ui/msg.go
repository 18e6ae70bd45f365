package ui

import (
	"time"

	"pelscope/lessons"
	"pelscope/redisx/client"
	"pelscope/redisx/state"
)

// clockMsg tells the local time, once a second.
type clockMsg struct{ at time.Time }

// pollMsg says that it is time to look again, if gen is still the current generation.
type pollMsg struct{ gen int }

// observedMsg is the answer to a look of the explorer.
type observedMsg struct {
	gen   int
	state state.State
	cost  client.Cost
	err   error
	at    time.Time
}

// connectedMsg is the answer to connecting to a server for the explorer.
type connectedMsg struct {
	client *client.Client
	typed  string // what was typed, to be mended; it may hold a password and is shown nowhere else
	err    error
}

// streamsMsg lists the streams of the explorer's server.
type streamsMsg struct {
	client *client.Client
	names  []string
	more   bool
	err    error
}

// entryMsg is one entry whole.
type entryMsg struct {
	id    state.ID
	entry state.Entry
	found bool
	err   error
}

// labMsg says that the server for lessons is there.
type labMsg struct {
	lab *Lab
	err error
}

// startedMsg says that a lesson has begun.
type startedMsg struct {
	gen     int
	session *lessons.Session
	err     error
}

// actedMsg says that an operation on the lesson is done. What it brought is in the Session.
type actedMsg struct {
	gen     int
	what    action
	outcome lessons.Outcome
	err     error
}

// watchedMsg says that the lesson's server was looked at again.
type watchedMsg struct {
	gen int
	err error
}

// waitMsg moves the bar of a wait on.
type waitMsg struct {
	gen int
	at  time.Time
}
