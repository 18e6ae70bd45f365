package cli_test

import (
	"net/url"
	"strings"
	"testing"

	"pelscope/redisx/private/servertest"
)

// servers are addresses with the password s3cret or one that begins or ends so, most of them not as an
// address is written.
func servers() []string {
	return []string{
		"redis://:s3cret@127.0.0.1:1", "redis://me:s3cret@127.0.0.1:1/3", "rediss://me:s3cret@127.0.0.1:1",
		"redis://me:s3cret%40%2F@127.0.0.1:1", "redis://me:%73%33cret@127.0.0.1:1", "unix://:s3cret@/there/is/no.sock",
		"redis://me:s3cret@127.0.0.1:port", "redis://me:s3cret@127.0.0.1:99999", "redis://me:s3cret@127.0.0.1:1/db",
		"redis://me:s3cret@127.0.0.1:1?s=1", "redis://me:s3cret%zz@127.0.0.1:1", "redis://me:s3cret%@127.0.0.1:1",
		"redis://me:s3cret@@127.0.0.1:1", "redis://me:s3cret/@127.0.0.1:1", "redis://me:s3cret?@127.0.0.1:1",
		"redis://me:s3cret#@127.0.0.1:1", "redis://me:#s3cret@127.0.0.1:1", "redis://me:s3cret @127.0.0.1:1",
		"redis://me:a=s3cret@127.0.0.1:1", "redis://me:s3cret=a@127.0.0.1:1", "redis://me:a  s3cret@127.0.0.1:1",
		"redis://me:s3cret\t\"'\\@127.0.0.1:1", "redis://me:s3cret\x1b[2J@127.0.0.1:1", "redis://me:비밀s3cret@127.0.0.1:1",
		"http://me:s3cret@127.0.0.1:1", "redis+tls://me:s3cret@127.0.0.1:1", "redis-sentinel://me:s3cret@127.0.0.1:1",
		"REDIS://me:s3cret@127.0.0.1:1", "redis:/me:s3cret@127.0.0.1:1", "redis:me:s3cret@127.0.0.1:1", "me:s3cret@127.0.0.1:1",
		":s3cret@127.0.0.1:1", "s3cret@127.0.0.1", "//me:s3cret@127.0.0.1:1", "unix://me:s3cret@there/is/no.sock",
		"redis://me:s3cret@[::1", "redis://me:s3cret@::1:6379",
	}
}

// places are where a server may stand, rightly or not, with % for it.
func places() []string {
	return []string{
		"%", "explore %", "learn %", "learn % %", "help %", "completion %", "lessons %", "lessons list %", "lessons check %", "state %",
		"state % orders", "state 127.0.0.1:1 % %", "state 127.0.0.1:1 a b %", "--url %", "--url=%", "--url % --learn-here",
		"lessons check --learn-here --url %", "--server %", "--server=%", "--server-bin %", "--server-bin=%", "--lessons %",
		"--theme %", "--theme=%", "--ascii=%", "lessons check --quiet=%", "lessons check -q%", "-%", "--%", "---%", "-u%", "-u=%", "--uri=%",
		"% --url %", "explore % --group %",
	}
}

func TestAPasswordOnTheCommandLineIsNeverShown(t *testing.T) {
	for _, server := range servers() {
		for _, place := range []string{"%", "state % orders", "learn %", "lessons check --learn-here --url=%", "--server-bin %"} {
			neverShown(t, place, server)
		}
	}
	for _, place := range places() {
		for _, server := range []string{"redis://me:s3cret@127.0.0.1:1", "redis://me:s3cret=a@127.0.0.1:1", "me:a  s3cret@127.0.0.1:1"} {
			neverShown(t, place, server)
		}
	}
}

func neverShown(t *testing.T, place, server string) {
	t.Helper()
	args := strings.Fields(place)
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "%", server)
	}
	a := typed(t, args...)
	if strings.Contains(a.out+a.err, "s3cret") {
		t.Errorf("%q wrote %s%s", args, a.out, a.err)
	}
	a.refused(t, 2)
}

func TestAPasswordInTheEnvironmentIsNeverShown(t *testing.T) {
	for _, server := range servers() {
		for _, name := range []string{"PELSCOPE_URL", "REDIS_URL"} {
			line := setting{env: map[string]string{name: server}}.typed(t, "explore").refused(t, 2)
			hasNot(t, line, "s3cret")
			has(t, line, name)
		}
	}
}

func TestAWrongPasswordIsNeverShown(t *testing.T) {
	servertest.Each(t, func(t *testing.T, srv servertest.Server) {
		for _, server := range []string{"unix://:s3cret@", "unix://me:s3cret@", "unix://:%73%33cret@", "unix://me:s3cret%2F%40@"} {
			line := typed(t, "state", server+srv.Addr, "orders").refused(t, 2)
			hasNot(t, line, "s3cret", srv.Password, url.QueryEscape(srv.Password))
			has(t, line, srv.Addr, "wrong user or password")
		}
	})
}
