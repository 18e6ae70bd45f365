package lessons

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

const (
	progressVersion = 1
	progressFile    = "progress.json"
	progressLock    = "progress.lock"
)

// How long to wait for another program that is writing. It writes a few kilobytes, so a second is long.
const (
	lockTries = 200
	lockPause = 10 * time.Millisecond
)

// BrokenProgressError tells that a file of progress could not be read, and where it is kept.
type BrokenProgressError struct {
	Kept  string // path
	Cause error
}

// Error says what happened to the file.
func (e *BrokenProgressError) Error() string {
	return fmt.Sprintf("the progress file could not be read (%v); it is kept as %s", e.Cause, e.Kept)
}

// Unwrap is why the file could not be read.
func (e *BrokenProgressError) Unwrap() error { return e.Cause }

// NewerProgressError tells that the progress was written by a newer program. It is left as it is.
type NewerProgressError struct {
	Path    string
	Version int
}

// Error says what to do.
func (e *NewerProgressError) Error() string {
	return fmt.Sprintf("%s was written by a newer pelscope (version %d of the file; this one knows %d); progress is not kept", e.Path, e.Version, progressVersion)
}

// StateDir is the folder in which progress is kept: $PELSCOPE_STATE, else pelscope in
// $XDG_STATE_HOME, else in %LOCALAPPDATA% on Windows and in ~/.local/state elsewhere. goos is
// runtime.GOOS, getenv os.Getenv. As the XDG Base Directory Specification wants, an XDG_STATE_HOME that
// is not an absolute path does not count.
func StateDir(goos string, getenv func(string) string) (string, error) {
	if dir := getenv("PELSCOPE_STATE"); dir != "" {
		return dir, nil
	}
	if dir := getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "pelscope"), nil
	}
	if goos == "windows" {
		if dir := getenv("LOCALAPPDATA"); dir != "" {
			return filepath.Join(dir, "pelscope"), nil
		}
		return "", errors.New("no place to keep progress: neither PELSCOPE_STATE nor LOCALAPPDATA is set")
	}
	if home := getenv("HOME"); home != "" {
		return filepath.Join(home, ".local", "state", "pelscope"), nil
	}
	return "", errors.New("no place to keep progress: neither PELSCOPE_STATE nor HOME is set")
}

// changeFile reads the file of progress, makes changes to it and writes it back, while no other program
// does. In the place of a broken file, which is kept aside, stands last, what this program knew.
// Without changes nothing is written.
func changeFile(dir string, last progressData, changes []func(*progressData)) (now progressData, broken, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return last, nil, fmt.Errorf("keeping progress: %w", err)
	}
	unlock, err := lockProgress(dir)
	if err != nil {
		return last, nil, fmt.Errorf("keeping progress: %w", err)
	}
	defer unlock()
	now, err = readProgress(filepath.Join(dir, progressFile))
	var bad *unreadableError
	if errors.As(err, &bad) {
		now = last
		broken, err = keepAside(dir, bad)
	}
	if err != nil || len(changes) == 0 && broken == nil {
		return now, broken, err
	}
	for _, f := range changes {
		f(&now)
	}
	if err := writeProgress(dir, now); err != nil {
		return last, broken, fmt.Errorf("keeping progress: %w", err)
	}
	return now, broken, nil
}

// unreadableError is a file whose content is not what this program writes.
type unreadableError struct{ error }

func readProgress(path string) (progressData, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return emptyProgress(), nil
	}
	if err != nil {
		return progressData{}, fmt.Errorf("reading progress: %w", err)
	}
	d := progressData{}
	if err := json.Unmarshal(text, &d); err != nil {
		var version struct{ Version int }
		if json.Unmarshal(text, &version) == nil && version.Version > progressVersion {
			return progressData{}, &NewerProgressError{Path: path, Version: version.Version}
		}
		return progressData{}, &unreadableError{err}
	}
	switch {
	case d.Version > progressVersion:
		return progressData{}, &NewerProgressError{Path: path, Version: d.Version}
	case d.Version < 1:
		return progressData{}, &unreadableError{errors.New("it has no version")}
	case d.Lessons == nil:
		d.Lessons = map[string]LessonProgress{}
	}
	return d, nil
}

// keepAside moves a broken file to the first free name, so that nothing in it is lost.
func keepAside(dir string, cause error) (broken, err error) {
	for i := 1; ; i++ {
		kept := filepath.Join(dir, fmt.Sprintf("%s.broken-%d", progressFile, i))
		if _, err := os.Lstat(kept); err == nil {
			continue
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("keeping a broken progress file aside: %w", err)
		}
		if err := os.Rename(filepath.Join(dir, progressFile), kept); err != nil {
			return nil, fmt.Errorf("keeping a broken progress file aside: %w", err)
		}
		return &BrokenProgressError{Kept: kept, Cause: cause}, nil
	}
}

// writeProgress puts a whole new file in the place of the old one: whenever the program or the machine
// stops, one of the two is there. A new file that was left half-written is overwritten by the next.
func writeProgress(dir string, d progressData) error {
	text, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return err
	}
	path := filepath.Join(dir, progressFile)
	f, err := os.OpenFile(path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(text, '\n'))
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	if err := os.Rename(path+".new", path); err != nil {
		return err
	}
	return syncDir(dir)
}

// lockProgress waits until no other program is writing. The lock ends with the process that holds it,
// however that ends.
func lockProgress(dir string) (unlock func(), err error) {
	f, err := os.OpenFile(filepath.Join(dir, progressLock), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for range lockTries {
		free, err := tryLock(f)
		if err != nil {
			f.Close()
			return nil, fmt.Errorf("locking %s: %w", f.Name(), err)
		}
		if free {
			return func() { f.Close() }, nil
		}
		time.Sleep(lockPause)
	}
	f.Close()
	return nil, fmt.Errorf("another program holds %s", f.Name())
}
