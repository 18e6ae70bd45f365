package client

import (
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"pelscope/redisx/resp"
	"pelscope/redisx/state"
)

// embeddedEngine is the product that says pelscope_engine:embedded in INFO.
const embeddedEngine = "embedded engine"

// Server is what the server says it is. What it does not tell is unknown, with the reason.
type Server struct {
	Product state.Maybe[string] // Redis, Valkey, embedded engine, or what it calls itself
	Version state.Maybe[string] // its own version, not the one that it is compatible with
	Role    state.Maybe[string] // master or replica
	Mode    state.Maybe[string] // standalone, sentinel or cluster
}

// String is product and version as far as they are known. The embedded engine's version is that of the
// Redis which it behaves as.
func (s Server) String() string {
	if s.Product.Value == embeddedEngine && s.Version.Known {
		return embeddedEngine + ", as Redis " + s.Version.Value
	}
	return strings.TrimSpace(s.Product.Or("unknown server") + " " + s.Version.Or(""))
}

// Features are what the server can do beyond Redis 5's streams.
type Features struct {
	XAutoclaim     bool // 6.2
	FullInfo       bool // XINFO STREAM … FULL, 6.0
	Lag            bool // XINFO GROUPS' lag and entries-read, 7.0
	Inactive       bool // XINFO CONSUMERS' inactive, 7.2
	NoTouch        bool // CLIENT NO-TOUCH, 7.2
	XAckDel        bool // 8.2
	XDelEx         bool // 8.2
	ReadGroupClaim bool // XREADGROUP … CLAIM, 8.4
	IDMP           bool // XADD … IDMP, 8.6
	XNack          bool // 8.8
	Script         bool // EVAL
	Multi          bool // MULTI, and this user may run it

	// Guessed is why this was told from the version and not by asking; empty when it was asked.
	Guessed  string
	commands []string // upper case, sorted
}

// Has says whether the server has a feature (lag, inactive, full-info, readgroup-claim, idmp, script,
// multi, no-touch) or a command (XACKDEL). Of commands those of streams, scripts, MULTI and DUMP are known.
func (f Features) Has(name string) bool {
	switch strings.ToLower(name) {
	case "lag":
		return f.Lag
	case "inactive":
		return f.Inactive
	case "full-info":
		return f.FullInfo
	case "readgroup-claim":
		return f.ReadGroupClaim
	case "idmp":
		return f.IDMP
	case "script":
		return f.Script
	case "multi":
		return f.Multi
	case "no-touch":
		return f.NoTouch
	}
	_, ok := slices.BinarySearch(f.commands, strings.ToUpper(name))
	return ok
}

// Server is what the server said it is when the client was opened.
func (c *Client) Server() Server {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.server
}

// Features is what the server can do, probed when the client was opened.
func (c *Client) Features() Features {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.features
}

// since lists the commands that are asked about, with the Redis version that brought them, and whether
// Valkey has them. The version counts only where the server must not be asked.
func since() []struct {
	name   string
	at     version
	valkey bool
} {
	type row = struct {
		name   string
		at     version
		valkey bool
	}
	rows := make([]row, 0, 32)
	for _, name := range strings.Fields("XADD XLEN XRANGE XREVRANGE XREAD XREADGROUP XACK XCLAIM XPENDING XINFO " +
		"XGROUP XDEL XTRIM XSETID EVAL MULTI DUMP RESTORE") {
		rows = append(rows, row{name, version{5, 0}, true})
	}
	return append(rows, row{"XAUTOCLAIM", version{6, 2}, true}, row{"CLIENT|NO-TOUCH", version{7, 2}, true},
		row{"XACKDEL", version{8, 2}, false}, row{"XDELEX", version{8, 2}, false},
		row{"XCFGSET", version{8, 6}, false}, row{"XNACK", version{8, 8}, false})
}

type version struct{ major, minor int }

func (v version) atLeast(major, minor int) bool {
	return v.major > major || v.major == major && v.minor >= minor
}

func parseVersion(s string) version {
	parts := strings.SplitN(s, ".", 3)
	if len(parts) < 2 {
		return version{}
	}
	major, _ := strconv.Atoi(parts[0])
	minor, _ := strconv.Atoi(parts[1])
	return version{major, minor}
}

// probe connects and finds out what the server is and can do.
func (c *Client) probe(ctx context.Context) error {
	ctx, cancel := deadline(ctx, c.opts.Timeout)
	defer cancel()
	hello, err := rawDo(ctx, c.redis(), []string{"HELLO"})
	switch {
	case errors.As(err, new(dialError)):
	case errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET):
		return &Error{Server: c.target.String(), Reason: WantsTLS}
	case err == nil && hello.IsError() && strings.HasPrefix(hello.Str, "NOAUTH"):
		return &Error{Server: c.target.String(), Reason: NeedsPassword}
	}
	if err != nil {
		return c.target.failure(err)
	}
	ask := []string{"COMMAND", "INFO"}
	for _, row := range since() {
		ask = append(ask, row.name)
	}
	vs, err := c.pipeline(ctx, [][]string{
		{"INFO", "server"}, {"INFO", "replication"}, ask, {"COMMAND", "DOCS", "XREADGROUP"},
		{"MULTI"}, {"EXEC"},
	})
	if err != nil {
		return err
	}
	info, role, commands, docs, multi := vs[0], vs[1], vs[2], vs[3], vs[4]
	if info.IsError() && strings.HasPrefix(info.Str, "NOAUTH") { // a server without HELLO
		return &Error{Server: c.target.String(), Reason: NeedsPassword}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.server = identify(hello, info.Text(), role.Text(), info)
	compatible := compatibleVersion(c.server, info.Text())
	c.features = features(commands, docs, compatible, c.server)
	c.features.Multi = !multi.IsError()
	return nil
}

// identify reads HELLO (fields server, version, role, mode) and, where it does not tell, INFO.
func identify(hello resp.Value, info, replication string, infoReply resp.Value) Server {
	why := "the server does not tell"
	if infoReply.IsError() {
		why = reason(infoReply, []string{"INFO"})
	}
	told := func(field string, lines ...string) state.Maybe[string] {
		for _, l := range lines {
			if v, ok := infoField(info+"\n"+replication, l); ok {
				return state.Know(v)
			}
		}
		if v, ok := hello.Field(field); ok && v.Text() != "" {
			return state.Know(v.Text())
		}
		return state.Unknown[string](why)
	}
	s := Server{
		Product: told("server", "server_name"),
		Version: told("version", "valkey_version", "redis_version"),
		Role:    told("role", "role"),
		Mode:    told("mode", "redis_mode", "server_mode"),
	}
	if !s.Product.Known && s.Version.Known {
		s.Product = state.Know("redis")
	}
	if engine, ok := infoField(info, "pelscope_engine"); ok {
		s.Product = state.Know(engine + " engine")
	}
	switch s.Product.Value {
	case "redis":
		s.Product.Value = "Redis"
	case "valkey":
		s.Product.Value = "Valkey"
	}
	if s.Role.Value == "slave" {
		s.Role.Value = "replica"
	}
	return s
}

func infoField(info, name string) (string, bool) {
	for line := range strings.Lines(info) {
		if v, ok := strings.CutPrefix(strings.TrimSpace(line), name+":"); ok {
			return v, true
		}
	}
	return "", false
}

// compatibleVersion is the Redis version whose features to expect: Valkey branched off at 7.2.
func compatibleVersion(s Server, info string) version {
	if v, ok := infoField(info, "redis_version"); ok {
		return parseVersion(v)
	}
	if s.Product.Value == "Valkey" {
		return version{7, 2}
	}
	return parseVersion(s.Version.Value)
}

func features(commands, docs resp.Value, v version, s Server) Features {
	f := Features{}
	valkey := s.Product.Value == "Valkey"
	for i, row := range since() {
		has := v.atLeast(row.at.major, row.at.minor) && (row.valkey || !valkey)
		if commands.Kind == resp.Array && i < len(commands.Elems) {
			has = !commands.Elems[i].IsNil() && len(commands.Elems[i].Elems) > 0
		}
		if has {
			f.commands = append(f.commands, row.name)
		}
	}
	slices.Sort(f.commands)
	if commands.Kind != resp.Array {
		f.Guessed = "told from the version: " + reason(commands, []string{"COMMAND", "INFO"})
	}
	f.XAutoclaim, f.XAckDel, f.XDelEx = f.Has("XAUTOCLAIM"), f.Has("XACKDEL"), f.Has("XDELEX")
	f.XNack, f.IDMP, f.Script = f.Has("XNACK"), f.Has("XCFGSET"), f.Has("EVAL")
	f.NoTouch = f.Has("CLIENT|NO-TOUCH") || v.atLeast(7, 2)
	f.FullInfo, f.Lag, f.Inactive = v.atLeast(6, 0), v.atLeast(7, 0), v.atLeast(7, 2)
	f.ReadGroupClaim = v.atLeast(8, 4) && !valkey
	if mentions(docs, "STREAMS") { // it does list arguments
		f.ReadGroupClaim = mentions(docs, "CLAIM")
	}
	return f
}

// mentions says whether a reply holds this very string anywhere.
func mentions(v resp.Value, word string) bool {
	return v.Text() == word || slices.ContainsFunc(v.Elems, func(e resp.Value) bool { return mentions(e, word) })
}

// reason puts an error reply, or a reply of another shape than expected, into words.
func reason(v resp.Value, args []string) string {
	name := commandName(args)
	text := v.Text()
	switch {
	case !v.IsError():
		return "the server's reply to " + name + " cannot be read"
	case strings.HasPrefix(text, "NOPERM") && strings.Contains(text, "command"):
		return "this user may not run " + name
	case strings.HasPrefix(text, "NOPERM"):
		return "this user may not read this key"
	case strings.HasPrefix(text, "ERR unknown command"), strings.HasPrefix(text, "ERR unknown subcommand"):
		return "this server has no " + name
	case strings.HasPrefix(text, "LOADING"):
		return "the server is still loading its data"
	case strings.HasPrefix(text, "NOAUTH"):
		return "the server wants a password"
	}
	return "the server says: " + text
}
