package embedded

import (
	"pelscope/redisx/embedded/stream"
	"pelscope/redisx/resp"
)

// xsetid is XSETID key last-id [ENTRIESADDED n] [MAXDELETEDID id].
func xsetid(c *call) (resp.Value, error) {
	id, err := parsePlainID(c.args[2])
	if err != nil {
		return resp.Value{}, err
	}
	added, maxDeleted, err := parseSetIDArgs(c.args[3:], id)
	if err != nil {
		return resp.Value{}, err
	}
	key := c.args[1]
	s, err := c.stream(key)
	switch {
	case err != nil:
		return resp.Value{}, err
	case s == nil:
		return resp.Value{}, errNoKeyRefusal
	case id.Less(s.MaxDeletedID()):
		return resp.Value{}, refuse("The ID specified in XSETID is smaller than current max_deleted_entry_id")
	}
	if top, ok := s.LastEntryID(); ok {
		if id.Less(top) {
			return resp.Value{}, refuse("The ID specified in XSETID is smaller than the target stream top item")
		}
		if added != -1 && int64(s.Len()) > added {
			return resp.Value{}, refuse("The entries_added specified in XSETID is smaller than the target stream length")
		}
	}
	s.SetID(id, added, maxDeleted)
	c.streamEvent("xsetid", key)
	return resp.OK(), nil
}

// parseSetIDArgs reads the options of XSETID: entries added (-1 when not given) and the largest
// deleted id (0-0 when not given).
func parseSetIDArgs(args []string, id stream.ID) (added int64, maxDeleted stream.ID, err error) {
	added = -1
	for i := 0; i < len(args); i += 2 {
		more := i+1 < len(args)
		switch {
		case isWord(args[i], "ENTRIESADDED") && more:
			if added, err = strictInt(args[i+1]); err != nil {
				return added, maxDeleted, err
			}
			if added < 0 {
				return added, maxDeleted, refuse("entries_added must be positive")
			}
		case isWord(args[i], "MAXDELETEDID") && more:
			if maxDeleted, err = parsePlainID(args[i+1]); err != nil {
				return added, maxDeleted, err
			}
			if id.Less(maxDeleted) {
				return added, maxDeleted, refuse("The ID specified in XSETID is smaller than the provided max_deleted_entry_id")
			}
		default:
			return added, maxDeleted, errSyntaxRefusal
		}
	}
	return added, maxDeleted, nil
}

// The bounds of what XCFGSET sets.
const (
	maxIdmpDuration = 86400 // seconds
	maxIdmpMaxSize  = 10000
)

// xcfgset is XCFGSET key [IDMP-DURATION seconds] [IDMP-MAXSIZE n].
func xcfgset(c *call) (resp.Value, error) {
	s, err := c.stream(c.args[1])
	if err != nil {
		return resp.Value{}, err
	}
	if s == nil {
		return resp.Value{}, errNoKeyRefusal
	}
	duration, maxSize := int64(-1), int64(-1)
	for i := 2; i < len(c.args); i += 2 {
		var value string
		if i+1 < len(c.args) {
			value = c.args[i+1]
		}
		switch {
		case isWord(c.args[i], "IDMP-DURATION") && i+1 < len(c.args):
			err = cfgValue(&duration, "IDMP-DURATION", value, maxIdmpDuration, "seconds")
		case isWord(c.args[i], "IDMP-MAXSIZE") && i+1 < len(c.args):
			err = cfgValue(&maxSize, "IDMP-MAXSIZE", value, maxIdmpMaxSize, "entries")
		default:
			err = errSyntaxRefusal
		}
		if err != nil {
			return resp.Value{}, err
		}
	}
	if duration == -1 && maxSize == -1 {
		return resp.Value{}, refuse("At least one parameter must be specified")
	}
	s.SetIdmp(duration, maxSize)
	return resp.OK(), nil
}

// cfgValue reads one value of XCFGSET, once.
func cfgValue(into *int64, name, arg string, most int64, unit string) error {
	if *into != -1 {
		return refuse("%s specified multiple times", name)
	}
	n, err := strictInt(arg)
	if err != nil {
		return err
	}
	if n < 1 || n > most {
		return refuse("%s must be between 1 and %d %s", name, most, unit)
	}
	*into = n
	return nil
}

// xidmprecord is XIDMPRECORD key pid iid id, by which Redis remembers, when it loads its log, what a
// producer added.
func xidmprecord(c *call) (resp.Value, error) {
	key, pid, iid := c.args[1], c.args[2], c.args[3]
	id, err := parsePlainID(c.args[4])
	switch {
	case err != nil:
		return resp.Value{}, err
	case pid == "":
		return resp.Value{}, refuse("producer ID must be non-empty")
	case iid == "":
		return resp.Value{}, refuse("idempotent ID must be non-empty")
	}
	s, err := c.stream(key)
	switch {
	case err != nil:
		return resp.Value{}, err
	case s == nil:
		return resp.Value{}, errNoKeyRefusal
	case !s.Has(id):
		return resp.Value{}, refuse("No such message in stream")
	}
	if before, seen := s.IdmpFind(pid, iid); seen {
		if before != id {
			return resp.Value{}, refuse("IID already exists for this producer with a different stream ID")
		}
		return resp.OK(), nil
	}
	s.IdmpAdd(pid, iid, id)
	return resp.OK(), nil
}
