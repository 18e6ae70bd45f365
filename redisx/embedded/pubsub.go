package embedded

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"pelscope/redisx/resp"
)

// pubsub is who listens to what.
type pubsub struct {
	channels map[string][]*conn
	patterns map[string][]*conn
}

func newPubsub() pubsub {
	return pubsub{channels: map[string][]*conn{}, patterns: map[string][]*conn{}}
}

func pubsubCommands() []spec {
	const f = flagPubSub | flagNoScript | flagLoading | flagStale
	const info = flagPubSub | flagLoading | flagStale
	return []spec{
		{name: "subscribe", arity: -2, flags: f, run: func(c *call) resp.Value { return c.listen(false) }},
		{name: "psubscribe", arity: -2, flags: f, run: func(c *call) resp.Value { return c.listen(true) }},
		{name: "unsubscribe", arity: -1, flags: f, run: func(c *call) resp.Value { return c.unlisten(false) }},
		{name: "punsubscribe", arity: -1, flags: f, run: func(c *call) resp.Value { return c.unlisten(true) }},
		{name: "publish", arity: 3, flags: flagPubSub | flagLoading | flagStale | flagFast, run: publish},
		{name: "pubsub", arity: -2, subcommands: []spec{
			{name: "channels", arity: -2, flags: info, run: pubsubChannels},
			{name: "numsub", arity: -2, flags: info, run: pubsubNumsub},
			{name: "numpat", arity: 2, flags: info, run: func(c *call) resp.Value {
				return resp.Integer(int64(len(c.e.pubsub.patterns)))
			}},
		}},
	}
}

// of returns the table and the connection's own list for channels or for patterns.
func (p *pubsub) of(c *conn, patterns bool) (table map[string][]*conn, own *names) {
	if patterns {
		return p.patterns, &c.patterns
	}
	return p.channels, &c.channels
}

// listen is SUBSCRIBE and PSUBSCRIBE: one message for each name.
func (c *call) listen(patterns bool) resp.Value {
	table, own := c.e.pubsub.of(c.c, patterns)
	for _, name := range c.args[1:] {
		if own.add(name) {
			table[name] = append(table[name], c.c)
		}
		c.c.push(resp.Str(lower(c.args[0])), resp.Str(name), resp.Integer(c.c.listening()))
	}
	return noReply()
}

func (c *call) unlisten(patterns bool) resp.Value {
	_, own := c.e.pubsub.of(c.c, patterns)
	list := c.args[1:]
	if len(list) == 0 {
		list = slices.Clone(own.list)
	}
	if len(list) == 0 {
		c.c.push(resp.Str(lower(c.args[0])), resp.NilBulkValue(), resp.Integer(c.c.listening()))
	}
	for _, name := range list {
		c.e.pubsub.leave(c.c, name, patterns)
		c.c.push(resp.Str(lower(c.args[0])), resp.Str(name), resp.Integer(c.c.listening()))
	}
	return noReply()
}

func (c *conn) listening() int64 { return int64(c.channels.len() + c.patterns.len()) }

func (p *pubsub) leave(c *conn, name string, patterns bool) {
	table, own := p.of(c, patterns)
	if !own.remove(name) {
		return
	}
	rest := slices.DeleteFunc(table[name], func(o *conn) bool { return o == c })
	if len(rest) == 0 {
		delete(table, name)
	} else {
		table[name] = rest
	}
}

// forget takes a connection out of every channel and pattern.
func (p *pubsub) forget(c *conn) {
	for _, patterns := range []bool{false, true} {
		_, own := p.of(c, patterns)
		for _, name := range slices.Clone(own.list) {
			p.leave(c, name, patterns)
		}
	}
}

// publish sends a message and returns how many received it.
func (p *pubsub) publish(channel, message string) int64 {
	n := int64(0)
	for _, c := range slices.Clone(p.channels[channel]) {
		c.push(resp.Str("message"), resp.Str(channel), resp.Str(message))
		n++
	}
	for _, pattern := range sortedKeys(p.patterns) {
		if !matches(pattern, channel) {
			continue
		}
		for _, c := range slices.Clone(p.patterns[pattern]) {
			c.push(resp.Str("pmessage"), resp.Str(pattern), resp.Str(channel), resp.Str(message))
			n++
		}
	}
	return n
}

func publish(c *call) resp.Value { return resp.Integer(c.e.pubsub.publish(c.args[1], c.args[2])) }

func pubsubChannels(c *call) resp.Value {
	if len(c.args) > 3 {
		return errUnknownSub("pubsub", c.args[1])
	}
	out := []resp.Value{}
	for _, name := range sortedKeys(c.e.pubsub.channels) {
		if len(c.args) == 2 || matches(c.args[2], name) {
			out = append(out, resp.Str(name))
		}
	}
	return resp.ArrayOf(out...)
}

func pubsubNumsub(c *call) resp.Value {
	out := []resp.Value{}
	for _, name := range c.args[2:] {
		out = append(out, resp.Str(name), resp.Integer(int64(len(c.e.pubsub.channels[name]))))
	}
	return resp.ArrayOf(out...)
}

// notify publishes a keyspace notification of a class when notify-keyspace-events asks for it:
// https://redis.io/docs/latest/develop/use/keyspace-notifications/.
func (e *Engine) notify(db int, class byte, event, key string) {
	on := e.config["notify-keyspace-events"]
	if !strings.ContainsRune(on, rune(class)) && !(strings.Contains(on, "A") && class != 'm' && class != 'n') {
		return
	}
	if strings.Contains(on, "K") {
		e.pubsub.publish("__keyspace@"+strconv.Itoa(db)+"__:"+key, event)
	}
	if strings.Contains(on, "E") {
		e.pubsub.publish("__keyevent@"+strconv.Itoa(db)+"__:"+event, key)
	}
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
