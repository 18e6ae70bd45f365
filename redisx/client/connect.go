package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"os"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// poolSize is how many connections a client may hold; one look at a time needs one.
const poolSize = 4

// keepAlive finds a dead peer behind a firewall that swallows packets.
const keepAlive = 15 * time.Second

// dialler returns how this client reaches its server.
func (c *Client) dialler() (func(context.Context) (net.Conn, error), error) {
	if c.opts.Dial != nil {
		return c.opts.Dial, nil
	}
	if c.target.addr == "" {
		return nil, errors.New("no server to connect to")
	}
	plain := &net.Dialer{KeepAlive: keepAlive}
	if !c.target.tls {
		return func(ctx context.Context) (net.Conn, error) {
			return plain.DialContext(ctx, c.target.network, c.target.addr)
		}, nil
	}
	config, err := c.target.tlsConfig()
	if err != nil {
		return nil, err
	}
	secure := &tls.Dialer{NetDialer: plain, Config: config}
	return func(ctx context.Context) (net.Conn, error) {
		return secure.DialContext(ctx, c.target.network, c.target.addr)
	}, nil
}

func (t Target) tlsConfig() (*tls.Config, error) {
	host, _, err := net.SplitHostPort(t.addr)
	if err != nil {
		return nil, errors.New("the server's address has no host")
	}
	config := &tls.Config{ServerName: host, MinVersion: tls.VersionTLS12}
	if t.tlsFiles.ca != "" {
		pem, err := os.ReadFile(t.tlsFiles.ca)
		if err != nil {
			return nil, errors.New("tls_ca: " + innermost(err).Error())
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return nil, errors.New("tls_ca: no PEM certificate in " + t.tlsFiles.ca)
		}
	}
	if t.tlsFiles.cert != "" {
		pair, err := tls.LoadX509KeyPair(t.tlsFiles.cert, t.tlsFiles.key)
		if err != nil {
			return nil, errors.New("tls_cert, tls_key: " + innermost(err).Error())
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

// connect makes a go-redis client with our hook under it. It dials when it is first used. There are no
// retries, no background notifications and no log of its own (it would write over the screen).
func (c *Client) connect(who string, size int, dial func(context.Context) (net.Conn, error),
	greet func(context.Context, *redis.Conn) error,
) *redis.Client {
	redis.SetLogger(&logging.VoidLogger{})
	r := redis.NewClient(&redis.Options{
		Addr: c.target.String(),
		Dialer: func(ctx context.Context, _, _ string) (net.Conn, error) {
			conn, err := dial(ctx)
			if err != nil {
				return nil, dialError{err}
			}
			return conn, nil
		},
		OnConnect:                greet,
		Protocol:                 2, // the replies as redis-cli shows them
		Username:                 c.target.user,
		Password:                 c.target.password.reveal(),
		DB:                       c.target.db,
		MaxRetries:               -1,
		DialTimeout:              c.opts.Timeout,
		DialerRetries:            1,
		ReadTimeout:              -1, // every call has a deadline of its own
		WriteTimeout:             -1,
		ContextTimeoutEnabled:    true,
		PipelinePoolSize:         -1,
		PoolSize:                 size,
		PoolTimeout:              c.opts.Timeout,
		DisableIdentity:          true,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	})
	r.AddHook(watch{write: c.opts.Write, who: who, log: c.log, now: c.opts.Now})
	return r
}

// greet names a new connection and asks the server not to count our looking as use of the keys, so that
// watched keys are evicted no later (7.2). Both may be refused: then it goes without.
func (c *Client) greet(ctx context.Context, conn *redis.Conn) error {
	cmds := [][]string{{"CLIENT", "NO-TOUCH", "ON"}}
	if c.opts.Name != "" {
		cmds = append([][]string{{"CLIENT", "SETNAME", c.opts.Name}}, cmds...)
	}
	_, err := rawPipeline(ctx, conn, cmds)
	return err
}
