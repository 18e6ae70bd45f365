package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
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
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

func usagef(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// failure is an error that was told already: only the exit status is left of it.
type failure struct{ status int }

func (f failure) Error() string { return "failed" }

// Run carries out a command line and gives the exit status.
func Run(ctx context.Context, w World) int {
	root := rootCommand(&w)
	root.SetArgs(w.Args)
	root.SetOut(w.Stdout)
	root.SetErr(w.Stderr)
	err := fang.Execute(ctx, root,
		fang.WithVersion(Version), fang.WithErrorHandler(func(io.Writer, fang.Styles, error) {}))
	return w.status(err)
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
	case isCobraUsage(err):
		w.complain(err.Error() + "; pelscope --help tells what there is")
		return exitUsage
	}
	w.complain(err.Error())
	return exitFailed
}

func (w *World) complain(text string) {
	_, _ = fmt.Fprintln(w.Stderr, "pelscope: "+oneLine(text)) // there is nobody left to tell that this failed
}

// isCobraUsage tells mistakes in flags and arguments, which cobra has no type for.
func isCobraUsage(err error) bool {
	for _, prefix := range []string{"flag needs an argument", "unknown flag", "unknown shorthand flag", "unknown command", "invalid argument", "accepts ", "requires ", "bad flag syntax"} {
		if strings.HasPrefix(err.Error(), prefix) {
			return true
		}
	}
	return false
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
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				if !looksLikeServer(args[0]) {
					return usagef("%q is neither a command nor a server: a server holds a ':' or a '/', such as %s:6379", args[0], args[0])
				}
				return w.explore(cmd.Context(), &f, args[0], "", "")
			}
			if f.url != "" && !f.learnHere {
				return w.explore(cmd.Context(), &f, f.url, "", "")
			}
			return w.home(cmd.Context(), &f, "")
		},
	}
	f.register(root)
	root.AddCommand(learnCommand(w, &f), exploreCommand(w, &f), lessonsCommand(w, &f), stateCommand(w, &f))
	return root
}

// looksLikeServer tells a server from a mistyped command.
func looksLikeServer(s string) bool { return strings.ContainsAny(s, ":/") }

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
	var stream, group string
	cmd := &cobra.Command{
		Use:     "explore [SERVER]",
		Short:   "Watch a stream and its groups, read-only",
		Long:    "Watch a stream and its groups, read-only. Without SERVER it is the one in PELSCOPE_URL, else in REDIS_URL.",
		Example: "  pelscope explore redis://10.0.3.7:6379 --stream orders --group settlement",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			server := f.url
			if len(args) == 1 {
				server = args[0]
			}
			if server == "" {
				server = w.serverFromEnv()
			}
			if server == "" {
				return usagef("which server? pelscope explore HOST:PORT, or set PELSCOPE_URL or REDIS_URL")
			}
			return w.explore(cmd.Context(), f, server, stream, group)
		},
	}
	cmd.Flags().StringVar(&stream, "stream", "", "the stream to open; without it you choose")
	cmd.Flags().StringVar(&group, "group", "", "the group to open; without it the first by name")
	return cmd
}

func (w *World) serverFromEnv() string {
	if s := w.Getenv("PELSCOPE_URL"); s != "" {
		return s
	}
	return w.Getenv("REDIS_URL")
}
