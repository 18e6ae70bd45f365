package private

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"pelscope/redisx/safe"
)

const (
	// marker is the environment variable that makes this binary a watcher, if a pipe comes with it.
	marker = "PELSCOPE_WATCHER"
	// grace is how long a server may take over SIGTERM: it looks ten times a second, and has nothing to save.
	grace = 500 * time.Millisecond
)

// Watcher does a watcher's work if this process is one, and then returns true: the caller has nothing
// left to do but to return. It is to be called before anything else in main and in TestMain.
func Watcher() bool {
	if os.Getenv(marker) == "" {
		return false
	}
	if info, err := os.Stdin.Stat(); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		os.Unsetenv(marker) // somebody's own variable, or our environment handed on by hand
		return false
	}
	if err := watch(); err != nil {
		fmt.Fprintln(os.Stderr, err) // the program keeps it with the server's log
	}
	return true
}

// watch runs one server: standard input carries the plan and then lasts as long as the program does,
// standard output gets the server's process id, standard error is the server's log.
func watch() error {
	// The kernel kills the server when the thread that started it ends, so this one must last.
	runtime.LockOSThread()
	// SIGPIPE is among them because our standard error is a pipe to a program that may be gone.
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)

	var p plan
	if err := json.NewDecoder(os.Stdin).Decode(&p); err != nil {
		return fmt.Errorf("the watcher got no plan: %w", err)
	}
	if err := os.Mkdir(p.Dir, 0o700); err != nil {
		return fmt.Errorf("the server's folder: %w", err)
	}
	defer os.RemoveAll(p.Dir)

	server := serverCommand(p)
	if err := server.Start(); err != nil {
		return err
	}
	fmt.Println(server.Process.Pid)

	over := make(chan struct{})
	safe.Go(nil, func() {
		defer close(over)
		io.Copy(io.Discard, os.Stdin)
	})
	ended := make(chan error, 1)
	safe.Go(func(err error) { ended <- err }, func() { ended <- server.Wait() })
	return hold(server, ended, over, signals)
}

// serverCommand is the server as a child: configured by its standard input, in a group of its own.
func serverCommand(p plan) *exec.Cmd {
	cmd := exec.Command(p.Bin, "-")
	cmd.Dir = p.Dir
	cmd.Env = environ()
	cmd.Stdin = strings.NewReader(p.config())
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	cmd.WaitDelay = grace
	ownGroup(cmd)
	dieWithParent(cmd)
	return cmd
}

// hold waits until the server has ended, by itself (which is an error) or because it was time.
func hold(server *exec.Cmd, ended <-chan error, over <-chan struct{}, signals <-chan os.Signal) error {
	pid := server.Process.Pid
	// A wrapper script may have started more than itself: the group goes as a whole.
	defer killGroup(pid)
	select {
	case <-ended:
		return fmt.Errorf("%s ended: %v", filepath.Base(server.Path), server.ProcessState)
	case <-over:
	case <-signals:
	}
	termGroup(pid)
	select {
	case <-ended:
	case <-time.After(grace):
		killGroup(pid)
		<-ended
	}
	return nil
}
