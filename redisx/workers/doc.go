// Package workers are simulated consumers and producers: an application as the lessons speak of it, with
// real connections and real commands. What a worker does to the outside world (a charge on a card, say)
// is an element that it appends to a ledger, a Redis list; so what happened twice stands there twice.
//
// A worker holds no truth of its own: whether it is connected stands in CLIENT LIST, what it holds in the
// PEL, what it did in the ledger. Every command it sends is returned with its reply.
//
// It imports client, resp, state and safe. Lessons and the sandbox import it.
package workers
