package embedded_test

import (
	"strings"
	"testing"
)

// Each of these would hang the engine or eat the machine's memory if nothing stopped it.
func TestAScriptThatNeverEndsOrGrowsIsStopped(t *testing.T) {
	s := enginePlace(t).session(t)
	defer s.close()
	for name, source := range map[string]string{
		"loop":        "while true do end",
		"caught":      "while true do pcall(function() while true do end end) end",
		"doubling":    "local s = 'x' while true do s = s..s end",
		"in a chain":  "local s = ('x'):rep(1000) while true do s = s..s..s..s end",
		"rep":         "return ('x'):rep(1e12)",
		"rep method":  "local t = {} for i = 1, 1e9 do t[i] = ('x'):rep(1e6) end",
		"gsub":        "local s = ('x'):rep(1e6) return s:gsub('x', s)",
		"concat":      "local s, t = ('x'):rep(1e6), {} for i = 1, 1000 do t[i] = s end return table.concat(t)",
		"format":      "local s = ('x'):rep(1e7) while true do s = string.format('%s%s', s, s) end",
		"recursion":   "local function f() return 1 + f() end return f()",
		"json":        "local t = {} t.t = t return cjson.encode(t)",
		"own concat":  "local t = setmetatable({}, {__concat = function(a, b) return a..b end}) return t..t",
		"many writes": "while true do redis.call('SET', 'k', 'v') end",
		"deep reply":  "local t = {} t[1] = t return t",
	} {
		v := s.on("").do("EVAL", source, "0")
		if name == "deep reply" {
			for len(v.Elems) == 1 {
				v = v.Elems[0]
			}
		}
		if !v.IsError() {
			t.Errorf("%s: %s", name, cutText(show(v)))
		}
		if v := s.on("").do("PING"); v.Str != "PONG" {
			t.Fatalf("after %s: %s", name, show(v))
		}
	}
}

func cutText(s string) string { return s[:min(len(s), 200)] }

func TestAScriptReachesNothingOfTheMachine(t *testing.T) {
	s := enginePlace(t).session(t)
	defer s.close()
	for _, name := range []string{"io", "require", "dofile", "loadfile", "load", "loadstring", "module", "debug", "package",
		"print", "coroutine", "collectgarbage", "newproxy", "getfenv", "setfenv", "channel"} {
		v := s.on("").do("EVAL", "return "+name, "0")
		if !strings.Contains(v.Str, "nonexistent global variable '"+name+"'") {
			t.Errorf("%s: %s", name, show(v))
		}
	}
	for source, want := range map[string]string{
		"return os.execute":                 "nil-bulk",
		"return _G.io":                      "nonexistent",
		"_G.x = 1":                          "readonly",
		"redis.call = nil":                  "readonly",
		"getmetatable(_G).__newindex = nil": "index",
		"setmetatable(_G, nil)":             "protected",
		"local s = getmetatable('').__index; s.rep = 1 return 1": "int 1",
	} {
		if v := s.on("").do("EVAL", source, "0"); !strings.Contains(show(v), want) {
			t.Errorf("%s: %s, want %s", source, show(v), want)
		}
	}
	if v := s.on("").do("EVAL", "return ('x'):rep(2)", "0"); v.Str != "xx" {
		t.Errorf("one script changed another's library: %s", show(v))
	}
}
