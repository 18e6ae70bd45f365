package cli

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"pelscope/redisx/client"
	"pelscope/redisx/private"
	"pelscope/ui"
)

// lab is a server for lessons that is running.
type lab struct {
	open   func(ctx context.Context) (*client.Client, error) // one more connection to it, which may write
	name   func(c *client.Client) string                     // what the screen says of it
	prefix string                                            // before every key; on a server that is not ours
	stop   func() error                                      // end it; its clients are closed by whoever opened them
}

// chooseLab works out where lessons run, and refuses what cannot be. Nothing is started before the
// function it gives is called; a server of the user's is asked whether it is there.
func (w *World) chooseLab(ctx context.Context, f *flags) (start func(ctx context.Context) (*lab, error), err error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	switch {
	case f.learnHere:
		target, err := client.Parse(f.url)
		if err != nil {
			return nil, usagef("--url: %v", err)
		}
		c, err := writer(target)(ctx)
		if err != nil {
			return nil, usagef("--url: %v", err)
		}
		if err := c.Close(); err != nil {
			return nil, err
		}
		return func(context.Context) (*lab, error) { return labHere(target), nil }, nil
	case f.server == "embedded":
		return labEmbedded, nil
	}
	bin, err := private.Find(f.serverBin)
	switch {
	case err == nil:
		return func(ctx context.Context) (*lab, error) { return labPrivate(ctx, bin) }, nil
	case f.serverBin != "" || f.server == "private":
		return nil, usagef("%v", err)
	}
	return labEmbedded, nil
}

func labPrivate(ctx context.Context, bin private.Binary) (*lab, error) {
	srv, err := private.Start(ctx, bin)
	if err != nil {
		return nil, err
	}
	target, err := client.Parse(srv.URL())
	if err != nil {
		return nil, errors.Join(err, srv.Stop())
	}
	return &lab{
		open: writer(target),
		name: func(c *client.Client) string { return "private server, " + c.Server().String() },
		stop: func() error { return errors.Join(srv.Err(), srv.Stop()) }, // it may have ended by itself, and then says why
	}, nil
}

// labHere uses a server that is not ours: every key gets a prefix that nobody else has.
func labHere(target client.Target) *lab {
	mark := make([]byte, 4)
	_, _ = rand.Read(mark) // crypto/rand never fails
	prefix := "pelscope:" + hex.EncodeToString(mark) + ":"
	return &lab{
		open: writer(target),
		name: func(c *client.Client) string {
			return target.String() + ", " + c.Server().String() + ", keys " + prefix + "*"
		},
		prefix: prefix,
		stop:   func() error { return sweep(target, prefix) },
	}
}

// sweepLimit bounds the looking for keys that were left behind.
const sweepLimit = 5 * time.Second

// sweep removes every key with the prefix. A lesson removes its own; this is for one that was cut off.
func sweep(target client.Target, prefix string) (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), sweepLimit)
	defer cancel()
	defer func() {
		if err != nil {
			err = fmt.Errorf("keys named %s* may be left: %w", prefix, err)
		}
	}()
	c, err := writer(target)(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	for cursor := "0"; ; {
		v, err := c.Do(ctx, "SCAN", cursor, "MATCH", prefix+"*", "COUNT", "1000")
		switch {
		case err != nil:
			return err
		case v.IsError() || len(v.Elems) != 2:
			return errors.New(v.Text())
		}
		for _, key := range v.Elems[1].Elems {
			if v, err := c.Do(ctx, "DEL", key.Text()); err != nil || v.IsError() {
				return errors.Join(err, errors.New(v.Text()))
			}
		}
		if cursor = v.Elems[0].Text(); cursor == "0" {
			return nil
		}
	}
}

func writer(target client.Target) func(context.Context) (*client.Client, error) {
	return func(ctx context.Context) (*client.Client, error) {
		return client.Open(ctx, target, client.Options{Write: true, Name: "pelscope"})
	}
}

// opener starts the lab and connects the screen to it.
func opener(start func(context.Context) (*lab, error)) func(context.Context) (*ui.Lab, error) {
	return func(ctx context.Context) (*ui.Lab, error) {
		l, err := start(ctx)
		if err != nil {
			return nil, err
		}
		c, err := l.open(ctx)
		if err != nil {
			return nil, errors.Join(err, l.stop())
		}
		return &ui.Lab{Client: c, Name: l.name(c), Prefix: l.prefix, Close: func() error {
			return errors.Join(c.Close(), l.stop())
		}}, nil
	}
}
