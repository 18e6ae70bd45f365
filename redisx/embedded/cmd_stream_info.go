package embedded

import (
	"pelscope/redisx/embedded/stream"
	"pelscope/redisx/resp"
)

// xinfoHelp is XINFO HELP.
func xinfoHelp(*call) (resp.Value, error) {
	return streamHelp("XINFO",
		"CONSUMERS <key> <groupname>",
		"    Show consumers of <groupname>.",
		"GROUPS <key>",
		"    Show the stream consumer groups.",
		"STREAM <key> [FULL [COUNT <count>]",
		"    Show information about the stream."), nil
}

// pairs builds a map reply name by name.
type pairs []resp.Value

func (p *pairs) add(name string, v resp.Value) { *p = append(*p, resp.Str(name), v) }
func (p *pairs) int(name string, n int64)      { p.add(name, resp.Integer(n)) }
func (p *pairs) id(name string, id stream.ID)  { p.add(name, resp.Str(id.String())) }
func (p pairs) value() resp.Value              { return resp.MapOf(p...) }

// known is a number, or nil where it can't be known.
func (p *pairs) known(name string, n int64, ok bool) {
	if ok {
		p.int(name, n)
	} else {
		p.add(name, resp.NilBulkValue())
	}
}

// infoStream is the stream that XINFO is asked about.
func infoStream(c *call) (*stream.Stream, error) {
	s, err := c.stream(c.args[2])
	if err == nil && s == nil {
		err = errNoKeyRefusal
	}
	return s, err
}

// xinfoStream is XINFO STREAM key [FULL [COUNT n]].
func xinfoStream(c *call) (resp.Value, error) {
	s, err := infoStream(c)
	if err != nil {
		return resp.Value{}, err
	}
	opts := c.args[3:]
	count := int64(10)
	switch {
	case len(opts) == 0:
	case len(opts) != 1 && len(opts) != 3, !isWord(opts[0], "FULL"):
		return resp.Value{}, errSubcommand(c)
	case len(opts) == 3:
		if !isWord(opts[1], "COUNT") {
			return resp.Value{}, errSubcommand(c)
		}
		if count, err = strictInt(opts[2]); err != nil {
			return resp.Value{}, err
		}
		if count < 0 {
			count = 10
		}
	}
	p := infoHead(s, c.now)
	if len(opts) > 0 {
		p.add("entries", resp.ArrayOf(entryValues(s.Range(stream.ID{}, stream.MaxID()), count)...))
		groups := make([]resp.Value, len(s.Groups()))
		for i, g := range s.Groups() {
			groups[i] = groupFull(s, g, count)
		}
		p.add("groups", resp.ArrayOf(groups...))
		return p.value(), nil
	}
	p.int("groups", int64(len(s.Groups())))
	p.add("first-entry", firstOf(entryValues(s.Range(stream.ID{}, stream.MaxID()), 1)))
	p.add("last-entry", firstOf(entryValues(s.RangeReverse(stream.ID{}, stream.MaxID()), 1)))
	return p.value(), nil
}

func firstOf(entries []resp.Value) resp.Value {
	if len(entries) == 0 {
		return resp.NilBulkValue()
	}
	return entries[0]
}

// infoHead is what XINFO STREAM begins with in both forms.
func infoHead(s *stream.Stream, now int64) pairs {
	var p pairs
	p.int("length", int64(s.Len()))
	p.int("radix-tree-keys", int64(s.Nodes()))
	p.int("radix-tree-nodes", int64(s.RadixNodes()))
	p.id("last-generated-id", s.LastID())
	p.id("max-deleted-entry-id", s.MaxDeletedID())
	p.int("entries-added", s.EntriesAdded())
	p.id("recorded-first-entry-id", s.FirstID())
	m := s.Idmp(now)
	p.int("idmp-duration", m.Duration)
	p.int("idmp-maxsize", m.MaxSize)
	p.int("pids-tracked", m.Producers)
	p.int("iids-tracked", m.IDs)
	p.int("iids-added", m.IDsAdded)
	p.int("iids-duplicates", m.IDsDuplicate)
	return p
}

// groupFull is one group of XINFO STREAM FULL.
func groupFull(s *stream.Stream, g *stream.Group, count int64) resp.Value {
	var p pairs
	p.add("name", resp.Str(g.Name()))
	p.groupCounts(s, g)
	p.int("pel-count", int64(g.PendingLen()))
	pending := []resp.Value{}
	for n := range g.Pending(stream.ID{}) {
		pending = append(pending, resp.ArrayOf(resp.Str(n.ID.String()), resp.Str(n.Consumer.Name),
			resp.Integer(n.Delivered), resp.Integer(n.Count)))
		if int64(len(pending)) == count {
			break
		}
	}
	p.add("pending", resp.ArrayOf(pending...))
	consumers := make([]resp.Value, len(g.Consumers()))
	for i, c := range g.Consumers() {
		consumers[i] = consumerFull(c, count)
	}
	p.add("consumers", resp.ArrayOf(consumers...))
	return p.value()
}

// groupCounts adds the cursor, the count of entries read and the lag.
func (p *pairs) groupCounts(s *stream.Stream, g *stream.Group) {
	p.id("last-delivered-id", g.LastID())
	p.known("entries-read", g.EntriesRead(), g.EntriesRead() != stream.UnknownEntriesRead)
	lag, ok := s.Lag(g)
	p.known("lag", lag, ok)
}

// consumerFull is one consumer of XINFO STREAM FULL.
func consumerFull(c *stream.Consumer, count int64) resp.Value {
	var p pairs
	p.add("name", resp.Str(c.Name))
	p.int("seen-time", c.SeenTime)
	p.int("active-time", c.ActiveTime)
	p.int("pel-count", int64(c.PendingLen()))
	pending := []resp.Value{}
	for n := range c.Pending(stream.ID{}) {
		pending = append(pending, resp.ArrayOf(resp.Str(n.ID.String()), resp.Integer(n.Delivered), resp.Integer(n.Count)))
		if int64(len(pending)) == count {
			break
		}
	}
	p.add("pending", resp.ArrayOf(pending...))
	return p.value()
}

// xinfoGroups is XINFO GROUPS key.
func xinfoGroups(c *call) (resp.Value, error) {
	s, err := infoStream(c)
	if err != nil {
		return resp.Value{}, err
	}
	out := make([]resp.Value, len(s.Groups()))
	for i, g := range s.Groups() {
		var p pairs
		p.add("name", resp.Str(g.Name()))
		p.int("consumers", int64(len(g.Consumers())))
		p.int("pending", int64(g.PendingLen()))
		p.groupCounts(s, g)
		out[i] = p.value()
	}
	return resp.ArrayOf(out...), nil
}

// xinfoConsumers is XINFO CONSUMERS key group.
func xinfoConsumers(c *call) (resp.Value, error) {
	s, err := infoStream(c)
	if err != nil {
		return resp.Value{}, err
	}
	g := s.Group(c.args[3])
	if g == nil {
		return resp.Value{}, errNoGroupForKey(c.args[3], c.args[2])
	}
	out := make([]resp.Value, len(g.Consumers()))
	for i, consumer := range g.Consumers() {
		inactive := consumer.ActiveTime
		if inactive != stream.NeverActive {
			inactive = c.now - inactive
		}
		var p pairs
		p.add("name", resp.Str(consumer.Name))
		p.int("pending", int64(consumer.PendingLen()))
		p.int("idle", max(0, c.now-consumer.SeenTime))
		p.int("inactive", inactive)
		out[i] = p.value()
	}
	return resp.ArrayOf(out...), nil
}
