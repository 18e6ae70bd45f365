package embedded

import (
	"slices"

	"pelscope/redisx/resp"
)

// command is COMMAND without a subcommand.
func command(c *call) resp.Value {
	out := []resp.Value{}
	for _, name := range sortedKeys(c.e.commands) {
		out = append(out, c.e.commands[name].describe())
	}
	return resp.ArrayOf(out...)
}

// lookUpCommand finds a command or, as "client|list", a subcommand by its full name.
func (e *Engine) lookUpCommand(name string) *spec {
	for _, s := range e.commands {
		if s.full == name {
			return s
		}
		for i := range s.subcommands {
			if s.subcommands[i].full == name {
				return &s.subcommands[i]
			}
		}
	}
	return nil
}

func commandInfo(c *call) resp.Value {
	if len(c.args) == 2 {
		return command(c)
	}
	out := []resp.Value{}
	for _, name := range c.args[2:] {
		if s := c.e.lookUpCommand(lower(name)); s != nil {
			out = append(out, s.describe())
		} else {
			out = append(out, resp.NilBulkValue())
		}
	}
	return resp.ArrayOf(out...)
}

func commandList(c *call) resp.Value {
	keep := func(string) bool { return true }
	switch {
	case len(c.args) == 2:
	case len(c.args) == 5 && c.arg(2, "FILTERBY") && c.arg(3, "PATTERN"):
		keep = func(name string) bool { return matches(lower(c.args[4]), name) }
	default:
		return errSyntax()
	}
	out := []resp.Value{}
	for _, name := range sortedKeys(c.e.commands) {
		s := c.e.commands[name]
		if keep(s.full) {
			out = append(out, resp.Str(s.full))
		}
		for i := range s.subcommands {
			if keep(s.subcommands[i].full) && len(c.args) > 2 {
				out = append(out, resp.Str(s.subcommands[i].full))
			}
		}
	}
	return resp.ArrayOf(out...)
}

// commandDocs says for each command only what the engine knows: that it exists and its arity. Clients
// that ask take missing documentation for granted.
func commandDocs(c *call) resp.Value {
	list := c.args[2:]
	if len(list) == 0 {
		list = sortedKeys(c.e.commands)
	}
	out := []resp.Value{}
	for _, name := range list {
		s := c.e.lookUpCommand(lower(name))
		if s == nil {
			continue
		}
		out = append(out, resp.Str(s.full), resp.MapOf(resp.Str("arity"), resp.Integer(int64(s.arity))))
	}
	return resp.MapOf(out...)
}

func commandGetKeys(c *call) resp.Value {
	s, bad := c.e.find(c.args[2:])
	if s == nil {
		if bad.Str[:11] == "ERR unknown" {
			return resp.Errorf("ERR Invalid command specified")
		}
		return resp.Errorf("ERR Invalid number of arguments specified for command")
	}
	keys := s.keysOf(c.args[2:])
	if len(keys) == 0 {
		return resp.Errorf("ERR The command has no key arguments")
	}
	return resp.StrArray(keys)
}

// flagNames are the flags in the order in which COMMAND INFO lists them.
func flagNames() []string {
	return []string{"write", "readonly", "denyoom", "admin", "pubsub", "noscript", "blocking", "loading", "stale", "fast",
		"no_auth", "no_multi", "movablekeys", "allow_busy"}
}

// describe is the command's entry of COMMAND INFO: name, arity, flags, first key, last key, step, ACL
// categories (none: the engine has no ACL), tips, key specifications, subcommands.
func (s *spec) describe() resp.Value {
	set := []resp.Value{}
	for i, name := range flagNames() {
		if s.flags&(1<<i) != 0 {
			set = append(set, resp.StatusOf(name))
		}
	}
	step := s.step
	if s.firstKey != 0 {
		step = max(step, 1)
	}
	subs := []resp.Value{}
	for _, name := range slices.Sorted(namesOf(s.subcommands)) {
		subs = append(subs, s.lookup[name].describe())
	}
	return resp.ArrayOf(resp.Str(s.full), resp.Integer(int64(s.arity)), resp.SetOf(set...), resp.Integer(int64(s.firstKey)),
		resp.Integer(int64(s.lastKey)), resp.Integer(int64(step)), resp.SetOf(), resp.ArrayOf(), resp.ArrayOf(), resp.ArrayOf(subs...))
}

func namesOf(specs []spec) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for i := range specs {
			if !yield(specs[i].name) {
				return
			}
		}
	}
}
