package embedded

import (
	"strconv"
	"strings"

	"pelscope/redisx/resp"
)

// defaultConfig is what CONFIG GET knows: what the engine really goes by, and what clients ask for at
// the start. The values are those of Redis 8.6 without a configuration file.
func defaultConfig(opts Options) map[string]string {
	return map[string]string{
		"appendonly":                "no",
		"databases":                 strconv.Itoa(databases),
		"hash-max-listpack-entries": "512",
		"hash-max-listpack-value":   "64",
		"list-max-listpack-size":    "-2",
		"lua-time-limit":            "5000",
		"maxclients":                "10000",
		"maxmemory":                 strconv.FormatInt(opts.MaxMemory, 10),
		"maxmemory-policy":          "noeviction",
		"notify-keyspace-events":    "",
		"port":                      "0",
		"proto-max-bulk-len":        "536870912",
		"requirepass":               "",
		"save":                      "",
		"set-max-intset-entries":    "512",
		"set-max-listpack-entries":  "128",
		"set-max-listpack-value":    "64",
		"stream-idmp-duration":      "100",
		"stream-idmp-maxsize":       "100",
		"stream-node-max-bytes":     "4096",
		"stream-node-max-entries":   "100",
		"timeout":                   "0",
		"zset-max-listpack-entries": "128",
		"zset-max-listpack-value":   "64",
	}
}

// settable are the parameters that CONFIG SET takes, with the bounds of the numbers.
func settable(name string) (lo, hi int64, ok bool) {
	switch name {
	case "notify-keyspace-events", "maxmemory":
		return 0, 1 << 62, true
	case "stream-node-max-entries", "stream-node-max-bytes":
		return 0, 1 << 62, true
	case "stream-idmp-duration":
		return 1, 86400, true
	case "stream-idmp-maxsize":
		return 1, 10000, true
	}
	return 0, 0, false
}

// configInt is a parameter that holds a number.
func (e *Engine) configInt(name string) int64 {
	n, err := strconv.ParseInt(e.config[name], 10, 64)
	if err != nil {
		return 0
	}
	return n
}

func configGet(c *call) resp.Value {
	out := []resp.Value{}
	for _, name := range sortedKeys(c.e.config) {
		for _, pattern := range c.args[2:] {
			if matches(lower(pattern), name) {
				out = append(out, resp.Str(name), resp.Str(c.e.config[name]))
				break
			}
		}
	}
	return resp.MapOf(out...)
}

// configSet takes all pairs or none.
func configSet(c *call) resp.Value {
	if len(c.args)%2 != 0 {
		return errArity(c.name())
	}
	set := map[string]string{}
	for i := 2; i < len(c.args); i += 2 {
		name, value := lower(c.args[i]), c.args[i+1]
		if _, known := c.e.config[name]; !known {
			return resp.Errorf("ERR Unknown option or number of arguments for CONFIG SET - '%s'", c.args[i])
		}
		lo, hi, ok := settable(name)
		if !ok {
			return resp.Errorf("ERR CONFIG SET failed (possibly related to argument '%s') - the embedded engine's value is fixed", name)
		}
		if name == "notify-keyspace-events" {
			flags, ok := keyspaceEvents(value)
			if !ok {
				return resp.Errorf("ERR CONFIG SET failed (possibly related to argument '%s') - Invalid event class character. Use 'Ag$lszhxeKEtmdnocrSTIV'.", name)
			}
			set[name] = flags
			continue
		}
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n < lo || n > hi {
			return resp.Errorf("ERR CONFIG SET failed (possibly related to argument '%s') - argument must be between %d and %d inclusive", name, lo, hi)
		}
		set[name] = value
	}
	for name, value := range set {
		c.e.config[name] = value
	}
	c.e.opts.MaxMemory = c.e.configInt("maxmemory")
	return resp.OK()
}

// keyspaceEvents reads the letters of notify-keyspace-events and writes out what A stands for.
func keyspaceEvents(s string) (string, bool) {
	const all, others = "g$lszhxetd", "AKEmnocrSTIV"
	if strings.Trim(s, all+others) != "" {
		return "", false
	}
	if strings.Contains(s, "A") {
		s = strings.ReplaceAll(s, "A", all)
	}
	return s, true
}
