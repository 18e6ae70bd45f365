package embedded

import (
	"strings"

	"pelscope/redisx/resp"
)

// call is one command being run.
type call struct {
	e        *Engine
	c        *conn
	spec     *spec
	args     []string // args[0] is the command's name as it was sent
	now      int64    // ms since 1970; it stands still during a command, a transaction and a script
	inMulti  bool     // within EXEC
	inScript bool     // within EVAL
	version  int      // the protocol of the replies when not the connection's own (scripts), else 0
}

// handler runs one command while the engine's lock is held, and returns its reply.
type handler func(*call) resp.Value

// flags are what Redis knows about a command before it runs it.
type flags uint32

// The flags, by the names that COMMAND INFO gives them.
const (
	flagWrite flags = 1 << iota
	flagReadonly
	flagDenyOOM
	flagAdmin
	flagPubSub
	flagNoScript
	flagBlocking
	flagLoading
	flagStale
	flagFast
	flagNoAuth
	flagNoMulti
	flagMovableKeys
	flagAllowBusy
)

// spec describes one command, or one subcommand of a container.
type spec struct {
	name        string // lower case; of a subcommand its own word only
	arity       int    // arguments including the name; negative: at least so many
	flags       flags
	firstKey    int // the first argument that is a key, 0 for none
	lastKey     int // the last one; negative counts from the end
	step        int
	keys        func(args []string) []string // where firstKey and lastKey cannot tell
	subcommands []spec
	run         handler

	full   string // the name as errors and COMMAND have it: "client|list"
	lookup map[string]*spec
}

// noReply is what a handler returns when its reply comes later (blocked) or was written already.
func noReply() resp.Value { return resp.Value{Kind: noReplyKind} }

const noReplyKind resp.Kind = 255

// db is the number of the database that the call works on.
func (c *call) db() int { return c.c.db }

// proto is the protocol that the reply will be written in, 2 or 3.
func (c *call) proto() int {
	if c.version != 0 {
		return c.version
	}
	return c.c.proto
}

// get looks a key up in the call's database and notes that it was used.
func (c *call) get(key string) (*object, bool) {
	o, ok := c.e.get(c.db(), key)
	if !ok {
		c.e.stats.misses++
		return nil, false
	}
	c.e.stats.hits++
	if !c.c.noTouch {
		o.accessed = c.now
	}
	return o, true
}

// set stores a value at a key in the call's database; what was there, its expiry included, is gone.
func (c *call) set(key string, value any) *object { return c.e.set(c.db(), key, value) }

// del deletes a key of the call's database.
func (c *call) del(key string) bool { return c.e.del(c.db(), key) }

// modified says that the value at a key was changed in place.
func (c *call) modified(key string) { c.e.modified(c.db(), key) }

// event publishes a keyspace notification of a class (one letter as in notify-keyspace-events).
func (c *call) event(class byte, event, key string) { c.e.notify(c.db(), class, event, key) }

// arg compares an argument with an option's word, in any case.
func (c *call) arg(i int, word string) bool {
	return i < len(c.args) && strings.EqualFold(c.args[i], word)
}

// name is the command's name as errors have it.
func (c *call) name() string { return c.spec.full }

// keysOf are the keys among the arguments.
func (s *spec) keysOf(args []string) []string {
	if s.keys != nil {
		return s.keys(args)
	}
	if s.firstKey == 0 {
		return nil
	}
	last := s.lastKey
	if last < 0 {
		last += len(args)
	}
	var keys []string
	for i := s.firstKey; i <= last && i < len(args); i += max(s.step, 1) {
		keys = append(keys, args[i])
	}
	return keys
}

// arityFits says whether a number of arguments, the name included, is right.
func (s *spec) arityFits(n int) bool { return n == s.arity || s.arity < 0 && n >= -s.arity }
