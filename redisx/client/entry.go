package client

import (
	"context"
	"errors"

	"pelscope/redisx/resp"
	"pelscope/redisx/state"
)

// Entry reads one entry whole, its values uncut, by XRANGE id id. found is false when there is no such
// entry now. An error reply (the key is no stream, the user may not) is an error with the server's words.
func (c *Client) Entry(ctx context.Context, key string, id state.ID) (e state.Entry, found bool, err error) {
	v, err := c.Do(ctx, "XRANGE", key, id.String(), id.String(), "COUNT", "1")
	if err != nil {
		return state.Entry{}, false, err
	}
	if v.Kind == resp.Error {
		return state.Entry{}, false, errors.New(v.Str)
	}
	list := entriesOf(v, false)
	if len(list) == 0 {
		return state.Entry{}, false, nil
	}
	return list[0], true, nil
}
