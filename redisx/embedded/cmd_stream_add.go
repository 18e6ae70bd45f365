package embedded

import (
	"pelscope/redisx/embedded/stream"
	"pelscope/redisx/resp"
)

// addArgs are the options of XADD and XTRIM.
type addArgs struct {
	next       int // the place of XADD's id among the arguments
	noMkStream bool
	id         stream.ID
	idGiven    bool // not `*`
	autoSeq    bool // ms-*
	pid, iid   string
	idmp       bool
	idmpAuto   bool
	trims      bool
	trim       stream.Trim
	limitGiven bool
	refsGiven  bool
}

// parseAddArgs reads the options that stand between the key and XADD's id, or after XTRIM's key.
func parseAddArgs(c *call, xadd bool) (*addArgs, error) {
	a := &addArgs{}
	args := c.args
	for i := 2; i < len(args); {
		used, err := a.option(args[i:], xadd)
		if err != nil {
			return nil, err
		}
		if used == 0 {
			a.next = i
			break
		}
		i += used
		a.next = i
	}
	return a, a.check(c, xadd)
}

// option reads one option at the front of args and returns how many arguments it took, 0 for XADD's
// id.
func (a *addArgs) option(args []string, xadd bool) (int, error) {
	word, more := args[0], len(args)-1
	switch {
	case xadd && word == "*":
		return 0, nil
	case isWord(word, "MAXLEN") && more > 0, isWord(word, "MINID") && more > 0:
		return a.trimOption(args, isWord(word, "MINID"))
	case isWord(word, "LIMIT") && more > 0:
		return a.limitOption(args[1])
	case !a.refsGiven && (isWord(word, "KEEPREF") || isWord(word, "DELREF") || isWord(word, "ACKED")):
		a.trim.Refs, a.refsGiven = references(word), true
		return 1, nil
	case xadd && isWord(word, "NOMKSTREAM"):
		a.noMkStream = true
		return 1, nil
	case xadd && isWord(word, "IDMPAUTO") && more > 0:
		return a.idmpOption("IDMPAUTO", args[1:2])
	case xadd && isWord(word, "IDMP") && more > 1:
		return a.idmpOption("IDMP", args[1:3])
	case xadd:
		return 0, a.idOption(word)
	}
	return 0, errSyntaxRefusal
}

// references is what one of the three words means.
func references(word string) stream.References {
	switch {
	case isWord(word, "DELREF"):
		return stream.DelRef
	case isWord(word, "ACKED"):
		return stream.Acked
	}
	return stream.KeepRef
}

func (a *addArgs) trimOption(args []string, byID bool) (int, error) {
	if a.trims {
		return 0, refuse("syntax error, MAXLEN and MINID options at the same time are not compatible")
	}
	used := 2
	a.trim.Approx = false
	if len(args) > 2 && (args[1] == "~" || args[1] == "=") {
		a.trim.Approx = args[1] == "~"
		used = 3
	}
	threshold := args[used-1]
	if byID {
		id, err := parsePlainID(threshold)
		if err != nil {
			return 0, err
		}
		a.trim.MinID = &id
	} else {
		n, err := strictInt(threshold)
		if err != nil {
			return 0, err
		}
		if n < 0 {
			return 0, refuse("The MAXLEN argument must be >= 0.")
		}
		a.trim.MaxLen = n
	}
	a.trims = true
	return used, nil
}

func (a *addArgs) limitOption(arg string) (int, error) {
	n, err := strictInt(arg)
	if err != nil {
		return 0, err
	}
	if n < 0 {
		return 0, refuse("The LIMIT argument must be >= 0.")
	}
	a.trim.Limit, a.limitGiven = n, true
	return 2, nil
}

// idmpOption reads the producer id and, of IDMP, the idempotent id.
func (a *addArgs) idmpOption(word string, ids []string) (int, error) {
	if a.idmp {
		return 0, refuse("syntax error, IDMP/IDMPAUTO specified multiple times")
	}
	if ids[0] == "" {
		return 0, refuse("syntax error, %s requires a non-empty producer ID", word)
	}
	a.idmp, a.pid, a.idmpAuto = true, ids[0], len(ids) == 1
	if !a.idmpAuto {
		if ids[1] == "" {
			return 0, refuse("syntax error, IDMP requires a non-empty idempotent ID")
		}
		a.iid = ids[1]
	}
	return 1 + len(ids), nil
}

func (a *addArgs) idOption(word string) (err error) {
	if a.id, a.autoSeq, err = parseID(word, autoSeqID, 0); err != nil {
		return err
	}
	if a.idmp {
		return refuse("syntax error, IDMP/IDMPAUTO can be used only with auto-generated IDs")
	}
	a.idGiven = true
	return nil
}

// check tells what does not go together, and fills in the limit of an approximate trim.
func (a *addArgs) check(c *call, xadd bool) error {
	switch {
	case a.trim.Limit != 0 && !a.trims:
		return refuse("syntax error, LIMIT cannot be used without specifying a trimming strategy")
	case !xadd && !a.trims:
		return refuse("syntax error, XTRIM must be called with a trimming strategy")
	case a.limitGiven && !a.trim.Approx:
		return refuse("syntax error, LIMIT cannot be used without the special ~ option")
	case !a.limitGiven && a.trim.Approx:
		a.trim.Limit = trimLimit(c.streamLimits())
	}
	return nil
}

// trimLimit is how many entries an approximate trim without LIMIT may remove: those of 100 nodes.
func trimLimit(lim stream.Limits) int64 {
	n := 100 * lim.NodeMaxEntries
	if n <= 0 {
		return 10_000
	}
	return min(n, 1_000_000)
}

// xadd is XADD key [options] id field value [field value …].
func xadd(c *call) (resp.Value, error) {
	a, err := parseAddArgs(c, true)
	if err != nil {
		return resp.Value{}, err
	}
	fields := c.args[min(a.next+1, len(c.args)):]
	if len(fields) < 2 || len(fields)%2 != 0 {
		return resp.Value{}, refuse("wrong number of arguments for 'xadd' command")
	}
	if a.idGiven && !a.autoSeq && a.id.IsZero() {
		return resp.Value{}, refuse("The ID specified in XADD must be greater than 0-0")
	}
	key := c.args[1]
	s, err := c.stream(key)
	if err != nil {
		return resp.Value{}, err
	}
	if s == nil {
		if a.noMkStream {
			return resp.NilBulkValue(), nil
		}
		s = c.createStream(key)
	}
	if a.idmp {
		if id, before := a.addedBefore(c, s, fields); before {
			return resp.Str(id.String()), nil
		}
	}
	id, err := a.append(c, s, fields)
	if err != nil {
		return resp.Value{}, err
	}
	c.streamEvent("xadd", key)
	if a.trims && s.Trim(a.trim) > 0 {
		c.streamEvent("xtrim", key)
	}
	c.modified(key)
	c.e.signalReady(key)
	return resp.Str(id.String()), nil
}

// addedBefore is the id that the producer was given when it sent this before.
func (a *addArgs) addedBefore(c *call, s *stream.Stream, fields []string) (stream.ID, bool) {
	if a.idmpAuto {
		a.iid = stream.IdmpHash(fields)
	}
	return s.IdmpSeen(a.pid, a.iid, c.now)
}

// append adds the entry under the id that the arguments ask for.
func (a *addArgs) append(c *call, s *stream.Stream, fields []string) (stream.ID, error) {
	if s.LastID() == stream.MaxID() {
		return stream.ID{}, refuse("The stream has exhausted the last possible ID, unable to add more items")
	}
	id := a.id
	ok := true
	switch {
	case !a.idGiven:
		id, ok = s.NextID(c.now)
	case a.autoSeq:
		id, ok = s.NextSeq(a.id.MS)
	}
	if !ok || !s.LastID().Less(id) {
		return stream.ID{}, refuse("The ID specified in XADD is equal or smaller than the target stream top item")
	}
	if stream.TooLarge(fields) {
		return stream.ID{}, refuse("Elements are too large to be stored")
	}
	if err := s.Append(id, fields, c.streamLimits()); err != nil {
		return stream.ID{}, err
	}
	if a.idmp {
		s.IdmpAdd(a.pid, a.iid, id)
	}
	return id, nil
}

// xtrim is XTRIM key MAXLEN|MINID [=|~] threshold [LIMIT n] [KEEPREF|DELREF|ACKED].
func xtrim(c *call) (resp.Value, error) {
	a, err := parseAddArgs(c, false)
	if err != nil {
		return resp.Value{}, err
	}
	key := c.args[1]
	s, err := c.stream(key)
	if s == nil {
		return resp.Integer(0), err
	}
	deleted := s.Trim(a.trim)
	if deleted > 0 {
		c.streamEvent("xtrim", key)
		c.modified(key)
	}
	return resp.Integer(deleted), nil
}
