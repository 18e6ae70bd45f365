package embedded

import (
	"reflect"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// What a script can make of memory is bounded here: whatever makes a string is counted against
// maxScriptBytes, before it is made where the result can be larger than what went in.

// concatName is the hidden global that a script's ".." calls; no script can spell it.
const concatName = "\x00concat"

// guardConcats replaces each ".." of a parsed script by a call of concat.
func guardConcats(chunk []ast.Stmt) { guard(reflect.ValueOf(chunk)) }

func guard(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return
		}
		guard(v.Elem())
		if op, ok := v.Interface().(*ast.StringConcatOpExpr); ok && v.Kind() == reflect.Interface && v.CanSet() {
			call := &ast.FuncCallExpr{Func: &ast.IdentExpr{Value: concatName}, Args: []ast.Expr{op.Lhs, op.Rhs}}
			call.SetLine(op.Line())
			call.SetLastLine(op.LastLine())
			call.Func.SetLine(op.Line())
			v.Set(reflect.ValueOf(call))
		}
	case reflect.Slice:
		for i := range v.Len() {
			guard(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				guard(v.Field(i))
			}
		}
	}
}

// concat is "..".
func (s *script) concat(L *lua.LState) int {
	a, b := L.Get(1), L.Get(2)
	if lua.LVCanConvToString(a) && lua.LVCanConvToString(b) {
		left, right := luaText(a), luaText(b)
		s.limit.spend(L, int64(len(left)+len(right)))
		L.Push(lua.LString(left + right))
		return 1
	}
	for _, v := range []lua.LValue{a, b} {
		if f := L.GetMetaField(v, "__concat"); f != lua.LNil {
			L.Push(f)
			L.Push(a)
			L.Push(b)
			L.Call(2, 1)
			return 1
		}
	}
	if lua.LVCanConvToString(a) {
		a = b
	}
	L.Error(lua.LString(strings.TrimSpace(L.Where(1))+" attempt to concatenate a "+a.Type().String()+" value"), 0)
	return 0
}

// guardLibrary counts what string and table functions make.
func (s *script) guardLibrary(L *lua.LState) {
	for _, name := range []string{"string", "table"} {
		t := L.GetGlobal(name).(*lua.LTable)
		t.ForEach(func(k, v lua.LValue) {
			if f, ok := v.(*lua.LFunction); ok && f.IsG && len(f.Upvalues) == 0 {
				t.RawSet(k, L.NewFunction(s.counted(k.String(), f.GFunction)))
			}
		})
		t.RawSetString("dump", lua.LNil)
	}
}

// counted is a library function that pays for its result: ahead for what can grow.
func (s *script) counted(name string, f lua.LGFunction) lua.LGFunction {
	return func(L *lua.LState) int {
		switch name {
		case "rep":
			s.limit.spend(L, int64(len(L.ToString(1)))*max(min(L.OptInt64(2, 0), maxScriptBytes+1), 0))
		case "gsub":
			s.limit.spend(L, int64(len(L.ToString(1))+1)*int64(len(L.ToString(3))))
		case "concat":
			s.payForConcat(L)
		default:
			for i := 1; i <= L.GetTop(); i++ {
				if text, ok := L.Get(i).(lua.LString); ok && name == "format" {
					s.limit.spend(L, int64(len(text))+64)
				}
			}
		}
		n := f(L)
		for i := 1; i <= n; i++ {
			if text, ok := L.Get(-i).(lua.LString); ok {
				s.limit.spend(L, int64(len(text)))
			}
		}
		return n
	}
}

func (s *script) payForConcat(L *lua.LState) {
	t, ok := L.Get(1).(*lua.LTable)
	if !ok {
		return
	}
	separator := int64(len(L.OptString(2, "")))
	for i := 1; i <= t.Len(); i++ {
		s.limit.spend(L, int64(len(lua.LVAsString(t.RawGetInt(i))))+separator)
	}
}
