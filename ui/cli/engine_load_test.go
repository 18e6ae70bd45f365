//go:build linux

package cli_test

import (
	"bufio"
	"fmt"
	"net"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pelscope/redisx/private"
	"pelscope/redisx/private/servertest"
	"pelscope/redisx/resp"
)

// These benchmarks put the same load on redis-server and on `pelscope engine`, two processes on
// loopback, in turn, and report both and their ratio:
//
//	go test -run none -bench Engine -benchtime 5x ./ui/cli

// rival is one of the two servers.
type rival struct {
	name string
	addr string
	pid  int
}

// rivals are the newest Redis found, and the engine.
func rivals(b *testing.B) [2]rival {
	b.Helper()
	bins := slices.DeleteFunc(slices.Clone(servertest.Binaries(b)), func(s private.Binary) bool { return s.Name != "Redis" })
	if len(bins) == 0 {
		b.Skip("no redis-server to compare with")
	}
	r := newRoom(b)
	l, err := net.Listen("tcp", "127.0.0.1:0") // a port that is free
	if err != nil {
		b.Fatal(err)
	}
	addr := l.Addr().String()
	_ = l.Close()
	_, port, _ := net.SplitHostPort(addr)
	newest := bins[len(bins)-1]
	real := exec.Command(newest.Path, "--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", r.path("tmp"))
	a := rival{name: newest.String(), addr: addr}
	a.pid = started(b, real, nil)
	ours := r.command(b, "engine", "--listen", "127.0.0.1:0")
	out, err := ours.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	e := rival{name: "engine"}
	e.pid = started(b, ours, func() {
		line, _ := bufio.NewReader(out).ReadString('\n')
		_, e.addr, _ = strings.Cut(strings.TrimSpace(line), ", listens on ")
	})
	for _, s := range []rival{a, e} {
		for end := time.Now().Add(patience); ; {
			if nc, err := net.Dial("tcp", s.addr); err == nil {
				_ = nc.Close()
				break
			}
			if time.Now().After(end) {
				b.Fatal(s.name + " does not answer")
			}
		}
	}
	return [2]rival{a, e}
}

// started starts a process that ends with the benchmark.
func started(b *testing.B, cmd *exec.Cmd, then func()) (pid int) {
	b.Helper()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	if then != nil {
		then()
	}
	return cmd.Process.Pid
}

// lean is a client that costs little, so that the server is what is measured.
type lean struct {
	tb  testing.TB
	nc  net.Conn
	in  *bufio.Reader
	out []byte
}

func (s rival) client(tb testing.TB) *lean {
	nc, err := net.Dial("tcp", s.addr)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = nc.Close() })
	return &lean{tb: tb, nc: nc, in: bufio.NewReaderSize(nc, 64<<10)}
}

// add puts a command behind those to be sent.
func (c *lean) add(args ...string) { c.out = resp.AppendCommand(c.out, args) }

func (c *lean) flush() {
	if _, err := c.nc.Write(c.out); err != nil {
		c.tb.Fatal(err)
	}
	c.out = c.out[:0]
}

// reply reads one reply. What an entry begins with, its id, is given to id.
func (c *lean) reply(id func([]byte)) {
	for open := 1; open > 0; open-- {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			c.tb.Fatal(err)
		}
		n, _ := strconv.Atoi(string(line[1 : len(line)-2]))
		switch line[0] {
		case '*':
			open += max(n, 0)
		case '-':
			c.tb.Fatal(string(line))
		case '$':
			if n < 0 {
				continue
			}
			text, err := c.in.Peek(n + 2)
			if err != nil {
				c.tb.Fatal(err)
			}
			if id != nil && n > 3 && text[n-2] == '-' {
				id(text[:n])
			}
			_, _ = c.in.Discard(n + 2)
		}
	}
}

// do sends a command and reads its reply.
func (c *lean) do(args ...string) {
	c.add(args...)
	c.flush()
	c.reply(nil)
}

// fill adds entries of three fields, ids 1-0 … n-0.
func (s rival) fill(tb testing.TB, n int) {
	c := s.client(tb)
	defer c.nc.Close()
	c.do("FLUSHALL")
	for i := range n {
		c.add("XADD", "s", strconv.Itoa(i+1)+"-0", "eventType", "OrderPaid", "orderId", strconv.Itoa(10000+i), "amount", "49000")
		if (i+1)%500 == 0 || i == n-1 {
			c.flush()
			for range i%500 + 1 {
				c.reply(nil)
			}
		}
	}
	c.do("XGROUP", "CREATE", "s", "g", "0")
}

// versus runs the load on both in turn, as often as the benchmark asks for, and reports the median of
// what each did in a second, and of their ratio.
func versus(b *testing.B, both [2]rival, unit string, load func(rival) float64) {
	var did [2][]float64
	var ratios []float64
	for b.Loop() {
		for i, s := range both {
			did[i] = append(did[i], load(s))
		}
		n := len(did[0]) - 1
		ratios = append(ratios, did[1][n]/did[0][n])
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(did[0]), "redis-"+unit)
	b.ReportMetric(median(did[1]), "engine-"+unit)
	b.ReportMetric(median(ratios), "ratio")
}

func median(of []float64) float64 {
	s := slices.Sorted(slices.Values(of))
	return s[len(s)/2]
}

const clients = 50

// BenchmarkEngineXADD is redis-benchmark with 50 clients.
func BenchmarkEngineXADD(b *testing.B) {
	program, err := exec.LookPath("redis-benchmark")
	if err != nil {
		b.Skip("no redis-benchmark")
	}
	both := rivals(b)
	for _, depth := range []int{1, 16} {
		b.Run(fmt.Sprintf("pipeline-%d", depth), func(b *testing.B) {
			versus(b, both, "commands/s", func(s rival) float64 {
				c := s.client(b)
				defer c.nc.Close()
				c.do("FLUSHALL")
				_, port, _ := net.SplitHostPort(s.addr)
				out, err := exec.Command(program, "-p", port, "-c", strconv.Itoa(clients), "-P", strconv.Itoa(depth), "-n", strconv.Itoa(100_000*min(depth, 5)),
					"--csv", "XADD", "s", "*", "eventType", "OrderPaid", "orderId", "10051", "amount", "49000").Output()
				if err != nil {
					b.Fatal(err)
				}
				lines := strings.Split(strings.TrimSpace(string(out)), "\n")
				cells := strings.Split(lines[len(lines)-1], `","`)
				rate, err := strconv.ParseFloat(strings.Trim(cells[1], `"`), 64)
				if err != nil {
					b.Fatal(string(out))
				}
				return rate
			})
		})
	}
}

// BenchmarkEngineGroup is 50 consumers that read ten entries each and acknowledge them, one command at
// a time, and eight reads and eight acknowledgements at a time.
func BenchmarkEngineGroup(b *testing.B) {
	both := rivals(b)
	for _, depth := range []int{1, 8} {
		b.Run(fmt.Sprintf("pipeline-%d", depth), func(b *testing.B) {
			versus(b, both, "entries/s", func(s rival) float64 { return groupLoop(b, s, 100_000*min(depth, 4), depth) })
		})
	}
}

// groupLoop gives n entries to the consumers and returns how many went through in a second. One
// goroutine serves all connections in turn, as redis-benchmark's event loop does.
func groupLoop(b *testing.B, s rival, n, depth int) float64 {
	s.fill(b, n)
	all := make([]*lean, clients)
	acks := make([][]string, clients*depth)
	for i := range all {
		all[i] = s.client(b)
		defer all[i].nc.Close()
	}
	start := time.Now()
	for done := 0; done < n; {
		for i, c := range all {
			for range depth {
				c.add("XREADGROUP", "GROUP", "g", "consumer-"+strconv.Itoa(i), "COUNT", "10", "STREAMS", "s", ">")
			}
			c.flush()
		}
		for i, c := range all {
			for d := range depth {
				ack := append(acks[i*depth+d][:0], "XACK", "s", "g")
				c.reply(func(id []byte) { ack = append(ack, string(id)) })
				acks[i*depth+d] = ack
				done += len(ack) - 3
				if len(ack) > 3 {
					c.add(ack...)
				}
			}
			if len(c.out) > 0 {
				c.flush()
			}
		}
		for i, c := range all {
			for d := range depth {
				if len(acks[i*depth+d]) > 3 {
					c.reply(nil)
				}
			}
		}
	}
	return float64(n) / time.Since(start).Seconds()
}

// BenchmarkEngineMemory is what a million entries of three fields take.
func BenchmarkEngineMemory(b *testing.B) {
	both := rivals(b)
	versus(b, both, "MB", func(s rival) float64 {
		before := rss(b, s.pid)
		s.fill(b, 1_000_000)
		return rss(b, s.pid) - before
	})
}

// BenchmarkEngineLooks is what a live view asks, with 200,000 pending over 50 consumers in a stream of
// a million: the time of a command sent alone, and of one among fifty sent at once.
func BenchmarkEngineLooks(b *testing.B) {
	both := rivals(b)
	for _, s := range both {
		s.fill(b, 1_000_000)
		c := s.client(b)
		for i := range 50 {
			c.do("XREADGROUP", "GROUP", "g", fmt.Sprintf("consumer-%02d", i), "COUNT", "4000", "STREAMS", "s", ">")
		}
	}
	for _, text := range []string{"XPENDING s g - + 50", "XPENDING s g 100000 + 50 consumer-30", "XREVRANGE s + - COUNT 50", "XINFO GROUPS s",
		"XINFO CONSUMERS s g", "XAUTOCLAIM s g consumer-00 3600000 0 COUNT 10", "XAUTOCLAIM s g consumer-00 3600000 0"} {
		for _, depth := range []int{1, 50} {
			b.Run(fmt.Sprintf("%s/at-once-%d", text, depth), func(b *testing.B) {
				args := strings.Fields(text)
				versus(b, both, "commands/s", func(s rival) float64 {
					c := s.client(b)
					defer c.nc.Close()
					const rounds = 2000
					start := time.Now()
					for range rounds / depth {
						for range depth {
							c.add(args...)
						}
						c.flush()
						for range depth {
							c.reply(nil)
						}
					}
					return rounds / time.Since(start).Seconds()
				})
			})
		}
	}
}
