//go:build !unix

package private

import (
	"errors"
	"os/exec"
)

// supported tells that private servers are not for this system.
const supported = false

// errNoExec never comes about here.
var errNoExec = errors.New("not a program")

func ownSession(*exec.Cmd) {}
func ownGroup(*exec.Cmd)   {}
func termGroup(int) error  { return ErrUnsupported }
func killGroup(int) error  { return ErrUnsupported }
