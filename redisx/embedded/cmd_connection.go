package embedded

import (
	"crypto/subtle"

	"pelscope/redisx/resp"
)

func connectionCommands() []spec {
	const f = flagNoScript | flagLoading | flagStale | flagFast
	return []spec{
		{name: "ping", arity: -1, flags: flagFast, run: ping},
		{name: "echo", arity: 2, flags: flagLoading | flagStale | flagFast, run: func(c *call) resp.Value { return resp.Str(c.args[1]) }},
		{name: "hello", arity: -1, flags: f | flagNoAuth | flagAllowBusy, run: hello},
		{name: "auth", arity: -2, flags: f | flagNoAuth | flagAllowBusy, run: auth},
		{name: "select", arity: 2, flags: flagLoading | flagStale | flagFast, run: selectDB},
		{name: "quit", arity: -1, flags: f | flagNoAuth | flagAllowBusy, run: quit},
		{name: "reset", arity: 1, flags: f | flagNoAuth | flagAllowBusy, run: reset},
	}
}

func ping(c *call) resp.Value {
	if len(c.args) > 2 {
		return errArity("ping")
	}
	if c.c.subscribed() && c.proto() == 2 {
		text := ""
		if len(c.args) == 2 {
			text = c.args[1]
		}
		return resp.StrArray([]string{"pong", text})
	}
	if len(c.args) == 2 {
		return resp.Str(c.args[1])
	}
	return resp.StatusOf("PONG")
}

// hello is HELLO [2|3 [AUTH user password] [SETNAME name]]. Nothing changes unless all of it is right.
func hello(c *call) resp.Value {
	proto, name, named := c.c.proto, "", false
	if len(c.args) > 1 {
		n, ok := intOf(c.args[1])
		if !ok {
			return resp.Errorf("ERR Protocol version is not an integer or out of range")
		}
		if n != 2 && n != 3 {
			return resp.Errorf("NOPROTO unsupported protocol version")
		}
		proto = int(n)
	}
	for i := 2; i < len(c.args); {
		switch more := len(c.args) - 1 - i; {
		case c.arg(i, "AUTH") && more >= 2:
			if v := c.login(c.args[i+1], c.args[i+2]); v.IsError() {
				return v
			}
			i += 3
		case c.arg(i, "SETNAME") && more >= 1:
			if name, named = c.args[i+1], true; !validName(name) {
				return errClientName()
			}
			i += 2
		default:
			return resp.Errorf("ERR Syntax error in HELLO option '%s'", c.args[i])
		}
	}
	if !c.c.authenticated {
		return resp.Errorf("NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO <proto> AUTH <user> <pass> " +
			"option can be used to authenticate the client and select the RESP protocol version at the same time")
	}
	if named {
		c.c.name = name
	}
	c.c.proto = proto
	return resp.MapOf(
		resp.Str("server"), resp.Str("redis"),
		resp.Str("version"), resp.Str(RedisVersion),
		resp.Str("proto"), resp.Integer(int64(proto)),
		resp.Str("id"), resp.Integer(c.c.id),
		resp.Str("mode"), resp.Str("standalone"),
		resp.Str("role"), resp.Str("master"),
		resp.Str("modules"), resp.ArrayOf(),
	)
}

// login knows one user, default. Where no password is asked for, every password is right. A wrong one takes
// nothing from a connection that is logged in.
func (c *call) login(user, password string) resp.Value {
	want := c.e.opts.Password
	if user != "default" || want != "" && subtle.ConstantTimeCompare([]byte(password), []byte(want)) == 0 {
		return resp.Errorf("WRONGPASS invalid username-password pair or user is disabled.")
	}
	c.c.authenticated = true
	return resp.OK()
}

func auth(c *call) resp.Value {
	switch len(c.args) {
	case 2:
		if c.e.opts.Password != "" {
			return c.login("default", c.args[1])
		}
		return resp.Errorf("ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?")
	case 3:
		return c.login(c.args[1], c.args[2])
	}
	return errSyntax()
}

func selectDB(c *call) resp.Value {
	n, ok := intOf(c.args[1])
	if !ok {
		return errNotInteger()
	}
	if n != int64(int32(n)) {
		return resp.Errorf("ERR value is out of range, value must between -2147483648 and 2147483647")
	}
	if n < 0 || n >= databases {
		return resp.Errorf("ERR DB index is out of range")
	}
	c.c.db = int(n)
	return resp.OK()
}

func quit(c *call) resp.Value {
	c.c.quit = true
	return resp.OK()
}

// reset makes the connection as new.
func reset(c *call) resp.Value {
	c.c.multi = nil
	c.c.unwatch()
	c.e.pubsub.forget(c.c)
	c.c.db, c.c.proto, c.c.name = 0, 2, ""
	c.c.noTouch, c.c.noEvict = false, false
	c.c.authenticated = c.e.opts.Password == ""
	return resp.StatusOf("RESET")
}
