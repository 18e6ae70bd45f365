package lessons

import (
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// checkKey wants a key of the world.
func (l *lessonLoader) checkKey(key string, n ast.Node) {
	if _, ok := l.worldLine[key]; ok || strings.Contains(key, "$") || l.worldLine == nil {
		return
	}
	known := sortedKeys(l.worldLine)
	l.bad(n, "the world has no key %q%s It has %s", shorten(key), orDot(meant(key, known)), list(known))
}

// checkArgs wants the keys of a command to be of the world, since only they are seen, undone and
// prefixed; and no other argument to be named as a key is.
func (l *lessonLoader) checkArgs(args []string, n ast.Node) {
	keys, known := keyArgs(args)
	if !known {
		return
	}
	for i, a := range args {
		if slices.Contains(keys, i) {
			l.checkKey(a, n)
			continue
		}
		if at, taken := l.worldLine[a]; taken && i > 0 {
			l.bad(n, "in %q the word %q is no key, but named as a key is (line %d): take another name", shorten(strings.Join(args, " ")), a, at)
		}
	}
}

// keyArgs tells which arguments of a command are keys, by their indexes. known is false for a command
// that it does not know; those are left to the server.
func keyArgs(args []string) (keys []int, known bool) {
	verb := strings.ToUpper(args[0])
	span := func(first, last, step int) ([]int, bool) {
		var out []int
		for i := first; i <= last && i < len(args); i += step {
			out = append(out, i)
		}
		return out, true
	}
	last := len(args) - 1
	switch verb {
	case "XADD", "XLEN", "XRANGE", "XREVRANGE", "XDEL", "XTRIM", "XACK", "XACKDEL", "XDELEX", "XNACK", "XCLAIM",
		"XAUTOCLAIM", "XPENDING", "XSETID", "XCFGSET",
		"GET", "SET", "SETNX", "GETDEL", "INCR", "INCRBY", "DECR", "DECRBY", "APPEND", "STRLEN",
		"EXPIRE", "PEXPIRE", "TTL", "PTTL", "PERSIST", "TYPE", "DUMP", "RESTORE",
		"LPUSH", "RPUSH", "LPOP", "RPOP", "LLEN", "LRANGE", "LREM", "LINDEX", "LTRIM",
		"HSET", "HSETNX", "HGET", "HGETALL", "HMGET", "HDEL", "HLEN", "HEXISTS", "HINCRBY",
		"SADD", "SREM", "SMEMBERS", "SISMEMBER", "SCARD",
		"ZADD", "ZREM", "ZRANGE", "ZRANGEBYSCORE", "ZSCORE", "ZCARD", "ZPOPMIN", "ZPOPMAX", "ZCOUNT", "ZINCRBY":
		return span(1, 1, 1)
	case "XGROUP", "XINFO", "OBJECT", "MEMORY":
		return span(2, 2, 1)
	case "DEL", "UNLINK", "EXISTS", "TOUCH", "MGET", "WATCH":
		return span(1, last, 1)
	case "BLPOP", "BRPOP", "BZPOPMIN", "BZPOPMAX":
		return span(1, last-1, 1)
	case "LMOVE", "BLMOVE", "RENAME", "COPY", "SMOVE", "RPOPLPUSH":
		return span(1, 2, 1)
	case "MSET":
		return span(1, last, 2)
	case "XREAD", "XREADGROUP":
		at := slices.IndexFunc(args, func(a string) bool { return strings.EqualFold(a, "STREAMS") })
		if at < 0 {
			return nil, true
		}
		return span(at+1, at+(last-at+1)/2, 1)
	case "EVAL", "EVALSHA", "EVAL_RO", "FCALL":
		if len(args) < 3 {
			return nil, true
		}
		count, err := strconv.Atoi(args[2])
		if err != nil || count < 0 || count > last-2 {
			return nil, true
		}
		return span(3, 2+count, 1)
	case "MULTI", "EXEC", "DISCARD", "UNWATCH", "PING", "TIME", "ECHO", "CLIENT", "WAIT", "PUBLISH", "SUBSCRIBE":
		return nil, true
	}
	return nil, false
}
