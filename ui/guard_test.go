package ui_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pelscope/assets"
	"pelscope/lessons"
	"pelscope/redisx/client"
	"pelscope/redisx/embedded"
	"pelscope/redisx/private/servertest"
	"pelscope/redisx/resp"
	"pelscope/ui"
	"pelscope/ui/intent"
	"pelscope/ui/uitest"
)

// mayBeSent is every command that an explorer may send, with its subcommand, and what must be said of it. It
// is written here by hand and knows nothing of the client's own list.
func mayBeSent() map[string]func(args []string) string {
	free := func([]string) string { return "" }
	counted := func(args []string) string {
		for i, a := range args {
			if n, err := strconv.Atoi(last(args, i+1)); strings.EqualFold(a, "COUNT") && err == nil && n > 0 && n <= 2000 {
				return ""
			}
		}
		return "it has no COUNT, or a large one"
	}
	return map[string]func([]string) string{
		// of the connection itself: nothing that stays on the server behind it
		"HELLO": free, "CLIENT SETNAME": free, "CLIENT NO-TOUCH": free, "COMMAND INFO": free, "COMMAND DOCS": free, "TIME": free, "INFO": free,
		"MULTI": free, "EXEC": free,
		// of the data
		"TYPE": free, "XLEN": free, "XINFO GROUPS": free, "XINFO CONSUMERS": free,
		"SCAN": counted, "XRANGE": counted, "XREVRANGE": counted,
		"XINFO STREAM": func(args []string) string {
			if len(args) > 3 {
				return "FULL costs the server too much in a poll"
			}
			return ""
		},
		"XPENDING": func(args []string) string {
			if n, err := strconv.Atoi(last(args, 5)); err != nil || n > 2000 || slices.ContainsFunc(args, func(a string) bool { return strings.EqualFold(a, "IDLE") }) {
				return "it walks through more than a page"
			}
			return ""
		},
	}
}

func last(args []string, i int) string {
	if i < len(args) {
		return args[i]
	}
	return ""
}

// containers are the commands whose second word says what they do.
func containers() []string {
	return []string{"XINFO", "XGROUP", "CLIENT", "CONFIG", "COMMAND", "ACL", "MEMORY", "OBJECT", "SCRIPT", "FUNCTION", "DEBUG", "CLUSTER", "LATENCY", "SLOWLOG", "PUBSUB", "MODULE"}
}

// strangers are the commands that may not be sent, and why.
func strangers(commands [][]string) []string {
	allowed := mayBeSent()
	var out []string
	for _, args := range commands {
		name := strings.ToUpper(args[0])
		if slices.Contains(containers(), name) && len(args) > 1 {
			name += " " + strings.ToUpper(args[1])
		}
		check, ok := allowed[name]
		if !ok {
			out = append(out, fmt.Sprintf("%q is not allowed", args))
		} else if why := check(args); why != "" {
			out = append(out, fmt.Sprintf("%q: %s", args, why))
		}
	}
	return out
}

// recorder stands before a real server on a port of its own and notes every command that is sent to it.
type recorder struct {
	t      *testing.T
	server servertest.Server
	port   net.Listener

	mu       sync.Mutex
	received [][]string
}

// record begins to record. It runs outside of any bubble.
func record(t *testing.T, srv servertest.Server) *recorder {
	t.Helper()
	port, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &recorder{t: t, server: srv, port: port}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			c, err := port.Accept()
			if err != nil {
				return
			}
			running.Go(func() { r.serve(c) })
		}
	})
	t.Cleanup(func() { _ = port.Close(); running.Wait() })
	return r
}

func (r *recorder) serve(from net.Conn) {
	defer func() { _ = from.Close() }()
	to, err := net.Dial(r.server.Network, r.server.Addr)
	if err != nil {
		r.t.Error(err)
		return
	}
	defer func() { _ = to.Close() }()
	go func() { _, _ = io.Copy(from, to); _ = from.Close() }()
	in := bufio.NewReader(io.TeeReader(from, to))
	for {
		args, err := command(in)
		if err != nil {
			if len(args) > 0 {
				r.note(args) // cut off in its middle, and yet it was begun
			}
			return
		}
		r.note(args)
	}
}

func (r *recorder) note(args []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.received = append(r.received, args)
}

func (r *recorder) commands() [][]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.received)
}

// URL is the address by which the server is opened through the recorder.
func (r *recorder) URL() string {
	return "redis://:" + r.server.Password + "@" + r.port.Addr().String()
}

// command reads one command from the wire: an array of bulk strings, or an inline one.
func command(in *bufio.Reader) ([]string, error) {
	n, line, err := header(in, '*')
	if err != nil {
		return nil, err
	}
	if n < 0 {
		return append(strings.Fields(line), "(inline)"), nil
	}
	var args []string
	for range n {
		size, _, err := header(in, '$')
		if err != nil {
			return args, err
		}
		b := make([]byte, size+2)
		if _, err := io.ReadFull(in, b); err != nil {
			return args, err
		}
		args = append(args, string(b[:size]))
	}
	return args, nil
}

// header reads a line that is a sign and a number; -1 when it is another line.
func header(in *bufio.Reader, sign byte) (n int, line string, err error) {
	line, err = in.ReadString('\n')
	if err != nil {
		return 0, "", err
	}
	if line[0] != sign {
		return -1, line, nil
	}
	n, err = strconv.Atoi(strings.TrimSpace(line[1:]))
	return n, line, err
}

// everything is all that a server knows and that looking must not change, each thing by its name. What is
// there of times is absolute.
func everything(t *testing.T, srv servertest.Server) map[string]string {
	t.Helper()
	c, err := byURL(srv.URL())(context.Background(), client.Options{Write: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	out := map[string]string{}
	ask := func(args ...string) resp.Value {
		v, err := c.Do(context.Background(), args...)
		if err != nil || v.IsError() {
			t.Fatalf("%q: %v %s", args, err, v.Str)
		}
		out[strings.Join(args, " ")] = resp.Print(v)
		return v
	}
	ask("CONFIG", "GET", "*")
	ask("ACL", "LIST")
	ask("DBSIZE")
	keys := ask("KEYS", "*")
	out["KEYS *"] = "" // in no order
	for _, k := range keys.Elems {
		name := k.Text()
		ask("TYPE", name)
		ask("PEXPIRETIME", name)
		if ask("TYPE", name).Text() == "stream" {
			ask("XINFO", "STREAM", name, "FULL", "COUNT", "0")
			continue
		}
		ask("DUMP", name)
	}
	return out
}

// calls is how often each command was run, as the server itself has counted.
func calls(t *testing.T, srv servertest.Server) map[string]bool {
	t.Helper()
	c, err := byURL(srv.URL())(context.Background(), client.Options{Write: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	info, err := c.Do(context.Background(), "INFO", "commandstats")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	for line := range strings.Lines(info.Text()) {
		if name, rest, ok := strings.Cut(strings.TrimPrefix(line, "cmdstat_"), ":"); ok && strings.HasPrefix(rest, "calls=") {
			out[strings.ToUpper(strings.ReplaceAll(name, "|", " "))] = true
		}
	}
	return out
}

// guarded is a server with much on it to be spoiled: streams, groups, pending entries, another key.
func guarded(t *testing.T) servertest.Server {
	t.Helper()
	srv := servertest.One(t)
	c, err := byURL(srv.URL())(context.Background(), client.Options{Write: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	x := &explorer{t: t, others: c}
	x.do(seed()...)
	x.do("XGROUP CREATE orders audit 0", "XREADGROUP GROUP audit ann COUNT 4 STREAMS orders >", "XGROUP CREATECONSUMER orders audit zoe",
		"XDEL orders 2-0", "XADD payments * a b", "XGROUP CREATE empty g $ MKSTREAM", "SET text x", "SET fades y EX 100000")
	for i := range 900 {
		x.do(fmt.Sprintf("XADD payments * n %d", i))
	}
	return srv
}

// player presses keys as they come.
type player struct {
	*explorer
	r       *rand.Rand
	pressed map[intent.Mode]map[string]bool
}

// press presses one key of those that mean something now, or another, or types or pastes something.
func (p *player) press() {
	mode := p.model.Mode()
	if p.pressed[mode] == nil {
		p.pressed[mode] = map[string]bool{}
	}
	switch n := p.r.IntN(100); {
	case n < 70:
		p.key(mode, keysOf(mode))
	case n < 80:
		p.key(mode, allKeys())
	case n < 90:
		p.Type(p.words())
	case n < 94:
		p.Paste(p.words() + "\n" + p.words())
	case n < 96:
		p.Resize(40+p.r.IntN(120), 10+p.r.IntN(40))
	case n < 98:
		p.Advance(time.Duration(p.r.IntN(3000)) * time.Millisecond)
	default: // from home, or from wherever it leads, back to the server
		for _, key := range []string{"end", "enter", "x", "enter"} {
			p.Press(key)
		}
	}
}

func (p *player) key(mode intent.Mode, keys []string) {
	key := keys[p.r.IntN(len(keys))]
	p.pressed[mode][key] = true
	p.Press(key)
}

// words are what a person might type, or mistake the program for a prompt with.
func (p *player) words() string {
	list := []string{
		"XACK orders settlement 1-0", "DEL orders", "FLUSHALL", ":XGROUP DESTROY orders audit", "orders", "payments", "yes", "y", "127.0.0.1:1", "a",
		"XADD orders * a b", "config set maxmemory 1", "한국어", "\"",
	}
	var safe []rune // neither q, which leaves, nor anything else that does: that is pressed at the end
	for _, r := range list[p.r.IntN(len(list))] {
		if p.model.Mode().Typing() || r != 'q' {
			safe = append(safe, r)
		}
	}
	return string(safe)
}

// keysOf are the keys that mean something in a mode, but for those that end the program or put it into the
// background.
func keysOf(mode intent.Mode) []string {
	var keys []string
	for _, b := range intent.For(mode) {
		if b.Intent != intent.Quit && b.Intent != intent.Suspend {
			keys = append(keys, b.Keys...)
		}
	}
	return keys
}

func allKeys() []string {
	seen := map[string]bool{}
	for _, m := range intent.Modes() {
		for _, k := range keysOf(m) {
			seen[k] = true
		}
	}
	for _, k := range []string{"q", "ctrl+c", "ctrl+z"} {
		delete(seen, k) // q closes a popup, and ends the program where there is none
	}
	return slices.Sorted(maps.Keys(seen))
}

// Every key, in every place that one comes to from an explorer opened by URL, in many orders: what the
// server receives only reads, and nothing on it is another than before.
func TestNoKeyChangesAServer(t *testing.T) {
	srv := guarded(t)
	before := everything(t, srv)
	if err := srv.Client(t).ConfigResetStat(context.Background()).Err(); err != nil {
		t.Fatal(err)
	}
	wire := record(t, srv)
	lesson := oneLesson(t)
	pressed := map[intent.Mode]map[string]bool{}
	for seed := range uint64(12) {
		synctest.Test(t, func(t *testing.T) {
			playOn(t, wire, lesson, pressed, seed)
		})
	}
	counted := calls(t, srv)
	if len(wire.commands()) < 500 {
		t.Errorf("only %d commands were recorded", len(wire.commands()))
	}
	for _, bad := range strangers(wire.commands()) {
		t.Error(bad)
	}
	allowed := mayBeSent()
	for name := range counted {
		if allowed[name] == nil && name != "CONFIG RESETSTAT" {
			t.Errorf("the server ran %s", name)
		}
	}
	same(t, before, everything(t, srv))
	for _, mode := range []intent.Mode{intent.Home, intent.Explore, intent.Ask, intent.Choose, intent.Popup} {
		for _, key := range keysOf(mode) {
			if !pressed[mode][key] {
				t.Errorf("the key %s was never pressed in the mode %s", key, mode)
			}
		}
	}
}

// oneLesson is a lesson to come upon from the home screen.
func oneLesson(t *testing.T) []*lessons.Lesson {
	t.Helper()
	all, err := lessons.LoadAll(assets.Lessons, "lessons") // what is wrong with others is told elsewhere
	i := slices.IndexFunc(all, func(l *lessons.Lesson) bool { return l.ID == "normal" })
	if i < 0 {
		t.Fatal("no lesson normal: ", err)
	}
	return all[i : i+1]
}

// playOn opens the explorer through the recorder, presses keys for a while, and leaves.
func playOn(t *testing.T, wire *recorder, lesson []*lessons.Lesson, pressed map[intent.Mode]map[string]bool, seed uint64) {
	t.Helper()
	open := byURL(wire.URL())
	c, err := open(context.Background(), client.Options{Name: "pelscope"})
	if err != nil {
		t.Fatal(err)
	}
	engine := embedded.New(embedded.Options{})
	d := deps(ui.Deps{
		Server: c, Stream: []string{"orders", "", "empty", "text"}[seed%4], Lessons: lesson,
		OpenLab: func(ctx context.Context) (*ui.Lab, error) { return openLab(ctx, engine.Dial) },
	}, open)
	m := ui.New(d)
	p := &player{explorer: &explorer{t: t, model: m}, r: rand.New(rand.NewPCG(seed, 8)), pressed: pressed}
	p.Session = uitest.Start(t, m)
	defer func() {
		p.Quit()
		if err := m.Close(); err != nil {
			t.Error(err)
		}
		_ = engine.Close()
		synctest.Wait()
	}()
	for range 400 {
		p.press()
	}
	p.Press("esc", "esc") // out of a popup
	for range 3 {
		p.Press("ctrl+c")
		if p.Ended() {
			return
		}
	}
	t.Errorf("ctrl+c does not leave:\n%s", p.Screen())
}

// same fails for everything that is another than before.
func same(t *testing.T, before, after map[string]string) {
	t.Helper()
	for _, name := range changed(before, after) {
		t.Errorf("%s\nwas %s\nis  %s", name, before[name], after[name])
	}
}

func changed(before, after map[string]string) []string {
	var out []string
	for name := range after {
		if _, had := before[name]; !had {
			out = append(out, name)
		}
	}
	for name, v := range before {
		if after[name] != v {
			out = append(out, name)
		}
	}
	return out
}

// The test above would see a write: one that is slipped in through the same recorder is found in what was
// received, in what the server counted, and in what is on it.
func TestAWriteThatIsSlippedInIsSeen(t *testing.T) {
	srv := guarded(t)
	before := everything(t, srv)
	wire := record(t, srv)
	for _, line := range []string{
		"XACK orders settlement 1-0", "XREADGROUP GROUP audit ann STREAMS orders 0", "XCLAIM orders settlement bob 0 3-0", "xgroup createconsumer orders audit eve",
		"SET text z", "CONFIG SET maxmemory 300mb", "XRANGE orders - +", "XINFO STREAM orders FULL", "XPENDING orders settlement IDLE 1 - + 10", "KEYS *",
	} {
		if err := srv.Client(t).ConfigResetStat(context.Background()).Err(); err != nil {
			t.Fatal(err)
		}
		c, err := byURL(wire.URL())(context.Background(), client.Options{Write: true})
		if err != nil {
			t.Fatal(err)
		}
		(&explorer{t: t, others: c}).do(line)
		_ = c.Close()
		bad := strangers(wire.commands())
		for range 400 { // the recorder hears of a command when the server does, perhaps a moment before it notes it
			if len(bad) > 0 && strings.Contains(bad[len(bad)-1], strings.Fields(line)[1]) {
				break
			}
			<-time.After(5 * time.Millisecond)
			bad = strangers(wire.commands())
		}
		if len(bad) == 0 || !strings.Contains(bad[len(bad)-1], strings.Fields(line)[1]) {
			t.Errorf("%s was not found: %q", line, bad)
		}
		if word := strings.ToUpper(strings.Fields(line)[0]); !slices.ContainsFunc(slices.Collect(maps.Keys(calls(t, srv))), func(s string) bool {
			return strings.HasPrefix(s, word)
		}) {
			t.Errorf("%s was not counted", line)
		}
		after := everything(t, srv)
		if writes := !strings.Contains(line, "- +") && !strings.Contains(line, "FULL") && line != "KEYS *"; writes != (len(changed(before, after)) > 0) {
			t.Errorf("%s: changed are %q", line, changed(before, after))
		}
		before = after
	}
	if err := srv.Client(t).ConfigSet(context.Background(), "maxmemory", "256mb").Err(); err != nil {
		t.Fatal(err)
	}
	// and the client that the program opens by URL refuses to send one at all
	c, err := byURL(wire.URL())(context.Background(), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	n := len(strangers(wire.commands()))
	if _, err := c.Do(context.Background(), "XACK", "orders", "settlement", "1-0"); err == nil || len(strangers(wire.commands())) != n {
		t.Errorf("a write was sent on a connection that only reads: %v", err)
	}
}
