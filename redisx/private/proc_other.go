//go:build !linux

package private

import (
	"os"
	"os/exec"
)

// dieWithParent does nothing: only Linux knows how.
func dieWithParent(*exec.Cmd) {}

func executable() (string, error) { return os.Executable() }
