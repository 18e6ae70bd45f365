package embedded

import (
	"fmt"
	"strconv"
	"strings"

	"pelscope/redisx/resp"
)

func serverCommands() []spec {
	const f = flagLoading | flagStale
	return []spec{
		{name: "command", arity: -1, flags: f, run: command, subcommands: []spec{
			{name: "count", arity: 2, flags: f, run: func(c *call) resp.Value { return resp.Integer(int64(len(c.e.commands))) }},
			{name: "list", arity: -2, flags: f, run: commandList},
			{name: "info", arity: -2, flags: f, run: commandInfo},
			{name: "docs", arity: -2, flags: f, run: commandDocs},
			{name: "getkeys", arity: -3, flags: f, run: commandGetKeys},
		}},
		{name: "config", arity: -2, subcommands: []spec{
			{name: "get", arity: -3, flags: flagAdmin | flagNoScript | f, run: configGet},
			{name: "set", arity: -4, flags: flagAdmin | flagNoScript | f, run: configSet},
			{name: "resetstat", arity: 2, flags: flagAdmin | flagNoScript | f, run: func(c *call) resp.Value {
				c.e.stats = stats{}
				return resp.OK()
			}},
		}},
		{name: "info", arity: -1, flags: f, run: info},
		{name: "time", arity: 1, flags: f | flagFast, run: timeCommand},
		{name: "dbsize", arity: 1, flags: flagReadonly | flagFast, run: func(c *call) resp.Value {
			return resp.Integer(int64(len(c.e.dbs[c.db()].keys)))
		}},
		{name: "role", arity: 1, flags: f | flagNoScript | flagFast, run: func(*call) resp.Value {
			return resp.ArrayOf(resp.Str("master"), resp.Integer(0), resp.ArrayOf())
		}},
		{name: "wait", arity: 3, flags: flagBlocking, run: wait},
		{name: "flushall", arity: -1, flags: flagWrite, run: func(c *call) resp.Value { return flush(c, 0, databases) }},
		{name: "flushdb", arity: -1, flags: flagWrite, run: func(c *call) resp.Value { return flush(c, c.db(), c.db()+1) }},
		{name: "swapdb", arity: 3, flags: flagWrite | flagFast, run: swapDB},
	}
}

// timeCommand gives seconds and microseconds; within a script the time stands still.
func timeCommand(c *call) resp.Value {
	us := c.now * 1000
	if !c.inScript && !c.inMulti {
		us = c.e.clock.Now().UnixMicro()
	}
	return resp.StrArray([]string{strconv.FormatInt(us/1e6, 10), strconv.FormatInt(us%1e6, 10)})
}

// wait never waits: there are no replicas.
func wait(c *call) resp.Value {
	if _, ok := intOf(c.args[1]); !ok {
		return errNotInteger()
	}
	ms, ok := intOf(c.args[2])
	if !ok {
		return resp.Errorf("ERR timeout is not an integer or out of range")
	}
	if ms < 0 {
		return resp.Errorf("ERR timeout is negative")
	}
	return resp.Integer(0)
}

func flush(c *call, from, to int) resp.Value {
	if len(c.args) > 2 || len(c.args) == 2 && !c.arg(1, "SYNC") && !c.arg(1, "ASYNC") {
		return errSyntax()
	}
	for i := from; i < to; i++ {
		for _, key := range sortedKeys(c.e.dbs[i].keys) {
			c.e.del(i, key)
		}
	}
	return resp.OK()
}

func swapDB(c *call) resp.Value {
	a, errA := strconv.Atoi(c.args[1])
	b, errB := strconv.Atoi(c.args[2])
	switch {
	case errA != nil:
		return resp.Errorf("ERR invalid first DB index")
	case errB != nil:
		return resp.Errorf("ERR invalid second DB index")
	case a < 0 || a >= databases || b < 0 || b >= databases:
		return resp.Errorf("ERR DB index is out of range")
	}
	c.e.dbs[a], c.e.dbs[b] = c.e.dbs[b], c.e.dbs[a]
	for _, n := range []int{a, b} {
		for key, o := range c.e.dbs[n].keys {
			if o.expireAt != 0 {
				c.e.expireAt(n, key, o, o.expireAt)
			}
			c.e.touched(keyRef{n, key})
			c.e.signal(n, key, false)
		}
	}
	return resp.OK()
}

// section is one heading of INFO.
type section struct {
	name, title string
	lines       func(e *Engine, now int64) []string
}

func infoSections() []section {
	return []section{
		{"server", "Server", infoServer}, {"clients", "Clients", infoClients}, {"memory", "Memory", infoMemory},
		{"persistence", "Persistence", func(*Engine, int64) []string { return []string{"loading:0", "aof_enabled:0"} }},
		{"stats", "Stats", infoStats},
		{"replication", "Replication", func(*Engine, int64) []string {
			return []string{"role:master", "connected_slaves:0", "master_repl_offset:0"}
		}},
		{"cluster", "Cluster", func(*Engine, int64) []string { return []string{"cluster_enabled:0"} }},
		{"keyspace", "Keyspace", infoKeyspace},
	}
}

func info(c *call) resp.Value {
	wanted := map[string]bool{}
	for _, a := range c.args[1:] {
		wanted[lower(a)] = true
	}
	all := len(wanted) == 0 || wanted["default"] || wanted["all"] || wanted["everything"]
	var parts []string
	for _, s := range infoSections() {
		if all || wanted[s.name] {
			lines := append([]string{"# " + s.title}, s.lines(c.e, c.now)...)
			parts = append(parts, strings.Join(lines, "\r\n")+"\r\n")
		}
	}
	return resp.VerbatimText(strings.Join(parts, "\r\n"))
}

func infoServer(e *Engine, now int64) []string {
	up := (now - e.started) / 1000
	return []string{
		"redis_version:" + RedisVersion,
		"redis_mode:standalone",
		"pelscope_engine:embedded",
		"arch_bits:64",
		"tcp_port:0",
		fmt.Sprintf("server_time_usec:%d", e.clock.Now().UnixMicro()),
		fmt.Sprintf("uptime_in_seconds:%d", up),
		fmt.Sprintf("uptime_in_days:%d", up/86400),
	}
}

func infoClients(e *Engine, _ int64) []string {
	blocked, listening, watching := 0, 0, 0
	for _, c := range e.conns {
		if c.waiting != nil {
			blocked++
		}
		if c.subscribed() {
			listening++
		}
		if len(c.watched) > 0 {
			watching++
		}
	}
	return []string{
		fmt.Sprintf("connected_clients:%d", len(e.conns)),
		"maxclients:10000",
		fmt.Sprintf("blocked_clients:%d", blocked),
		fmt.Sprintf("pubsub_clients:%d", listening),
		fmt.Sprintf("watching_clients:%d", watching),
		fmt.Sprintf("total_watched_keys:%d", len(e.watchers)),
		fmt.Sprintf("total_blocking_keys:%d", len(e.waiters)),
	}
}

func infoMemory(e *Engine, _ int64) []string {
	return []string{
		fmt.Sprintf("used_memory:%d", e.memory),
		fmt.Sprintf("maxmemory:%d", e.opts.MaxMemory),
		"maxmemory_policy:noeviction",
		fmt.Sprintf("number_of_cached_scripts:%d", e.scripts.len()),
	}
}

func infoStats(e *Engine, _ int64) []string {
	return []string{
		fmt.Sprintf("total_connections_received:%d", e.stats.connections),
		fmt.Sprintf("total_commands_processed:%d", e.stats.commands),
		fmt.Sprintf("expired_keys:%d", e.stats.expired),
		"evicted_keys:0",
		fmt.Sprintf("keyspace_hits:%d", e.stats.hits),
		fmt.Sprintf("keyspace_misses:%d", e.stats.misses),
		fmt.Sprintf("pubsub_channels:%d", len(e.pubsub.channels)),
		fmt.Sprintf("pubsub_patterns:%d", len(e.pubsub.patterns)),
		fmt.Sprintf("total_error_replies:%d", e.stats.errors),
	}
}

func infoKeyspace(e *Engine, now int64) []string {
	var lines []string
	for i, d := range e.dbs {
		expires, sum := 0, int64(0)
		for _, o := range d.keys {
			if o.expireAt != 0 {
				expires++
				sum += max(o.expireAt-now, 0)
			}
		}
		if len(d.keys) > 0 {
			lines = append(lines, fmt.Sprintf("db%d:keys=%d,expires=%d,avg_ttl=%d,subexpiry=0", i, len(d.keys), expires, sum/int64(max(expires, 1))))
		}
	}
	return lines
}
