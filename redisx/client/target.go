package client

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// DefaultPort is where a Redis listens unless told otherwise.
const DefaultPort = "6379"

// secret is a password that printing a struct cannot show: fmt does not follow the pointer.
type secret struct{ text *string }

func newSecret(s string) secret { return secret{&s} }

func (s secret) reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// Target is a server to connect to, as Parse read it. Printing it never shows a password. The zero
// Target names no address: it goes with Options.Dial.
type Target struct {
	network  string // tcp or unix
	addr     string // host:port, or the socket's path
	db       int
	user     string
	password secret
	tls      bool
	tlsFiles tlsFiles
}

// tlsFiles are PEM files named in the address: certificate authorities, and a client's certificate
// with its key. Empty means the system's authorities and no certificate.
type tlsFiles struct{ ca, cert, key string }

// String names the server for a person: 10.0.3.7:6379, /run/redis.sock, with user and database where
// they are not the defaults. Never a secret.
func (t Target) String() string {
	if t.addr == "" {
		return "in this process"
	}
	s := t.addr
	if t.user != "" {
		s = t.user + "@" + s
	}
	if t.db != 0 {
		s += " db " + strconv.Itoa(t.db)
	}
	return s
}

// GoString is String, so that %#v shows no secret either.
func (t Target) GoString() string { return "client.Target(" + t.String() + ")" }

// Addr is host:port, or the path of a unix socket.
func (t Target) Addr() string { return t.addr }

// DB is the database number, 0 unless the address names another.
func (t Target) DB() int { return t.db }

// User is the ACL user; empty is the default user.
func (t Target) User() string { return t.user }

// TLS says whether the connection is encrypted.
func (t Target) TLS() bool { return t.tls }

// Parse reads the address of a server: redis:// rediss:// valkey:// valkeys:// unix:// host:port or the
// path of a unix socket. Its errors are sentences for a person and never contain a password.
func Parse(s string) (Target, error) {
	s = strings.TrimSpace(s)
	scheme, rest, hasScheme := strings.Cut(s, "://")
	switch {
	case s == "":
		return Target{}, errors.New("no server given: write host:port, redis://host:port/0 or a socket's path")
	case !hasScheme && strings.HasPrefix(s, "/"):
		return Target{network: "unix", addr: s}, nil
	case !hasScheme && !strings.ContainsAny(s, ":/"):
		return Target{}, fmt.Errorf("%q is no server: write it with its port, %s:%s, or as redis://%s", s, s, DefaultPort, s)
	case !hasScheme && strings.Contains(s, "@"):
		return Target{}, errors.New("a server with user or password is written redis://user:password@host:port")
	case !hasScheme && !strings.Contains(s, ":"):
		return Target{}, fmt.Errorf("%q is no server: a socket's path starts with /, a host has a port", s)
	case !hasScheme:
		return parseTCP("redis", s)
	}
	switch scheme = strings.ToLower(scheme); scheme {
	case "redis", "rediss", "valkey", "valkeys":
		return parseTCP(scheme, rest)
	case "unix", "redis+unix", "valkey+unix":
		return parseUnix(rest)
	}
	if strings.ContainsAny(scheme, ":@?") { // then it is no scheme, and may hold a password
		return Target{}, errors.New("the server's address cannot be read: want redis://host:port, rediss://, valkey://, valkeys:// or unix://")
	}
	if strings.Contains(scheme, "sentinel") || strings.Contains(scheme, "cluster") {
		return Target{}, fmt.Errorf("%s:// is not supported yet: give one server's own address, redis://host:port", scheme)
	}
	return Target{}, fmt.Errorf("%q is no scheme for a server: use redis://, rediss://, valkey://, valkeys:// or unix://", scheme)
}

func parseTCP(scheme, rest string) (Target, error) {
	u, err := parseURL("redis://" + rest)
	if err != nil {
		return Target{}, err
	}
	t := Target{network: "tcp", tls: strings.HasSuffix(scheme, "s") && scheme != "redis"}
	host, port := u.Hostname(), u.Port()
	if port == "" {
		port = DefaultPort
	}
	if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
		return Target{}, errors.New("the port of a server is a number from 1 to 65535")
	}
	if host == "" {
		host = "localhost"
	}
	if strings.Contains(host, ":") && !strings.HasPrefix(u.Host, "[") {
		return Target{}, errors.New("an IPv6 address is written in brackets: [::1]:6379")
	}
	t.addr = net.JoinHostPort(host, port)
	if db := strings.Trim(u.Path, "/"); db != "" {
		if t.db, err = parseDB(db); err != nil {
			return Target{}, err
		}
	}
	return t.finish(u)
}

func parseUnix(rest string) (Target, error) {
	u, err := parseURL("unix://" + rest)
	if err != nil {
		return Target{}, err
	}
	if u.Path == "" || u.Host != "" {
		return Target{}, errors.New("a unix socket is written unix:///path/to/redis.sock, or only its path")
	}
	return Target{network: "unix", addr: u.Path}.finish(u)
}

// parseURL replaces net/url's errors, which quote the address, password and all.
func parseURL(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	if err != nil || u.Fragment != "" || strings.HasSuffix(s, "#") || strings.Contains(u.RawQuery, "@") {
		return nil, errors.New("the server's address cannot be read: want redis://user:password@host:port/0, " +
			"with / # ? @ : % inside a password written as %2F %23 %3F %40 %3A %25")
	}
	return u, nil
}

// finish reads what all addresses can carry: user and password, and options after the question mark.
func (t Target) finish(u *url.URL) (Target, error) {
	if u.User != nil {
		password, has := u.User.Password()
		if !has && u.User.Username() != "" {
			return Target{}, errors.New("a user without a password: write redis://user:password@host, " +
				"or redis://:password@host for a password alone")
		}
		t.user, t.password = u.User.Username(), newSecret(password)
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return Target{}, errors.New("the options after ? in the server's address cannot be read")
	}
	for name, values := range query {
		if err := t.option(name, values[0]); err != nil {
			return Target{}, err
		}
	}
	if (t.tlsFiles.cert == "") != (t.tlsFiles.key == "") {
		return Target{}, errors.New("tls_cert and tls_key are given together or not at all")
	}
	if t.tlsFiles != (tlsFiles{}) && !t.tls {
		return Target{}, errors.New("tls_ca, tls_cert and tls_key belong to an encrypted address: rediss://")
	}
	return t, nil
}

func (t *Target) option(name, value string) (err error) {
	switch name {
	case "db":
		t.db, err = parseDB(value)
	case "tls_ca":
		t.tlsFiles.ca = value
	case "tls_cert":
		t.tlsFiles.cert = value
	case "tls_key":
		t.tlsFiles.key = value
	default:
		err = fmt.Errorf("the server's address has no option %q: there are db, tls_ca, tls_cert and tls_key", name)
	}
	return err
}

func parseDB(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0, errors.New("the database of a server is a number: redis://host:port/0")
	}
	return n, nil
}
