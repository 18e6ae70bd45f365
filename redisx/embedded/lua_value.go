package embedded

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"pelscope/redisx/resp"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// numberText writes a Lua number as an argument of a command: an integer without a point, otherwise
// with 17 digits.
func numberText(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) < 1<<63 {
		return itoa(int64(f))
	}
	s := strconv.FormatFloat(f, 'g', 17, 64)
	if short := strconv.FormatFloat(f, 'g', -1, 64); len(short) < len(s) {
		return short
	}
	return s
}

// luaText is a string, or a number as Lua writes it (%.14g).
func luaText(v lua.LValue) string {
	if f, ok := v.(lua.LNumber); ok {
		return strings.ReplaceAll(fmt.Sprintf("%.14g", float64(f)), "Inf", "inf")
	}
	return lua.LVAsString(v)
}

func stringTable(L *lua.LState, list []string) *lua.LTable {
	t := L.CreateTable(len(list), 0)
	for _, s := range list {
		t.Append(lua.LString(s))
	}
	return t
}

// toLua turns a reply into Lua's types by Redis's rules for the script's protocol.
func (s *script) toLua(L *lua.LState, v resp.Value) lua.LValue {
	s.limit.spend(L, int64(len(v.Str))+16)
	if s.version == 2 {
		if v.Kind == resp.Map || v.Kind == resp.Set || v.Kind == resp.Push {
			v.Kind = resp.Array
		}
		switch v.Kind {
		case resp.Nil, resp.NilBulk, resp.NilArray:
			return lua.LFalse
		case resp.Double, resp.Big, resp.Verbatim:
			return lua.LString(v.Text())
		case resp.Bool:
			return lua.LNumber(v.Int)
		}
	}
	switch v.Kind {
	case resp.Int:
		return lua.LNumber(v.Int)
	case resp.Bulk:
		return lua.LString(v.Str)
	case resp.Status:
		return oneField(L, "ok", v.Str)
	case resp.Error:
		return oneField(L, "err", v.Str)
	case resp.Array, resp.Push:
		t := L.CreateTable(len(v.Elems), 0)
		for i, e := range v.Elems {
			t.RawSetInt(i+1, s.toLua(L, e))
		}
		return t
	case resp.Map, resp.Set:
		return s.aggregate3(L, v)
	}
	return s.scalar3(L, v)
}

// aggregate3 gives a map as {map={…}} and a set as {set={x=true}}.
func (s *script) aggregate3(L *lua.LState, v resp.Value) lua.LValue {
	t, inner := L.NewTable(), L.NewTable()
	if v.Kind == resp.Map {
		for i := 0; i+1 < len(v.Elems); i += 2 {
			inner.RawSet(s.toLua(L, v.Elems[i]), s.toLua(L, v.Elems[i+1]))
		}
		t.RawSetString("map", inner)
		return t
	}
	for _, e := range v.Elems {
		inner.RawSet(s.toLua(L, e), lua.LTrue)
	}
	t.RawSetString("set", inner)
	return t
}

func (s *script) scalar3(L *lua.LState, v resp.Value) lua.LValue {
	switch v.Kind {
	case resp.Bool:
		return lua.LBool(v.Int != 0)
	case resp.Double:
		t := L.NewTable()
		t.RawSetString("double", lua.LNumber(v.Float))
		return t
	case resp.Big:
		return oneField(L, "big_number", v.Str)
	case resp.Verbatim:
		t, inner := L.NewTable(), L.NewTable()
		inner.RawSetString("format", lua.LString(v.Str[:min(3, len(v.Str))]))
		inner.RawSetString("string", lua.LString(v.Text()))
		t.RawSetString("verbatim_string", inner)
		return t
	}
	return lua.LNil
}

// reply turns what a script returns into a reply: numbers are cut to integers, a table is an array up
// to its first nil unless it has one of the fields that say otherwise.
func (s *script) reply(v lua.LValue, depth int) resp.Value {
	if depth > resp.MaxDepth-2 {
		return resp.Errorf("ERR reached lua stack limit")
	}
	switch v := v.(type) {
	case lua.LString:
		return resp.Str(string(v))
	case lua.LNumber:
		return resp.Integer(truncated(float64(v)))
	case lua.LBool:
		switch {
		case s.c.proto() >= 3 && s.version == 3:
			return resp.BoolOf(bool(v))
		case bool(v):
			return resp.Integer(1)
		}
		return resp.NilBulkValue()
	case *lua.LTable:
		return s.tableReply(v, depth)
	}
	return resp.NilBulkValue()
}

// truncated is C's conversion of a double to a long long on x86-64.
func truncated(f float64) int64 {
	if f != f || f >= 1<<63 || f < -1<<63 {
		return math.MinInt64
	}
	return int64(f)
}

func (s *script) tableReply(t *lua.LTable, depth int) resp.Value {
	if text, ok := t.RawGetString("err").(lua.LString); ok {
		return resp.Errorf("%s", strings.TrimPrefix(string(text), "-"))
	}
	if text, ok := t.RawGetString("ok").(lua.LString); ok {
		return resp.StatusOf(string(text))
	}
	if f, ok := t.RawGetString("double").(lua.LNumber); ok {
		return resp.DoubleOf(float64(f))
	}
	if m, ok := t.RawGetString("map").(*lua.LTable); ok {
		out := []resp.Value{}
		m.ForEach(func(k, v lua.LValue) { out = append(out, s.reply(k, depth+1), s.reply(v, depth+1)) })
		return resp.MapOf(out...)
	}
	if m, ok := t.RawGetString("set").(*lua.LTable); ok {
		out := []resp.Value{}
		m.ForEach(func(k, _ lua.LValue) { out = append(out, s.reply(k, depth+1)) })
		return resp.SetOf(out...)
	}
	if n, ok := t.RawGetString("big_number").(lua.LString); ok {
		return resp.Value{Kind: resp.Big, Str: strings.NewReplacer("\r", " ", "\n", " ").Replace(string(n))}
	}
	if w, ok := t.RawGetString("verbatim_string").(*lua.LTable); ok {
		format, ok1 := w.RawGetString("format").(lua.LString)
		text, ok2 := w.RawGetString("string").(lua.LString)
		if ok1 && ok2 && len(format) == 3 {
			return resp.Value{Kind: resp.Verbatim, Str: string(format + ":" + text)}
		}
	}
	out := []resp.Value{}
	for i := 1; ; i++ {
		e := t.RawGetInt(i)
		if e == lua.LNil {
			return resp.ArrayOf(out...)
		}
		out = append(out, s.reply(e, depth+1))
	}
}
