package client_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pelscope/redisx/client"
	"pelscope/redisx/private/servertest"
	"pelscope/redisx/state"
)

// serverTime is the µs that the server has spent in commands so far, as INFO commandstats tells.
func serverTime(b *testing.B, w *client.Client) (us float64) {
	b.Helper()
	for line := range strings.Lines(run(b, w, "INFO commandstats").Str) {
		_, rest, ok := strings.Cut(line, "usec=")
		if name, _, _ := strings.Cut(line, ":"); !ok || name == "cmdstat_exec" || name == "cmdstat_info" {
			continue
		}
		n, _, _ := strings.Cut(rest, ",")
		f, err := strconv.ParseFloat(n, 64)
		if err != nil {
			b.Fatal(err)
		}
		us += f
	}
	return us
}

// fill makes a stream with a PEL spread over 50 consumers.
func fill(b *testing.B, w *client.Client, entries, pending int) {
	b.Helper()
	for done := 0; done < entries; done += 10_000 {
		run(b, w, fmt.Sprintf(`EVAL "for i = 1, %d do redis.call('XADD', 's', '*', 'event', 'OrderPaid', 'order', i, 'amount', 49000) end" 0`, min(10_000, entries-done)))
	}
	run(b, w, "XGROUP CREATE s g 0")
	for i := range 50 {
		run(b, w, fmt.Sprintf(`EVAL "redis.call('XREADGROUP', 'GROUP', 'g', 'c%d', 'COUNT', %d, 'STREAMS', 's', '>')" 0`, i, pending/50))
	}
}

// BenchmarkObserve is one poll of the explorer while nothing moves, on streams of several sizes. The budget
// is 200 µs of server time, whatever the size.
func BenchmarkObserve(b *testing.B) {
	for _, entries := range []int{1_000, 100_000, 1_000_000} {
		if entries > 100_000 && testing.Short() {
			continue
		}
		b.Run(strconv.Itoa(entries), func(b *testing.B) {
			s := servertest.One(b)
			w, r := writer(b, s), reader(b, s)
			fill(b, w, entries, entries/5)
			scope := client.Scope{Stream: "s", Entries: client.Window{Count: 60}, Pending: client.Page{Count: 50}}
			var st state.State
			for range 20 {
				st = observe(b, r, scope)
				scope.Prev = &st
			}
			before := serverTime(b, w)
			for b.Loop() {
				st = observe(b, r, scope)
				scope.Prev = &st
			}
			b.ReportMetric((serverTime(b, w)-before)/float64(b.N), "server-µs/op")
			b.ReportMetric(float64(r.Log().Cost().Commands), "commands/op")
		})
	}
}
