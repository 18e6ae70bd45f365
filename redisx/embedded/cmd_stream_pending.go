package embedded

import (
	"strings"

	"pelscope/redisx/embedded/stream"
	"pelscope/redisx/resp"
)

// xack is XACK key group id [id …]. Any client may acknowledge for any consumer.
func xack(c *call) (resp.Value, error) {
	s, err := c.stream(c.args[1])
	if err != nil {
		return resp.Value{}, err
	}
	var g *stream.Group
	if s != nil {
		g = s.Group(c.args[2])
	}
	if g == nil {
		return resp.Integer(0), nil
	}
	ids, err := parseIDs(c.args[3:])
	if err != nil {
		return resp.Value{}, err
	}
	acknowledged := int64(0)
	for _, id := range ids {
		if c.mayAck(g, id) && g.Ack(id) {
			acknowledged++
		}
	}
	return resp.Integer(acknowledged), nil
}

// mayAck is always so in Redis. The deliberate fault lets only the owner acknowledge, whose name it
// takes from the connection's, after the last colon.
func (c *call) mayAck(g *stream.Group, id stream.ID) bool {
	if !c.e.opts.Wrong.AckAsksOwner {
		return true
	}
	name := c.c.name
	p := g.FindPending(id)
	return p != nil && p.Consumer.Name == name[strings.LastIndexByte(name, ':')+1:]
}

// pendingArgs are the arguments of XPENDING with a range.
type pendingArgs struct {
	minIdle    int64 // ms
	start, end stream.ID
	count      int64
	consumer   string
	byConsumer bool
}

// xpending is XPENDING key group [[IDLE min-idle] start end count [consumer]].
func xpending(c *call) (resp.Value, error) {
	n := len(c.args)
	if n != 3 && (n < 6 || n > 9) {
		return resp.Value{}, errSyntaxRefusal
	}
	var a pendingArgs
	if n > 3 {
		var err error
		if a, err = parsePendingArgs(c.args[3:]); err != nil {
			return resp.Value{}, err
		}
	}
	s, err := c.stream(c.args[1])
	if err != nil {
		return resp.Value{}, err
	}
	g := groupOf(s, c.args[2])
	switch {
	case g == nil:
		return resp.Value{}, errNoKeyOrGroup(c.args[1], c.args[2])
	case n == 3:
		return pendingSummary(g), nil
	}
	return pendingRange(g, a, c.now), nil
}

// groupOf is the group, nil when there is no stream or no such group.
func groupOf(s *stream.Stream, name string) *stream.Group {
	if s == nil {
		return nil
	}
	return s.Group(name)
}

// errNoKeyOrGroup is what XPENDING, XCLAIM and XAUTOCLAIM say when there is no such key or group.
func errNoKeyOrGroup(key, group string) error {
	return refusal("NOGROUP No such key '" + cText(key) + "' or consumer group '" + cText(group) + "'")
}

// parsePendingArgs reads [IDLE min-idle] start end count [consumer], in Redis's order of checks.
func parsePendingArgs(args []string) (a pendingArgs, err error) {
	if isWord(args[0], "IDLE") {
		if a.minIdle, err = strictInt(args[1]); err != nil {
			return a, err
		}
		if len(args) < 5 {
			return a, errSyntaxRefusal
		}
		args = args[2:]
	}
	if a.count, err = strictInt(args[2]); err != nil {
		return a, err
	}
	a.count = max(a.count, 0)
	if a.start, err = intervalStart(args[0]); err != nil {
		return a, err
	}
	if a.end, err = intervalEnd(args[1]); err != nil {
		return a, err
	}
	if len(args) > 3 {
		a.consumer, a.byConsumer = args[3], true
	}
	return a, nil
}

// pendingSummary is how many are pending, the smallest and largest id, and how many by consumer.
func pendingSummary(g *stream.Group) resp.Value {
	if g.PendingLen() == 0 {
		return resp.ArrayOf(resp.Integer(0), resp.NilBulkValue(), resp.NilBulkValue(), resp.NilArrayValue())
	}
	first, last := g.PendingEnds()
	consumers := []resp.Value{}
	for _, c := range g.Consumers() {
		if n := c.PendingLen(); n > 0 {
			consumers = append(consumers, resp.ArrayOf(resp.Str(c.Name), resp.Str(resp.Integer(int64(n)).Text())))
		}
	}
	return resp.ArrayOf(resp.Integer(int64(g.PendingLen())), resp.Str(first.String()), resp.Str(last.String()),
		resp.ArrayOf(consumers...))
}

// pendingRange lists pending entries: id, consumer, idle (ms), deliveries.
func pendingRange(g *stream.Group, a pendingArgs, now int64) resp.Value {
	out := []resp.Value{}
	walk := g.Pending
	if a.byConsumer {
		c := g.Consumer(a.consumer)
		if c == nil {
			return resp.ArrayOf()
		}
		walk = c.Pending
	}
	if a.count == 0 {
		return resp.ArrayOf()
	}
	for p := range walk(a.start) {
		if a.end.Less(p.ID) {
			break
		}
		idle := now - p.Delivered
		if a.minIdle != 0 && idle < a.minIdle {
			continue
		}
		out = append(out, resp.ArrayOf(resp.Str(p.ID.String()), resp.Str(p.Consumer.Name),
			resp.Integer(max(idle, 0)), resp.Integer(p.Count)))
		if int64(len(out)) == a.count {
			break
		}
	}
	return resp.ArrayOf(out...)
}
