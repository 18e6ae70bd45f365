package embedded

import (
	"strings"

	"pelscope/redisx/embedded/stream"
	"pelscope/redisx/resp"
)

// streamCommand is the spec of a command whose keys stand at one place, 0 for none.
func streamCommand(name string, arity int, f flags, key int, run func(*call) (resp.Value, error)) spec {
	s := spec{name: name, arity: arity, flags: f, firstKey: key, lastKey: key, run: refusable(run)}
	if key > 0 {
		s.step = 1
	}
	return s
}

// streamReadCommand is the spec of XREAD and XREADGROUP, whose keys stand behind the word STREAMS.
func streamReadCommand(name string, arity int, f flags, from int, run func(*call) (resp.Value, error)) spec {
	s := streamCommand(name, arity, f|flagBlocking|flagMovableKeys, 0, run)
	s.keys = func(args []string) []string {
		for i := from; i < len(args); i++ {
			if isWord(args[i], "STREAMS") {
				rest := args[i+1:]
				return rest[:len(rest)/2]
			}
		}
		return nil
	}
	return s
}

// streamCommands are the commands on streams of Redis 8.6, with the flags that COMMAND INFO gives.
func streamCommands() []spec {
	const (
		read, write = flagReadonly, flagWrite
		fast, deny  = flagFast, flagDenyOOM
	)
	return []spec{
		streamCommand("xadd", -5, write|deny|fast, 1, xadd),
		streamCommand("xtrim", -4, write, 1, xtrim),
		streamCommand("xdel", -3, write|fast, 1, xdel),
		streamCommand("xdelex", -5, write|fast, 1, xdelex),
		streamCommand("xsetid", -3, write|deny|fast, 1, xsetid),
		streamCommand("xcfgset", -2, write|fast, 1, xcfgset),
		streamCommand("xidmprecord", 5, write|deny|fast, 1, xidmprecord),
		streamCommand("xlen", 2, read|fast, 1, xlen),
		streamCommand("xrange", -4, read, 1, xrange),
		streamCommand("xrevrange", -4, read, 1, xrevrange),
		streamReadCommand("xread", -4, read, 1, xread),
		streamReadCommand("xreadgroup", -7, write, 4, xreadgroup),
		streamCommand("xack", -4, write|fast, 1, xack),
		streamCommand("xackdel", -6, write|fast, 1, xackdel),
		streamCommand("xpending", -3, read, 1, xpending),
		streamCommand("xclaim", -6, write|fast, 1, xclaim),
		streamCommand("xautoclaim", -6, write|fast, 1, xautoclaim),
		{name: "xgroup", arity: -2, subcommands: []spec{
			streamCommand("create", -5, write|deny, 2, xgroupCreate),
			streamCommand("setid", -5, write, 2, xgroupSetID),
			streamCommand("destroy", 4, write, 2, xgroupDestroy),
			streamCommand("createconsumer", 5, write|deny, 2, xgroupCreateConsumer),
			streamCommand("delconsumer", 5, write, 2, xgroupDelConsumer),
			streamCommand("help", 2, flagLoading|flagStale, 0, xgroupHelp),
		}},
		{name: "xinfo", arity: -2, subcommands: []spec{
			streamCommand("stream", -3, read, 2, xinfoStream),
			streamCommand("groups", 3, read, 2, xinfoGroups),
			streamCommand("consumers", 4, read, 2, xinfoConsumers),
			streamCommand("help", 2, flagLoading|flagStale, 0, xinfoHelp),
		}},
	}
}

// streamHelp is the reply of a HELP subcommand.
func streamHelp(name string, lines ...string) resp.Value {
	lines = append(lines, "HELP", "    Print this help.")
	out := []resp.Value{resp.StatusOf(name + " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:")}
	for _, l := range lines {
		out = append(out, resp.StatusOf(l))
	}
	return resp.ArrayOf(out...)
}

// stream is the stream at a key, nil when there is no such key.
func (c *call) stream(key string) (*stream.Stream, error) {
	o, ok := c.get(key)
	if !ok {
		return nil, nil
	}
	s, ok := o.value.(*stream.Stream)
	if !ok {
		return nil, errWrongTypeStream
	}
	return s, nil
}

// createStream puts an empty stream at a key that does not exist.
func (c *call) createStream(key string) *stream.Stream {
	s := stream.New()
	s.SetIdmp(c.e.configInt("stream-idmp-duration"), c.e.configInt("stream-idmp-maxsize"))
	c.set(key, s)
	return s
}

// streamEvent publishes a keyspace notification of the streams' class.
func (c *call) streamEvent(event, key string) { c.event('t', event, key) }

// streamLimits are the node sizes that the configuration asks for.
func (c *call) streamLimits() stream.Limits {
	return stream.Limits{NodeMaxEntries: c.e.configInt("stream-node-max-entries"), NodeMaxBytes: c.e.configInt("stream-node-max-bytes")}
}

// consumer is the consumer of that name, made if need be, and seen now.
func (c *call) consumer(key string, g *stream.Group, name string) *stream.Consumer {
	consumer, created := g.CreateConsumer(name, c.now)
	if created {
		c.streamEvent("xgroup-createconsumer", key)
	}
	consumer.SeenTime = c.now
	return consumer
}

// errSubcommand is what XGROUP and XINFO say of arguments that they cannot place.
func errSubcommand(c *call) error {
	return refuse("unknown subcommand or wrong number of arguments for '%s'. Try %s HELP.",
		cut(cText(c.args[1]), 128), strings.ToUpper(c.args[0]))
}
