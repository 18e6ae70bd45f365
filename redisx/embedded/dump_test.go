package embedded_test

import (
	"strings"
	"testing"

	"pelscope/redisx/resp"
)

// world makes a key of every type; the stream has a cursor, a PEL with counts, and a deleted entry.
func makeWorld(t *testing.T, c *wire) []string {
	t.Helper()
	for _, line := range []string{
		"SET str \"\\x00\\xffvalue\"", "RPUSH list a b c", "SADD ints 3 1 2", "SADD words x b", "HSET hash f v g w",
		"ZADD zset 1.5 a -inf b 2 c", "XADD stream 1-1 a 1", "XADD stream 1-2 a 2 a 3", "XADD stream 1-3 b 4",
		"XGROUP CREATE stream g 0", "XGROUP CREATE stream h $ ENTRIESREAD 2", "XREADGROUP GROUP g alice COUNT 2 STREAMS stream >",
		"XREADGROUP GROUP g alice STREAMS stream 0", "XCLAIM stream g bob 0 1-2", "XDEL stream 1-1",
		"XGROUP CREATECONSUMER stream g carol",
	} {
		args, err := resp.Split(line)
		if err != nil {
			t.Fatal(err)
		}
		if v := c.do(args...); v.IsError() {
			t.Fatalf("%s: %s", line, v.Str)
		}
	}
	return []string{"str", "list", "ints", "words", "hash", "zset", "stream"}
}

// contents is everything that commands tell of a key.
func contents(c *wire, key string) string {
	var b strings.Builder
	for _, line := range []string{"TYPE", "OBJECT ENCODING", "PEXPIRETIME", "GET", "LRANGE * 0 -1", "SMEMBERS", "HGETALL",
		"ZRANGE * 0 -1 WITHSCORES", "XINFO STREAM * FULL COUNT 0"} {
		args := strings.Fields(strings.Replace(line, "*", key, 1))
		if !strings.Contains(line, "*") {
			args = append(args, key)
		}
		b.WriteString(line + ": " + show(c.do(args...)) + "\n")
	}
	return b.String()
}

func TestRestoreBringsEverythingBack(t *testing.T) {
	s := enginePlace(t).session(t)
	defer s.close()
	c := s.on("")
	for _, key := range makeWorld(t, c) {
		c.do("PEXPIREAT", key, "99999999999999")
		before, payload := contents(c, key), c.do("DUMP", key)
		if again := c.do("DUMP", key); again.Str != payload.Str {
			t.Errorf("%s: two dumps differ", key)
		}
		for _, line := range []string{"XREADGROUP GROUP g alice STREAMS stream 0", "XACK stream g 1-2", "XADD stream 9-9 a b"} {
			c.do(strings.Fields(line)...)
		}
		if v := c.do("RESTORE", key, "99999999999999", payload.Str, "REPLACE", "ABSTTL"); v.IsError() {
			t.Fatalf("%s: %s", key, v.Str)
		}
		if after := contents(c, key); after != before {
			t.Errorf("%s:\n%s\nwas\n%s", key, after, before)
		}
		if v := c.do("RESTORE", key, "0", payload.Str); v.Str != "BUSYKEY Target key name already exists." {
			t.Errorf("%s: %s", key, show(v))
		}
		if v := c.do("RESTORE", key, "5000", payload.Str, "REPLACE"); v.IsError() {
			t.Errorf("%s: %s", key, v.Str)
		}
		if v := c.do("PTTL", key); v.Int < 1 || v.Int > 5000 {
			t.Errorf("%s: ttl %d", key, v.Int)
		}
	}
}

func TestABrokenDumpIsRefused(t *testing.T) {
	s := enginePlace(t).session(t)
	defer s.close()
	c := s.on("")
	for _, key := range makeWorld(t, c) {
		payload := c.do("DUMP", key).Str
		for i := range payload {
			broken := payload[:i] + string(payload[i]^0x10) + payload[i+1:]
			if i%7 == 0 {
				broken = payload[:i]
			}
			if v := c.do("RESTORE", "copy", "0", broken, "REPLACE"); v.Str != "ERR DUMP payload version or checksum are wrong" {
				t.Fatalf("%s, byte %d: %s", key, i, show(v))
			}
		}
	}
}
