package embedded

import (
	"pelscope/redisx/embedded/stream"
	"pelscope/redisx/resp"
)

// What XDELEX and XACKDEL say of one id.
const (
	idNotFound    = -1
	idDeleted     = 1
	idStillNeeded = 2
)

// xdel is XDEL key id [id …].
func xdel(c *call) (resp.Value, error) {
	key := c.args[1]
	s, err := c.stream(key)
	if s == nil {
		return resp.Integer(0), err
	}
	ids, err := parseIDs(c.args[2:])
	if err != nil {
		return resp.Value{}, err
	}
	deleted := 0
	for _, id := range ids {
		if s.Delete(id) {
			deleted++
		}
	}
	c.streamDeleted(key, deleted)
	return resp.Integer(int64(deleted)), nil
}

// streamDeleted tells of entries deleted by id, if there were any.
func (c *call) streamDeleted(key string, deleted int) {
	if deleted > 0 {
		c.modified(key)
		c.streamEvent("xdel", key)
	}
}

// deleteArgs are the options of XDELEX and XACKDEL.
type deleteArgs struct {
	refs stream.References
	ids  []string
}

// parseDeleteArgs reads [KEEPREF|DELREF|ACKED] IDS n id [id …].
func parseDeleteArgs(args []string) (deleteArgs, error) {
	d, found, refsGiven := deleteArgs{}, false, false
	for i := 0; i < len(args); {
		word := args[i]
		switch {
		case !refsGiven && (isWord(word, "KEEPREF") || isWord(word, "DELREF") || isWord(word, "ACKED")):
			d.refs, refsGiven = references(word), true
			i++
		case isWord(word, "IDS") && i+1 < len(args):
			n, err := strictInt(args[i+1])
			if err != nil || n < 1 {
				return d, refuse("Number of IDs must be a positive integer")
			}
			if n > int64(len(args)-i-2) {
				return d, refuse("The `numids` parameter must match the number of arguments")
			}
			d.ids, found = args[i+2:i+2+int(n)], true
			i += 2 + int(n)
		default:
			return d, errSyntaxRefusal
		}
	}
	if !found {
		return d, refuse("IDS option is required")
	}
	return d, nil
}

// notFound is the reply for ids of a stream or group that does not exist.
func (d deleteArgs) notFound() resp.Value {
	out := make([]resp.Value, len(d.ids))
	for i := range out {
		out[i] = resp.Integer(idNotFound)
	}
	return resp.ArrayOf(out...)
}

// mayDelete says whether an entry may go as far as its references are concerned, and drops those
// where it was asked to.
func (d deleteArgs) mayDelete(s *stream.Stream, id stream.ID) bool {
	switch d.refs {
	case stream.Acked:
		return !s.Referenced(id)
	case stream.DelRef:
		s.DropReferences(id)
	}
	return true
}

// xdelex is XDELEX key [KEEPREF|DELREF|ACKED] IDS n id [id …].
func xdelex(c *call) (resp.Value, error) {
	key := c.args[1]
	s, err := c.stream(key)
	if err != nil {
		return resp.Value{}, err
	}
	d, err := parseDeleteArgs(c.args[2:])
	if err != nil {
		return resp.Value{}, err
	}
	if s == nil {
		return d.notFound(), nil
	}
	ids, err := parseIDs(d.ids)
	if err != nil {
		return resp.Value{}, err
	}
	out, deleted := make([]resp.Value, len(ids)), 0
	for i, id := range ids {
		res := int64(idStillNeeded)
		if d.mayDelete(s, id) {
			res = idNotFound
			if s.Delete(id) {
				res = idDeleted
				deleted++
			}
		}
		out[i] = resp.Integer(res)
	}
	c.streamDeleted(key, deleted)
	return resp.ArrayOf(out...), nil
}

// xackdel is XACKDEL key group [KEEPREF|DELREF|ACKED] IDS n id [id …].
func xackdel(c *call) (resp.Value, error) {
	key := c.args[1]
	s, err := c.stream(key)
	if err != nil {
		return resp.Value{}, err
	}
	d, err := parseDeleteArgs(c.args[3:])
	if err != nil {
		return resp.Value{}, err
	}
	var g *stream.Group
	if s != nil {
		g = s.Group(c.args[2])
	}
	if g == nil {
		return d.notFound(), nil
	}
	ids, err := parseIDs(d.ids)
	if err != nil {
		return resp.Value{}, err
	}
	out, deleted := make([]resp.Value, len(ids)), 0
	for i, id := range ids {
		res := int64(idNotFound)
		if g.Ack(id) {
			res = idStillNeeded
			if d.mayDelete(s, id) {
				res = idDeleted
				if s.Delete(id) {
					deleted++
				}
			}
		}
		out[i] = resp.Integer(res)
	}
	c.streamDeleted(key, deleted)
	return resp.ArrayOf(out...), nil
}
