package private

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"

	"pelscope/redisx/safe"
)

const (
	startLimit = 10 * time.Second // from the start to the first PONG, on a busy machine
	stopLimit  = 5 * time.Second  // for the watcher to have stopped the server and removed the folder
	portTries  = 4                // free ports that somebody else may take before the server does
)

// ErrUnsupported says that this system has no process groups and unix sockets as we need them.
var ErrUnsupported = errors.New("private servers need Linux, macOS or another Unix; the embedded engine works here too")

// errNoServer says that the watcher gave no process id; what it printed says why.
var errNoServer = errors.New("its watcher could not start it")

// EndedError says that a server ended by itself, in its own words.
type EndedError struct {
	Binary Binary
	Log    []string // its last lines, oldest first, safe to show
}

// Error is one sentence with the server's own last lines in it.
func (e *EndedError) Error() string {
	if len(e.Log) == 0 {
		return fmt.Sprintf("%v (%s) ended by itself and said nothing", e.Binary, clean(e.Binary.Path))
	}
	return fmt.Sprintf("%v (%s) ended by itself: %s", e.Binary, clean(e.Binary.Path), strings.Join(e.Log, "; "))
}

// Server is a running server of our own. Its methods are safe for concurrent use.
type Server struct {
	binary   Binary
	plan     plan
	pid      int
	watcher  *exec.Cmd
	control  io.Closer // the pipe to the watcher: closing it is the order to stop
	log      tail
	stopping atomic.Bool
	done     chan struct{}
	left     error // why the folder could not be removed; to be read after done
}

// Start starts a server and returns when it answers. It takes 10 s at most, less when ctx says so; ctx has no
// bearing on the server afterwards. The error carries the server's last log lines; when it ended by itself it is an *EndedError.
func Start(ctx context.Context, b Binary) (*Server, error) {
	var s *Server
	err := errors.New("no port")
	for range portTries {
		p, planned := newPlan(b)
		if planned != nil {
			return nil, planned
		}
		s, err = start(ctx, b, p)
		var ended *EndedError
		if p.Network != "tcp" || !errors.As(err, &ended) {
			break
		}
	}
	return s, err
}

// Again starts a server at the address of s and with its password, once s has ended. Whoever kept on
// dialling finds it: a server that died and returned, empty.
func (s *Server) Again(ctx context.Context) (*Server, error) {
	select {
	case <-s.done:
		return start(ctx, s.binary, s.plan)
	default:
		return nil, fmt.Errorf("%v is still running", s.binary)
	}
}

func start(ctx context.Context, b Binary, p plan) (*Server, error) {
	if !supported {
		return nil, ErrUnsupported
	}
	if os.Getenv(marker) != "" {
		return nil, errors.New("private.Watcher must be called first in main and in TestMain")
	}
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	s := &Server{binary: b, plan: p, done: make(chan struct{})}
	if err := s.launch(ctx); err != nil {
		return nil, s.failure(err)
	}
	if err := s.answers(ctx); err != nil {
		s.Stop()
		return nil, s.failure(err)
	}
	return s, nil
}

// launch starts the watcher, hands it the plan, and hears the server's process id from it.
func (s *Server) launch(ctx context.Context) error {
	self, err := executable()
	if err != nil {
		return fmt.Errorf("this program's own file: %w", err)
	}
	s.watcher = exec.Command(self)
	s.watcher.Args = []string{"pelscope: watcher of a private " + strings.ToLower(s.binary.Name)}
	s.watcher.Env = append(environ(), marker+"=1")
	s.watcher.Dir = "/"
	s.watcher.Stderr = &s.log
	s.watcher.WaitDelay = grace
	ownSession(s.watcher)
	control, err := s.watcher.StdinPipe()
	if err != nil {
		return fmt.Errorf("pipe to the watcher: %w", err)
	}
	s.control = control
	report, err := s.watcher.StdoutPipe()
	if err != nil {
		return fmt.Errorf("pipe from the watcher: %w", err)
	}
	if err := s.watcher.Start(); err != nil {
		return fmt.Errorf("the watcher: %w", err)
	}
	defer context.AfterFunc(ctx, func() { s.Stop() })()
	json.NewEncoder(control).Encode(s.plan) // should that fail, no process id comes
	_, err = fmt.Fscanln(report, &s.pid)
	safe.Go(nil, s.wait)
	if err != nil {
		s.Stop()
		return errNoServer
	}
	return nil
}

// wait reaps the watcher, and does its work should it have been killed.
func (s *Server) wait() {
	defer close(s.done)
	if err := s.watcher.Wait(); err != nil && s.pid != 0 {
		killGroup(s.pid)
	}
	s.left = os.RemoveAll(s.plan.Dir)
}

// answers waits for the first PONG.
func (s *Server) answers(ctx context.Context) error {
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		if ping(ctx, s.plan) == nil {
			return nil
		}
		select {
		case <-s.done:
			return s.Err()
		case <-ctx.Done():
			return fmt.Errorf("no answer: %w", ctx.Err())
		case <-time.After(pause):
		}
	}
}

// failure words why there is no server.
func (s *Server) failure(err error) error {
	if ended := (*EndedError)(nil); errors.As(err, &ended) {
		return err
	}
	said := ""
	if lines := s.log.last(logLines, s.plan.Password); len(lines) > 0 {
		said = ": " + strings.Join(lines, "; ")
	}
	return fmt.Errorf("%v (%s) did not start: %w%s", s.binary, clean(s.binary.Path), err, said)
}

// Network is unix or tcp.
func (s *Server) Network() string { return s.plan.Network }

// Addr is the path of the socket, or 127.0.0.1:port.
func (s *Server) Addr() string { return s.plan.Addr }

// Password is the default user's.
func (s *Server) Password() string { return s.plan.Password }

// Binary is the program that runs.
func (s *Server) Binary() Binary { return s.binary }

// PID is the server's process id, and its process group's.
func (s *Server) PID() int { return s.pid }

// Done is closed when the server has ended and nothing of it is left, whoever ended it.
func (s *Server) Done() <-chan struct{} { return s.done }

// Err is nil as long as the server runs and after [Server.Stop]; after an end that we did not ask for it is an *EndedError.
func (s *Server) Err() error {
	select {
	case <-s.done:
		if !s.stopping.Load() {
			return &EndedError{Binary: s.binary, Log: s.log.last(logLines, s.plan.Password)}
		}
	default:
	}
	return nil
}

// Stop ends the server and returns when nothing of it is left: no process, no folder. It may be called
// often, and for a server that has ended by itself. It takes about 100 ms, and 5 s at the very most.
func (s *Server) Stop() error {
	select {
	case <-s.done:
		return s.left
	default:
	}
	s.stopping.Store(true)
	s.control.Close()
	s.watcher.Process.Signal(os.Interrupt) // for a main that forgot to call Watcher
	select {
	case <-s.done:
	case <-time.After(stopLimit):
		s.watcher.Process.Kill()
		<-s.done
	}
	return s.left
}
