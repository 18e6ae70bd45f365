//go:build unix

package private

import (
	"os/exec"
	"syscall"
)

// supported tells that this system has what private servers need.
const supported = true

// errNoExec is the kernel's word for a file that is no program.
const errNoExec = syscall.ENOEXEC

// ownSession detaches cmd from the terminal: neither Ctrl-C nor a hang-up reaches it.
func ownSession(cmd *exec.Cmd) { attr(cmd).Setsid = true }

// ownGroup makes cmd the leader of a process group, so that it can be ended with all that it started.
func ownGroup(cmd *exec.Cmd) { attr(cmd).Setpgid = true }

func attr(cmd *exec.Cmd) *syscall.SysProcAttr {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = new(syscall.SysProcAttr)
	}
	return cmd.SysProcAttr
}

// termGroup and killGroup signal the group that pid leads.
func termGroup(pid int) error { return syscall.Kill(-pid, syscall.SIGTERM) }
func killGroup(pid int) error { return syscall.Kill(-pid, syscall.SIGKILL) }
