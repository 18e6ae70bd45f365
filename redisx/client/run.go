package client

import (
	"context"
	"strings"
	"sync"
	"time"

	"pelscope/redisx/resp"
	"pelscope/redisx/state"
)

// retryDenied is how many looks a refusal is believed: rights can change, but each refused command is
// an entry in the server's ACL LOG.
const retryDenied = 64

// memory is what Observe knows from earlier looks. One look at a time: mu is held during a look.
type memory struct {
	mu      sync.Mutex
	looks   int
	noMulti bool                  // MULTI was refused
	denied  map[string]resp.Value // refused commands, by name and key
	types   map[string]keyType    // complete scope: what each key was at the last look
	stream  string                // the stream that present is about
	present map[state.ID]struct{} // pending ids outside the window that were looked up and are entries
	cost    Cost
}

// keyType is what a key was: its type, and how many entries a stream had.
type keyType struct {
	name    string
	entries int64
}

// begin starts a look.
func (m *memory) begin() {
	if m.looks%retryDenied == 0 {
		m.noMulti, m.denied = false, map[string]resp.Value{}
	}
	m.looks++
	m.cost = Cost{}
	if m.types == nil {
		m.types = map[string]keyType{}
	}
}

// ask is one command of a batch and its reply: an error reply when the server refused it.
type ask struct {
	args  []string
	reply resp.Value
	done  bool
}

func (a *ask) answer(v resp.Value) { a.reply, a.done = v, true }

// why is the reason, in words, why the reply is no answer; empty when it is one.
func (a *ask) why() string {
	if a.reply.IsError() {
		return reason(a.reply, a.args)
	}
	return ""
}

func (a *ask) denialKey() string {
	name := commandName(a.args)
	if i := strings.Count(name, " ") + 1; i < len(a.args) {
		return name + " " + a.args[i]
	}
	return name
}

// batch is what one round of a look asks for, in one MULTI where the server allows it.
type batch struct {
	asks []*ask
	at   state.Instant // the server's clock, or the local one
	rtt  time.Duration
	torn bool
}

func (b *batch) add(args ...string) *ask {
	a := &ask{args: args}
	b.asks = append(b.asks, a)
	return a
}

// run sends the batch and answers every ask. Refused commands are left out of the MULTI, which they
// would abort, and are not sent again for a while.
func (c *Client) run(ctx context.Context, b *batch) error {
	clock := b.add("TIME")
	for {
		open := c.look.open(b)
		if len(open) == 0 {
			break
		}
		if err := c.round(ctx, b, open); err != nil {
			return err
		}
	}
	b.at = state.Instant(c.opts.Now().UnixMilli())
	if at, ok := serverTime(clock.reply); ok {
		b.at = at
	}
	return nil
}

// open answers what is known to be refused, and returns the rest.
func (m *memory) open(b *batch) []*ask {
	var open []*ask
	for _, a := range b.asks {
		if a.done {
			continue
		}
		if v, ok := m.denied[a.denialKey()]; ok {
			a.answer(v)
			continue
		}
		open = append(open, a)
	}
	return open
}

func (c *Client) round(ctx context.Context, b *batch, open []*ask) error {
	cmds := make([][]string, 0, len(open)+2)
	multi := !c.look.noMulti
	if multi {
		cmds = append(cmds, []string{"MULTI"})
	}
	for _, a := range open {
		cmds = append(cmds, a.args)
	}
	if multi {
		cmds = append(cmds, []string{"EXEC"})
	}
	start := c.opts.Now()
	vs, err := c.pipeline(ctx, cmds)
	if err != nil {
		return err
	}
	b.rtt = c.opts.Now().Sub(start)
	c.look.cost.Commands += len(cmds)
	c.look.cost.Took += b.rtt
	switch {
	case !multi:
		c.look.direct(b, open, vs)
	case vs[0].IsError():
		c.look.noMulti = true
		c.look.direct(b, open, vs[1:])
	default:
		c.look.queued(b, open, vs[1:])
	}
	return nil
}

// direct takes replies that came one by one.
func (m *memory) direct(b *batch, open []*ask, vs []resp.Value) {
	b.torn = true
	for i, a := range open {
		m.settle(a, vs[i])
	}
}

// queued takes the replies of a MULTI: one to each command when it was queued, and EXEC's.
func (m *memory) queued(b *batch, open []*ask, vs []resp.Value) {
	exec := vs[len(open)]
	if exec.Kind == resp.Array && len(exec.Elems) == len(open) {
		b.torn = false
		for i, a := range open {
			m.settle(a, exec.Elems[i])
		}
		return
	}
	refused := 0
	for i, a := range open {
		if vs[i].IsError() {
			m.settle(a, vs[i])
			refused++
		}
	}
	if refused == 0 { // EXEC itself does not work here
		m.noMulti = true
	}
}

func (m *memory) settle(a *ask, v resp.Value) {
	a.answer(v)
	if v.IsError() && (strings.HasPrefix(v.Str, "NOPERM") || strings.HasPrefix(v.Str, "ERR unknown")) {
		m.denied[a.denialKey()] = v
	}
}

// serverTime reads TIME's reply: seconds and microseconds.
func serverTime(v resp.Value) (state.Instant, bool) {
	if v.Kind != resp.Array || len(v.Elems) != 2 {
		return 0, false
	}
	s, ok1 := v.Elems[0].Int64()
	us, ok2 := v.Elems[1].Int64()
	return state.Instant(s*1000 + us/1000), ok1 && ok2
}
