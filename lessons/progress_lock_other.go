//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly || windows)

package lessons

import "os"

// tryLock: these systems have no lock that ends with its process. Each write is whole all the same;
// two programs that write within the same few milliseconds may lose one of the two notes.
func tryLock(*os.File) (free bool, err error) { return true, nil }

func syncDir(string) error { return nil }
