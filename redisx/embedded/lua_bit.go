package embedded

import (
	"math"

	lua "github.com/yuin/gopher-lua"
)

// bitLibrary is Lua's BitOp: operations on 32 bits whose results are signed.
func bitLibrary() map[string]lua.LGFunction {
	fold := func(f func(a, b uint32) uint32) lua.LGFunction {
		return func(L *lua.LState) int {
			n := bits32(L, 1)
			for i := 2; i <= L.GetTop(); i++ {
				n = f(n, bits32(L, i))
			}
			return pushBits(L, n)
		}
	}
	shift := func(f func(n uint32, by uint) uint32) lua.LGFunction {
		return func(L *lua.LState) int { return pushBits(L, f(bits32(L, 1), uint(bits32(L, 2)&31))) }
	}
	return map[string]lua.LGFunction{
		"tobit":   func(L *lua.LState) int { return pushBits(L, bits32(L, 1)) },
		"bnot":    func(L *lua.LState) int { return pushBits(L, ^bits32(L, 1)) },
		"band":    fold(func(a, b uint32) uint32 { return a & b }),
		"bor":     fold(func(a, b uint32) uint32 { return a | b }),
		"bxor":    fold(func(a, b uint32) uint32 { return a ^ b }),
		"lshift":  shift(func(n uint32, by uint) uint32 { return n << by }),
		"rshift":  shift(func(n uint32, by uint) uint32 { return n >> by }),
		"arshift": shift(func(n uint32, by uint) uint32 { return uint32(int32(n) >> by) }),
	}
}

func bits32(L *lua.LState, i int) uint32 {
	f := math.Mod(math.Round(float64(L.CheckNumber(i))), 1<<32)
	return uint32(int64(f))
}

func pushBits(L *lua.LState, n uint32) int {
	L.Push(lua.LNumber(int32(n)))
	return 1
}
