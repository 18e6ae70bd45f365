package embedded

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"pelscope/redisx/resp"
)

// keptGlobals are what remains of Lua's base library, as in Redis.
func keptGlobals() []string {
	return []string{"assert", "error", "getmetatable", "ipairs", "next", "pairs", "pcall", "rawequal", "rawget", "rawset",
		"select", "setmetatable", "tonumber", "tostring", "type", "unpack", "xpcall", "_VERSION"}
}

// open makes the globals that a script sees.
func (s *script) open(L *lua.LState) *lua.LTable {
	for _, open := range []lua.LGFunction{lua.OpenBase, lua.OpenTable, lua.OpenString, lua.OpenMath} {
		L.Push(L.NewFunction(open))
		L.Call(0, 0)
	}
	all := L.G.Global
	s.guardLibrary(L)
	globals := L.NewTable()
	for _, name := range keptGlobals() {
		globals.RawSetString(name, all.RawGetString(name))
	}
	rnd := rand.New(rand.NewPCG(0, 0)) // the same numbers in every run of every script, as in Redis
	mathTable := all.RawGetString("math").(*lua.LTable)
	mathTable.RawSetString("random", L.NewFunction(func(L *lua.LState) int { return random(L, rnd) }))
	mathTable.RawSetString("randomseed", L.NewFunction(func(L *lua.LState) int {
		rnd = rand.New(rand.NewPCG(uint64(L.CheckInt64(1)), 0))
		return 0
	}))
	for _, name := range []string{"table", "string", "math"} {
		globals.RawSetString(name, sealed(L, all.RawGetString(name).(*lua.LTable), false))
	}
	toString := globals.RawGetString("tostring").(*lua.LFunction).GFunction
	globals.RawSetString("tostring", L.NewFunction(func(L *lua.LState) int {
		if f, ok := L.Get(1).(lua.LNumber); ok {
			L.Push(lua.LString(luaText(f)))
			return 1
		}
		return toString(L)
	}))
	globals.RawSetString("pcall", L.NewFunction(protectedCall))
	globals.RawSetString(concatName, L.NewFunction(s.concat))
	for name, functions := range map[string]map[string]lua.LGFunction{
		"redis": s.redisLibrary(), "bit": bitLibrary(), "cjson": s.jsonLibrary(),
		"os": {"clock": func(L *lua.LState) int { L.Push(lua.LNumber(s.limit.steps) / 1e7); return 1 }},
	} {
		t := L.SetFuncs(L.NewTable(), functions)
		if name == "redis" {
			redisConstants(t)
		}
		if name == "cjson" {
			t.RawSetString("null", jsonNull(L))
		}
		globals.RawSetString(name, sealed(L, t, false))
	}
	return globals
}

// sealed is a table that reads from another and cannot be written. A strict one, the globals, refuses
// names that are not there too.
func sealed(L *lua.LState, t *lua.LTable, strict bool) *lua.LTable {
	proxy, meta := L.NewTable(), L.NewTable()
	meta.RawSetString("__index", t)
	if strict {
		meta.RawSetString("__index", L.NewFunction(func(L *lua.LState) int {
			v := t.RawGet(L.Get(2))
			if v == lua.LNil {
				L.RaiseError("Script attempted to access nonexistent global variable '%s'", L.Get(2).String())
			}
			L.Push(v)
			return 1
		}))
	}
	meta.RawSetString("__newindex", L.NewFunction(func(L *lua.LState) int {
		L.RaiseError("Attempt to modify a readonly table")
		return 0
	}))
	meta.RawSetString("__metatable", lua.LFalse)
	proxy.Metatable = meta
	return proxy
}

func random(L *lua.LState, rnd *rand.Rand) int {
	lo, hi := int64(1), int64(0)
	switch L.GetTop() {
	case 0:
		L.Push(lua.LNumber(rnd.Float64()))
		return 1
	case 1:
		hi = L.CheckInt64(1)
	default:
		lo, hi = L.CheckInt64(1), L.CheckInt64(2)
	}
	if hi < lo || hi-lo < 0 || hi-lo == math.MaxInt64 {
		L.ArgError(1, "interval is empty")
	}
	L.Push(lua.LNumber(lo + rnd.Int64N(hi-lo+1)))
	return 1
}

// protectedCall is pcall. As in Redis, an error of a command arrives as its text.
func protectedCall(L *lua.LState) int {
	L.CheckAny(1)
	if err := L.PCall(L.GetTop()-1, lua.MultRet, nil); err != nil {
		var value lua.LValue = lua.LString(err.Error())
		var api *lua.ApiError
		if errors.As(err, &api) {
			value = api.Object
		}
		if t, ok := value.(*lua.LTable); ok {
			if text, ok := t.RawGetString("err").(lua.LString); ok {
				value = text
			}
		}
		L.Push(lua.LFalse)
		L.Push(value)
		return 2
	}
	L.Insert(lua.LTrue, 1)
	return L.GetTop()
}

func redisConstants(t *lua.LTable) {
	for name, n := range map[string]int{"LOG_DEBUG": 0, "LOG_VERBOSE": 1, "LOG_NOTICE": 2, "LOG_WARNING": 3,
		"REPL_NONE": 0, "REPL_AOF": 1, "REPL_SLAVE": 2, "REPL_REPLICA": 2, "REPL_ALL": 3, "REDIS_VERSION_NUM": 0x00080603} {
		t.RawSetString(name, lua.LNumber(n))
	}
	t.RawSetString("REDIS_VERSION", lua.LString(RedisVersion))
}

// redisLibrary is the table redis: https://redis.io/docs/latest/develop/interact/programmability/lua-api/.
func (s *script) redisLibrary() map[string]lua.LGFunction {
	yes := func(L *lua.LState) int { L.Push(lua.LTrue); return 1 }
	return map[string]lua.LGFunction{
		"call":  func(L *lua.LState) int { return s.redisCall(L, true) },
		"pcall": func(L *lua.LState) int { return s.redisCall(L, false) },
		"error_reply": func(L *lua.LState) int {
			text := strings.TrimPrefix(s.onlyString(L), "-")
			if !strings.Contains(text, " ") {
				text = "ERR " + text
			}
			L.Push(oneField(L, "err", text))
			return 1
		},
		"status_reply": func(L *lua.LState) int { L.Push(oneField(L, "ok", s.onlyString(L))); return 1 },
		"sha1hex": func(L *lua.LState) int {
			if L.GetTop() != 1 {
				s.raise(L, "ERR wrong number of arguments")
			}
			L.Push(lua.LString(sha1hex(L.ToString(1))))
			return 1
		},
		"setresp": func(L *lua.LState) int {
			n, ok := L.Get(1).(lua.LNumber)
			if L.GetTop() != 1 {
				s.raise(L, "ERR redis.setresp() requires one argument.")
			}
			if !ok || n != 2 && n != 3 {
				s.raise(L, "ERR RESP version must be 2 or 3.")
			}
			s.version = int(n)
			return 0
		},
		"log":                func(*lua.LState) int { return 0 },
		"set_repl":           func(*lua.LState) int { return 0 },
		"replicate_commands": yes,
		"acl_check_cmd":      yes,
	}
}

// onlyString is the argument of a function that takes exactly one string.
func (s *script) onlyString(L *lua.LState) string {
	text, ok := L.Get(1).(lua.LString)
	if L.GetTop() != 1 || !ok {
		s.raise(L, "ERR wrong number or type of arguments")
	}
	return string(text)
}

// errorTable is an error as scripts see it, with the place where it arose.
func (s *script) errorTable(L *lua.LState, text string) *lua.LTable {
	t := oneField(L, "err", text)
	t.RawSetString("source", lua.LString("@user_script"))
	t.RawSetString("line", lua.LString(s.place(L.Where(1))))
	return t
}

func (s *script) raise(L *lua.LState, text string) { L.Error(s.errorTable(L, text), 1) }

func oneField(L *lua.LState, name, value string) *lua.LTable {
	t := L.NewTable()
	t.RawSetString(name, lua.LString(value))
	return t
}

// redisCall is redis.call, which raises errors, and redis.pcall, which returns them.
func (s *script) redisCall(L *lua.LState, raises bool) int {
	v := s.command(L)
	if v.IsError() {
		t := s.errorTable(L, v.Str)
		if raises {
			L.Error(t, 1)
		}
		t.RawSetString("ignore_error_stats_update", lua.LTrue)
		L.Push(t)
		return 1
	}
	L.Push(s.toLua(L, v))
	return 1
}

// command runs the command that stands on Lua's stack.
func (s *script) command(L *lua.LState) resp.Value {
	if L.GetTop() == 0 {
		return resp.Errorf("ERR Please specify at least one argument for this redis lib call")
	}
	args := make([]string, L.GetTop())
	for i := range args {
		switch v := L.Get(i + 1).(type) {
		case lua.LString:
			args[i] = string(v)
		case lua.LNumber:
			args[i] = numberText(float64(v))
		default:
			return resp.Errorf("ERR Lua redis lib command arguments must be strings or integers")
		}
	}
	s.limit.step(commandSteps)
	cmd, bad := s.c.e.find(args)
	switch {
	case cmd == nil && strings.HasPrefix(bad.Str, "ERR unknown"):
		return resp.Errorf("ERR Unknown Redis command called from script")
	case cmd == nil:
		return resp.Errorf("ERR Wrong number of args calling Redis command from script")
	case cmd.flags&flagNoScript != 0:
		return resp.Errorf("ERR This Redis command is not allowed from script")
	case s.readOnly && cmd.flags&flagWrite != 0:
		return resp.Errorf("ERR Write commands are not allowed from read-only scripts.")
	}
	k := &call{e: s.c.e, c: s.c.c, spec: cmd, args: args, now: s.c.now, inMulti: s.c.inMulti, inScript: true, version: s.version}
	return s.c.e.run(k)
}
