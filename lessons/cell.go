package lessons

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"pelscope/redisx/state"
)

// Cell names one value of a State, such as cursor, pending(alice) or deliveries(1-0). In the lesson
// file it is written as its String.
type Cell struct {
	Name string // one of CellNames
	Arg  string // what stands in the parentheses, or empty
}

// CellNames lists the cells there are, with what each means. It is the vocabulary of predictions and
// goals; the loader names it when a lesson uses another word.
func CellNames() map[string]string {
	return map[string]string{
		"cursor":       "the group's last-delivered-id; cursor(group) or cursor(stream/group)",
		"lag":          "entries not delivered yet; lag(stream/group)",
		"entries-read": "the group's read counter; entries-read(stream/group)",
		"pending":      "rows in the PEL: pending of the group, pending(consumer) of one",
		"owner":        "owner(id): who holds the entry, or none",
		"deliveries":   "deliveries(id): its delivery count, or none",
		"idle":         "idle(id): time since its last delivery, in whole seconds, or none",
		"entry":        "entry(id) or entry(stream/id): present or gone",
		"length":       "entries or items of a key: length, length(key)",
		"last-id":      "last-generated-id: last-id, last-id(stream)",
		"key":          "key(name): its type, or none",
		"group":        "group(name): present or absent",
		"consumer":     "consumer(name): present or absent",
		"item":         "item(key/field): a hash's value, a sorted set's score, yes for a set's member; none when absent",
		"holds":        "holds(key/text): how many entries of a stream have a field with this value, or how many items of a list are this",
		"times":        "times(event): how often the ledger has this event",
		"most-times":   "the largest number of times that the ledger has any one event",
		"connection":   "connection(name): none, open, or blocked, from CLIENT LIST",
	}
}

// ParseCell reads "name" or "name(arg)". An unknown name is an error that lists the cells there are.
func ParseCell(s string) (Cell, error) {
	name, rest, paren := strings.Cut(strings.TrimSpace(s), "(")
	c := Cell{Name: name}
	if paren {
		arg, closed := strings.CutSuffix(rest, ")")
		if !closed || arg == "" {
			return Cell{}, fmt.Errorf("%q is no cell: want name or name(argument)", s)
		}
		c.Arg = arg
	}
	names := CellNames()
	if _, ok := names[c.Name]; !ok {
		known := make([]string, 0, len(names))
		for n := range names {
			known = append(known, n)
		}
		slices.Sort(known)
		return Cell{}, fmt.Errorf("there is no cell %q; there are %s", c.Name, strings.Join(known, ", "))
	}
	if c.needsArg() && c.Arg == "" {
		return Cell{}, fmt.Errorf("cell %q wants an argument: %s", c.Name, names[c.Name])
	}
	return c, nil
}

func (c Cell) needsArg() bool {
	switch c.Name {
	case "owner", "deliveries", "idle", "entry", "key", "group", "consumer", "item", "holds", "times", "connection":
		return true
	}
	return false
}

// String writes the cell as it stands in a lesson.
func (c Cell) String() string {
	if c.Arg == "" {
		return c.Name
	}
	return c.Name + "(" + c.Arg + ")"
}

// Value is what the cell holds in a State, as text, and "unknown" where the server did not tell. home
// is the stream and group that go without saying; ledger is the world's ledger.
func (c Cell) Value(s state.State, home state.Place, ledger string) string {
	r := cellReader{State: s, home: home, ledger: ledger}
	switch c.Name {
	case "cursor", "lag", "entries-read", "pending", "group", "consumer":
		return r.ofGroup(c)
	case "owner", "deliveries", "idle":
		return r.ofRow(c)
	case "entry", "length", "last-id", "key", "item", "holds":
		return r.ofKey(c)
	case "times", "most-times":
		return r.ofLedger(c)
	case "connection":
		return r.connection(c.Arg)
	}
	return "unknown"
}

const (
	none    = "none"
	unknown = "unknown"
	present = "present"
	absent  = "absent"
	gone    = "gone"
)

type cellReader struct {
	state.State
	home   state.Place
	ledger string
}

// split takes "stream/rest" apart; without a slash the home stream is meant.
func (r cellReader) split(arg string) (stream, rest string) {
	if k, rest, ok := strings.Cut(arg, "/"); ok {
		return k, rest
	}
	return r.home.Key, arg
}

func (r cellReader) ofGroup(c Cell) string {
	stream, name := r.home.Key, r.home.Group
	consumer := ""
	switch c.Name {
	case "pending", "consumer":
		consumer = c.Arg
		if at, rest, ok := cutLast(c.Arg, "/"); ok { // stream/group/consumer, group/consumer
			consumer = rest
			stream, name = r.split(at)
		}
	default:
		if c.Arg != "" {
			stream, name = r.split(c.Arg)
		}
	}
	g, ok := r.Group(stream, name)
	if c.Name == "group" {
		return oneOf(ok, present, absent)
	}
	if !ok {
		return none
	}
	if consumer != "" {
		return consumerCell(c.Name, g, consumer)
	}
	switch c.Name {
	case "cursor":
		return g.LastDelivered.String()
	case "lag":
		return maybe(g.Lag)
	case "entries-read":
		return maybe(g.EntriesRead)
	}
	return maybe(g.Pending)
}

func consumerCell(name string, g state.Group, consumer string) string {
	c, ok := g.Consumer(consumer)
	if name == "consumer" {
		return oneOf(ok, present, absent)
	}
	if !ok {
		return "0"
	}
	return maybe(c.Pending)
}

func (r cellReader) ofRow(c Cell) string {
	stream, group, text := r.home.Key, r.home.Group, c.Arg
	if at, id, ok := cutLast(c.Arg, "/"); ok { // stream/group/id, group/id
		text = id
		if s, g, both := strings.Cut(at, "/"); both {
			stream, group = s, g
		} else {
			group = at
		}
	}
	id, err := state.ParseID(text)
	if err != nil {
		return unknown
	}
	g, _ := r.Group(stream, group)
	row, ok := g.PEL.Row(id)
	switch {
	case !ok:
		return none
	case c.Name == "owner" && row.Consumer == "":
		return "nobody"
	case c.Name == "owner":
		return row.Consumer
	case c.Name == "deliveries":
		return strconv.FormatInt(row.Deliveries, 10)
	}
	return row.Idle(r.At).Truncate(time.Second).String()
}

func (r cellReader) ofKey(c Cell) string {
	switch c.Name {
	case "entry":
		stream, text := r.split(c.Arg)
		id, err := state.ParseID(text)
		st := r.Stream(stream)
		if err != nil || st == nil {
			return gone
		}
		return oneOf(st.Present(id).Or(false), present, gone)
	case "item":
		key, field := r.split(c.Arg)
		return r.item(key, field)
	case "holds":
		key, text := r.split(c.Arg)
		return strconv.Itoa(r.holds(key, text))
	}
	name := c.Arg
	if name == "" {
		name = r.home.Key
	}
	k, _ := r.Key(name)
	switch {
	case c.Name == "key" && k.Type == "":
		return none
	case c.Name == "key":
		return k.Type
	case c.Name == "last-id" && k.Stream != nil:
		return maybe(k.Stream.LastID)
	case c.Name == "last-id":
		return none
	case k.Stream != nil:
		return maybe(k.Stream.Length)
	}
	return strconv.Itoa(len(k.Items) + len(k.Pairs))
}

func (r cellReader) item(key, field string) string {
	k, _ := r.Key(key)
	for _, p := range k.Pairs {
		if p.Name == field {
			return oneOf(k.Type == "set", "yes", p.Value)
		}
	}
	return none
}

func (r cellReader) holds(key, text string) int {
	k, _ := r.Key(key)
	n := 0
	for _, item := range k.Items {
		if item == text {
			n++
		}
	}
	if k.Stream == nil {
		return n
	}
	for _, e := range k.Stream.Entries.Entries {
		if slices.ContainsFunc(e.Fields, func(f state.Field) bool { return f.Value == text }) {
			n++
		}
	}
	return n
}

func (r cellReader) ofLedger(c Cell) string {
	counts := LedgerCounts(r.State, r.ledger)
	n := 0
	for _, x := range counts {
		if c.Name == "most-times" || x.Event == c.Arg {
			n = max(n, x.Times)
		}
	}
	return strconv.Itoa(n)
}

func (r cellReader) connection(name string) string {
	found := none
	for _, c := range r.Clients {
		if c.Name == name && c.Blocked {
			return "blocked"
		}
		if c.Name == name {
			found = "open"
		}
	}
	return found
}

// Effect is an event of the ledger and how often the application did it.
type Effect struct {
	Event string
	Times int
	Items []string // the ledger's items for it, oldest first
}

// LedgerCounts counts the ledger's items by their first word, the event, in the order of first
// appearance.
func LedgerCounts(s state.State, ledger string) []Effect {
	k, _ := s.Key(ledger)
	var out []Effect
	for _, item := range k.Items {
		event, _, _ := strings.Cut(item, " ")
		i := slices.IndexFunc(out, func(e Effect) bool { return e.Event == event })
		if i < 0 {
			out = append(out, Effect{Event: event})
			i = len(out) - 1
		}
		out[i].Times++
		out[i].Items = append(out[i].Items, item)
	}
	return out
}

func maybe[T comparable](m state.Maybe[T]) string {
	if !m.Known {
		return unknown
	}
	return fmt.Sprint(m.Value)
}

func oneOf(yes bool, a, b string) string {
	if yes {
		return a
	}
	return b
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return "", s, false
}
