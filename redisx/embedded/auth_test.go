package embedded_test

import (
	"net"
	"testing"

	"pelscope/redisx/embedded"
	"pelscope/redisx/private/servertest"
	"pelscope/redisx/resp"
)

// With a password the engine lets nobody in without it, in the words of a real server.
func TestAPasswordIsAskedForAsByRealServers(t *testing.T) {
	srv := eightSix(t)
	const right = "RIGHT"
	for _, lines := range [][]string{
		{"PING", "NOSUCH a", "GET", "GET k", "XINFO NOSUCH", "CLIENT ID", "MULTI", "SUBSCRIBE a", "RESET", "AUTH a b c"},
		{"HELLO", "HELLO 3", "HELLO 9", "HELLO 3 BAD", "HELLO 3 SETNAME x", "HELLO 3 AUTH default nonsense", "PING"},
		{"AUTH nonsense", "AUTH nobody RIGHT", "PING", "AUTH RIGHT", "PING", "AUTH nonsense", "PING", "RESET", "PING"},
		{"AUTH default RIGHT", "PING", "HELLO 2 AUTH default nonsense", "PING", "QUIT"},
	} {
		a, b := closed(t, srv), newWire(t, engineWith(t, embedded.Options{Password: right}).dial())
		for _, text := range lines {
			args, _ := resp.Split(text)
			forServer := append([]string{}, args...)
			for i := range args {
				if args[i] == right {
					forServer[i] = srv.Password
				}
			}
			want, got := a.do(forServer...), b.do(args...)
			if d := differ(want, got); d != "" {
				t.Errorf("%s: %s\nreal: %s\nengine: %s", text, d, show(want), show(got))
			}
		}
	}
}

// closed is a connection to a real server that is not logged in.
func closed(t *testing.T, s servertest.Server) *wire {
	t.Helper()
	conn, err := net.Dial(s.Network, s.Addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return newWire(t, conn)
}
