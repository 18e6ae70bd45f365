package embedded_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"pelscope/redisx/private/servertest"
	"pelscope/redisx/resp"
)

// scenario is a list of commands that begins on an empty server.
//
// The files of testdata hold scenarios as "## title" and then a command a line. A title that ends in
// [all] marks one in which every server from 7.0 on answers alike. Lines that begin with @ are the
// runner's: @on NAME command (on another connection), @bg NAME command (sent; the reply is read
// later), @read NAME, @quiet NAME (no reply is there), @close NAME, @hello proto, @sleep ms, @fill key n size (entries 1-0 … n-0 with a value of
// that size), @add key n from field value.
type scenario struct {
	title string
	all   bool
	lines []line
}

type line struct {
	no   int
	text string
	args []string
}

func readScenarios(t testing.TB, path string) []scenario {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []scenario
	for i, text := range strings.Split(string(data), "\n") {
		switch {
		case strings.TrimSpace(text) == "":
		case strings.HasPrefix(text, "## "):
			title, all := strings.CutSuffix(text[3:], " [all]")
			out = append(out, scenario{title: title, all: all})
		default:
			args, err := resp.Split(text)
			if err != nil {
				t.Fatalf("%s:%d: %v", path, i+1, err)
			}
			s := &out[len(out)-1]
			s.lines = append(s.lines, line{no: i + 1, text: text, args: args})
		}
	}
	return out
}

// run plays one line and returns what came back of it, if anything.
func (s *session) run(l line) (v resp.Value, replied bool) {
	switch l.args[0] {
	case "@on":
		return s.on(l.args[1]).do(l.args[2:]...), true
	case "@bg":
		s.background(s.on(l.args[1]), l.args[2:])
	case "@read":
		return s.on(l.args[1]).recv(2 * time.Second)
	case "@hello":
		s.on("").do("HELLO", l.args[1])
	case "@quiet":
		return s.on(l.args[1]).recv(30 * time.Millisecond)
	case "@close":
		s.hangUp(l.args[1])
	case "@sleep":
		ms, _ := strconv.Atoi(l.args[1])
		<-time.After(time.Duration(ms) * time.Millisecond)
	case "@fill":
		n, _ := strconv.Atoi(l.args[2])
		size, _ := strconv.Atoi(l.args[3])
		s.add(l.args[1], n, 1, "f", strings.Repeat("x", size))
	case "@add":
		n, _ := strconv.Atoi(l.args[2])
		from, _ := strconv.Atoi(l.args[3])
		s.add(l.args[1], n, from, l.args[4], l.args[5])
	default:
		return s.on("").do(l.args...), true
	}
	return resp.Value{}, false
}

// background sends a command and returns when its client is blocked, or answered.
func (s *session) background(w *wire, args []string) {
	before := s.blocked()
	w.send(args...)
	for end := time.Now().Add(5 * time.Second); s.blocked() == before; {
		if v, ok := w.recv(time.Millisecond); ok {
			w.kept = append(w.kept, v)
			return
		}
		if time.Now().After(end) {
			s.t.Fatalf("%s: %s neither blocks nor answers", s.place.name, resp.Join(args))
		}
	}
}

func (s *session) add(key string, n, from int, field, value string) {
	for i := range n {
		if v := s.on("").do("XADD", key, fmt.Sprintf("%d-0", from+i), field, value); v.IsError() {
			s.t.Fatal(v.Str)
		}
	}
}

// blocked is how many clients of the place are blocked now.
func (s *session) blocked() int {
	_, rest, _ := strings.Cut(s.on("observer").do("INFO", "clients").Text(), "blocked_clients:")
	n, _ := strconv.Atoi(strings.SplitN(rest, "\r", 2)[0])
	return n
}

// keysOf are the arguments of a scenario that may be keys: its short words.
func (sc scenario) keys() []string {
	seen := map[string]bool{}
	var out []string
	for _, l := range sc.lines {
		for i, a := range l.args {
			if i > 0 && len(a) > 0 && len(a) < 8 && a == strings.ToLower(a) && strings.IndexFunc(a, notWord) < 0 && !seen[a] {
				seen[a] = true
				out = append(out, a)
			}
		}
	}
	return out
}

func notWord(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }

// existing are the keys that one of the places has.
func existing(keys []string, s *session) []string {
	var out []string
	for _, k := range keys {
		if s.on("observer").do("TYPE", k).Text() != "none" {
			out = append(out, k)
		}
	}
	return out
}

// playBoth runs a scenario on two places in lockstep and compares every reply, and after every
// command everything that is known of the streams.
func playBoth(t *testing.T, file string, sc scenario, want, got place, state bool) {
	a, b := want.session(t), got.session(t)
	defer a.close()
	defer b.close()
	a.on("observer").do("FLUSHALL")
	b.on("observer").do("FLUSHALL")
	keys := sc.keys()
	for _, l := range sc.lines {
		var y resp.Value
		var okY bool
		var other sync.WaitGroup
		other.Go(func() { y, okY = b.run(l) })
		x, okX := a.run(l) // at the same time, so that idle times are the same
		other.Wait()
		d := ""
		switch {
		case okX != okY:
			d = fmt.Sprintf("%s replied: %v, %s replied: %v", want.name, okX, got.name, okY)
		case okX && (state || comparable(l.args)):
			d = differ(x, y)
		}
		if d != "" {
			t.Errorf("%s:%d: %s\n%s\n%s: %s\n%s: %s", file, l.no, l.text, d, want.name, show(x), got.name, show(y))
		}
		if !state || l.args[0] == "MULTI" {
			continue
		}
		for _, k := range existing(keys, a) {
			if d := differState(a, b, k); d != "" {
				t.Fatalf("%s:%d: after %s\n%s", file, l.no, l.text, d)
			}
		}
	}
}

// comparable says whether all servers answer a command alike: XINFO has grown fields.
func comparable(args []string) bool { return !strings.EqualFold(args[0], "XINFO") }

func scenarioFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/stream-*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no scenarios", err)
	}
	return files
}

func TestStreamCommandsAnswerAsRealServersDo(t *testing.T) {
	t.Parallel()
	servertest.Each(t, func(t *testing.T, srv servertest.Server) {
		same := isEightSix(srv)
		for _, file := range scenarioFiles(t) {
			for _, sc := range readScenarios(t, file) {
				if same || sc.all {
					t.Run(filepath.Base(file)+"/"+sc.title, func(t *testing.T) {
						playBoth(t, file, sc, realPlace(t, srv), enginePlace(t), same)
					})
				}
			}
		}
	})
}
