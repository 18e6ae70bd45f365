package client_test

import (
	"fmt"
	"strings"
	"testing"

	"pelscope/redisx/client"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		in, addr, shown string
		db              int
		tls             bool
	}{
		{"redis://10.0.3.7", "10.0.3.7:6379", "10.0.3.7:6379", 0, false},
		{"redis://10.0.3.7:7000/2", "10.0.3.7:7000", "10.0.3.7:7000 db 2", 2, false},
		{"rediss://ann:s3cret@cache.example/1", "cache.example:6379", "ann@cache.example:6379 db 1", 1, true},
		{"valkey://:s3cret@h:1", "h:1", "h:1", 0, false},
		{"valkeys://h:1?db=4", "h:1", "h:1 db 4", 4, true},
		{"REDIS://h:1", "h:1", "h:1", 0, false},
		{"redis://[::1]:7000", "[::1]:7000", "[::1]:7000", 0, false},
		{"redis://ann:p%40%2F%23@h:1", "h:1", "ann@h:1", 0, false},
		{"localhost:6379", "localhost:6379", "localhost:6379", 0, false},
		{":6380", "localhost:6380", "localhost:6380", 0, false},
		{"localhost:6379/3", "localhost:6379", "localhost:6379 db 3", 3, false},
		{"/run/redis.sock", "/run/redis.sock", "/run/redis.sock", 0, false},
		{"unix:///run/redis.sock?db=5", "/run/redis.sock", "/run/redis.sock db 5", 5, false},
		{"unix://ann:s3cret@/run/redis.sock", "/run/redis.sock", "ann@/run/redis.sock", 0, false},
		{" redis://h:1 ", "h:1", "h:1", 0, false},
	} {
		got, err := client.Parse(c.in)
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
			continue
		}
		if got.Addr() != c.addr || got.String() != c.shown || got.DB() != c.db || got.TLS() != c.tls {
			t.Errorf("%s: %s %q db %d tls %v", c.in, got.Addr(), got, got.DB(), got.TLS())
		}
	}
}

func TestParseSaysWhatIsWrong(t *testing.T) {
	for in, part := range map[string]string{
		"":                              "no server given",
		"orders":                        "orders:6379",
		"data/redis.sock":               "starts with /",
		"http://h:1":                    `"http" is no scheme`,
		"redis+sentinel://h:1/mymaster": "not supported yet",
		"redis-cluster://h:1":           "not supported yet",
		"redis://h:99999":               "1 to 65535",
		"redis://h:1/abc":               "is a number",
		"redis://h:1/-1":                "is a number",
		"redis://::1:6379":              "brackets",
		"redis://h:1?tls_foo=1":         `no option "tls_foo"`,
		"redis://h:1?tls_ca=/x":         "rediss://",
		"rediss://h:1?tls_cert=/x":      "together",
		"unix://run/redis.sock":         "unix:///path",
	} {
		if _, err := client.Parse(in); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%q: %v", in, err)
		}
	}
}

// C23: whatever is wrong with an address, its password is not repeated.
func TestNoErrorAndNoPrintingRepeatsThePassword(t *testing.T) {
	const secret = "hunter2"
	for _, in := range []string{
		"redis://:hunter2@h:port", "redis://ann:hunter2@h:1/x", "redis://ann:hunter2@h:1?x=1", "redis://:hunter2#@h:1",
		"redis://hunter2@h:1", "ann:hunter2@h:1", "redis://ann:hunter2@h:99999", "redis://:%zzhunter2@h",
		"http://ann:hunter2@h", "redis+sentinel://ann:hunter2@h", "unix://ann:hunter2@h/s", "redis://ann:hunter2@h:1:2",
		"redis://:12?hunter2=3@h", "redis://:12?a=hunter2@h", "hunter2:a://b@h", "sentinel:hunter2://b@h",
	} {
		_, err := client.Parse(in)
		if err == nil {
			t.Errorf("%s: no error", in)
		} else if strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v", in, err)
		}
	}
	to, err := client.Parse("redis://ann:hunter2@h:1")
	if err != nil {
		t.Fatal(err)
	}
	within := struct{ to client.Target }{to}
	for _, shown := range []string{
		fmt.Sprint(to), fmt.Sprintf("%+v %#v %q", to, to, to), fmt.Sprintf("%v %+v %#v", within, within, &within),
	} {
		if strings.Contains(shown, secret) {
			t.Error(shown)
		}
	}
}

func TestRedact(t *testing.T) {
	for in, want := range map[string]string{
		"AUTH pw":                                "AUTH ***",
		"auth ann pw":                            "auth ann ***",
		"HELLO 3 AUTH ann pw SETNAME n":          "HELLO 3 AUTH ann *** SETNAME n",
		"CONFIG SET requirepass pw maxmemory 1":  "CONFIG SET requirepass *** maxmemory 1",
		"CONFIG SET masterauth pw":               "CONFIG SET masterauth ***",
		"ACL SETUSER ann on >pw ~* +@read #hash": "ACL SETUSER ann on >*** ~* +@read #***",
		"MIGRATE h 1 k 0 5 AUTH pw KEYS k":       "MIGRATE h 1 k 0 5 AUTH *** KEYS k",
		"MIGRATE h 1 k 0 5 AUTH2 ann pw":         "MIGRATE h 1 k 0 5 AUTH2 ann ***",
		"XADD s * auth pw":                       "XADD s * auth pw",
		"PING":                                   "PING",
	} {
		if got := strings.Join(client.Redact(strings.Fields(in)), " "); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
}
