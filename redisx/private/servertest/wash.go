package servertest

import (
	"context"
	"errors"
	"maps"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"pelscope/redisx/private"
)

// washLimit is for a server to answer after a test: longer, and it is thrown away.
const washLimit = 2 * time.Second

// running is a server process and the settings it started with.
type running struct {
	*private.Server
	settings map[string]string
}

func run(b private.Binary) (running, error) {
	s, err := private.Start(context.Background(), b)
	if err != nil {
		return running{}, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), washLimit)
	defer cancel()
	c := connect(s.Network(), s.Addr(), s.Password())
	defer c.Close()
	settings, err := c.ConfigGet(ctx, "*").Result()
	if err != nil {
		return running{}, errors.Join(err, s.Stop())
	}
	return running{s, settings}, nil
}

// wash takes away what a test left on s: connections, keys, functions, scripts, users. A server that
// can't be made as good as new is an error: dead, stuck, or with other settings.
func wash(s running) error {
	signal(s.PID(), sigCont)
	ctx, cancel := context.WithTimeout(context.Background(), washLimit)
	defer cancel()
	c := connect(s.Network(), s.Addr(), s.Password())
	defer c.Close()
	users, err := c.Do(ctx, "ACL", "USERS").StringSlice()
	if err != nil {
		return err
	}
	pipe := c.Pipeline()
	pipe.Do(ctx, "CLIENT", "UNPAUSE")
	pipe.Do(ctx, "CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
	pipe.Do(ctx, "CLIENT", "KILL", "TYPE", "pubsub")
	for _, user := range users {
		if user != "default" {
			pipe.Do(ctx, "ACL", "DELUSER", user)
		}
	}
	pipe.Do(ctx, "CONFIG", "RESETSTAT")
	pipe.Do(ctx, "SLOWLOG", "RESET")
	pipe.Do(ctx, "SCRIPT", "FLUSH", "SYNC")
	pipe.Do(ctx, "FUNCTION", "FLUSH", "SYNC")
	pipe.Do(ctx, "FLUSHALL", "SYNC")
	settings := pipe.ConfigGet(ctx, "*")
	if _, err := pipe.Exec(ctx); err != nil {
		return err
	}
	if !maps.Equal(settings.Val(), s.settings) {
		return errors.New("the test left other settings")
	}
	return nil
}

// connect is a client that sends every command once and asks for no notices.
func connect(network, addr, password string) *redis.Client {
	return redis.NewClient(&redis.Options{
		Network: network, Addr: addr, Password: password,
		MaxRetries: -1, DialerRetries: 1, ContextTimeoutEnabled: true,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	})
}
