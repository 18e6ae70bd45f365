// Package state is the model: what a Redis server holds about streams, as immutable values, and the
// difference between two of them.
//
//	Observe(scope) → State          State, State → Diff → []Change
//
// A State is what one look at the server saw: the watched keys, and when. It is never altered after
// it was made. Diff is a pure function that names what differs between two looks in Redis's own
// words; Apply carries changes over to a State, so that with complete scope Apply(a, Diff(a, b)) is
// b. Everything pelscope shows or judges is a view of these two types; nothing has a second way of
// knowing.
//
// What could not be read is a Maybe that is not known, with its reason: never 0 and never empty.
//
// The package does no I/O, reads no clock and imports nothing of ours. Everybody may import it.
package state
