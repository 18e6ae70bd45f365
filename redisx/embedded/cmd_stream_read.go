package embedded

import (
	"math"
	"slices"
	"time"

	"pelscope/redisx/embedded/stream"
	"pelscope/redisx/resp"
)

// readArgs are the arguments of XREAD and XREADGROUP.
type readArgs struct {
	asGroup  bool // XREADGROUP
	group    string
	consumer string
	named    bool  // GROUP was given
	noack    bool  // NOACK
	count    int64 // 0: all
	block    int64 // BLOCK in ms, 0 for ever, -1 not given
	claim    int64 // CLAIM in ms, -1 not given
	keys     []string
	ids      []string
}

// xread is XREAD [COUNT n] [BLOCK ms] STREAMS key [key …] id [id …].
func xread(c *call) (resp.Value, error) { return readReply(c, false) }

// xreadgroup is XREADGROUP GROUP group consumer [COUNT n] [BLOCK ms] [CLAIM min-idle] [NOACK]
// STREAMS key [key …] id [id …].
func xreadgroup(c *call) (resp.Value, error) { return readReply(c, true) }

// parseReadArgs reads the arguments after the command's name.
func parseReadArgs(c *call, asGroup bool) (*readArgs, error) {
	a := &readArgs{asGroup: asGroup, block: -1, claim: -1}
	args := c.args[1:]
	for i := 0; i < len(args); {
		used, err := a.option(c, args[i:])
		if err != nil {
			return nil, err
		}
		i += used
	}
	if a.keys == nil {
		return nil, errSyntaxRefusal
	}
	if asGroup && !a.named {
		return nil, refuse("Missing GROUP option for XREADGROUP")
	}
	return a, nil
}

// option reads one option at the front of args and returns how many arguments it took.
func (a *readArgs) option(c *call, args []string) (used int, err error) {
	word, more := args[0], len(args)-1
	switch {
	case isWord(word, "CLAIM") && more > 0:
		return 2, a.claimOption(args[1])
	case isWord(word, "BLOCK") && more > 0:
		a.block, err = blockTimeout(args[1], c.now)
		return 2, err
	case isWord(word, "COUNT") && more > 0:
		a.count, err = strictInt(args[1])
		a.count = max(a.count, 0)
		return 2, err
	case isWord(word, "STREAMS") && more > 0:
		return len(args), a.streamsOption(args[1:])
	case isWord(word, "GROUP") && more > 1:
		if !a.asGroup {
			return 0, refuse("The GROUP option is only supported by XREADGROUP. You called XREAD instead.")
		}
		a.group, a.consumer, a.named = args[1], args[2], true
		return 3, nil
	case isWord(word, "NOACK"):
		if !a.asGroup {
			return 0, refuse("The NOACK option is only supported by XREADGROUP. You called XREAD instead.")
		}
		a.noack = true
		return 1, nil
	}
	return 0, errSyntaxRefusal
}

func (a *readArgs) claimOption(arg string) (err error) {
	if !a.asGroup {
		return refuse("The CLAIM option is only supported by XREADGROUP. You called XREAD instead.")
	}
	if a.claim, err = strictIntOr(arg, "min-idle-time is not an integer or out of range"); err != nil {
		return err
	}
	if a.claim < 0 {
		return refuse("min-idle-time must be a positive integer")
	}
	return nil
}

func (a *readArgs) streamsOption(args []string) error {
	if len(args)%2 != 0 {
		name, id := "xread", "ID, '+', or '$'"
		if a.asGroup {
			name, id = "xreadgroup", "ID or '>'"
		}
		return refuse("Unbalanced '%s' list of streams: for each stream key an %s must be specified.", name, id)
	}
	a.keys, a.ids = args[:len(args)/2], append([]string(nil), args[len(args)/2:]...)
	return nil
}

// blockTimeout reads BLOCK's milliseconds.
func blockTimeout(arg string, now int64) (int64, error) {
	ms, err := strictIntOr(arg, "timeout is not an integer or out of range")
	switch {
	case err != nil:
		return 0, err
	case ms < 0:
		return 0, refuse("timeout is negative")
	case ms > math.MaxInt64-now:
		return 0, refuse("timeout is out of range")
	}
	return ms, nil
}

// source is one stream of a read, looked up.
type source struct {
	key   string
	s     *stream.Stream // nil when there is no such key (XREAD only)
	group *stream.Group
	after stream.ID // what comes after this id
	fresh bool      // `>`
}

// readReply answers both commands: at once where there is something, otherwise blocked.
func readReply(c *call, asGroup bool) (resp.Value, error) {
	a, err := parseReadArgs(c, asGroup)
	if err != nil {
		return resp.Value{}, err
	}
	v, served, err := a.try(c)
	if served || err != nil {
		return v, err
	}
	if a.block < 0 {
		return resp.NilArrayValue(), nil
	}
	return a.wait(c), nil
}

// try runs the read once. Not served means that there was nothing for it. Redis runs a blocked read
// again from the start whenever one of its keys becomes ready, and so do we: consumers are seen
// again, and what was destroyed meanwhile is refused.
func (a *readArgs) try(c *call) (v resp.Value, served bool, err error) {
	sources := make([]source, len(a.keys))
	for i := range a.keys {
		if sources[i], err = a.lookUp(c, i); err != nil {
			return resp.Value{}, true, err
		}
	}
	var out []resp.Value
	round := *a
	for _, src := range sources {
		if src.s == nil {
			continue
		}
		entries, served := round.serve(c, src)
		if !served {
			continue
		}
		pair := []resp.Value{resp.Str(src.key), resp.ArrayOf(entries...)}
		if c.proto() >= 3 {
			out = append(out, pair...)
		} else {
			out = append(out, resp.ArrayOf(pair...))
		}
	}
	switch {
	case len(out) == 0:
		return resp.Value{}, false, nil
	case c.proto() >= 3:
		return resp.MapOf(out...), true, nil
	}
	return resp.ArrayOf(out...), true, nil
}

// The refusals of ids that make no sense in a group.
const (
	errDollarInGroup = "The $ ID is meaningless in the context of XREADGROUP: you want to read the history of this consumer by specifying a proper ID, or use the > ID to get new messages. The $ ID would just return an empty result set."
	errPlusInGroup   = "The + ID is meaningless in the context of XREADGROUP: you want to read the history of this consumer by specifying a proper ID, or use the > ID to get new messages. The + ID would just return an empty result set."
	errFreshInXREAD  = "The > ID can be specified only when calling XREADGROUP using the GROUP <group> <consumer> option."
)

// lookUp finds the stream and group of one key and reads its id. A `$` is replaced by what it means
// now, because a blocked read must not move it.
func (a *readArgs) lookUp(c *call, i int) (src source, err error) {
	src.key = a.keys[i]
	if src.s, err = c.stream(src.key); err != nil {
		return src, err
	}
	if a.asGroup {
		if src.s != nil {
			src.group = src.s.Group(a.group)
		}
		if src.group == nil {
			return src, refusal("NOGROUP No such key '" + cText(src.key) + "' or consumer group '" +
				cText(a.group) + "' in XREADGROUP with GROUP option")
		}
	}
	switch id := cText(a.ids[i]); {
	case id == "$" && a.asGroup:
		return src, refuse("%s", errDollarInGroup)
	case id == "$":
		if src.s != nil {
			src.after = src.s.LastID()
		}
		a.ids[i] = src.after.String()
	case id == "+" && a.asGroup:
		return src, refuse("%s", errPlusInGroup)
	case id == "+":
		if src.s != nil {
			if last, ok := src.s.LastEntryID(); ok {
				src.after, _ = last.Prev()
			}
		}
	case id == ">" && !a.asGroup:
		return src, refuse("%s", errFreshInXREAD)
	case id == ">":
		src.after = stream.MaxID()
	default:
		src.after, err = parsePlainID(a.ids[i])
	}
	// The largest id and `>` are the same to Redis.
	src.fresh = a.asGroup && src.after == stream.MaxID()
	return src, err
}

// serve gives what one stream has for the read; served says whether it is served at all (a history may
// be empty).
func (a *readArgs) serve(c *call, src source) (entries []resp.Value, served bool) {
	top, filled := src.s.LastEntryID()
	if src.group == nil {
		if !filled || !src.after.Less(top) {
			return nil, false
		}
		from, _ := src.after.Next()
		return entryValues(src.s.Range(from, stream.MaxID()), a.count), true
	}
	ready := a.claim >= 0 && claimable(src, a.claim, c.now)
	consumer := c.consumer(src.key, src.group, a.consumer)
	if !src.fresh {
		a.claim = -1 // a history knows no CLAIM, nor do, in Redis, the streams named after it
		return a.history(c, src, consumer), true
	}
	news := filled && src.group.LastID().Less(top)
	if !news && !ready {
		return nil, false
	}
	entries = []resp.Value{}
	if a.claim >= 0 {
		entries = a.claimed(c, src, consumer)
	}
	if news && (a.count == 0 || int64(len(entries)) < a.count) {
		entries = append(entries, a.news(c, src, consumer, a.count-int64(len(entries)))...)
	}
	return entries, true
}

// history is what the consumer has pending after an id. Every entry that is still there counts as
// delivered once more.
func (a *readArgs) history(c *call, src source, consumer *stream.Consumer) []resp.Value {
	from, _ := src.after.Next()
	var pending []*stream.Pending
	for p := range consumer.Pending(from) {
		pending = append(pending, p)
		if int64(len(pending)) == a.count {
			break
		}
	}
	out := make([]resp.Value, len(pending))
	for i, p := range pending {
		e, there := src.s.Get(p.ID)
		if !there {
			out[i] = resp.ArrayOf(resp.Str(p.ID.String()), resp.NilArrayValue())
			continue
		}
		out[i] = entryValue(e)
		if !c.e.opts.Wrong.HistoryReadKeepsCount {
			src.group.SetDelivery(p, c.now, p.Count+1)
		}
	}
	return out
}

// news are entries after the group's cursor, which become the consumer's.
func (a *readArgs) news(c *call, src source, consumer *stream.Consumer, count int64) []resp.Value {
	if a.count == 0 {
		count = 0
	}
	out := []resp.Value{}
	src.s.Deliver(src.group, consumer, int(count), a.noack, c.now, func(e stream.Entry) {
		v := entryValue(e)
		if a.claim >= 0 {
			v.Elems = append(v.Elems, resp.Integer(0), resp.Integer(0))
		}
		out = append(out, v)
	})
	return out
}

// oldestThere is the pending entry that lies idle for longest and is still in the stream.
func oldestThere(src source) *stream.Pending {
	for p := range src.group.PendingByTime() {
		if src.s.Has(p.ID) {
			return p
		}
	}
	return nil
}

// claimable says whether something has been idle long enough for CLAIM.
func claimable(src source, minIdle, now int64) bool {
	p := oldestThere(src)
	return p != nil && uint64(now-p.Delivered) >= uint64(minIdle)
}

// claimed are the pending entries that were idle for at least CLAIM's time, the longest first, which
// become the consumer's. Each comes with its idle time and count from before.
func (a *readArgs) claimed(c *call, src source, consumer *stream.Consumer) []resp.Value {
	var due []*stream.Pending
	for p := range src.group.PendingByTime() {
		if uint64(c.now-p.Delivered) < uint64(a.claim) {
			break
		}
		if !src.s.Has(p.ID) {
			continue
		}
		due = append(due, p)
		if int64(len(due)) == a.count {
			break
		}
	}
	out := []resp.Value{}
	for _, p := range due {
		e, _ := src.s.Get(p.ID)
		v := entryValue(e)
		v.Elems = append(v.Elems, resp.Integer(c.now-p.Delivered), resp.Integer(p.Count))
		out = append(out, v)
		src.group.Give(p, consumer, c.now, p.Count+1)
		consumer.ActiveTime = c.now
	}
	return out
}

// wait blocks the client until one of the keys has something for it.
func (a *readArgs) wait(c *call) resp.Value {
	if c.inMulti || c.inScript {
		return resp.NilArrayValue()
	}
	disarm := a.alarm(c)
	return c.block(a.keys, time.Duration(a.block)*time.Millisecond, func() (resp.Value, bool) {
		disarm()
		v, served, err := a.try(c)
		switch {
		case err != nil:
			return refusalValue(err), true
		case !served:
			disarm = a.alarm(c)
			c.queueAnew()
		}
		return v, served
	}, resp.NilArrayValue())
}

// queueAnew puts a blocked client that was woken for nothing at the end of the queue of each of its
// keys. Redis runs its command anew, which blocks anew; it costs the client its place among those
// who wait for its other keys.
func (c *call) queueAnew() {
	w := c.c.waiting
	for _, ref := range w.refs {
		queue := slices.DeleteFunc(slices.Clone(c.e.waiters[ref]), func(o *waiter) bool { return o == w })
		c.e.waiters[ref] = append(queue, w)
	}
}

// alarm lets a read with CLAIM try again as soon as the entry that lies idle for longest may be
// claimed, or, with nothing pending, when its min-idle has passed. The returned function takes that
// back.
func (a *readArgs) alarm(c *call) (disarm func()) {
	if a.claim < 0 {
		return func() {}
	}
	oldest := c.now
	for i := range a.keys {
		src, err := a.lookUp(c, i)
		if err != nil {
			continue
		}
		if p := oldestThere(src); p != nil {
			oldest = min(oldest, p.Delivered)
		}
	}
	wait := time.Duration(min(max(oldest+a.claim-c.now, 0), int64(maxTimer/time.Millisecond))+1) * time.Millisecond
	db := c.db()
	stop := c.e.after(wait, func() {
		for _, key := range a.keys {
			c.e.signal(db, key, false)
		}
	})
	return func() { stop() }
}
