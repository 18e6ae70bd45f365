//go:build unix

package servertest

import "syscall"

const (
	sigKill = syscall.SIGKILL
	sigStop = syscall.SIGSTOP
	sigCont = syscall.SIGCONT
)

// signal signals the process group that pid leads.
func signal(pid int, sig syscall.Signal) { syscall.Kill(-pid, sig) }
