//go:build unix

package cli_test

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/redis/go-redis/v9"
)

// The engine by itself serves whoever comes with its password, and leaves nothing when it is told to end.
func TestTheEngineServesByItself(t *testing.T) {
	r := newRoom(t)
	file, socket := filepath.Join(r.dir, "secret"), filepath.Join(r.path("tmp"), "s")
	if err := os.WriteFile(file, []byte("opensesame\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := r.command(t, "engine", "--listen", "127.0.0.1:0", "--unix", socket, "--password-file", file)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	lines := bufio.NewScanner(out)
	addrs := map[string]string{}
	for range 2 {
		lines.Scan()
		says, addr, _ := strings.Cut(lines.Text(), ", listens on ")
		if says != "embedded engine, as Redis 8.6.3" {
			t.Fatalf("it says %q", lines.Text())
		}
		network := "tcp"
		if strings.HasPrefix(addr, "/") {
			network = "unix"
		}
		addrs[network] = addr
	}
	for network, addr := range addrs {
		c := redis.NewClient(&redis.Options{Network: network, Addr: addr, Password: "opensesame"})
		if err := c.XAdd(t.Context(), &redis.XAddArgs{Stream: "s-" + network, Values: []string{"a", "1"}}).Err(); err != nil {
			t.Errorf("%s: %v", network, err)
		}
		_ = c.Close()
		stranger := redis.NewClient(&redis.Options{Network: network, Addr: addr})
		if err := stranger.XLen(t.Context(), "s-"+network).Err(); err == nil || !strings.Contains(err.Error(), "NOAUTH") {
			t.Errorf("%s lets in without a password: %v", network, err)
		}
		_ = stranger.Close()
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("it ended with %v", err)
	}
	r.keepsNothingBut(t, "secret")
}

func TestAnEngineOpenToEverybodyIsRefused(t *testing.T) {
	for args, says := range map[string]string{
		"engine":                          "where shall the engine listen?",
		"engine --listen 6390":            "--listen is HOST:PORT",
		"engine --listen 0.0.0.0:0":       "give a password with --password-file",
		"engine --listen :0":              "give a password with --password-file",
		"engine --listen [::]:0":          "give a password with --password-file",
		"engine --unix /no/such/dir/sock": "cannot listen on /no/such/dir/sock",
		"engine --listen 127.0.0.1:0 --password-file /no/such": "--password-file",
	} {
		has(t, typed(t, strings.Fields(args)...).refused(t, 2), says)
	}
}
