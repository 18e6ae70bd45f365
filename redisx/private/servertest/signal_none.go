//go:build !unix

package servertest

// There are no private servers here, so that nobody comes to signal one.
const sigKill, sigStop, sigCont = 0, 0, 0

func signal(int, int) {}
