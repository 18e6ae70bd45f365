// Package private runs redis-server or valkey-server children of our own, which are gone without a
// trace however the program ends.
//
// Three processes take part:
//
//	the program ──► the watcher ──► redis-server
//
// The watcher is this same binary, re-executed. It is the server's parent: it makes the server's
// folder, starts the server, waits for it, stops it, and removes the folder. It does so as soon as
// the pipe from the program ends, and a pipe ends however the program does: SIGKILL included. What
// is decided (folder, address, password) is decided by the program, so that it can also clean up
// behind a watcher that was killed; on Linux the kernel then kills the server at once (PDEATHSIG).
//
// The server keeps nothing on disk, listens on a unix socket in a folder of mode 0700 (or, where the
// path would be too long, on 127.0.0.1), and asks for a random password that is never in an argument
// list or an environment: it travels by pipe only. Watcher and server have sessions or process groups
// of their own, so that Ctrl-C at the terminal does not reach them.
//
// main, and every TestMain of a package that starts servers, must call [Watcher] before anything else.
//
// It may import redisx/safe and the standard library.
package private
