package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"pelscope/redisx/client"
	"pelscope/redisx/state"
	"pelscope/ui/draw"
)

// How much one printed look shows.
const (
	stateRows    = 1000
	stateEntries = 10
)

func stateCommand(w *World, f *flags) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "state SERVER STREAM [GROUP]",
		Short:   "Look once at a stream and its groups, and print it",
		Long:    "Looks once, read-only, and prints the stream's counters, its groups, the consumers and pending entries of GROUP (without it the one with the most pending), and the newest entries.",
		Example: "  pelscope state localhost:6379 orders\n  pelscope state rediss://db.internal orders settlement --json",
		Args:    cobra.RangeArgs(2, 3),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			if f.url != "" {
				return usagef("pelscope state takes its server as an argument: leave --url away")
			}
			group := ""
			if len(args) == 3 {
				group = args[2]
			}
			return w.printState(cmd.Context(), args[0], args[1], group, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON; what is not text in UTF-8 stands as {\"base64\": …}, what is not known as {\"unknown\": why}")
	return cmd
}

func (w *World) printState(ctx context.Context, server, stream, group string, asJSON bool) (err error) {
	c, err := w.connect(ctx, server)
	if err != nil {
		return usagef("%v", err)
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	st, err := c.Observe(ctx, client.Scope{
		Stream: stream, Group: group,
		Entries: client.Window{Tail: true, Count: stateEntries}, Pending: client.Page{Count: stateRows},
	})
	if err != nil {
		return err
	}
	if err := missing(st, stream, group); err != nil {
		return err
	}
	if group == "" {
		group = st.Stream(stream).Foremost()
	}
	out := bufio.NewWriter(w.Stdout)
	if asJSON {
		err = writeJSON(out, stateJSON(st, stream, c))
	} else {
		statePlain(out, st, stream, group, c)
	}
	return errors.Join(err, out.Flush())
}

// missing says clearly that there is nothing to print.
func missing(st state.State, stream, group string) error {
	k, _ := st.Key(stream)
	switch {
	case k.Stream != nil && group != "" && k.Stream.GroupsUnknown == "":
		if _, ok := k.Stream.Group(group); !ok {
			return usagef("%s has no group %q", stream, group)
		}
		return nil
	case k.Stream != nil:
		return nil
	case k.Denied != "":
		return usagef("%s: %s", stream, k.Denied)
	case k.Type == "" || k.Type == "none":
		return usagef("there is no key %q", stream)
	}
	return usagef("%q is a %s, not a stream", stream, k.Type)
}

// statePlain prints a look as plain lines, without colour or drawing. Errors of out are told by Flush.
func statePlain(out io.Writer, st state.State, name, group string, c *client.Client) {
	p := func(format string, args ...any) { _, _ = fmt.Fprintf(out, format+"\n", args...) }
	s := st.Stream(name)
	p("stream %s on %s, %s, at %s", draw.Clean(name), draw.Clean(c.Target().String()), draw.Clean(c.Server().String()), st.At.Time().Format("2006-01-02 15:04:05.000 UTC"))
	p("  length %s, first id %s, last-generated-id %s, entries-added %s", count(s.Length), known(s.FirstID), known(s.LastID), count(s.EntriesAdded))
	if s.GroupsUnknown != "" {
		p("  groups: unknown, %s", draw.Clean(s.GroupsUnknown))
	}
	for _, g := range s.Groups {
		p("group %s", draw.Clean(g.Name))
		p("  last-delivered-id %s, lag %s, pending %s, entries-read %s", g.LastDelivered, count(g.Lag), count(g.Pending), count(g.EntriesRead))
		if g.Name != group {
			continue // the details are of the group that was looked at
		}
		plainConsumers(p, st, g)
		plainPending(p, st, s, g)
	}
	if s.Entries.Unknown != "" {
		p("entries: unknown, %s", draw.Clean(s.Entries.Unknown))
		return
	}
	p("newest entries")
	for i := len(s.Entries.Entries) - 1; i >= 0; i-- {
		e := s.Entries.Entries[i]
		line := "  " + e.ID.String()
		for _, f := range e.Fields {
			line += " " + draw.Clean(f.Name) + "=" + draw.Clean(f.Value)
		}
		if e.Cut {
			line += " (cut)"
		}
		p("%s", line)
	}
}

func plainConsumers(p func(string, ...any), st state.State, g state.Group) {
	if g.ConsumersUnknown != "" {
		p("  consumers: unknown, %s", draw.Clean(g.ConsumersUnknown))
		return
	}
	for _, c := range g.Consumers {
		p("  consumer %s: pending %s, idle %s, inactive %s", draw.Clean(c.Name), count(c.Pending), ago(st, c.Seen), ago(st, c.Active))
	}
}

func plainPending(p func(string, ...any), st state.State, s *state.Stream, g state.Group) {
	if g.PEL.Unknown != "" {
		p("  pending entries: unknown, %s", draw.Clean(g.PEL.Unknown))
		return
	}
	for _, r := range g.PEL.Rows {
		owner := "nobody"
		if r.Consumer != "" {
			owner = draw.Clean(r.Consumer)
		}
		gone := ""
		if here := s.Present(r.ID); here.Known && !here.Value {
			gone = ", its entry is deleted"
		}
		p("  pending %s: held by %s, idle %s, deliveries %d%s", r.ID, owner, draw.Age(r.Idle(st.At)), r.Deliveries, gone)
	}
	if g.Pending.Known && g.Pending.Value > int64(len(g.PEL.Rows)) {
		p("  … %s of %s pending entries are shown", draw.Count(int64(len(g.PEL.Rows))), draw.Count(g.Pending.Value))
	}
}

func known[T comparable](m state.Maybe[T]) string {
	if !m.Known {
		return "unknown (" + draw.Clean(m.Why) + ")"
	}
	return fmt.Sprint(m.Value)
}

func count(m state.Maybe[int64]) string {
	if !m.Known {
		return known(m)
	}
	return draw.Count(m.Value)
}

func ago(st state.State, m state.Maybe[state.Instant]) string {
	if !m.Known {
		return known(m)
	}
	return draw.Age(max(0, st.At.Sub(m.Value)))
}
