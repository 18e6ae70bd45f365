package lessons

import (
	"strconv"
	"strings"
	"time"
)

// keyPlaces says which arguments of a command are keys. known is false for a command that is not among
// those that lessons use; then nothing is said about it.
func keyPlaces(args []string) (places []int, known bool) {
	if len(args) == 0 {
		return nil, false
	}
	name := strings.ToUpper(args[0])
	from, to := 0, 0 // the keys are args[from:to]
	switch {
	case oneKey(name):
		from, to = 1, 2
	case noKey(name):
		return nil, true
	default:
		switch name {
		case "XREAD", "XREADGROUP":
			return streamPlaces(args), true
		case "XGROUP", "XINFO", "OBJECT", "MEMORY":
			from, to = 2, 3
		case "DEL", "UNLINK", "EXISTS", "MGET", "TOUCH", "WATCH", "SINTER", "SUNION", "SDIFF":
			from, to = 1, len(args)
		case "RENAME", "RENAMENX", "LMOVE", "RPOPLPUSH", "BLMOVE", "BRPOPLPUSH", "SMOVE", "COPY":
			from, to = 1, 3
		case "BLPOP", "BRPOP", "BZPOPMIN", "BZPOPMAX":
			from, to = 1, len(args)-1
		case "EVAL", "EVALSHA", "EVAL_RO", "EVALSHA_RO", "FCALL", "FCALL_RO":
			from, to = 3, 3
			if len(args) > 2 {
				n, _ := strconv.Atoi(args[2])
				to = 3 + n
			}
		case "MSET", "MSETNX":
			for i := 1; i < len(args); i += 2 {
				places = append(places, i)
			}
			return places, true
		default:
			return nil, false
		}
	}
	for i := from; i < min(to, len(args)); i++ {
		places = append(places, i)
	}
	return places, true
}

// oneKey: commands whose first argument is their only key.
func oneKey(name string) bool {
	switch name {
	case "XADD", "XLEN", "XRANGE", "XREVRANGE", "XACK", "XACKDEL", "XCLAIM", "XAUTOCLAIM", "XPENDING", "XDEL", "XDELEX",
		"XTRIM", "XSETID", "XNACK", "XCFGSET",
		"LPUSH", "RPUSH", "LPUSHX", "RPUSHX", "LPOP", "RPOP", "LLEN", "LRANGE", "LINDEX", "LINSERT", "LSET", "LREM", "LTRIM", "LPOS",
		"HSET", "HSETNX", "HGET", "HMGET", "HMSET", "HGETALL", "HKEYS", "HVALS", "HLEN", "HEXISTS", "HDEL", "HINCRBY", "HSTRLEN",
		"SADD", "SREM", "SMEMBERS", "SCARD", "SISMEMBER", "SMISMEMBER", "SPOP",
		"ZADD", "ZREM", "ZRANGE", "ZRANGEBYSCORE", "ZREVRANGE", "ZCARD", "ZCOUNT", "ZSCORE", "ZRANK", "ZINCRBY", "ZPOPMIN", "ZPOPMAX",
		"GET", "SET", "SETNX", "SETEX", "PSETEX", "GETSET", "GETDEL", "GETEX", "INCR", "DECR", "INCRBY", "DECRBY", "APPEND", "STRLEN",
		"TYPE", "TTL", "PTTL", "EXPIRE", "PEXPIRE", "EXPIREAT", "PEXPIREAT", "PERSIST", "DUMP", "RESTORE":
		return true
	}
	return false
}

// noKey: commands without keys that change nothing but the connection's own transaction.
func noKey(name string) bool {
	switch name {
	case "MULTI", "EXEC", "DISCARD", "UNWATCH", "PING", "ECHO", "TIME", "INFO", "COMMAND", "CLIENT", "DBSIZE", "WAIT", "ROLE":
		return true
	}
	return false
}

// streamPlaces finds the keys of XREAD and XREADGROUP: the first half of what follows STREAMS.
func streamPlaces(args []string) []int {
	var places []int
	for i := 1; i < len(args); i++ {
		if !strings.EqualFold(args[i], "STREAMS") {
			if strings.EqualFold(args[i], "GROUP") {
				i += 2 // a group or a consumer may be called streams
			}
			continue
		}
		rest := len(args) - i - 1
		for k := i + 1; k <= i+(rest+1)/2; k++ {
			places = append(places, k)
		}
		break
	}
	return places
}

// really gives a command's keys the prefix, where they do not have it yet.
func (s *Session) really(args []string) []string {
	if s.o.Prefix == "" {
		return args
	}
	out := append([]string(nil), args...)
	places, _ := keyPlaces(args)
	for _, i := range places {
		if !strings.HasPrefix(out[i], s.o.Prefix) {
			out[i] = s.o.Prefix + out[i]
		}
	}
	return out
}

// short takes the prefix out of a text, so that a lesson's conditions can match it.
func (s *Session) short(text string) string {
	if s.o.Prefix == "" {
		return text
	}
	return strings.ReplaceAll(text, s.o.Prefix, "")
}

// blocks says whether a command may make its connection wait.
func blocks(args []string) bool {
	if len(args) == 0 {
		return false
	}
	switch strings.ToUpper(args[0]) {
	case "BLPOP", "BRPOP", "BLMOVE", "BRPOPLPUSH", "BLMPOP", "BZPOPMIN", "BZPOPMAX", "BZMPOP", "WAIT", "WAITAOF":
		return true
	case "XREAD", "XREADGROUP":
		return blockAt(args) > 0
	}
	return false
}

// blockAt is the place of the milliseconds after BLOCK, or 0.
func blockAt(args []string) int {
	for i := 1; i+1 < len(args); i++ {
		switch {
		case strings.EqualFold(args[i], "STREAMS"):
			return 0
		case strings.EqualFold(args[i], "GROUP"):
			i += 2
		case strings.EqualFold(args[i], "BLOCK"):
			return i + 1
		}
	}
	return 0
}

// blockTime is how long a command asks to wait; 0 also for ever.
func blockTime(args []string) time.Duration {
	if len(args) < 2 {
		return 0
	}
	switch strings.ToUpper(args[0]) {
	case "XREAD", "XREADGROUP":
		if i := blockAt(args); i > 0 {
			ms, _ := strconv.ParseInt(args[i], 10, 32)
			return time.Duration(max(0, ms)) * time.Millisecond
		}
	case "BLPOP", "BRPOP", "BLMOVE", "BRPOPLPUSH", "BZPOPMIN", "BZPOPMAX":
		sec, _ := strconv.ParseFloat(args[len(args)-1], 64)
		return time.Duration(min(max(0, sec), 3600) * float64(time.Second))
	}
	return 0
}
