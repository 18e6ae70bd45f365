package private

import (
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
)

// longestSocket is the longest socket path in bytes: the kernels take 104 (macOS) or 108 (Linux) with the final zero.
const longestSocket = 100

// plan is everything about a server that is decided before anything is done.
type plan struct {
	Bin      string // absolute path
	Dir      string // absolute path of the server's own folder, which the watcher makes and removes
	Network  string // unix or tcp
	Addr     string // path of the socket, or 127.0.0.1:port
	Password string
}

// newPlan decides. It touches nothing, but for asking the kernel for a free port where one is needed.
func newPlan(b Binary) (plan, error) {
	tmp, err := filepath.Abs(os.TempDir())
	if err != nil {
		return plan{}, fmt.Errorf("folder for temporary files: %w", err)
	}
	p := plan{
		Bin:      b.Path,
		Dir:      filepath.Join(tmp, "pelscope-"+strings.ToLower(rand.Text()[:12])),
		Network:  "unix",
		Password: rand.Text(),
	}
	p.Addr = filepath.Join(p.Dir, "s")
	if len(p.Addr) > longestSocket {
		p.Network = "tcp"
		p.Addr, err = freePort()
	}
	return p, err
}

// freePort gives a loopback address that nobody listens on at this moment. Somebody may before the
// server does, so whoever uses it must be ready to try another.
func freePort() (string, error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("free port on 127.0.0.1: %w", err)
	}
	return l.Addr().String(), l.Close()
}

// config is the server's configuration, in the words of redis.conf.
func (p plan) config() string {
	listen := fmt.Sprintf("port 0\nunixsocket %s\nunixsocketperm 600\n", quote(p.Addr))
	if p.Network == "tcp" {
		_, port, _ := net.SplitHostPort(p.Addr)
		listen = fmt.Sprintf("bind 127.0.0.1\nport %s\n", port)
	}
	return listen + fmt.Sprintf(`dir %s
requirepass %s
daemonize no
supervised no
logfile ""
save ""
appendonly no
maxmemory 256mb
maxmemory-policy noeviction
`, quote(p.Dir), quote(p.Password))
}

// quote writes s as redis.conf reads it: between double quotes, with \xHH for every byte that is not plain.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(s) {
		if c < ' ' || c > '~' || c == '"' || c == '\\' {
			fmt.Fprintf(&b, `\x%02x`, c)
		} else {
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// environ is our environment as a child gets it: in the C locale (Redis 7.4 refuses an unknown one),
// and without what only this program is to read; a URL may hold a password.
func environ() []string {
	var env []string
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		switch {
		case name == marker, name == "PELSCOPE_URL", name == "REDIS_URL", name == "REDISCLI_AUTH",
			name == "NOTIFY_SOCKET", name == "LANG", strings.HasPrefix(name, "LC_"):
		default:
			env = append(env, kv)
		}
	}
	return append(env, "LC_ALL=C")
}
