// Package search finds things on a server by bounded scans: today the streams, later entries.
//
// It asks in small pieces with a COUNT each, so that no call holds the server, and stops at a bound. It
// imports redisx/resp and takes whoever can send a command; nothing of ui.
package search

import (
	"context"
	"errors"
	"slices"

	"pelscope/redisx/resp"
)

// Doer sends one command and gives its reply; an error reply is a Value of kind Error.
type Doer interface {
	Do(ctx context.Context, args ...string) (resp.Value, error)
}

// The bounds of a scan for streams: SCAN calls, each with this COUNT, and streams found.
const (
	maxCalls   = 2000
	scanCount  = "1000"
	maxStreams = 1000
)

// Streams lists the keys that are streams, by name. more says that the scan stopped at its bound and
// that there may be others. An error reply (a user who may not SCAN) is an error.
func Streams(ctx context.Context, c Doer) (names []string, more bool, err error) {
	cursor := "0"
	for range maxCalls {
		v, err := c.Do(ctx, "SCAN", cursor, "COUNT", scanCount, "TYPE", "stream")
		if err != nil {
			return names, true, err
		}
		if v.Kind == resp.Error {
			return names, true, errors.New(v.Str)
		}
		if len(v.Elems) != 2 {
			return names, true, errors.New("the reply of SCAN is of another shape than expected")
		}
		for _, k := range v.Elems[1].Elems {
			names = append(names, k.Text())
		}
		cursor = v.Elems[0].Text()
		if cursor == "0" || len(names) >= maxStreams {
			break
		}
	}
	slices.Sort(names)
	names = slices.Compact(names) // SCAN may give a key twice
	return names[:min(len(names), maxStreams)], cursor != "0", nil
}
