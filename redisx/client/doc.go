// Package client is the way to a server: connecting, what the server is and can do, the guard that
// lets nothing but reading through, the log of every command sent, and Observe, which turns a look
// at the server into a state.State.
//
// Everything that leaves this program for a Redis goes through one hook (hook.go), in which the
// guard stands and the log is written: single commands, pipelines, MULTI, the handshake, and the
// connections of Sessions alike. Replies are read as raw RESP bytes and decoded by package resp,
// because go-redis's own types lose the order of fields, duplicates and nils.
//
// It imports resp, state and safe. Lessons, workers, the doctor and main's wiring import it; screens
// and widgets never do.
package client
