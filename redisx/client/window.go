package client

import (
	"context"
	"slices"
	"strconv"

	"pelscope/redisx/state"
)

// fetch is how a look gets its entries.
type fetch int

const (
	reuse   fetch = iota // the last look's: nothing moved
	addNew               // the last look's and those that came since
	fetched              // all of the window
)

// windowLook is one look through a window. Its rounds ask, judge what came, and ask again for what turned
// out to be needed, so that the State comes from one MULTI in the end.
type windowLook struct {
	c       *Client
	s       Scope
	prev    *state.Stream
	group   string
	mode    fetch
	lookups []state.ID
	settled bool // no more lookups in this look

	typ, info, length, oldest, groups, consumers, pel, clients *ask
	newest, before, after                                      *ask
	ids                                                        []*ask
}

func (c *Client) observeWindow(ctx context.Context, s Scope) (state.State, error) {
	l := &windowLook{c: c, s: s, group: s.Group, mode: fetched}
	if s.Prev != nil {
		l.prev = s.Prev.Stream(s.Stream)
	}
	if l.prev != nil && l.group == "" {
		l.group = l.prev.Foremost()
	}
	if _, ok := l.reusable(); ok {
		l.mode = reuse
	}
	for round := 1; ; round++ {
		b := l.plan()
		if err := c.run(ctx, b); err != nil {
			return state.State{}, err
		}
		key, again := l.judge(b, round >= rounds-1)
		if again && round < rounds {
			continue
		}
		st := state.State{At: b.at, RTT: b.rtt, Torn: b.torn, Clients: clientsOf(l.clients, s.Clients)}
		if s.Stream != "" {
			st.Keys = []state.Key{key}
		}
		return st, nil
	}
}

// plan says what this round asks.
func (l *windowLook) plan() *batch {
	b := &batch{}
	k := l.s.Stream
	*l = windowLook{
		c: l.c, s: l.s, prev: l.prev, group: l.group, mode: l.mode, lookups: l.lookups,
		settled: l.settled, clients: askClients(b, l.s.Clients),
	}
	if k == "" {
		return b
	}
	l.typ = b.add("TYPE", k)
	l.info = b.add("XINFO", "STREAM", k)
	if _, denied := l.c.look.denied[l.info.denialKey()]; denied {
		l.length = b.add("XLEN", k)
		l.oldest = b.add("XRANGE", k, "-", "+", "COUNT", "1")
	}
	l.groups = b.add("XINFO", "GROUPS", k)
	if l.group != "" {
		l.consumers = b.add("XINFO", "CONSUMERS", k, l.group)
		l.pel = b.add(l.pendingArgs()...)
	}
	l.planEntries(b)
	for _, id := range l.lookups {
		l.ids = append(l.ids, b.add("XRANGE", k, id.String(), id.String(), "COUNT", "1"))
	}
	return b
}

func (l *windowLook) pendingArgs() []string {
	p := l.s.Pending
	from := "-"
	if !p.From.IsZero() {
		from = p.From.String()
	}
	args := []string{"XPENDING", l.s.Stream, l.group, from, "+", strconv.Itoa(countOr(p.Count, DefaultCount))}
	if p.Consumer != "" {
		args = append(args, p.Consumer)
	}
	return args
}

func (l *windowLook) planEntries(b *batch) {
	k, w := l.s.Stream, l.s.Entries
	n := strconv.Itoa(countOr(w.Count, DefaultCount))
	switch {
	case l.mode == reuse:
	case l.mode == addNew:
		from, _ := l.prev.LastID.Value.Next()
		l.newest = b.add("XREVRANGE", k, "+", from.String(), "COUNT", n)
	case w.tail():
		l.newest = b.add("XREVRANGE", k, "+", "-", "COUNT", n)
	default:
		before, after := w.sides()
		if end, ok := w.Anchor.Prev(); ok && before > 0 {
			l.before = b.add("XREVRANGE", k, end.String(), "-", "COUNT", strconv.Itoa(before))
		}
		l.after = b.add("XRANGE", k, w.Anchor.String(), "+", "COUNT", strconv.Itoa(after))
	}
}

// judge makes the key of what came, and says whether more must be asked. With final it makes do.
func (l *windowLook) judge(b *batch, final bool) (key state.Key, again bool) {
	if l.typ == nil {
		return state.Key{}, false
	}
	key = state.Key{Name: l.s.Stream, Type: l.typ.reply.Text()}
	if why := l.typ.why(); why != "" {
		key.Type = ""
		if l.info.why() != "" {
			key.Denied = why
			return key, false
		}
		key.Type = "stream"
	}
	if key.Type != "stream" {
		return key, false
	}
	if _, denied := l.c.look.denied[l.info.denialKey()]; denied && l.length == nil {
		return key, true
	}
	st := l.counters()
	if foremost, moved := l.judgeGroups(st, b.at); moved {
		l.group, again = foremost, true
	}
	if w, ok := l.entries(st); ok {
		st.Entries = w
	} else {
		l.mode, again = l.escalate(st, final), true
	}
	if !again {
		again = l.judgeGone(st, final)
	}
	key.Stream = st
	return key, again
}

// counters reads XINFO STREAM, or makes do with XLEN and the oldest entry where it is refused.
func (l *windowLook) counters() *state.Stream {
	if why := l.info.why(); why != "" {
		st := &state.Stream{
			Length: state.Unknown[int64](why), FirstID: state.Unknown[state.ID](why), LastID: state.Unknown[state.ID](why),
			EntriesAdded: state.Unknown[int64](why), MaxDeleted: state.Unknown[state.ID](why),
		}
		if l.length == nil {
			return st
		}
		if n, ok := l.length.reply.Int64(); ok {
			st.Length = state.Know(n)
		} else {
			st.Length.Why = why + ", " + l.length.why()
		}
		if l.oldest.why() == "" {
			st.FirstID = firstOf(entriesOf(l.oldest.reply, true))
		}
		return st
	}
	st := counters(l.info.reply)
	first, ok := l.info.reply.Field("first-entry")
	switch {
	case ok && first.IsNil():
		st.FirstID = state.Know(state.ID{})
	case ok && len(first.Elems) > 0:
		if id, err := state.ParseID(first.Elems[0].Text()); err == nil {
			st.FirstID = state.Know(id)
		}
	default:
		st.FirstID = state.Unknown[state.ID](untold)
	}
	return st
}

func firstOf(es []state.Entry) state.Maybe[state.ID] {
	if len(es) == 0 {
		return state.Know(state.ID{})
	}
	return state.Know(es[0].ID)
}

// judgeGroups reads the groups, and the selected one's consumers and page. When none was selected and the
// foremost is another than planned, it returns that one.
func (l *windowLook) judgeGroups(st *state.Stream, at state.Instant) (foremost string, moved bool) {
	if st.GroupsUnknown = l.groups.why(); st.GroupsUnknown != "" {
		return "", false
	}
	for _, v := range l.groups.reply.Elems {
		g := groupOf(v, "pending")
		g.ConsumersUnknown, g.PEL.Unknown = notRead, notRead
		if g.Name == l.group && l.pel != nil {
			l.readGroup(&g, at)
		}
		st.Groups = append(st.Groups, g)
	}
	sortGroups(st.Groups)
	foremost = st.Foremost()
	return foremost, l.s.Group == "" && foremost != l.group && foremost != ""
}

func (l *windowLook) readGroup(g *state.Group, at state.Instant) {
	if g.ConsumersUnknown = l.consumers.why(); g.ConsumersUnknown == "" {
		g.Consumers = consumersOf(l.consumers.reply, at)
	}
	p := l.s.Pending
	g.PEL = state.Page{From: p.From, To: state.MaxID(), Consumer: p.Consumer, Unknown: l.pel.why()}
	if g.PEL.Unknown != "" {
		return
	}
	g.PEL.Rows = pendingRows(l.pel.reply, at)
	if n := len(g.PEL.Rows); n >= countOr(p.Count, DefaultCount) {
		g.PEL.To = g.PEL.Rows[n-1].ID
	}
}

// entries makes the window as this round planned it; not ok when that turns out not to do.
func (l *windowLook) entries(st *state.Stream) (state.Window, bool) {
	n := countOr(l.s.Entries.Count, DefaultCount)
	switch {
	case l.mode == reuse:
		w, ok := l.reusable()
		moved := movedBetween(l.prev, st)
		return w, ok && (moved == still || moved == appended && w.To != state.MaxID())
	case l.mode == addNew:
		return l.joined(st, n)
	case l.newest != nil:
		return tailWindow(l.newest, n), true
	}
	return l.aroundAnchor(), true
}

func tailWindow(a *ask, n int) state.Window {
	w := state.Window{To: state.MaxID(), Unknown: a.why()}
	if w.Unknown != "" {
		return w
	}
	w.Entries = entriesOf(a.reply, true)
	slices.Reverse(w.Entries)
	if len(w.Entries) >= n {
		w.From = w.Entries[0].ID
	}
	return w
}

func (l *windowLook) aroundAnchor() state.Window {
	before, after := l.s.Entries.sides()
	w := state.Window{From: l.s.Entries.Anchor, To: state.MaxID(), Unknown: l.after.why()}
	if w.Unknown != "" {
		return w
	}
	if l.before != nil && l.before.why() == "" {
		older := entriesOf(l.before.reply, true)
		slices.Reverse(older)
		w.From = state.ID{}
		if len(older) >= before {
			w.From = older[0].ID
		}
		w.Entries = older
	}
	w.Entries = append(w.Entries, entriesOf(l.after.reply, true)...)
	if n := len(l.after.reply.Elems); n >= after {
		w.To = w.Entries[len(w.Entries)-1].ID
	}
	return w
}
