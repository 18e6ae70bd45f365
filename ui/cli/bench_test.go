package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/redis/go-redis/v9"

	"pelscope/redisx/private/servertest"
)

// terminal is the real binary on a terminal of 120×36, and what it has written.
type terminal struct {
	cmd  *exec.Cmd
	tty  *os.File
	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{}
}

// binary builds pelscope once for a benchmark.
func binary(b *testing.B) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "pelscope")
	if out, err := exec.Command("go", "build", "-o", path, "pelscope").CombinedOutput(); err != nil {
		b.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

func open(b *testing.B, path string, args ...string) *terminal {
	b.Helper()
	t := &terminal{cmd: exec.Command(path, args...), more: make(chan struct{}, 1)}
	t.cmd.Env = append(os.Environ(), "TERM=xterm-256color", "PELSCOPE_STATE="+b.TempDir())
	tty, err := pty.StartWithSize(t.cmd, &pty.Winsize{Rows: 36, Cols: 120})
	if err != nil {
		b.Fatal(err)
	}
	t.tty = tty
	go t.read()
	return t
}

func (t *terminal) read() {
	buf := make([]byte, 64<<10)
	for {
		n, err := t.tty.Read(buf)
		t.mu.Lock()
		t.text.Write(buf[:n])
		t.mu.Unlock()
		select {
		case t.more <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// wait waits until text was written since the last call.
func (t *terminal) wait(b *testing.B, text string) {
	b.Helper()
	deadline := time.After(10 * time.Second)
	for {
		t.mu.Lock()
		i := strings.Index(t.text.String(), text)
		if i >= 0 {
			t.text.Reset()
		}
		t.mu.Unlock()
		if i >= 0 {
			return
		}
		select {
		case <-t.more:
		case <-deadline:
			b.Fatalf("%q does not come", text)
		}
	}
}

func (t *terminal) end(b *testing.B) {
	b.Helper()
	_, _ = t.tty.WriteString("\x03")
	_ = t.cmd.Wait()
	_ = t.tty.Close()
}

// BenchmarkFirstFrame is the time from starting the binary to a lesson's first step on the screen, the
// server for it included.
func BenchmarkFirstFrame(b *testing.B) {
	path := binary(b)
	for _, server := range []string{"embedded", "private"} {
		b.Run(server, func(b *testing.B) {
			for b.Loop() {
				t := open(b, path, "learn", "crash-then-zero", "--server", server)
				t.wait(b, "enter runs it")
				b.StopTimer()
				t.end(b)
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
	t := open(b, binary(b), "explore", srv.URL(), "--stream", "orders")
	defer t.end(b)
	t.wait(b, "live")
	before, start := ticks(b, t.cmd.Process.Pid), time.Now()
	for b.Loop() {
		<-time.After(time.Second)
	}
	used := float64(ticks(b, t.cmd.Process.Pid)-before) / 100 // USER_HZ is 100 on Linux
	b.ReportMetric(100*used/time.Since(start).Seconds(), "%core")
	b.ReportMetric(rss(b, t.cmd.Process.Pid), "MB-RSS")
}

// BenchmarkKeyUnderLoad is the time from a key to its popup on the screen while 50,000 entries a second are
// added to the watched stream.
func BenchmarkKeyUnderLoad(b *testing.B) {
	srv := servertest.One(b)
	ctx, stop := context.WithCancel(context.Background())
	c := srv.Client(b)
	flooded := make(chan int, 1)
	go func() { flooded <- flood(ctx, c) }()
	t := open(b, binary(b), "explore", srv.URL(), "--stream", "orders")
	defer t.end(b)
	t.wait(b, "live")
	var took []time.Duration
	b.ResetTimer()
	start := time.Now()
	for range b.N {
		at := time.Now()
		_, _ = t.tty.WriteString("?")
		t.wait(b, "Leave pelscope")
		took = append(took, time.Since(at))
		_, _ = t.tty.WriteString("\x1b")
		t.wait(b, "so no consumers")
	}
	b.StopTimer()
	lasted := time.Since(start)
	stop()
	b.ReportMetric(float64(<-flooded)/lasted.Seconds(), "XADD/s")
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(rss(b, t.cmd.Process.Pid), "MB-RSS")
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
