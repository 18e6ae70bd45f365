// Package resp holds what a Redis server says and is told: ordered RESP values, their bytes, and the
// way redis-cli prints and reads them.
//
// Order and duplicates are kept (a map is a list of pairs), because in a stream both are part of an
// entry. The package is pure, imports nothing of ours, and everybody may import it.
//
// Sources: https://redis.io/docs/latest/develop/reference/protocol-spec/ for the wire; redis-cli's
// cliFormatReplyTTY, sdscatrepr and sdssplitargs for what is printed and read.
package resp
