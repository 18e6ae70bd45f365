package embedded

import (
	"iter"

	"pelscope/redisx/embedded/stream"
	"pelscope/redisx/resp"
)

// entryValue is an entry as replies show it: its id, and its fields and values in turn.
func entryValue(e stream.Entry) resp.Value {
	return resp.ArrayOf(resp.Str(e.ID.String()), resp.StrArray(e.Fields))
}

// entryValues are the first entries of a range; count 0 means all.
func entryValues(seq iter.Seq[stream.Entry], count int64) []resp.Value {
	out := []resp.Value{}
	for e := range seq {
		out = append(out, entryValue(e))
		if int64(len(out)) == count {
			break
		}
	}
	return out
}

// xrange is XRANGE key start end [COUNT n].
func xrange(c *call) (resp.Value, error) { return rangeReply(c, 2, 3, (*stream.Stream).Range) }

// xrevrange is XREVRANGE key end start [COUNT n].
func xrevrange(c *call) (resp.Value, error) {
	return rangeReply(c, 3, 2, (*stream.Stream).RangeReverse)
}

// rangeReply answers both; from and to are the places of the two ids among the arguments.
func rangeReply(c *call, from, to int, walk func(*stream.Stream, stream.ID, stream.ID) iter.Seq[stream.Entry]) (resp.Value, error) {
	start, err := intervalStart(c.args[from])
	if err != nil {
		return resp.Value{}, err
	}
	end, err := intervalEnd(c.args[to])
	if err != nil {
		return resp.Value{}, err
	}
	count := int64(-1)
	for i := 4; i < len(c.args); i += 2 {
		if !isWord(c.args[i], "COUNT") || i+1 == len(c.args) {
			return resp.Value{}, errSyntaxRefusal
		}
		if count, err = strictInt(c.args[i+1]); err != nil {
			return resp.Value{}, err
		}
		count = max(count, 0)
	}
	s, err := c.stream(c.args[1])
	switch {
	case err != nil:
		return resp.Value{}, err
	case s == nil:
		return resp.ArrayOf(), nil
	case count == 0:
		return resp.NilArrayValue(), nil
	}
	return resp.ArrayOf(entryValues(walk(s, start, end), max(count, 0))...), nil
}

// xlen is XLEN key.
func xlen(c *call) (resp.Value, error) {
	s, err := c.stream(c.args[1])
	if s == nil {
		return resp.Integer(0), err
	}
	return resp.Integer(int64(s.Len())), nil
}
