//go:build unix

package cli_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"pelscope/redisx/private/servertest"
)

// BenchmarkFirstFrame is the time from starting the binary to a lesson's first step on the screen, the
// server for it included.
func BenchmarkFirstFrame(b *testing.B) {
	binary(b) // made before the clock runs
	for _, server := range []string{"embedded", "private"} {
		b.Run(server, func(b *testing.B) {
			r := newRoom(b)
			r.has(b, servertest.Binaries(b)[0].Path)
			for b.Loop() {
				x := openIn(b, r.command(b, "learn", "crash-then-zero", "--server", server), size{120, 36})
				x.wrote("enter runs it")
				b.StopTimer()
				x.press("\x03")
				x.ends()
				x.close()
				b.StartTimer()
			}
		})
	}
}

// BenchmarkIdle watches a stream on which nothing happens, a poll a second, and reports the share of one
// core and the memory that this takes.
func BenchmarkIdle(b *testing.B) {
	srv := servertest.One(b)
	ctx := context.Background()
	c := srv.Client(b)
	for i := range 500 {
		c.XAdd(ctx, &redis.XAddArgs{Stream: "orders", Values: []any{"orderId", i}})
	}
	c.XGroupCreate(ctx, "orders", "g", "0")
	x := open(b, "explore", srv.URL(), "--stream", "orders")
	x.wrote("live")
	before, start := ticks(b, x.cmd.Process.Pid), time.Now()
	for b.Loop() {
		<-time.After(time.Second)
	}
	used := float64(ticks(b, x.cmd.Process.Pid)-before) / 100 // USER_HZ is 100 on Linux
	b.ReportMetric(100*used/time.Since(start).Seconds(), "%core")
	b.ReportMetric(rss(b, x.cmd.Process.Pid), "MB-RSS")
}

// BenchmarkKeyUnderLoad is the time from a key to its popup on the screen while 50,000 entries a second are
// added to the watched stream.
func BenchmarkKeyUnderLoad(b *testing.B) {
	srv := servertest.One(b)
	ctx, stop := context.WithCancel(context.Background())
	c := srv.Client(b)
	flooded := make(chan int, 1)
	go func() { flooded <- flood(ctx, c) }()
	x := open(b, "explore", srv.URL(), "--stream", "orders")
	x.wrote("live")
	var took []time.Duration
	b.ResetTimer()
	start := time.Now()
	for range b.N {
		at := time.Now()
		x.press("?")
		x.wrote("Leave pelscope")
		took = append(took, time.Since(at))
		x.press("\x1b")
		x.wrote("so no consumers")
	}
	b.StopTimer()
	lasted := time.Since(start)
	stop()
	b.ReportMetric(float64(<-flooded)/lasted.Seconds(), "XADD/s")
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(rss(b, x.cmd.Process.Pid), "MB-RSS")
}

// flood adds 50,000 entries a second, trimmed to a million, until ctx ends, and says how many.
func flood(ctx context.Context, c *redis.Client) int {
	n := 0
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for ctx.Err() == nil {
		<-tick.C
		_, err := c.Pipelined(ctx, func(p redis.Pipeliner) error {
			for range 500 {
				p.XAdd(ctx, &redis.XAddArgs{Stream: "orders", MaxLen: 1_000_000, Approx: true, Values: []any{"orderId", n}})
				n++
			}
			return nil
		})
		if err != nil {
			return n
		}
	}
	return n
}

// ticks is the processor time of a process, user and system.
func ticks(b *testing.B, pid int) int {
	b.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Skip("processor time is read from /proc")
	}
	_, rest, _ := strings.Cut(string(raw), ") ")
	f := strings.Fields(rest)
	user, _ := strconv.Atoi(f[11])
	system, _ := strconv.Atoi(f[12])
	return user + system
}

// rss is the resident memory of a process in MB.
func rss(b *testing.B, pid int) float64 {
	b.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Skip("memory is read from /proc")
	}
	for line := range strings.Lines(string(raw)) {
		if kb, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			n, _ := strconv.ParseFloat(strings.Fields(kb)[0], 64)
			return n / 1024
		}
	}
	return 0
}
