package embedded

import (
	"crypto/sha1"
	"encoding/hex"
	"strings"

	"pelscope/redisx/resp"
)

// scripts is what SCRIPT LOAD and EVAL have cached: the source by its SHA1 in lower case.
type scripts struct{ sources map[string]string }

func (s *scripts) len() int { return len(s.sources) }

func (s *scripts) add(source string) (sha string) {
	sha = sha1hex(source)
	if s.sources == nil {
		s.sources = map[string]string{}
	}
	s.sources[sha] = source
	return sha
}

func sha1hex(s string) string {
	sum := sha1.Sum([]byte(s))
	return hex.EncodeToString(sum[:])
}

func scriptCommands() []spec {
	const f = flagNoScript | flagStale | flagMovableKeys
	eval := func(name string, bySHA, readOnly bool) spec {
		return spec{name: name, arity: -3, flags: f, keys: numberedKeys(2),
			run: func(c *call) resp.Value { return evalCommand(c, bySHA, readOnly) }}
	}
	return []spec{
		eval("eval", false, false), eval("evalsha", true, false), eval("eval_ro", false, true), eval("evalsha_ro", true, true),
		{name: "script", arity: -2, subcommands: []spec{
			{name: "load", arity: 3, flags: flagNoScript | flagStale, run: scriptLoad},
			{name: "exists", arity: -3, flags: flagNoScript, run: scriptExists},
			{name: "flush", arity: -2, flags: flagNoScript, run: scriptFlush},
			{name: "kill", arity: 2, flags: flagNoScript | flagAllowBusy, run: func(*call) resp.Value {
				return resp.Errorf("NOTBUSY No scripts in execution right now.")
			}},
		}},
	}
}

// evalCommand is EVAL source|sha numkeys key … arg ….
func evalCommand(c *call, bySHA, readOnly bool) resp.Value {
	n, ok := intOf(c.args[2])
	switch {
	case !ok:
		return errNotInteger()
	case n > int64(len(c.args)-3):
		return resp.Errorf("ERR Number of keys can't be greater than number of args")
	case n < 0:
		return resp.Errorf("ERR Number of keys can't be negative")
	}
	source := c.args[1]
	if bySHA {
		if source, ok = c.e.scripts.sources[lower(source)]; !ok {
			return resp.Errorf("NOSCRIPT No matching script. Please use EVAL.")
		}
	}
	s, bad := newScript(c, source)
	if bad.IsError() {
		return bad
	}
	if !bySHA {
		c.e.scripts.add(source)
	}
	s.readOnly = s.readOnly || readOnly
	db := c.c.db
	defer func() { c.c.db = db }() // SELECT within a script ends with it
	return s.run(c.args[3:3+n], c.args[3+n:])
}

// shebang reads "#!lua name=value …" at the start of a script and blanks it out, so that lines keep
// their numbers.
func shebang(source string) (body string, readOnly bool, bad resp.Value) {
	if !strings.HasPrefix(source, "#!") {
		return source, false, resp.Value{}
	}
	first, body, _ := strings.Cut(source, "\n")
	words := strings.Fields(first)
	if words[0] != "#!lua" {
		return "", false, resp.Errorf("ERR Unexpected engine in script shebang: %s", words[0])
	}
	for _, w := range words[1:] {
		list, ok := strings.CutPrefix(w, "flags=")
		if !ok {
			return "", false, resp.Errorf("ERR Unknown lua shebang option: %s", w)
		}
		for flag := range strings.SplitSeq(list, ",") {
			switch flag {
			case "no-writes":
				readOnly = true
			case "allow-oom", "allow-stale", "no-cluster", "allow-cross-slot-keys", "":
			default:
				return "", false, resp.Errorf("ERR Unexpected flag in script shebang: %s", flag)
			}
		}
	}
	return "\n" + body, readOnly, resp.Value{}
}

func scriptLoad(c *call) resp.Value {
	if _, bad := newScript(c, c.args[2]); bad.IsError() {
		return bad
	}
	return resp.Str(c.e.scripts.add(c.args[2]))
}

func scriptExists(c *call) resp.Value {
	out := []resp.Value{}
	for _, sha := range c.args[2:] {
		n := int64(0)
		if _, ok := c.e.scripts.sources[lower(sha)]; ok {
			n = 1
		}
		out = append(out, resp.Integer(n))
	}
	return resp.ArrayOf(out...)
}

func scriptFlush(c *call) resp.Value {
	if len(c.args) > 3 || len(c.args) == 3 && !c.arg(2, "SYNC") && !c.arg(2, "ASYNC") {
		return resp.Errorf("ERR SCRIPT FLUSH only support SYNC|ASYNC option")
	}
	c.e.scripts = scripts{}
	return resp.OK()
}
