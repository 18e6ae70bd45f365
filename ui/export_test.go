package ui

import (
	"pelscope/lessons"
	"pelscope/redisx/state"
	"pelscope/ui/intent"
)

// noProgress keeps nothing on disk.
func noProgress() *lessons.Progress {
	p, err := lessons.OpenProgress("")
	if err != nil {
		panic(err) // keeping nothing cannot fail
	}
	return p
}

// Busy says whether an operation of the lesson is under way.
func (m *Model) Busy() bool { return m.learn != nil && m.learn.Running() }

// Chosen is the answer that is taken of a prediction's question; empty for none.
func (m *Model) Chosen() string { return m.learn.Guess().Choice }

// Expand puts a lesson's saved replies into a command.
func (m *Model) Expand(args []string) []string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = m.le.session.Expand(a)
	}
	return out
}

// Actor is who types at the prompt.
func (m *Model) Actor() string { return m.learn.ActorName() }

// Keys is what the lesson's keys hold on the server.
func (m *Model) Keys() state.State {
	s := m.le.session.State()
	s.Clients = nil
	return s
}

// NoProgress keeps nothing on disk.
func NoProgress() *lessons.Progress { return noProgress() }

// HidePassword is hidePassword.
func HidePassword(address string) (shown, password string) { return hidePassword(address) }

// PutPassword is putPassword.
func PutPassword(address, password string) string { return putPassword(address, password) }

// Mode is what the keyboard is for now. Only a bubble in which nothing else runs may ask.
func (m *Model) Mode() intent.Mode { return m.mode() }
