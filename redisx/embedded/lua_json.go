package embedded

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// jsonLibrary is the part of cjson that scripts use: encode and decode.
func (s *script) jsonLibrary() map[string]lua.LGFunction {
	return map[string]lua.LGFunction{
		"encode": func(L *lua.LState) int {
			var b strings.Builder
			s.encodeJSON(L, &b, L.CheckAny(1), 0)
			s.limit.spend(L, int64(b.Len()))
			L.Push(lua.LString(b.String()))
			return 1
		},
		"decode": func(L *lua.LState) int {
			text := L.CheckString(1)
			s.limit.spend(L, int64(len(text))*4)
			d := json.NewDecoder(strings.NewReader(text))
			d.UseNumber()
			var v any
			if err := d.Decode(&v); err != nil || d.More() {
				L.RaiseError("Expected value but found invalid token at character 1")
			}
			L.Push(fromJSON(L, v))
			return 1
		},
	}
}

// jsonNull is cjson.null: a value of its own that is not nil.
func jsonNull(L *lua.LState) lua.LValue {
	return &lua.LUserData{Value: nil, Env: L.Env, Metatable: lua.LNil}
}

const maxJSONDepth = 1000 // as in cjson

func (s *script) encodeJSON(L *lua.LState, b *strings.Builder, v lua.LValue, depth int) {
	if depth > maxJSONDepth {
		L.RaiseError("Cannot serialise, excessive depth (%d)", depth)
	}
	switch v := v.(type) {
	case lua.LString:
		b.WriteString(quoteJSON(string(v)))
	case lua.LNumber:
		f := float64(v)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			L.RaiseError("Cannot serialise number: must not be NaN or Inf")
		}
		b.WriteString(strconv.FormatFloat(f, 'g', 14, 64))
	case lua.LBool:
		b.WriteString(strconv.FormatBool(bool(v)))
	case *lua.LTable:
		s.encodeTable(L, b, v, depth)
	case *lua.LUserData, *lua.LNilType:
		b.WriteString("null")
	default:
		L.RaiseError("Cannot serialise %s: type not supported", v.Type().String())
	}
}

func (s *script) encodeTable(L *lua.LState, b *strings.Builder, t *lua.LTable, depth int) {
	n, other := 0, false
	t.ForEach(func(k, _ lua.LValue) {
		if f, ok := k.(lua.LNumber); ok && f >= 1 && f == lua.LNumber(int(f)) {
			n = max(n, int(f))
		} else {
			other = true
		}
	})
	if n > 0 && !other {
		for i := 1; i <= n; i++ {
			b.WriteByte("[,"[min(i-1, 1)])
			s.encodeJSON(L, b, t.RawGetInt(i), depth+1)
			s.limit.spend(L, 8)
		}
		b.WriteByte(']')
		return
	}
	b.WriteByte('{')
	first := true
	t.ForEach(func(k, v lua.LValue) {
		if !first {
			b.WriteByte(',')
		}
		first = false
		b.WriteString(quoteJSON(k.String()) + ":")
		s.encodeJSON(L, b, v, depth+1)
	})
	b.WriteByte('}')
}

// quoteJSON escapes as cjson does: "/" too, and bytes stay as they are.
func quoteJSON(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\' || c == '/':
			b.WriteString("\\" + string(c))
		case c == '\b':
			b.WriteString(`\b`)
		case c == '\f':
			b.WriteString(`\f`)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\t':
			b.WriteString(`\t`)
		case c < 0x20 || c == 0x7f:
			b.WriteString(`\u00` + strconv.FormatInt(int64(c)+0x100, 16)[1:])
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func fromJSON(L *lua.LState, v any) lua.LValue {
	switch v := v.(type) {
	case string:
		return lua.LString(v)
	case bool:
		return lua.LBool(v)
	case json.Number:
		f, err := v.Float64()
		if err != nil {
			return lua.LNil
		}
		return lua.LNumber(f)
	case []any:
		t := L.NewTable()
		for i, e := range v {
			t.RawSetInt(i+1, fromJSON(L, e))
		}
		return t
	case map[string]any:
		t := L.NewTable()
		for _, k := range sortedKeys(v) {
			t.RawSetString(k, fromJSON(L, v[k]))
		}
		return t
	}
	return jsonNull(L)
}
