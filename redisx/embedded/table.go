package embedded

import "strings"

// commandTable joins what each file of commands declares.
func commandTable() map[string]*spec {
	table := map[string]*spec{}
	for _, list := range [][]spec{connectionCommands(), clientCommands(), serverCommands(), keyCommands(),
		scanCommands(), expireCommands(), dumpCommands(), stringCommands(), hashCommands(), setCommands(), listCommands(),
		listBlockingCommands(), zsetCommands(), zsetRangeCommands(), pubsubCommands(), multiCommands(), scriptCommands(), streamCommands()} {
		for i := range list {
			s := list[i]
			s.full = s.name
			if len(s.subcommands) > 0 {
				s.lookup = map[string]*spec{}
				for j := range s.subcommands {
					sub := &s.subcommands[j]
					sub.full = s.name + "|" + sub.name
					s.lookup[sub.name] = sub
				}
			}
			table[s.name] = &s
		}
	}
	return table
}

func lower(s string) string { return strings.ToLower(s) }

// runsInMulti says whether a command runs at once although a transaction is being queued.
func (s *spec) runsInMulti() bool {
	switch s.full {
	case "exec", "discard", "multi", "watch", "quit", "reset":
		return true
	}
	return false
}

// runsSubscribed says whether a RESP2 connection that listens may send the command.
func (s *spec) runsSubscribed() bool {
	switch s.full {
	case "subscribe", "psubscribe", "unsubscribe", "punsubscribe", "ping", "quit", "reset":
		return true
	}
	return false
}
