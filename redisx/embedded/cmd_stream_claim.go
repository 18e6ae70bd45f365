package embedded

import (
	"math"

	"pelscope/redisx/embedded/stream"
	"pelscope/redisx/resp"
)

// claimArgs are the arguments of XCLAIM.
type claimArgs struct {
	minIdle    int64 // ms
	ids        []stream.ID
	delivered  int64 // the delivery time to set, ms since 1970
	retryCount int64 // the count to set, or -1
	force      bool
	justID     bool
	lastID     stream.ID
}

// xclaim is XCLAIM key group consumer min-idle id [id …] [IDLE ms] [TIME ms] [RETRYCOUNT n] [FORCE]
// [JUSTID] [LASTID id].
func xclaim(c *call) (resp.Value, error) {
	key := c.args[1]
	s, err := c.stream(key)
	if err != nil {
		return resp.Value{}, err
	}
	g := groupOf(s, c.args[2])
	if g == nil {
		return resp.Value{}, errNoKeyOrGroup(key, c.args[2])
	}
	a, err := parseClaimArgs(c)
	if err != nil {
		return resp.Value{}, err
	}
	g.AdvanceTo(a.lastID)
	consumer := c.consumer(key, g, c.args[3])
	out := []resp.Value{}
	for _, id := range a.ids {
		e, there := s.Get(id)
		if !there {
			g.Ack(id) // what is no longer there leaves the pending entries, whatever its idle time
			continue
		}
		p := g.FindPending(id)
		switch {
		case p == nil && !a.force:
			continue
		case p == nil:
			g.AddPending(id, consumer, c.now)
			p = g.FindPending(id)
		case a.minIdle > 0 && c.now-p.Delivered < a.minIdle:
			continue
		}
		out = append(out, c.claim(g, p, e, consumer, a))
	}
	return resp.ArrayOf(out...), nil
}

// claim makes the consumer the owner of one pending entry and returns what the reply says of it.
func (c *call) claim(g *stream.Group, p *stream.Pending, e stream.Entry, consumer *stream.Consumer, a claimArgs) resp.Value {
	count := p.Count
	switch {
	case a.retryCount >= 0:
		count = a.retryCount
	case !a.justID:
		count++
	}
	delivered := a.delivered
	if c.e.opts.Wrong.ClaimKeepsIdle {
		delivered = p.Delivered
	}
	g.Give(p, consumer, delivered, count)
	consumer.ActiveTime = c.now
	if a.justID {
		return resp.Str(p.ID.String())
	}
	return entryValue(e)
}

// parseClaimArgs reads what follows the consumer.
func parseClaimArgs(c *call) (a claimArgs, err error) {
	if a.minIdle, err = strictIntOr(c.args[4], "Invalid min-idle-time argument for XCLAIM"); err != nil {
		return a, err
	}
	args := c.args[5:]
	for len(args) > 0 {
		id, err := parsePlainID(args[0])
		if err != nil {
			break // the options begin
		}
		a.ids = append(a.ids, id)
		args = args[1:]
	}
	a.delivered, a.retryCount = -1, -1
	for len(args) > 0 {
		used, err := a.option(args, c.now)
		if err != nil {
			return a, err
		}
		args = args[used:]
	}
	if a.delivered < 0 || a.delivered > c.now {
		a.delivered = c.now
	}
	return a, nil
}

// option reads one option at the front of args and returns how many arguments it took.
func (a *claimArgs) option(args []string, now int64) (used int, err error) {
	word, more := args[0], len(args) > 1
	switch {
	case isWord(word, "FORCE"):
		a.force = true
		return 1, nil
	case isWord(word, "JUSTID"):
		a.justID = true
		return 1, nil
	case isWord(word, "IDLE") && more:
		idle, err := strictIntOr(args[1], "Invalid IDLE option argument for XCLAIM")
		a.delivered = now - idle
		return 2, err
	case isWord(word, "TIME") && more:
		a.delivered, err = strictIntOr(args[1], "Invalid TIME option argument for XCLAIM")
	case isWord(word, "RETRYCOUNT") && more:
		a.retryCount, err = strictIntOr(args[1], "Invalid RETRYCOUNT option argument for XCLAIM")
	case isWord(word, "LASTID") && more:
		a.lastID, err = parsePlainID(args[1])
	default:
		return 0, refuse("Unrecognized XCLAIM option '%s'", cText(word))
	}
	return 2, err
}

// What XAUTOCLAIM goes by.
const (
	autoClaimCount    = 100                // entries claimed at most, unless COUNT says otherwise
	autoClaimAttempts = 10                 // pending entries looked at, for each of COUNT
	maxAutoClaimCount = math.MaxInt64 / 16 // the largest COUNT
	roomForAutoClaim  = 1 << 43            // the largest for which Redis, at 16 bytes each, finds addresses
)

// autoClaimArgs are the arguments of XAUTOCLAIM.
type autoClaimArgs struct {
	minIdle int64 // ms
	start   stream.ID
	count   int64
	justID  bool
}

// xautoclaim is XAUTOCLAIM key group consumer min-idle start [COUNT n] [JUSTID].
func xautoclaim(c *call) (resp.Value, error) {
	a, err := parseAutoClaimArgs(c.args[4:])
	if err != nil {
		return resp.Value{}, err
	}
	key := c.args[1]
	s, err := c.stream(key)
	if err != nil {
		return resp.Value{}, err
	}
	g := groupOf(s, c.args[2])
	if g == nil {
		return resp.Value{}, errNoKeyOrGroup(key, c.args[2])
	}
	if a.count > roomForAutoClaim {
		return resp.Value{}, refuse("Insufficient memory, failed allocating transient memory, COUNT too high.")
	}
	consumer := c.consumer(key, g, c.args[3])
	due, next := a.due(s, g, c.now)
	claimed, gone := []resp.Value{}, []resp.Value{}
	how := claimArgs{delivered: c.now, retryCount: -1, justID: a.justID}
	for _, p := range due {
		if e, there := s.Get(p.ID); there {
			claimed = append(claimed, c.claim(g, p, e, consumer, how))
		} else {
			g.Ack(p.ID)
			gone = append(gone, resp.Str(p.ID.String()))
		}
	}
	return resp.ArrayOf(resp.Str(next.String()), resp.ArrayOf(claimed...), resp.ArrayOf(gone...)), nil
}

// due are the pending entries that the command takes: those idle for long enough and those that are
// no longer in the stream, until there are enough of them or enough were looked at. next is where
// the next call has to start, 0-0 at the end.
func (a autoClaimArgs) due(s *stream.Stream, g *stream.Group, now int64) (due []*stream.Pending, next stream.ID) {
	attempts := a.count * autoClaimAttempts
	for p := range g.Pending(a.start) {
		if attempts == 0 || int64(len(due)) == a.count {
			return due, p.ID
		}
		attempts--
		if s.Has(p.ID) && a.minIdle > 0 && now-p.Delivered < a.minIdle {
			continue
		}
		due = append(due, p)
	}
	return due, stream.ID{}
}

// parseAutoClaimArgs reads min-idle, start and the options.
func parseAutoClaimArgs(args []string) (a autoClaimArgs, err error) {
	if a.minIdle, err = strictIntOr(args[0], "Invalid min-idle-time argument for XAUTOCLAIM"); err != nil {
		return a, err
	}
	if a.start, err = intervalStart(args[1]); err != nil {
		return a, err
	}
	a.count = autoClaimCount
	for i := 2; i < len(args); i++ {
		switch {
		case isWord(args[i], "COUNT") && i+1 < len(args):
			i++
			if a.count, err = strictInt(args[i]); err != nil || a.count < 1 || a.count > maxAutoClaimCount {
				return a, refuse("COUNT must be > 0")
			}
		case isWord(args[i], "JUSTID"):
			a.justID = true
		default:
			return a, errSyntaxRefusal
		}
	}
	return a, nil
}
