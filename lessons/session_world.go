package lessons

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pelscope/redisx/client"
	"pelscope/redisx/resp"
	"pelscope/redisx/state"
)

// keys lists the names, as they are on the server, of every key that the session covers.
func (s *Session) keys() []string {
	var out []string
	for _, t := range s.lesson.World {
		out = append(out, s.o.Prefix+t.Name)
	}
	return append(out, s.extras...)
}

// consumers lists the world's consumers, each once.
func (s *Session) consumers() []string {
	var out []string
	for _, t := range s.lesson.World {
		for _, g := range t.Groups {
			for _, c := range g.Consumers {
				if !slices.Contains(out, c) {
					out = append(out, c)
				}
			}
		}
	}
	return out
}

// wipe removes the lesson's keys.
func (s *Session) wipe(ctx context.Context) error {
	keys := s.keys()
	if len(keys) == 0 {
		return nil
	}
	return s.must(ctx, append([]string{"DEL"}, keys...))
}

// must runs a command of the session itself, which may not fail.
func (s *Session) must(ctx context.Context, args []string) error {
	_, err := s.ask(ctx, args...)
	return err
}

// ask is a command of the session itself whose reply is needed: an error reply is an error.
func (s *Session) ask(ctx context.Context, args ...string) (resp.Value, error) {
	v, err := s.c.Do(ctx, args...)
	if err == nil && v.IsError() {
		err = fmt.Errorf("%s: %s", resp.Join(args[:min(2, len(args))]), v.Str)
	}
	return v, err
}

// seed fills the world and creates the consumers.
func (s *Session) seed(ctx context.Context) error {
	for _, a := range s.lesson.Seed {
		sent, err := s.command(ctx, a)
		s.seeded = append(s.seeded, sent)
		if err == nil && sent.Reply.IsError() && a.Reply == "" {
			err = fmt.Errorf("seed: %s: %s", sent.Typed(), sent.Reply.Str)
		}
		if err != nil {
			return err
		}
	}
	for _, t := range s.lesson.World {
		for _, g := range t.Groups {
			for _, c := range g.Consumers {
				if err := s.must(ctx, []string{"XGROUP", "CREATECONSUMER", s.o.Prefix + t.Name, g.Name, c}); err != nil {
					return fmt.Errorf("consumer %s of the lesson: %w", c, err)
				}
			}
		}
	}
	return nil
}

// scope is what is looked at: the keys of the lesson's world.
func (s *Session) scope() client.Scope {
	sc := client.Scope{}
	for _, t := range s.lesson.World {
		sc.Keys = append(sc.Keys, s.o.Prefix+t.Name)
	}
	return sc
}

// observe looks at the world, whole, and gives it its short names.
func (s *Session) observe(ctx context.Context) (state.State, error) {
	names := make([]string, len(s.actors))
	for i, a := range s.actors {
		names[i] = a.name
	}
	return s.observeWith(ctx, names)
}

// Watch only looks: it judges nothing and may run beside an operation.
func (s *Session) Watch(ctx context.Context) (state.State, error) {
	var names []string
	for _, a := range s.Actors() {
		names = append(names, a.Name)
	}
	return s.observeWith(ctx, names)
}

func (s *Session) observeWith(ctx context.Context, actors []string) (state.State, error) {
	st, err := s.c.Observe(ctx, s.scope())
	if err != nil {
		return state.State{}, err
	}
	for i := range st.Keys {
		st.Keys[i].Name = strings.TrimPrefix(st.Keys[i].Name, s.o.Prefix)
	}
	list, err := s.ask(ctx, "CLIENT", "LIST")
	if err != nil {
		return state.State{}, err
	}
	st.Clients = s.clients(list.Text(), actors)
	return st, nil
}

// clients reads CLIENT LIST: the connections of these actors.
func (s *Session) clients(list string, actors []string) []state.Client {
	out := []state.Client{}
	for line := range strings.Lines(list) {
		c := clientOf(line)
		short, ours := strings.CutPrefix(c.Name, s.o.Prefix)
		if ours && slices.Contains(actors, short) {
			c.Name = short
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b state.Client) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// clientOf reads one line of CLIENT LIST: id=3 addr=… name=alice flags=b cmd=xreadgroup …
func clientOf(line string) state.Client {
	var c state.Client
	for word := range strings.FieldsSeq(line) {
		name, value, _ := strings.Cut(word, "=")
		switch name {
		case "id":
			c.ID, _ = strconv.ParseInt(value, 10, 64)
		case "name":
			c.Name = value
		case "addr":
			c.Addr = value
		case "flags":
			c.Blocked = strings.Contains(value, "b")
		case "cmd":
			c.Cmd = strings.ReplaceAll(value, "|", " ")
		}
	}
	return c
}
