// Package embedded is the engine that runs inside this process and behaves as Redis 8.6 does: streams,
// and what lessons, the explorer and a curious client use besides them. It lets a machine with nothing
// but Go start, and it stands in for a server in all tests.
//
// It is reached as any other server is, by RESP over a connection: Dial gives one end of a connection
// in memory, no port is opened (Serve takes a listener from whoever wants one). Commands run one at a
// time under one lock. It reads the time only from Options.Clock and works inside a bubble of
// testing/synctest.
//
// It is held to its word by files of commands in testdata, which run against a real server as well, and
// every reply is compared. Where it knows less than Redis it refuses with Redis's own error (unknown
// command, syntax error) and never pretends.
//
// The package imports resp, safe and its own stream. Whoever opens a server may import it; screens and
// lessons reach it through redisx/client.
package embedded
