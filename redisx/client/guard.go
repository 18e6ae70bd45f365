package client

import (
	"fmt"
	"strings"
)

// GuardError says which command was not sent, and why. Nothing of it reached the server.
type GuardError struct {
	Command string // with its subcommand, upper case
	Why     string
}

// Error is one sentence.
func (e *GuardError) Error() string { return e.Command + " was not sent: " + e.Why }

// checkRead is the guard: it refuses every command that is not known to only read. What is unknown is
// refused. MULTI and EXEC are let through, because what they enclose is checked on its own.
func checkRead(args []string) error {
	name := commandName(args)
	if reads(name) {
		return nil
	}
	return &GuardError{Command: name, Why: "this connection is read-only and only lets known reading commands through"}
}

// commandName is the command in upper case, with its subcommand where it is a container of several.
func commandName(args []string) string {
	if len(args) == 0 {
		return "nothing"
	}
	name := strings.ToUpper(args[0])
	switch name {
	case "XINFO", "XGROUP", "CLIENT", "CONFIG", "COMMAND", "OBJECT", "MEMORY", "ACL", "SCRIPT", "FUNCTION",
		"CLUSTER", "DEBUG", "LATENCY", "SLOWLOG", "PUBSUB", "MODULE":
		if len(args) > 1 {
			return name + " " + strings.ToUpper(args[1])
		}
	}
	return name
}

// reads is the allow-list. KEYS, SORT, GETEX, PFCOUNT, GEORADIUS, TOUCH and EVAL_RO are missing with
// intent: they write, can write, or may keep a server busy for long.
func reads(name string) bool {
	return readsStreams(name) || readsKeys(name) || readsServer(name)
}

func readsStreams(name string) bool {
	switch name {
	case "XINFO STREAM", "XINFO GROUPS", "XINFO CONSUMERS", "XINFO HELP",
		"XRANGE", "XREVRANGE", "XLEN", "XPENDING", "XREAD":
		return true
	}
	return false
}

func readsKeys(name string) bool {
	switch name {
	case "TYPE", "EXISTS", "TTL", "PTTL", "EXPIRETIME", "PEXPIRETIME", "DUMP", "SCAN",
		"OBJECT ENCODING", "OBJECT FREQ", "OBJECT IDLETIME", "OBJECT REFCOUNT", "MEMORY USAGE",
		"GET", "MGET", "STRLEN", "GETRANGE", "GETBIT", "BITCOUNT",
		"LRANGE", "LLEN", "LINDEX", "LPOS",
		"HGET", "HMGET", "HGETALL", "HKEYS", "HVALS", "HLEN", "HEXISTS", "HSTRLEN", "HSCAN",
		"SMEMBERS", "SCARD", "SISMEMBER", "SMISMEMBER", "SSCAN",
		"ZRANGE", "ZRANGEBYSCORE", "ZREVRANGE", "ZREVRANGEBYSCORE", "ZRANGEBYLEX", "ZCARD", "ZCOUNT",
		"ZSCORE", "ZMSCORE", "ZRANK", "ZREVRANK", "ZSCAN":
		return true
	}
	return false
}

func readsServer(name string) bool {
	switch name {
	case "HELLO", "AUTH", "SELECT", "PING", "ECHO", "INFO", "TIME", "DBSIZE", "ROLE", "ACL WHOAMI",
		"COMMAND INFO", "COMMAND DOCS", "COMMAND COUNT", "COMMAND LIST",
		"CLIENT ID", "CLIENT INFO", "CLIENT LIST", "CLIENT GETNAME", "CLIENT SETNAME", "CLIENT SETINFO",
		"CLIENT NO-TOUCH", "MULTI", "EXEC", "DISCARD":
		return true
	}
	return false
}

// checkShared refuses what would change a connection that others use after: they would find themselves
// in another database, inside a MULTI, or logged in as somebody else.
func checkShared(args []string) error {
	name := commandName(args)
	bad := false
	switch name {
	case "SELECT", "AUTH", "MULTI", "EXEC", "DISCARD", "WATCH", "UNWATCH", "RESET", "QUIT", "ASKING", "READONLY",
		"READWRITE", "CLIENT SETNAME", "CLIENT NO-TOUCH", "CLIENT NO-EVICT", "CLIENT TRACKING", "CLIENT CACHING":
		bad = true
	case "HELLO":
		bad = len(args) > 1
	}
	if bad {
		return &GuardError{Command: name, Why: "it changes the connection itself, which other commands share"}
	}
	return checkFraming(args)
}

// checkFraming refuses commands after which a connection no longer gives one reply to one command.
func checkFraming(args []string) error {
	name := commandName(args)
	switch name {
	case "nothing":
		return &GuardError{Command: "an empty line", Why: "there is no command in it"}
	case "SUBSCRIBE", "PSUBSCRIBE", "SSUBSCRIBE", "UNSUBSCRIBE", "PUNSUBSCRIBE", "SUNSUBSCRIBE", "MONITOR",
		"SYNC", "PSYNC", "REPLCONF", "CLIENT REPLY":
		return &GuardError{Command: name, Why: "it does not answer with one reply, and that is all this connection can show"}
	case "HELLO":
		if len(args) > 1 && args[1] != "2" {
			return &GuardError{Command: fmt.Sprintf("HELLO %s", args[1]), Why: "this connection speaks RESP2, as redis-cli does"}
		}
	}
	return nil
}
