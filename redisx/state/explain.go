package state

import (
	"slices"
	"strings"
)

// Explain fills in why entries left a PEL or a stream, from the commands that are known to have run
// between the two looks. What no command explains stays without a cause: it is not guessed. Each
// command is a list of its words as sent, the name first.
func Explain(changes []Change, commands [][]string) []Change {
	out := slices.Clone(changes)
	for i, c := range out {
		switch c := c.(type) {
		case PendingGone:
			c.Cause = firstCause(commands, func(cmd []string) string { return pendingCause(cmd, c) })
			out[i] = c
		case EntryGone:
			c.Cause = firstCause(commands, func(cmd []string) string { return entryCause(cmd, c) })
			out[i] = c
		}
	}
	return out
}

func firstCause(commands [][]string, cause func([]string) string) string {
	for _, cmd := range commands {
		if len(cmd) == 0 {
			continue
		}
		if s := cause(cmd); s != "" {
			return s
		}
	}
	return ""
}

// pendingCause names the command when it is one that takes this row out of the PEL.
func pendingCause(cmd []string, c PendingGone) string {
	name := strings.ToUpper(cmd[0])
	on := func(group bool) bool {
		return len(cmd) > 2 && cmd[1] == c.Key && (!group || cmd[2] == c.Group)
	}
	switch name {
	case "XACK", "XACKDEL":
		if on(true) && namesID(cmd[3:], c.Row.ID) {
			return name
		}
	case "XCLAIM", "XAUTOCLAIM": // a deleted entry leaves the PEL when somebody claims it (7.0)
		if on(true) {
			return name
		}
	case "XDELEX", "XTRIM", "XADD": // with DELREF the references go too (8.2)
		if on(false) && slices.ContainsFunc(cmd, func(w string) bool { return strings.EqualFold(w, "DELREF") }) {
			return name
		}
	case "XGROUP":
		if len(cmd) > 4 && strings.EqualFold(cmd[1], "DELCONSUMER") && cmd[2] == c.Key && cmd[3] == c.Group && cmd[4] == c.Row.Consumer {
			return "XGROUP DELCONSUMER"
		}
	}
	return ""
}

// entryCause names the command when it is one that takes this entry out of the stream.
func entryCause(cmd []string, c EntryGone) string {
	name := strings.ToUpper(cmd[0])
	if len(cmd) < 3 || cmd[1] != c.Key {
		return ""
	}
	switch name {
	case "XDEL", "XDELEX", "XACKDEL":
		if namesID(cmd[2:], c.Entry.ID) {
			return name
		}
	case "XTRIM":
		return name
	case "XADD":
		trims := slices.ContainsFunc(cmd, func(w string) bool {
			return strings.EqualFold(w, "MAXLEN") || strings.EqualFold(w, "MINID")
		})
		if trims {
			return name
		}
	}
	return ""
}

func namesID(words []string, id ID) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		got, err := ParseID(w)
		return err == nil && got == id
	})
}
