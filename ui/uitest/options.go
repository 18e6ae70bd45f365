package uitest

import (
	"image/color"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
)

type config struct {
	w, h    int
	profile colorprofile.Profile
	env     []string
	ground  color.Color
	program []tea.ProgramOption
}

// Option changes the terminal that Start makes: by default 120×36, true colour, dark.
type Option func(*config)

// Size is the screen's columns and lines.
func Size(w, h int) Option { return func(c *config) { c.w, c.h = w, h } }

// NoColor is a terminal whose user set NO_COLOR.
func NoColor() Option {
	return func(c *config) {
		c.profile = colorprofile.ASCII
		c.env = append(c.env, "NO_COLOR=1")
	}
}

// Light is a terminal with a light background, as it answers when asked.
func Light() Option { return func(c *config) { c.ground = color.RGBA{0xfa, 0xfa, 0xfa, 0xff} } }

// Env is an environment variable of the program, as NAME=VALUE.
func Env(nameValue string) Option { return func(c *config) { c.env = append(c.env, nameValue) } }

// Program adds an option of Bubble Tea's own.
func Program(o tea.ProgramOption) Option { return func(c *config) { c.program = append(c.program, o) } }
