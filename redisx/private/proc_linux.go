package private

import (
	"os"
	"os/exec"
	"syscall"
)

// dieWithParent has the kernel kill cmd when the thread that starts it ends: prctl(2), PR_SET_PDEATHSIG.
func dieWithParent(cmd *exec.Cmd) { attr(cmd).Pdeathsig = syscall.SIGKILL }

// executable is this very program, even when its file was replaced or removed since (an update, go run).
func executable() (string, error) {
	const self = "/proc/self/exe"
	if _, err := os.Stat(self); err == nil {
		return self, nil
	}
	return os.Executable()
}
