package client

import (
	"slices"
	"strconv"
	"strings"

	"pelscope/redisx/resp"
	"pelscope/redisx/state"
)

// Why something is unknown although the server answered.
const (
	since70 = "this server does not tell (7.0 and later do)"
	since72 = "this server does not tell (7.2 and later do)"
	untold  = "the server does not tell"
	never   = "never"
	noLag   = "the server cannot tell: entries were deleted ahead of the cursor, or the group began at an arbitrary id"
	notRead = "not read: another group is selected"
)

// intField reads a number by its name: missing is unknown because of the version, nil is unknown
// because the server says so.
func intField(v resp.Value, name, missing, nilWhy string) state.Maybe[int64] {
	f, ok := v.Field(name)
	if !ok {
		return state.Unknown[int64](missing)
	}
	if f.IsNil() {
		return state.Unknown[int64](nilWhy)
	}
	if n, ok := f.Int64(); ok {
		return state.Know(n)
	}
	return state.Unknown[int64](untold)
}

func idField(v resp.Value, name, missing string) state.Maybe[state.ID] {
	f, ok := v.Field(name)
	if !ok {
		return state.Unknown[state.ID](missing)
	}
	id, err := state.ParseID(f.Text())
	if err != nil {
		return state.Unknown[state.ID](untold)
	}
	return state.Know(id)
}

func textField(v resp.Value, name string) string {
	f, _ := v.Field(name)
	return f.Text()
}

// counters reads what XINFO STREAM tells with and without FULL.
func counters(v resp.Value) *state.Stream {
	return &state.Stream{
		Length:       intField(v, "length", untold, untold),
		LastID:       idField(v, "last-generated-id", untold),
		EntriesAdded: intField(v, "entries-added", since70, untold),
		MaxDeleted:   idField(v, "max-deleted-entry-id", since70),
	}
}

// wholeStream reads XINFO STREAM … FULL COUNT 0.
func wholeStream(v resp.Value) (*state.Stream, bool) {
	list, hasEntries := v.Field("entries")
	groups, hasGroups := v.Field("groups")
	if !hasEntries || !hasGroups {
		return nil, false
	}
	st := counters(v)
	st.Entries = state.Window{To: state.MaxID(), Entries: entriesOf(list, false)}
	st.FirstID = state.Know(state.ID{})
	if len(st.Entries.Entries) > 0 {
		st.FirstID = state.Know(st.Entries.Entries[0].ID)
	}
	for _, g := range groups.Elems {
		st.Groups = append(st.Groups, wholeGroup(g))
	}
	sortGroups(st.Groups)
	return st, true
}

func wholeGroup(v resp.Value) state.Group {
	g := groupOf(v, "pel-count")
	consumers, _ := v.Field("consumers")
	for _, c := range consumers.Elems {
		g.Consumers = append(g.Consumers, state.Consumer{
			Name:    textField(c, "name"),
			Pending: intField(c, "pel-count", untold, untold),
			Seen:    instantField(c, "seen-time", untold),
			Active:  instantField(c, "active-time", since72),
		})
	}
	sortConsumers(g.Consumers)
	g.PEL = state.Page{To: state.MaxID()}
	pel, _ := v.Field("pending")
	if p, ok := v.Field("pel"); ok {
		pel = p
	}
	for _, row := range pel.Elems {
		if len(row.Elems) < 4 {
			continue
		}
		at, _ := row.Elems[2].Int64()
		g.PEL.Rows = appendRow(g.PEL.Rows, row, state.Instant(at))
	}
	return g
}

// groupOf reads what XINFO GROUPS and FULL both tell of a group.
func groupOf(v resp.Value, pending string) state.Group {
	return state.Group{
		Name:          textField(v, "name"),
		LastDelivered: idField(v, "last-delivered-id", untold).Value,
		EntriesRead:   intField(v, "entries-read", since70, noLag),
		Lag:           intField(v, "lag", since70, noLag),
		Pending:       intField(v, pending, untold, untold),
	}
}

// instantField reads a time in ms since 1970; −1 is never.
func instantField(v resp.Value, name, missing string) state.Maybe[state.Instant] {
	n := intField(v, name, missing, never)
	switch {
	case !n.Known:
		return state.Unknown[state.Instant](n.Why)
	case n.Value < 0:
		return state.Unknown[state.Instant](never)
	}
	return state.Know(state.Instant(n.Value))
}

// agoField reads a number of ms before at; −1 is never.
func agoField(v resp.Value, name, missing string, at state.Instant) state.Maybe[state.Instant] {
	ago := instantField(v, name, missing)
	if ago.Known {
		ago.Value = at - ago.Value
	}
	return ago
}

// appendRow reads id, owner and count of a pending row; more columns are accepted.
func appendRow(rows []state.Pending, v resp.Value, at state.Instant) []state.Pending {
	id, err := state.ParseID(v.Elems[0].Text())
	if err != nil {
		return rows
	}
	n, _ := v.Elems[3].Int64()
	return append(rows, state.Pending{ID: id, Consumer: v.Elems[1].Text(), DeliveredAt: at, Deliveries: n})
}

// pendingRows reads XPENDING's rows: id, owner, idle in ms, deliveries. An idle of −1 (released with
// XNACK) has no delivery time, which is 0.
func pendingRows(v resp.Value, at state.Instant) []state.Pending {
	var rows []state.Pending
	for _, row := range v.Elems {
		if len(row.Elems) < 4 {
			continue
		}
		idle, _ := row.Elems[2].Int64()
		delivered := at - state.Instant(idle)
		if idle < 0 {
			delivered = 0
		}
		rows = appendRow(rows, row, delivered)
	}
	return rows
}

// consumersOf reads XINFO CONSUMERS.
func consumersOf(v resp.Value, at state.Instant) []state.Consumer {
	var out []state.Consumer
	for _, c := range v.Elems {
		out = append(out, state.Consumer{
			Name:    textField(c, "name"),
			Pending: intField(c, "pending", untold, untold),
			Seen:    agoField(c, "idle", untold, at),
			Active:  agoField(c, "inactive", since72, at),
		})
	}
	sortConsumers(out)
	return out
}

// entriesOf reads the entries of XRANGE, XREVRANGE or FULL, in the order of the reply. Of long ones only
// the beginning is kept when cut is set.
func entriesOf(v resp.Value, cut bool) []state.Entry {
	out := make([]state.Entry, 0, len(v.Elems))
	for _, e := range v.Elems {
		if len(e.Elems) != 2 || e.Elems[1].IsNil() {
			continue
		}
		id, err := state.ParseID(e.Elems[0].Text())
		if err != nil {
			continue
		}
		out = append(out, entryOf(id, e.Elems[1].Elems, cut))
	}
	return out
}

func entryOf(id state.ID, parts []resp.Value, cut bool) state.Entry {
	e := state.Entry{ID: id, Fields: make([]state.Field, 0, min(len(parts)/2, MaxFields))}
	for i := 0; i+1 < len(parts); i += 2 {
		name, value := parts[i].Text(), parts[i+1].Text()
		e.Size += int64(len(name) + len(value))
		if cut && len(e.Fields) >= MaxFields {
			e.Cut = true
			continue
		}
		if cut {
			var cut1, cut2 bool
			name, cut1 = shorten(name)
			value, cut2 = shorten(value)
			e.Cut = e.Cut || cut1 || cut2
		}
		e.Fields = append(e.Fields, state.Field{Name: name, Value: value})
	}
	return e
}

// shorten copies the beginning, so that the long whole can be freed.
func shorten(s string) (string, bool) {
	if len(s) <= MaxValue {
		return s, false
	}
	return strings.Clone(s[:MaxValue]), true
}

func sortGroups(gs []state.Group) {
	slices.SortFunc(gs, func(a, b state.Group) int { return strings.Compare(a.Name, b.Name) })
}

func sortConsumers(cs []state.Consumer) {
	slices.SortFunc(cs, func(a, b state.Consumer) int { return strings.Compare(a.Name, b.Name) })
}

// clientsOf reads CLIENT LIST: one line for each connection, of name=value words.
func clientsOf(a *ask, prefix string) []state.Client {
	if a == nil || a.why() != "" {
		return nil
	}
	out := []state.Client{}
	for line := range strings.Lines(a.reply.Text()) {
		f := map[string]string{}
		for _, word := range strings.Fields(line) {
			name, value, _ := strings.Cut(word, "=")
			f[name] = value
		}
		if !strings.HasPrefix(f["name"], prefix) {
			continue
		}
		id, _ := strconv.ParseInt(f["id"], 10, 64)
		out = append(out, state.Client{
			ID: id, Name: f["name"], Addr: f["addr"], Cmd: f["cmd"],
			Blocked: strings.Contains(f["flags"], "b"),
		})
	}
	slices.SortFunc(out, func(a, b state.Client) int {
		if c := strings.Compare(a.Name, b.Name); c != 0 {
			return c
		}
		return int(min(max(a.ID-b.ID, -1), 1))
	})
	return out
}
