package embedded

import (
	"fmt"
	"slices"
	"strings"

	"pelscope/redisx/resp"
)

func clientCommands() []spec {
	const f = flagNoScript | flagLoading | flagStale
	return []spec{{name: "client", arity: -2, subcommands: []spec{
		{name: "id", arity: 2, flags: f, run: func(c *call) resp.Value { return resp.Integer(c.c.id) }},
		{name: "info", arity: 2, flags: f, run: func(c *call) resp.Value { return resp.VerbatimText(c.c.describe(c.now)) }},
		{name: "list", arity: -2, flags: f | flagAdmin, run: clientList},
		{name: "setname", arity: 3, flags: f, run: clientSetName},
		{name: "getname", arity: 2, flags: f, run: clientGetName},
		{name: "setinfo", arity: 4, flags: f, run: clientSetInfo},
		{name: "kill", arity: -3, flags: f | flagAdmin, run: clientKill},
		{name: "unblock", arity: -3, flags: f | flagAdmin, run: clientUnblock},
		{name: "no-evict", arity: 3, flags: f | flagAdmin, run: func(c *call) resp.Value { return clientSwitch(c, &c.c.noEvict) }},
		{name: "no-touch", arity: 3, flags: f, run: func(c *call) resp.Value { return clientSwitch(c, &c.c.noTouch) }},
	}}}
}

// sortedConns are the connections in the order in which they came.
func (e *Engine) sortedConns() []*conn {
	out := make([]*conn, 0, len(e.conns))
	for _, id := range sortedKeys(e.conns) {
		out = append(out, e.conns[id])
	}
	return out
}

// describe is the connection's line of CLIENT LIST. Sizes of buffers that the engine does not have are 0.
func (c *conn) describe(now int64) string {
	multi := -1
	if c.multi != nil {
		multi = len(c.multi.queue)
	}
	return fmt.Sprintf("id=%d addr=%s laddr=%s fd=%d name=%s age=%d idle=%d flags=%s db=%d sub=%d psub=%d ssub=0 multi=%d watch=%d "+
		"qbuf=0 qbuf-free=0 argv-mem=0 multi-mem=0 rbs=0 rbp=0 obl=0 oll=0 omem=%d tot-mem=%d events=r cmd=%s user=default redir=-1 "+
		"resp=%d lib-name=%s lib-ver=%s io-thread=0 tot-net-in=%d tot-net-out=%d tot-cmds=%d\n",
		c.id, c.addr, c.laddr, c.id, c.name, (now-c.created)/1000, (now-c.lastActive)/1000, c.flags(), c.db, c.channels.len(),
		c.patterns.len(), multi, len(c.watched), len(c.out), len(c.out), c.lastCommand, c.proto, c.libName, c.libVer,
		c.netIn, c.netOut, c.commands)
}

// clientFilter says which clients are meant.
type clientFilter struct {
	ids    []int64
	typ    string
	addr   string
	laddr  string
	user   string
	maxAge int64 // seconds
	skipMe bool
}

func (f clientFilter) fits(c *conn, now int64) bool {
	typ := "normal"
	if c.subscribed() {
		typ = "pubsub"
	}
	return (len(f.ids) == 0 || slices.Contains(f.ids, c.id)) && (f.typ == "" || f.typ == typ) &&
		(f.addr == "" || f.addr == c.addr) && (f.laddr == "" || f.laddr == c.laddr) && (f.user == "" || f.user == "default") &&
		(now-c.created)/1000 >= f.maxAge
}

func clientList(c *call) resp.Value {
	var f clientFilter
	if len(c.args) > 2 {
		switch {
		case c.arg(2, "TYPE") && len(c.args) == 4:
			if f.typ = clientType(c.args[3]); f.typ == "" {
				return resp.Errorf("ERR Unknown client type '%s'", c.args[3])
			}
		case c.arg(2, "ID") && len(c.args) > 3:
			for _, a := range c.args[3:] {
				id, ok := intOf(a)
				if !ok {
					return resp.Errorf("ERR Invalid client ID")
				}
				f.ids = append(f.ids, id)
			}
		default:
			return errSyntax()
		}
	}
	var b strings.Builder
	for _, o := range c.e.sortedConns() {
		if f.fits(o, c.now) {
			b.WriteString(o.describe(c.now))
		}
	}
	return resp.VerbatimText(b.String())
}

func clientType(s string) string {
	switch t := lower(s); t {
	case "normal", "pubsub", "master", "replica":
		return t
	case "slave":
		return "replica"
	}
	return ""
}

// validName says whether a client may have this name: printable ASCII without spaces.
func validName(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r < '!' || r > '~' }) < 0
}

func errClientName() resp.Value {
	return resp.Errorf("ERR Client names cannot contain spaces, newlines or special characters.")
}

func clientSetName(c *call) resp.Value {
	if !validName(c.args[2]) {
		return errClientName()
	}
	c.c.name = c.args[2]
	return resp.OK()
}

func clientGetName(c *call) resp.Value {
	if c.c.name == "" {
		return resp.NilBulkValue()
	}
	return resp.Str(c.c.name)
}

func clientSetInfo(c *call) resp.Value {
	option, value := lower(c.args[2]), c.args[3]
	if option != "lib-name" && option != "lib-ver" {
		return resp.Errorf("ERR Unrecognized option '%s'", c.args[2])
	}
	if !validName(value) {
		return resp.Errorf("ERR %s cannot contain spaces, newlines or special characters.", c.args[2])
	}
	if option == "lib-name" {
		c.c.libName = value
	} else {
		c.c.libVer = value
	}
	return resp.OK()
}

func clientSwitch(c *call, to *bool) resp.Value {
	switch lower(c.args[2]) {
	case "on":
		*to = true
	case "off":
		*to = false
	default:
		return errSyntax()
	}
	return resp.OK()
}

// clientKill is CLIENT KILL addr, or with filters, which answers how many were killed.
func clientKill(c *call) resp.Value {
	f := clientFilter{skipMe: true}
	old := len(c.args) == 3
	if old {
		f.addr, f.skipMe = c.args[2], false
	} else if v := f.parse(c.args[2:]); v.IsError() {
		return v
	}
	killed := int64(0)
	for _, o := range c.e.sortedConns() {
		if !f.fits(o, c.now) || f.skipMe && o == c.c {
			continue
		}
		killed++
		if o == c.c {
			o.quit = true
		} else {
			o.drop()
		}
	}
	switch {
	case !old:
		return resp.Integer(killed)
	case killed == 0:
		return resp.Errorf("ERR No such client")
	}
	return resp.OK()
}

func (f *clientFilter) parse(args []string) resp.Value {
	if len(args)%2 != 0 {
		return errSyntax()
	}
	for i := 0; i < len(args); i += 2 {
		value := args[i+1]
		switch lower(args[i]) {
		case "id":
			id, ok := intOf(value)
			if !ok || id < 1 {
				return resp.Errorf("ERR client-id should be greater than 0")
			}
			f.ids = append(f.ids, id)
		case "type":
			if f.typ = clientType(value); f.typ == "" {
				return resp.Errorf("ERR Unknown client type '%s'", value)
			}
		case "addr":
			f.addr = value
		case "laddr":
			f.laddr = value
		case "user":
			if value != "default" {
				return resp.Errorf("ERR No such user '%s'", value)
			}
			f.user = value
		case "skipme":
			if lower(value) != "yes" && lower(value) != "no" {
				return errSyntax()
			}
			f.skipMe = lower(value) == "yes"
		case "maxage":
			n, ok := intOf(value)
			if !ok {
				return resp.Errorf("ERR maxage is not an integer or out of range")
			}
			if n <= 0 {
				return resp.Errorf("ERR maxage should be greater than 0")
			}
			f.maxAge = n
		default:
			return errSyntax()
		}
	}
	return resp.OK()
}

func clientUnblock(c *call) resp.Value {
	failing := false
	if len(c.args) == 4 {
		switch lower(c.args[3]) {
		case "timeout":
		case "error":
			failing = true
		default:
			return resp.Errorf("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR")
		}
	} else if len(c.args) > 4 {
		return resp.Errorf("ERR unknown subcommand or wrong number of arguments for '%s'. Try CLIENT HELP.", c.args[1])
	}
	id, ok := intOf(c.args[2])
	if !ok {
		return errNotInteger()
	}
	o := c.e.conns[id]
	if o == nil || o.waiting == nil {
		return resp.Integer(0)
	}
	v := o.waiting.onTimeout
	if failing {
		v = resp.Errorf("UNBLOCKED client unblocked via CLIENT UNBLOCK")
	}
	o.waiting.finish(v)
	return resp.Integer(1)
}
