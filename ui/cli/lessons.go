package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"pelscope/lessons"
)

func lessonsCommand(w *World, f *flags) *cobra.Command {
	cmd := &cobra.Command{Use: "lessons", Short: "List the lessons, or check them without a screen"}
	list := &cobra.Command{
		Use: "list", Short: "Name every lesson", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return w.listLessons(f) },
	}
	var quiet bool
	check := &cobra.Command{
		Use:   "check [LESSON…]",
		Short: "Run lessons without a screen and verify all that they say",
		Long: "Runs each lesson twice from fresh and verifies every change, reply and prediction, every solution and every " +
			"wrong way, and undo from every step. Prints each exact command with its changes. Exit status 1 when anything differs.",
		Example: "  pelscope lessons check\n  pelscope lessons check crash-then-zero --server embedded\n  pelscope lessons check --url redis://localhost:6379 --learn-here",
		RunE: func(cmd *cobra.Command, args []string) error {
			return w.checkLessons(cmd.Context(), f, args, quiet)
		},
	}
	check.Flags().BoolVarP(&quiet, "quiet", "q", false, "print only what differs, and the counts")
	cmd.AddCommand(list, check)
	return cmd
}

func (w *World) listLessons(f *flags) error {
	if err := f.check(); err != nil {
		return err
	}
	all, err := w.lessons(f)
	if err != nil {
		return err
	}
	progress, _ := w.progress()
	for _, l := range all {
		done := 0
		of := progress.Of(l.ID)
		for _, s := range l.Steps {
			if of.Steps[s.ID].Done() {
				done++
			}
		}
		title := l.ID
		if words, ok := l.Words["en"]; ok {
			title = words.Title
		}
		if _, err := fmt.Fprintf(w.Stdout, "%-18s %2d of %2d  %2d min  %s\n", oneLine(l.ID), done, len(l.Steps), l.Minutes, oneLine(title)); err != nil {
			return err
		}
	}
	return nil
}

// pick gives the lessons named, or all.
func pick(all []*lessons.Lesson, ids []string) ([]*lessons.Lesson, error) {
	if len(ids) == 0 {
		return all, nil
	}
	var out []*lessons.Lesson
	for _, id := range ids {
		found := false
		for _, l := range all {
			if l.ID == id {
				out, found = append(out, l), true
			}
		}
		if !found {
			return nil, usagef("there is no lesson %q; there are %s", id, names(all))
		}
	}
	return out, nil
}

func names(all []*lessons.Lesson) string {
	var ids []string
	for _, l := range all {
		ids = append(ids, l.ID)
	}
	return strings.Join(ids, ", ")
}

func (w *World) checkLessons(ctx context.Context, f *flags, ids []string, quiet bool) error {
	if err := f.forLessons(); err != nil {
		return err
	}
	all, err := w.lessons(f)
	if err != nil {
		w.tellAll(err)
		return err
	}
	chosen, err := pick(all, ids)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop() // until then a signal ends the check, not the program: what it left on a server must go
	start, err := w.chooseLab(ctx, f)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w.Stdout)
	differ := false
	for _, l := range chosen {
		r, err := checkOne(ctx, start, l, out, quiet)
		if err != nil {
			return errors.Join(err, out.Flush())
		}
		differ = differ || !r.OK()
		if err := out.Flush(); err != nil {
			return err
		}
	}
	if differ {
		return failure{exitFailed}
	}
	return nil
}

// tellAll prints everything that is wrong in lessons, for whoever writes them; status tells only the first.
func (w *World) tellAll(err error) {
	var usage *usageError
	if !errors.As(err, &usage) {
		return
	}
	for _, e := range usage.all {
		_, _ = fmt.Fprintln(w.Stdout, oneLine(e.Error())) // the first is told on standard error all the same
	}
}

// checkOne checks a lesson on a server of its own.
func checkOne(ctx context.Context, start func(context.Context) (*lab, error), l *lessons.Lesson, out io.Writer, quiet bool) (lessons.Result, error) {
	lab, err := start(ctx)
	if err != nil {
		return lessons.Result{}, err
	}
	report := out
	if quiet {
		report = io.Discard
	}
	r, err := lessons.Check(ctx, l, lab.open, report, lessons.CheckOptions{Prefix: lab.prefix})
	if quiet {
		for _, fail := range r.Failures {
			_, _ = fmt.Fprintln(out, oneLine(fail.String())) // Flush reports what could not be written
		}
		_, _ = fmt.Fprintf(out, "%s on %s: %d steps, %d changes, %d failures\n", l.ID, r.Server, r.Steps, r.Changes, len(r.Failures))
	}
	return r, errors.Join(err, lab.stop())
}
