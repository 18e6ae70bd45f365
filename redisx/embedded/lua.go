package embedded

import (
	"context"
	"errors"
	"regexp"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/parse"

	"pelscope/redisx/resp"
)

// Limits of one script. A script runs while the engine's lock is held, so it must end.
const (
	maxSteps       = 20_000_000 // instructions
	commandSteps   = 50         // what a command counts for
	maxScriptBytes = 256 << 20  // of strings that it makes, altogether
)

// script is one run of a Lua script: a fresh interpreter with Redis's library and nothing of the
// machine's (no files, no modules, no coroutines).
type script struct {
	c        *call
	sha      string
	readOnly bool
	proto    *lua.FunctionProto
	limit    limit
	version  int // of the protocol whose types redis.call gives: 2, or 3 after redis.setresp
}

// newScript compiles a script.
func newScript(c *call, source string) (*script, resp.Value) {
	body, readOnly, bad := shebang(source)
	if bad.IsError() {
		return nil, bad
	}
	s := &script{c: c, sha: sha1hex(source), readOnly: readOnly, version: 2}
	chunk, err := parse.Parse(strings.NewReader(body), "user_script")
	if err == nil {
		guardConcats(chunk)
		s.proto, err = lua.Compile(chunk, "user_script")
	}
	if err != nil {
		return nil, resp.Errorf("ERR Error compiling script (new function): %s", compileError(err))
	}
	return s, resp.Value{}
}

// compileError words a syntax error as Lua does.
func compileError(err error) string {
	var p *parse.Error
	if errors.As(err, &p) {
		near := p.Token
		if near == "" {
			near = "<eof>"
		}
		return "user_script:" + itoa(int64(p.Pos.Line)) + ": syntax error near '" + near + "'"
	}
	return err.Error()
}

// limit counts a script's instructions. The interpreter asks its context before each whether to go on;
// counting there, instead of looking at a clock, makes a script that never ends stop under a virtual
// clock too.
type limit struct {
	context.Context
	steps int
	bytes int64
	over  chan struct{}
}

func (l *limit) Done() <-chan struct{} {
	l.step(1)
	return l.over
}

// step counts; once it is too much, the interpreter stops before its next instruction.
func (l *limit) step(n int) {
	was := l.steps
	l.steps += n
	if was < maxSteps && l.steps >= maxSteps {
		close(l.over)
	}
}

func (l *limit) Err() error { return errors.New("the script ran for too long and was stopped") }

// spend counts bytes that a script is about to make, or has made.
func (l *limit) spend(L *lua.LState, n int64) {
	if l.bytes += n; l.bytes > maxScriptBytes {
		L.RaiseError("not enough memory")
	}
}

// run runs the script and returns its reply.
func (s *script) run(keys, argv []string) resp.Value {
	L := lua.NewState(lua.Options{SkipOpenLibs: true, CallStackSize: 200, RegistrySize: 1024, RegistryMaxSize: 1 << 20})
	defer L.Close()
	s.limit = limit{Context: context.Background(), over: make(chan struct{})}
	globals := s.open(L)
	globals.RawSetString("KEYS", stringTable(L, keys))
	globals.RawSetString("ARGV", stringTable(L, argv))
	L.SetContext(&s.limit)
	fn := L.NewFunctionFromProto(s.proto)
	fn.Env = sealed(L, globals, true)
	globals.RawSetString("_G", fn.Env)
	L.Push(fn)
	if err := L.PCall(0, 1, nil); err != nil {
		return s.failure(err)
	}
	return s.reply(L.Get(-1), 0)
}

// place finds where a script was when it failed: Lua puts "user_script:LINE:" before its messages.
func (s *script) place(text string) string {
	if m := regexp.MustCompile(`user_script:(\d+)`).FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return "1"
}

// failure is the reply to an error that the script did not catch.
func (s *script) failure(err error) resp.Value {
	var api *lua.ApiError
	if !errors.As(err, &api) {
		return resp.Errorf("ERR %v", err)
	}
	text, line := "", ""
	if t, ok := api.Object.(*lua.LTable); ok {
		text = lua.LVAsString(t.RawGetString("err"))
		line = lua.LVAsString(t.RawGetString("line"))
		if text == "" {
			text = "ERR unknown error"
		}
	} else {
		text = "ERR " + luaWords(api.Object.String())
	}
	if line == "" {
		line = s.place(api.Object.String() + "\n" + api.StackTrace)
	}
	return resp.Errorf("%s script: %s, on @user_script:%s.", strings.TrimPrefix(text, "-"), s.sha, line)
}

// luaWords rewords what the interpreter says otherwise than Lua: "attempt to index a non-table
// object(nil) with key 'x'" and the like stay; only a doubled place is taken out.
func luaWords(text string) string {
	place, rest, ok := strings.Cut(text, " ")
	if ok && strings.HasPrefix(rest, place) {
		return rest
	}
	return text
}
