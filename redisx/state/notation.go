package state

import (
	"fmt"
	"strconv"
	"strings"
)

// Notation writes a change as lessons list it and logs keep it, one line such as
//
//	cursor 1-0 -> 2-0
//	+pending(2-0) alice x1
//	owner(1-0) alice -> bob
//	deliveries(1-0) 1 -> 2
//
// A place is written in full, stream/group/…, but for the stream and the group given as home, which
// go without saying. Bytes that are not plain text are quoted.
func Notation(c Change, home Place) string {
	w := notation{home: home}
	switch c := c.(type) {
	case KeyAppeared:
		return "+key(" + word(c.Key) + ") " + c.Type
	case KeyVanished:
		return "-key(" + word(c.Key) + ")"
	case EntryAdded:
		return "+entry" + w.at(c.Place())
	case EntryGone:
		return "-entry" + w.at(c.Place())
	case GroupCreated:
		return "+group" + w.group(c.Place()) + " at " + c.Cursor.String()
	case GroupDestroyed:
		return "-group" + w.group(c.Place()) + lost(c.Lost)
	case CursorMoved:
		name := "cursor"
		if c.Kind() == KindSetBack {
			name = "set-back"
		}
		return name + w.at(c.Place()) + arrow(c.From, c.To)
	case ConsumerAppeared:
		return "+consumer" + w.at(c.Place())
	case ConsumerVanished:
		return "-consumer" + w.at(c.Place()) + lost(c.Lost)
	case PendingAdded:
		return fmt.Sprintf("+pending%s %s x%d", w.entry(c.Place()), owner(c.Row.Consumer), c.Row.Deliveries)
	case PendingGone:
		return "-pending" + w.entry(c.Place()) + " " + owner(c.Row.Consumer)
	case OwnerChanged:
		return "owner" + w.entry(c.Place()) + arrow(owner(c.From), owner(c.To))
	case DeliveriesChanged:
		return "deliveries" + w.entry(c.Place()) + arrow(c.From, c.To)
	case Redelivered:
		return "redelivered" + w.entry(c.Place())
	}
	return w.rest(c)
}

// rest writes the kinds that concern other types of keys, connections and counters.
func (w notation) rest(c Change) string {
	switch c := c.(type) {
	case ListChanged:
		return "list(" + word(c.Key) + ")" + items(" -", c.Out) + items(" +", c.In)
	case PairChanged:
		return "item(" + word(c.Key) + "/" + word(c.Name) + ")" + arrow(pairText(c.From), pairText(c.To))
	case ClientChanged:
		switch {
		case c.From.ID == 0:
			return "+client(" + word(c.To.Name) + ")"
		case c.To.ID == 0:
			return "-client(" + word(c.From.Name) + ")"
		}
		return "client(" + word(c.To.Name) + ")" + arrow(clientText(c.From), clientText(c.To))
	case Moved[int64]:
		return string(c.Gauge) + w.at(c.Where) + arrow(maybeText(c.From), maybeText(c.To))
	case Moved[ID]:
		return string(c.Gauge) + w.at(c.Where) + arrow(maybeText(c.From), maybeText(c.To))
	case Moved[Instant]:
		return string(c.Gauge) + w.at(c.Where)
	}
	return string(c.Kind())
}

type notation struct{ home Place }

// at writes the place in parentheses, or nothing where home says it all.
func (w notation) at(p Place) string {
	parts := w.prefix(p)
	if p.Consumer != "" {
		parts = append(parts, word(p.Consumer))
	}
	if !p.ID.IsZero() {
		parts = append(parts, p.ID.String())
	}
	if len(parts) == 0 {
		return ""
	}
	return "(" + strings.Join(parts, "/") + ")"
}

// entry writes the place of a pending row, without its owner.
func (w notation) entry(p Place) string {
	p.Consumer = ""
	return w.at(p)
}

// group writes the place of a group, always with its name.
func (w notation) group(p Place) string {
	name := word(p.Group)
	if p.Key != w.home.Key {
		name = word(p.Key) + "/" + name
	}
	return "(" + name + ")"
}

func (w notation) prefix(p Place) []string {
	var parts []string
	foreign := p.Key != w.home.Key
	if foreign || (p.Group != "" && p.Group != w.home.Group) {
		if foreign && p.Key != "" {
			parts = append(parts, word(p.Key))
		}
		if p.Group != "" {
			parts = append(parts, word(p.Group))
		}
	}
	return parts
}

func arrow[T any](from, to T) string { return fmt.Sprintf(" %v -> %v", from, to) }

func lost(n Maybe[int64]) string {
	if !n.Known {
		return " lost unknown"
	}
	return " lost " + strconv.FormatInt(n.Value, 10)
}

func owner(name string) string {
	if name == "" {
		return "nobody"
	}
	return word(name)
}

func maybeText[T comparable](m Maybe[T]) string {
	if !m.Known {
		return "unknown"
	}
	return fmt.Sprint(m.Value)
}

func pairText(m Maybe[string]) string {
	if !m.Known {
		return "none"
	}
	return strconv.Quote(m.Value)
}

func items(sign string, list []string) string {
	var b strings.Builder
	for _, s := range list {
		b.WriteString(sign + strconv.Quote(s))
	}
	return b.String()
}

func clientText(c Client) string {
	if c.Blocked {
		return word(c.Cmd) + " blocked"
	}
	return word(c.Cmd)
}

// word writes a name plainly when it is plain, else quoted, so that a line stays one line.
func word(s string) string {
	plain := s != ""
	for _, r := range s {
		if r <= ' ' || r > '~' || strings.ContainsRune(`"'()/,\`, r) {
			plain = false
		}
	}
	if plain {
		return s
	}
	return strconv.Quote(s)
}
