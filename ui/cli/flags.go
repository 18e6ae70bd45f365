package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pelscope/ui/theme"
)

// flags are those that every command knows.
type flags struct {
	server     string // embedded or private; empty chooses
	serverBin  string
	url        string
	learnHere  bool
	lessonsDir string
	theme      string
	ascii      bool
}

func (f *flags) register(root *cobra.Command) {
	p := root.PersistentFlags()
	p.StringVar(&f.server, "server", "", "where lessons run: private (a redis-server or valkey-server of our own) or embedded; the default is private where there is one")
	p.StringVar(&f.serverBin, "server-bin", "", "the redis-server or valkey-server to start for lessons")
	p.StringVar(&f.url, "url", "", "a server of yours: redis://, rediss://, valkey://, unix:// or HOST:PORT")
	p.BoolVar(&f.learnHere, "learn-here", false, "with --url: run lessons there, every key under a prefix of its own that is removed at the end")
	p.StringVar(&f.lessonsDir, "lessons", "", "a folder with more lessons")
	p.StringVar(&f.theme, "theme", "auto", "auto, dark, light or none")
	p.BoolVar(&f.ascii, "ascii", false, "draw with ASCII only")
}

// check refuses what can't go together.
func (f *flags) check() error {
	switch {
	case f.server != "" && f.server != "embedded" && f.server != "private":
		return usagef("--server is embedded or private, not %q", f.server)
	case f.server == "embedded" && f.serverBin != "":
		return usagef("--server embedded starts no program: leave --server-bin away")
	case strings.Contains(f.serverBin, "://"):
		return usagef("--server-bin is a program on this machine, not a server's address: that goes with --url")
	case f.learnHere && f.url == "":
		return usagef("--learn-here needs --url: the server that lessons may write to")
	case f.learnHere && (f.server != "" || f.serverBin != ""):
		return usagef("--learn-here uses the server of --url: leave --server and --server-bin away")
	case !slices.Contains([]string{"auto", "dark", "light", "none"}, f.theme):
		return usagef("--theme is auto, dark, light or none, not %q", f.theme)
	}
	return nil
}

// forLessons is check for commands that only run lessons.
func (f *flags) forLessons() error {
	if f.url != "" && !f.learnHere {
		return usagef("--url names a server to look at: with --learn-here too, lessons run on it")
	}
	return f.check()
}

// look works out colours and glyphs; fixed says that the terminal's background has no say.
func (f *flags) look(getenv func(string) string) (kind theme.Kind, fixed, ascii bool) {
	ascii = f.ascii || theme.NeedASCII(getenv)
	switch {
	case f.theme == "none", f.theme == "auto" && getenv("NO_COLOR") != "":
		return theme.None, true, ascii
	case f.theme == "light":
		return theme.Light, true, ascii
	}
	return theme.Dark, f.theme == "dark", ascii
}

// oneLine keeps a message on one line, with nothing in it that a terminal obeys.
func oneLine(s string) string {
	return theme.New(theme.None, false).Clean(strings.Join(strings.Fields(s), " "))
}
