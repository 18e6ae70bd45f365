package private

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Why [Find] has no server to offer; errors.Is tells them apart.
var (
	// ErrNone says that nothing on PATH is a redis-server or a valkey-server.
	ErrNone = errors.New("no redis-server or valkey-server on PATH: install Redis or Valkey 7.0 or newer " +
		"(apt install redis-server, brew install redis), name one with --server-bin, " +
		"or go on without: the embedded engine needs nothing")
	// ErrTooOld says that the server is older than 7.0.
	ErrTooOld = errors.New("7.0 or newer is needed")
	// ErrNotExecutable says that the named file is missing or may not be executed.
	ErrNotExecutable = errors.New("cannot be executed")
	// ErrNotServer says that the program is neither Redis nor Valkey.
	ErrNotServer = errors.New("is not a redis-server or valkey-server")
)

// FindError tells why the program at Path was not taken.
type FindError struct {
	Path   string
	Reason error  // ErrTooOld, ErrNotExecutable or ErrNotServer
	Found  string // what was found instead, made safe to show: a version, the output of --version, an error's text
}

// Error is one sentence fit for the command line.
func (e *FindError) Error() string {
	switch {
	case errors.Is(e.Reason, ErrTooOld):
		return fmt.Sprintf("%s is %s: %v", e.Path, e.Found, e.Reason)
	case errors.Is(e.Reason, ErrNotServer) && e.Found == "":
		return fmt.Sprintf("%s %v: --version said nothing", e.Path, e.Reason)
	case errors.Is(e.Reason, ErrNotServer):
		return fmt.Sprintf("%s %v: --version said %q", e.Path, e.Reason, e.Found)
	default:
		return fmt.Sprintf("%s %v: %s", e.Path, e.Reason, e.Found)
	}
}

// Unwrap gives the reason, for errors.Is.
func (e *FindError) Unwrap() error { return e.Reason }

// Binary is a server program that was asked for its version.
type Binary struct {
	Path    string // absolute
	Name    string // Redis or Valkey
	Version string // as the program says it: 7.0.15
}

// String is what a screen calls it: "Redis 7.0.15".
func (b Binary) String() string { return b.Name + " " + b.Version }

// AtLeast tells whether the version is major.minor or newer.
func (b Binary) AtLeast(major, minor int) bool {
	have := [2]int{}
	for i, part := range strings.SplitN(b.Version, ".", 3) {
		if i < len(have) {
			have[i], _ = strconv.Atoi(part)
		}
	}
	return have[0] > major || have[0] == major && have[1] >= minor
}

const (
	versionLimit = 2 * time.Second // for a program's answer to --version
	versionBytes = 4096            // of that answer are read
)

// Find gives the server program to use. bin names it, as a path or a name on PATH; with bin empty
// the first of redis-server and valkey-server on PATH that will do is taken. The error is ErrNone or a *FindError.
func Find(bin string) (Binary, error) {
	if bin != "" {
		return look(bin)
	}
	var first error
	for _, name := range []string{"redis-server", "valkey-server"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		b, err := look(path)
		if err == nil {
			return b, nil
		}
		if first == nil {
			first = err
		}
	}
	if first == nil {
		first = ErrNone
	}
	return Binary{}, first
}

func look(bin string) (Binary, error) {
	path, err := exec.LookPath(bin)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return Binary{}, &FindError{Path: clean(bin), Reason: ErrNotExecutable, Found: clean(bare(err).Error())}
	}
	said, err := askVersion(path)
	b, ok := parseVersion(said)
	b.Path = path
	switch {
	case ok && b.AtLeast(7, 0):
		return b, nil
	case ok:
		return Binary{}, &FindError{Path: clean(path), Reason: ErrTooOld, Found: b.String()}
	case errors.Is(err, os.ErrPermission) || errors.Is(err, os.ErrNotExist) || errors.Is(err, errNoExec):
		return Binary{}, &FindError{Path: clean(path), Reason: ErrNotExecutable, Found: clean(bare(err).Error())}
	default:
		return Binary{}, &FindError{Path: clean(path), Reason: ErrNotServer, Found: clean(said)}
	}
}

// bare takes the path off an error that comes with one: we name it ourselves.
func bare(err error) error {
	if e := (*exec.Error)(nil); errors.As(err, &e) {
		err = e.Err
	}
	if e := (*os.PathError)(nil); errors.As(err, &e) {
		err = e.Err
	}
	return err
}

// askVersion runs "path --version". Any program may stand there, one that never ends included.
func askVersion(path string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), versionLimit)
	defer cancel()
	said := &head{limit: versionBytes}
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.Env = environ()
	cmd.Stdout, cmd.Stderr = said, said
	ownGroup(cmd)
	cmd.Cancel = func() error { return killGroup(cmd.Process.Pid) }
	cmd.WaitDelay = versionLimit / 4
	err := cmd.Run()
	return said.kept.String(), err
}

// head keeps the first bytes written to it and drops the rest. (An embedded Buffer would offer its ReadFrom
// to io.Copy, and keep all of it.)
type head struct {
	kept  bytes.Buffer
	limit int
}

func (h *head) Write(p []byte) (int, error) {
	h.kept.Write(p[:min(len(p), h.limit-h.kept.Len())])
	return len(p), nil
}

// parseVersion reads "Redis server v=7.0.15 sha=…" and "Valkey server v=9.1.2 sha=…".
func parseVersion(said string) (Binary, bool) {
	m := regexp.MustCompile(`(?m)^(Redis|Valkey) server v=(\d+\.\d+\S*)`).FindStringSubmatch(said)
	if m == nil {
		return Binary{}, false
	}
	return Binary{Name: m[1], Version: m[2]}, true
}

// clean makes foreign text fit for one line of a terminal: no control or format characters, at most 160 of them.
func clean(s string) string {
	const most = 160
	s = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsGraphic(r) {
			return r
		}
		return ' '
	}, s)), " ")
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
