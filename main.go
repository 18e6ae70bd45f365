// Command pelscope shows what a Redis Streams consumer group is doing, and teaches it.
package main

import (
	"context"
	"os"
	"time"

	"golang.org/x/term"

	"pelscope/redisx/private"
	"pelscope/ui/cli"
)

func main() {
	if private.Watcher() {
		return
	}
	os.Exit(cli.Run(context.Background(), cli.World{
		Args: os.Args[1:], Getenv: os.Getenv, Environ: os.Environ(),
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Terminal: term.IsTerminal(int(os.Stdout.Fd())) && term.IsTerminal(int(os.Stdin.Fd())),
		Now:      time.Now,
	}))
}
