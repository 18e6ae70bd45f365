package resp_test

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"pelscope/redisx/resp"
)

// cliServer answers every command of a redis-cli with one value and remembers the commands.
type cliServer struct {
	cli    string
	socket string
	mu     sync.Mutex
	got    []string
	answer []byte
}

func startCLIServer(t *testing.T) *cliServer {
	cli, err := exec.LookPath("redis-cli")
	if err != nil {
		if os.Getenv("PELSCOPE_REQUIRE_SERVERS") == "1" {
			t.Fatal("redis-cli is required and is not on PATH")
		}
		t.Skip("no redis-cli on PATH to compare with")
	}
	dir, err := os.MkdirTemp("", "pelscope-cli")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	s := &cliServer{cli: cli, socket: filepath.Join(dir, "s")}
	l, err := net.Listen("unix", s.socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			s.serve(c)
		}
	}()
	return s
}

func (s *cliServer) serve(c net.Conn) {
	defer c.Close()
	r := resp.NewReader(c)
	for {
		v, err := r.Read()
		if err != nil {
			return
		}
		args := make([]string, len(v.Elems))
		for i, e := range v.Elems {
			args[i] = e.Str
		}
		reply := []byte("%0\r\n")
		if args[0] != "HELLO" && args[0] != "COMMAND" {
			s.mu.Lock()
			s.got, reply = args, s.answer
			s.mu.Unlock()
		}
		if _, err := c.Write(reply); err != nil {
			return
		}
	}
}

// run gives redis-cli a line on standard input and returns what it prints.
func (s *cliServer) run(t *rapid.T, line string, answer []byte, flags ...string) (out string, args []string) {
	cmd := exec.Command(s.cli, append([]string{"-s", s.socket, "--no-raw"}, flags...)...)
	cmd.Stdin = bytes.NewReader([]byte(line + "\n"))
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
	s.mu.Lock()
	s.got, s.answer = nil, answer
	s.mu.Unlock()
	b, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("redis-cli: %v: %s", err, b)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return string(b), s.got
}

func TestPrintPrintsWhatRedisCLIPrints(t *testing.T) {
	s := startCLIServer(t)
	rapid.Check(t, func(t *rapid.T) {
		v := printable(anyValue().Draw(t, "value"))
		proto := rapid.SampledFrom([]int{2, 3}).Draw(t, "proto")
		b := resp.Append(nil, v, proto)
		sent, _, err := resp.Decode(b)
		if err != nil {
			t.Fatal(err)
		}
		var flags []string
		if proto == 3 {
			flags = []string{"-3"}
		}
		if out, _ := s.run(t, "GET x", b, flags...); out != resp.Print(sent) {
			t.Fatalf("%q:\nredis-cli:\n%s\nPrint:\n%s", b, out, resp.Print(sent))
		}
	})
}

// printable replaces what redis-cli does not print as a reply: it keeps pushes back and ends on a big
// number.
func printable(v resp.Value) resp.Value {
	switch v.Kind {
	case resp.Push:
		v.Kind = resp.Array
	case resp.Big:
		v.Kind = resp.Bulk
	}
	for i := range v.Elems {
		v.Elems[i] = printable(v.Elems[i])
	}
	return v
}

func TestRedisCLIReadsWhatIsJoined(t *testing.T) {
	s := startCLIServer(t)
	rapid.Check(t, func(t *rapid.T) {
		arg := rapid.OneOf(rapid.StringN(0, 20, -1),
			rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 20), func(b []byte) string { return string(b) }))
		want := append([]string{"ECHO"}, rapid.SliceOfN(arg, 1, 5).Draw(t, "args")...)
		if _, got := s.run(t, resp.Join(want), []byte("+OK\r\n")); !slices.Equal(got, want) {
			t.Fatalf("%s: redis-cli read %q, want %q", resp.Join(want), got, want)
		}
	})
}
