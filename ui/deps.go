package ui

import (
	"context"
	"time"

	"pelscope/lessons"
	"pelscope/redisx/client"
	"pelscope/ui/theme"
)

// Lab is the server that lessons run on.
type Lab struct {
	Client *client.Client
	Name   string // what the screen says of it: "embedded engine", "private server, Redis 7.0.15"
	Prefix string // before every key, on a server that is not ours alone
	Close  func() error
}

// Deps is what the program is given: the world outside, so that the whole program also runs on a
// virtual screen under a virtual clock.
type Deps struct {
	Now     func() time.Time
	OpenLab func(ctx context.Context) (*Lab, error)                          // the server for lessons, opened when first needed
	Connect func(ctx context.Context, server string) (*client.Client, error) // a server to explore, read-only

	Lessons  []*lessons.Lesson
	Progress *lessons.Progress
	Notice   string // something to tell at the start, such as a progress file that could not be read

	Theme      theme.Kind
	ThemeFixed bool // do not follow the terminal's background
	ASCII      bool

	// Where to begin: Server is explored when it is not nil (Stream and Group may be empty), else Lesson
	// begins when it is named, else the home screen is shown.
	Server        *client.Client
	Stream, Group string
	Lesson        string
}
