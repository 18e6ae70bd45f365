// Package stream is a Redis stream as a data structure: the entries in their nodes, the consumer
// groups with their cursors and pending entries, and the rules by which Redis 8.6 counts them
// (entries-added, entries-read, lag, recorded first id, largest deleted id).
//
// It knows no command, no reply, no key and no clock: whoever calls it says what time it is, in
// milliseconds since 1970. It checks no arguments in Redis's words either; that is the commands'
// business. It imports nothing of ours, and only redisx/embedded is meant to import it.
//
// Sizes: an append is O(1); finding an id, in the stream or among the pending, is O(log n); a range
// costs what it yields. Nothing here copies the stream in order to read it. A Stream is not safe for
// use by several goroutines: the engine holds its lock.
//
// The entries stand in nodes of at most 100 entries or 4096 bytes, like the listpacks of Redis,
// because that is what an approximate trim (MAXLEN ~) goes by: it removes whole nodes only. The
// bytes of a node are counted as Redis's listpack would need them; see listpack.go.
package stream
