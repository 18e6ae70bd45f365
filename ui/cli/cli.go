package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"charm.land/fang/v2"
	"github.com/spf13/cobra"
)

// Version is what --version says.
const Version = "0.1.0"

// The exit statuses besides 0.
const (
	exitFailed = 1
	exitUsage  = 2
)

// World is what the command line stands in.
type World struct {
	Args           []string // without the program's name
	Getenv         func(string) string
	Environ        []string
	Stdin          *os.File
	Stdout, Stderr io.Writer
	Terminal       bool // standard output and input are a terminal
	Now            func() time.Time
}

// usageError is a mistake on the command line: exit status 2.
type usageError struct {
	text string
	all  []error // everything that is wrong, where text tells only the first of several things
}

func (e *usageError) Error() string { return e.text }

func usagef(format string, args ...any) error {
	return &usageError{text: fmt.Sprintf(format, args...)}
}

// failure is an error that was told already: only the exit status is left of it.
type failure struct{ status int }

func (f failure) Error() string { return "failed" }

// Run carries out a command line and gives the exit status.
func Run(ctx context.Context, w World) int {
	root := rootCommand(&w)
	root.SetArgs(append([]string{}, w.Args...)) // nil would be the program's own
	root.SetOut(w.Stdout)
	root.SetErr(w.Stderr)
	root.SilenceErrors, root.SilenceUsage = true, true
	root.InitDefaultCompletionCmd() // now and not when it runs, so that its mistakes are caught too
	var failed error
	catch(root, &failed)
	if err := w.execute(ctx, root); err != nil {
		failed = usagef("%v", err) // cobra's own: what we know of is caught
	}
	return w.status(failed)
}

// execute runs cobra with fang's help and manual page. Fang asks the terminal for its background, which
// a dumb one shows as rubbish, so there cobra is alone.
func (w *World) execute(ctx context.Context, root *cobra.Command) error {
	if w.Getenv("TERM") == "dumb" {
		root.Version = Version
		return root.ExecuteContext(ctx)
	}
	return fang.Execute(ctx, root,
		fang.WithVersion(Version), fang.WithErrorHandler(func(io.Writer, fang.Styles, error) {}))
}

// status tells an error in one clear line and gives its exit status.
func (w *World) status(err error) int {
	var told failure
	var usage *usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &told):
		return told.status
	case errors.As(err, &usage):
		w.complain(usage.text)
		return exitUsage
	}
	w.complain(err.Error())
	return exitFailed
}

func (w *World) complain(text string) {
	_, _ = fmt.Fprintln(w.Stderr, "pelscope: "+oneLine(w.hide(text))) // there is nobody left to tell that this failed
}

// hide replaces what may be a password where a text quotes an argument or a server of the environment:
// a server given in a wrong place, say.
func (w *World) hide(text string) string {
	quotable := append(slices.Clone(w.Args), w.Getenv("PELSCOPE_URL"), w.Getenv("REDIS_URL"))
	for _, s := range w.Args {
		if _, value, ok := strings.Cut(s, "="); ok && strings.HasPrefix(s, "-") {
			quotable = append(quotable, value)
		}
	}
	for _, s := range quotable {
		if _, rest, ok := strings.Cut(s, "://"); ok {
			s = rest
		}
		at := strings.LastIndex(s, "@")
		if at <= 0 {
			continue
		}
		quoted := strconv.Quote(s[:at+1])
		spaced := strings.Join(strings.Fields(s[:at+1]), " ") // as in a text that was put on one line already
		text = strings.NewReplacer(s[:at+1], "***@", quoted[1:len(quoted)-1], "***@", spaced, "***@").Replace(text)
	}
	return text
}

func rootCommand(w *World) *cobra.Command {
	var f flags
	root := &cobra.Command{
		Use:   "pelscope [SERVER]",
		Short: "See what a Redis Streams consumer group is doing, and learn it",
		Long: "pelscope shows a consumer group's cursor and its pending entries, live and read-only, and teaches them " +
			"with lessons that run real commands and show what each one changed.\n\n" +
			"Without a server it opens the lessons.",
		Example: "  pelscope                             # lessons, and everything else\n" +
			"  pelscope redis://10.0.3.7:6379       # explore a server, read-only\n" +
			"  pelscope learn crash-then-zero       # one lesson\n" +
			"  pelscope state localhost:6379 orders # one look, printed",
		Args: cobra.MatchAll(startsWithServer, cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return w.explore(cmd.Context(), &f, place{server: args[0], argument: true})
			}
			if f.url != "" && !f.learnHere {
				return w.explore(cmd.Context(), &f, place{server: f.url})
			}
			return w.home(cmd.Context(), &f, "")
		},
	}
	f.register(root)
	root.SetHelpCommand(helpCommand())
	root.AddCommand(learnCommand(w, &f), exploreCommand(w, &f), lessonsCommand(w, &f), stateCommand(w, &f), engineCommand(w))
	return root
}

// startsWithServer tells a server from a mistyped command.
func startsWithServer(_ *cobra.Command, args []string) error {
	if len(args) > 0 && args[0] != "" && !strings.ContainsAny(args[0], ":/") {
		return usagef("%q is neither a command nor a server: a server holds a ':' or a '/', such as %s:6379", args[0], args[0])
	}
	return nil
}

func learnCommand(w *World, f *flags) *cobra.Command {
	return &cobra.Command{
		Use:     "learn [LESSON]",
		Short:   "Begin a lesson, or choose one",
		Example: "  pelscope learn\n  pelscope learn normal --server embedded",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			lesson := ""
			if len(args) == 1 {
				lesson = args[0]
			}
			return w.home(cmd.Context(), f, lesson)
		},
	}
}

func exploreCommand(w *World, f *flags) *cobra.Command {
	var to place
	cmd := &cobra.Command{
		Use:     "explore [SERVER]",
		Short:   "Watch a stream and its groups, read-only",
		Long:    "Watch a stream and its groups, read-only. Without SERVER it is the one in PELSCOPE_URL, else in REDIS_URL.",
		Example: "  pelscope explore redis://10.0.3.7:6379 --stream orders --group settlement",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if to.group != "" && to.stream == "" {
				return usagef("--group needs --stream: which stream is the group of?")
			}
			switch {
			case len(args) == 1:
				to.server, to.argument = args[0], true
			case f.url != "" && !f.learnHere:
				to.server = f.url
			default:
				to.server, to.from = w.serverFromEnv()
			}
			if to.from == "" && to.server == "" && !to.argument {
				return usagef("which server? pelscope explore HOST:PORT, or set PELSCOPE_URL or REDIS_URL")
			}
			return w.explore(cmd.Context(), f, to)
		},
	}
	cmd.Flags().StringVar(&to.stream, "stream", "", "the stream to open; without it you choose")
	cmd.Flags().StringVar(&to.group, "group", "", "the group to open; without it the one with the most pending")
	return cmd
}

// place is what is to be explored.
type place struct {
	server        string
	argument      bool   // server stands on the command line by itself, not behind --url
	from          string // the environment variable that server comes from
	stream, group string // empty: to be chosen
}

func (w *World) serverFromEnv() (server, from string) {
	for _, name := range []string{"PELSCOPE_URL", "REDIS_URL"} {
		if s := w.Getenv(name); s != "" {
			return s, name
		}
	}
	return "", ""
}
