package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"pelscope/redisx/embedded"
	"pelscope/redisx/safe"
)

// engineAt is where the engine listens, and who may come in.
type engineAt struct {
	listen, unix, passwordFile string
}

func engineCommand(w *World) *cobra.Command {
	var at engineAt
	cmd := &cobra.Command{
		Use:   "engine",
		Short: "Run the embedded engine by itself, for redis-cli or your own code",
		Long: "Runs the engine that lessons use where there is no redis-server, which behaves as Redis " + embedded.RedisVersion + " does, and serves it until Ctrl-C. " +
			"Everything is in memory and gone at the end. An address that other machines can reach needs a password.",
		Example: "  pelscope engine --listen 127.0.0.1:6390\n  pelscope engine --unix /tmp/engine.sock\n  pelscope engine --listen 0.0.0.0:6390 --password-file secret",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return w.serveEngine(cmd.Context(), at) },
	}
	cmd.Flags().StringVar(&at.listen, "listen", "", "HOST:PORT to listen on; port 0 is any that is free")
	cmd.Flags().StringVar(&at.unix, "unix", "", "the path of a unix socket to listen on, for this user alone")
	cmd.Flags().StringVar(&at.passwordFile, "password-file", "", "a file that holds the password, on its first line")
	return cmd
}

// password reads the password from its file.
func (at engineAt) password() (string, error) {
	if at.passwordFile == "" {
		return "", nil
	}
	data, err := os.ReadFile(at.passwordFile)
	if err != nil {
		return "", usagef("--password-file: %v", err)
	}
	line, _, _ := strings.Cut(string(data), "\n")
	if line = strings.TrimSuffix(line, "\r"); line == "" {
		return "", usagef("--password-file: the first line of %s is empty, and no password is no protection", at.passwordFile)
	}
	return line, nil
}

// check refuses an address that does not do, and one that is open to everybody.
func (at engineAt) check(password string) error {
	if at.listen == "" && at.unix == "" {
		return usagef("where shall the engine listen? --listen 127.0.0.1:6390, or --unix PATH")
	}
	if at.listen == "" {
		return nil
	}
	host, _, err := net.SplitHostPort(at.listen)
	if err != nil {
		return usagef("--listen is HOST:PORT, such as 127.0.0.1:6390, not %q", at.listen)
	}
	if ip := net.ParseIP(host); password == "" && host != "localhost" && !(ip != nil && ip.IsLoopback()) {
		return usagef("--listen %s can be reached from other machines: give a password with --password-file, or listen on 127.0.0.1", at.listen)
	}
	return nil
}

// open listens at every address, or at none.
func (at engineAt) open() (ends []net.Listener, err error) {
	for network, addr := range map[string]string{"tcp": at.listen, "unix": at.unix} {
		if addr == "" {
			continue
		}
		l, err := net.Listen(network, addr)
		if err == nil && network == "unix" {
			err = os.Chmod(addr, 0o600)
		}
		if l != nil {
			ends = append(ends, l)
		}
		if err != nil {
			for _, l := range ends {
				_ = l.Close()
			}
			return nil, usagef("the engine cannot listen on %s: %v", addr, err)
		}
	}
	return ends, nil
}

// serveEngine serves until the context ends or a signal comes.
func (w *World) serveEngine(ctx context.Context, at engineAt) error {
	password, err := at.password()
	if err != nil {
		return err
	}
	if err := at.check(password); err != nil {
		return err
	}
	ends, err := at.open()
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	e := embedded.New(embedded.Options{Password: password})
	failed := make(chan error, len(ends))
	for _, l := range ends {
		_, _ = fmt.Fprintf(w.Stdout, "embedded engine, as Redis %s, listens on %s\n", embedded.RedisVersion, l.Addr())
		safe.Go(func(err error) { failed <- err }, func() { failed <- e.Serve(l) })
	}
	select {
	case <-ctx.Done():
		return e.Close()
	case err := <-failed:
		return errors.Join(err, e.Close())
	}
}
