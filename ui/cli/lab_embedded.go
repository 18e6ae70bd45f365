package cli

import (
	"context"

	"pelscope/redisx/client"
	"pelscope/redisx/embedded"
)

// labEmbedded is the in-process engine, reached over memory.
func labEmbedded(context.Context) (*lab, error) {
	e := embedded.New(embedded.Options{})
	return &lab{
		open: func(ctx context.Context) (*client.Client, error) {
			return client.Open(ctx, client.Target{}, client.Options{Write: true, Name: "pelscope", Dial: e.Dial})
		},
		name: func(c *client.Client) string { return c.Server().String() },
		stop: e.Close,
	}, nil
}
