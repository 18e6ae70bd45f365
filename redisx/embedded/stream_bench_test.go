package embedded_test

import (
	"fmt"
	"testing"

	"pelscope/redisx/resp"
)

// BenchmarkPoll is what a live view asks each time, on a million entries with 200,000 pending over
// 50 consumers. The engine should be no slower than a real server: see REDIS.md's table of costs.
func BenchmarkPoll(b *testing.B) {
	s := enginePlace(b).session(b)
	defer s.close()
	c := s.on("")
	for from := 0; from < 1_000_000; from += 10_000 {
		var batch [][]string
		for i := range 10_000 {
			batch = append(batch, []string{"XADD", "s", fmt.Sprintf("%d-0", from+i+1), "eventType", "OrderPaid", "orderId", fmt.Sprint(i)})
		}
		c.doAll(batch)
	}
	c.do("XGROUP", "CREATE", "s", "g", "0")
	for i := range 50 {
		c.do("XREADGROUP", "GROUP", "g", fmt.Sprintf("consumer-%02d", i), "COUNT", "4000", "STREAMS", "s", ">")
	}
	for _, line := range []string{"XLEN s", "XINFO STREAM s", "XINFO GROUPS s", "XINFO CONSUMERS s g", "XPENDING s g",
		"XPENDING s g - + 50", "XPENDING s g 100000 + 50 consumer-30", "XREVRANGE s + - COUNT 50", "XRANGE s 500000-0 500000-0",
		"XAUTOCLAIM s g consumer-00 3600000 0 COUNT 10", "XADD s * f v"} {
		args, _ := resp.Split(line)
		b.Run(line, func(b *testing.B) {
			for range b.N {
				c.do(args...)
			}
		})
	}
}
