package embedded

import (
	"pelscope/redisx/embedded/stream"
	"pelscope/redisx/resp"
)

// xgroupHelp is XGROUP HELP.
func xgroupHelp(*call) (resp.Value, error) {
	return streamHelp("XGROUP",
		"CREATE <key> <groupname> <id|$> [option]",
		"    Create a new consumer group. Options are:",
		"    * MKSTREAM",
		"      Create the empty stream if it does not exist.",
		"    * ENTRIESREAD entries_read",
		"      Set the group's entries_read counter (internal use).",
		"CREATECONSUMER <key> <groupname> <consumer>",
		"    Create a new consumer in the specified group.",
		"DELCONSUMER <key> <groupname> <consumer>",
		"    Remove the specified consumer.",
		"DESTROY <key> <groupname>",
		"    Remove the specified group.",
		"SETID <key> <groupname> <id|$> [ENTRIESREAD entries_read]",
		"    Set the current group ID and entries_read counter."), nil
}

// groupArgs are what the subcommands of XGROUP have in common, looked up.
type groupArgs struct {
	key, name   string
	s           *stream.Stream
	g           *stream.Group
	mkStream    bool
	entriesRead int64
}

// parseGroupArgs reads key, group and the options of CREATE and SETID, and looks key and group up.
func parseGroupArgs(c *call, create, setID, needsGroup bool) (a groupArgs, err error) {
	a = groupArgs{key: c.args[2], name: c.args[3], entriesRead: stream.UnknownEntriesRead}
	for i := 5; i < len(c.args); {
		switch {
		case create && isWord(c.args[i], "MKSTREAM"):
			a.mkStream = true
			i++
		case (create || setID) && isWord(c.args[i], "ENTRIESREAD") && i+1 < len(c.args):
			if a.entriesRead, err = strictInt(c.args[i+1]); err != nil {
				return a, err
			}
			if a.entriesRead < 0 && a.entriesRead != stream.UnknownEntriesRead {
				return a, refuse("value for ENTRIESREAD must be positive or -1")
			}
			i += 2
		default:
			return a, errSubcommand(c)
		}
	}
	if a.s, err = c.stream(a.key); err != nil || a.mkStream {
		return a, err
	}
	if a.s == nil {
		return a, refuse("The XGROUP subcommand requires the key to exist. Note that for CREATE you may want to use the MKSTREAM option to create an empty stream automatically.")
	}
	if a.g = a.s.Group(a.name); a.g == nil && needsGroup {
		return a, errNoGroupForKey(a.name, a.key)
	}
	return a, nil
}

// errNoGroupForKey is what XGROUP and XINFO CONSUMERS say when there is no such group.
func errNoGroupForKey(group, key string) error {
	return refusal("NOGROUP No such consumer group '" + cText(group) + "' for key name '" + cText(key) + "'")
}

// groupID reads where a group is to be put; `$` is the stream's last id.
func (a groupArgs) groupID(arg string, form idForm) (id stream.ID, err error) {
	if cText(arg) != "$" {
		id, _, err = parseID(arg, form, 0)
		return id, err
	}
	if a.s != nil {
		id = a.s.LastID()
	}
	return id, nil
}

// read is the count of ENTRIESREAD, which can't be more than were ever added.
func (a groupArgs) read() int64 { return min(a.entriesRead, a.s.EntriesAdded()) }

// xgroupCreate is XGROUP CREATE key group id|$ [MKSTREAM] [ENTRIESREAD n].
func xgroupCreate(c *call) (resp.Value, error) {
	a, err := parseGroupArgs(c, true, false, false)
	if err != nil {
		return resp.Value{}, err
	}
	if len(c.args) > 8 {
		return resp.Value{}, errSubcommand(c)
	}
	id, err := a.groupID(c.args[4], plainID)
	if err != nil {
		return resp.Value{}, err
	}
	if a.s == nil {
		a.s = c.createStream(a.key)
	}
	if !a.s.CreateGroup(a.name, id, a.read()) {
		return resp.Value{}, refusal("BUSYGROUP Consumer Group name already exists")
	}
	c.streamEvent("xgroup-create", a.key)
	return resp.OK(), nil
}

// xgroupSetID is XGROUP SETID key group id|$ [ENTRIESREAD n].
func xgroupSetID(c *call) (resp.Value, error) {
	a, err := parseGroupArgs(c, false, true, true)
	if err != nil {
		return resp.Value{}, err
	}
	if len(c.args) != 5 && len(c.args) != 7 {
		return resp.Value{}, errSubcommand(c)
	}
	id, err := a.groupID(c.args[4], rangeID)
	if err != nil {
		return resp.Value{}, err
	}
	a.g.SetID(id, a.read())
	c.streamEvent("xgroup-setid", a.key)
	return resp.OK(), nil
}

// xgroupDestroy is XGROUP DESTROY key group. Who is blocked reading in the group is refused.
func xgroupDestroy(c *call) (resp.Value, error) {
	a, err := parseGroupArgs(c, false, false, false)
	if err != nil {
		return resp.Value{}, err
	}
	if !a.s.DestroyGroup(a.name) {
		return resp.Integer(0), nil
	}
	c.streamEvent("xgroup-destroy", a.key)
	c.e.signalGone(a.key)
	return resp.Integer(1), nil
}

// xgroupCreateConsumer is XGROUP CREATECONSUMER key group consumer.
func xgroupCreateConsumer(c *call) (resp.Value, error) {
	a, err := parseGroupArgs(c, false, false, true)
	if err != nil {
		return resp.Value{}, err
	}
	if a.g.Consumer(c.args[4]) != nil {
		return resp.Integer(0), nil
	}
	c.consumer(a.key, a.g, c.args[4])
	return resp.Integer(1), nil
}

// xgroupDelConsumer is XGROUP DELCONSUMER key group consumer; it answers how many pending entries
// went with it.
func xgroupDelConsumer(c *call) (resp.Value, error) {
	a, err := parseGroupArgs(c, false, false, true)
	if err != nil {
		return resp.Value{}, err
	}
	if a.g.Consumer(c.args[4]) == nil {
		return resp.Integer(0), nil
	}
	dropped := a.g.DeleteConsumer(c.args[4])
	c.streamEvent("xgroup-delconsumer", a.key)
	return resp.Integer(int64(dropped)), nil
}
