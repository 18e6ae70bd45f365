package cli_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"pelscope/redisx/private/servertest"
)

// mistakes carries out each command line, split at spaces, and gives what each was told, with exit status
// 2, as one text. In it names stand for what differs from run to run.
func mistakes(t *testing.T, s setting, names *strings.Replacer, lines string) string {
	t.Helper()
	var told strings.Builder
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		told.WriteString(names.Replace("pelscope " + line + "\n    " + s.typed(t, strings.Fields(line)...).refused(t, 2) + "\n"))
	}
	return told.String()
}

func TestAMistakeOnTheCommandLineIsToldInOneLine(t *testing.T) {
	notRedis := filepath.Join(t.TempDir(), "not-redis")
	if err := os.WriteFile(notRedis, []byte("#!/bin/sh\necho 'postgres (PostgreSQL) 17.2'\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	lines := strings.ReplaceAll(wrongCommands()+wrongFlags()+wrongServers(), "NOT-REDIS", notRedis)
	golden.RequireEqual(t, mistakes(t, setting{}, strings.NewReplacer(notRedis, "NOT-REDIS"), lines))
}

// wrongCommands are commands that there are not, and known ones with too few or too many arguments, or with names of nothing.
func wrongCommands() string {
	return `
		frobnicate
		leran normal
		leran normal handover
		learn normal handover
		explore 127.0.0.1:1 127.0.0.1:2
		127.0.0.1:1 127.0.0.1:2
		state
		state 127.0.0.1:1
		state 127.0.0.1:1 orders workers alice
		lessons frobnicate
		lessons list normal
		lessons check frobnicate
		learn normall
		help frobnicate
		help learn frobnicate
		completion frobnicate
		completion bash frobnicate
	`
}

// wrongFlags are flags that there are not, flags with values they can't have, and flags that contradict each other.
// NOT-REDIS is a program that is no server.
func wrongFlags() string {
	return `
		--frobnicate
		-x
		learn --frobnicate
		lessons check --json
		state 127.0.0.1:1 orders --stream orders
		--url
		--ascii=perhaps
		--theme pink
		--server redis
		--server-bin /there/is/nothing
		--server-bin NOT-REDIS
		--server-bin redis://127.0.0.1:1
		--server embedded --server-bin redis-server
		--learn-here
		learn --learn-here
		learn --url 127.0.0.1:1
		learn --url 127.0.0.1:1 --learn-here --server private
		lessons check --url 127.0.0.1:1
		lessons check --url 127.0.0.1:1 --learn-here
		explore 127.0.0.1:1 --group workers
		explore 127.0.0.1:1 --url 127.0.0.1:2
		state 127.0.0.1:1 orders --url 127.0.0.1:2
		--lessons /there/is/nothing
		lessons list --lessons /there/is/nothing
	`
}

// wrongServers are servers that there are not, and addresses that are none.
func wrongServers() string {
	return `
		explore
		explore localhost
		127.0.0.1:1
		/there/is/no.sock
		explore 127.0.0.1:1 --server embedded
		state 127.0.0.1:1 orders
		redis://127.0.0.1:1/0
		redis://127.0.0.1:99999
		redis://127.0.0.1:0
		redis://127.0.0.1:http
		redis://127.0.0.1:1/orders
		redis://127.0.0.1:1?timeout=5
		redis://me@127.0.0.1:1
		redis://127.0.0.1:1?tls_ca=ca.pem
		rediss://127.0.0.1:1?tls_ca=/there/is/nothing
		rediss://127.0.0.1:1?tls_cert=cert.pem
		http://127.0.0.1:1
		redis-sentinel://127.0.0.1:1
		unix://there/is/no.sock
		::1:6379
		localhost/0
	
	`
}

func TestAnEmptyServerIsAMistake(t *testing.T) {
	for _, args := range [][]string{{""}, {"explore", ""}, {"state", "", "orders"}} {
		has(t, typed(t, args...).refused(t, 2), "no server given")
	}
}

func TestWhatAServerRefusesIsToldInOneLine(t *testing.T) {
	srv := servertest.One(t)
	ctx := context.Background()
	c := srv.Client(t)
	c.XAdd(ctx, entry("orders", "1-0", "a", "1"))
	c.XGroupCreate(ctx, "orders", "workers", "0")
	c.RPush(ctx, "charges", "A17")
	bare := "unix://" + srv.Addr
	url, wrong := srv.URL(), "unix://:s3cret@"+srv.Addr
	told := mistakes(t, setting{}, strings.NewReplacer(url, "SERVER", wrong, "WRONG", bare, "BARE", srv.Addr, "/DIR/s"), `
		`+bare+`
		state `+bare+` orders
		`+wrong+`
		explore `+wrong+` --stream orders
		state `+wrong+` orders
		learn --learn-here --url `+wrong+`
		lessons check --learn-here --url `+wrong+`
		state `+url+`?db=9999 orders
		state `+url+` nothing
		state `+url+` nothing workers
		state `+url+` charges
		state `+url+` orders nobody
	`)
	hasNot(t, told, "s3cret", srv.Password)
	golden.RequireEqual(t, told)
}

func TestAServerOfTheEnvironmentIsNamedByItsVariable(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want string
	}{
		{map[string]string{"PELSCOPE_URL": "127.0.0.1:1"}, "PELSCOPE_URL: 127.0.0.1:1: connection refused"},
		{map[string]string{"REDIS_URL": "127.0.0.1:1"}, "REDIS_URL: 127.0.0.1:1: connection refused"},
		{map[string]string{"PELSCOPE_URL": "http://127.0.0.1", "REDIS_URL": "127.0.0.1:1"}, `PELSCOPE_URL: "http" is no scheme`},
	} {
		has(t, setting{env: c.env}.typed(t, "explore").refused(t, 2), c.want)
	}
}

func TestAPrivateServerNeedsAProgramOnThePath(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	has(t, typed(t, "learn", "--server", "private").refused(t, 2), "no redis-server or valkey-server on PATH", "--server-bin")
	has(t, typed(t, "learn").refused(t, 2), "this needs a terminal") // nobody insists: it would go on embedded
}

// Screens need a terminal, and one that can move its cursor; what is said points to what works without.
func TestWithoutATerminalEachScreenSaysWhatToDoInstead(t *testing.T) {
	srv := servertest.One(t)
	dumb := setting{env: map[string]string{"TERM": "dumb"}, terminal: true}
	for _, c := range []struct {
		args    []string
		instead string
	}{
		{nil, "pelscope lessons check runs every lesson without one, and pelscope lessons list names them"},
		{[]string{"learn"}, "pelscope lessons check runs every lesson without one"},
		{[]string{"learn", "handover"}, "pelscope lessons check runs every lesson without one"},
		{[]string{srv.URL()}, "pelscope state SERVER STREAM prints one look"},
		{[]string{"--url", srv.URL()}, "pelscope state SERVER STREAM prints one look"},
		{[]string{"explore", srv.URL()}, "pelscope state SERVER STREAM prints one look"},
	} {
		has(t, typed(t, c.args...).refused(t, 2), "this needs a terminal as standard input and output: "+c.instead)
		has(t, dumb.typed(t, c.args...).refused(t, 2), "TERM is dumb: "+c.instead)
	}
}

func TestHelpIsOnStandardOutputAndPlainThere(t *testing.T) {
	for _, s := range []setting{{}, {env: map[string]string{"TERM": "dumb"}}} {
		for _, c := range []struct {
			args string
			tell []string
		}{
			{"--help", []string{"learn", "explore", "lessons", "state", "completion", "--learn-here", "--server-bin"}},
			{"-h", []string{"pelscope shows a consumer group's cursor"}},
			{"help", []string{"pelscope shows a consumer group's cursor", "--theme"}},
			{"help state", []string{"Looks once, read-only", "--json"}},
			{"state --help", []string{"Looks once, read-only", "--json"}},
			{"help lessons check", []string{"Runs each lesson twice from fresh", "--quiet"}},
			{"lessons check --help", []string{"Runs each lesson twice from fresh", "--quiet"}},
			{"lessons", []string{"check", "list"}},
			{"help explore", []string{"PELSCOPE_URL", "--stream", "--group"}},
			{"completion bash", []string{"__pelscope"}},
			{"--version", []string{"0.1.0"}},
			{"-v", []string{"0.1.0"}},
		} {
			out := s.typed(t, strings.Fields(c.args)...).worked(t)
			has(t, out, c.tell...)
			hasNot(t, out, "\x1b")
		}
	}
}
