package embedded

import (
	"math"
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
		"requirepass":               opts.Password,
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
		return 0, math.MaxInt64, true
	case "stream-node-max-entries", "stream-node-max-bytes":
		return 0, math.MaxInt64, true
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
	seen := map[string]bool{}
	for _, pattern := range c.args[2:] {
		for _, name := range sortedKeys(c.e.config) {
			if seen[name] || !matches(lower(pattern), name) {
				continue
			}
			seen[name] = true
			shown := name
			if lower(pattern) == name { // Redis repeats a name as it was asked for
				shown = pattern
			}
			out = append(out, resp.Str(shown), resp.Str(c.e.config[name]))
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
				return resp.Errorf("ERR CONFIG SET failed (possibly related to argument '%s') - Invalid event class character. Use 'Ag$lshzxeKEtmdn'.", name)
			}
			set[name] = flags
			continue
		}
		n, ok := intOf(value)
		if !ok {
			return resp.Errorf("ERR CONFIG SET failed (possibly related to argument '%s') - argument couldn't be parsed into an integer", name)
		}
		if n < lo || n > hi {
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

// keyspaceEvents reads the letters of notify-keyspace-events and writes them as Redis does: A for all
// classes, then K, E, m and n.
func keyspaceEvents(s string) (string, bool) {
	const classes, others = "g$lshzxetd", "KEmn"
	if strings.Trim(s, classes+others+"A") != "" {
		return "", false
	}
	keep := func(letters string) string {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(s, r) {
				return r
			}
			return -1
		}, letters)
	}
	on := keep(classes)
	if on == classes || strings.Contains(s, "A") {
		on = "A"
	}
	return on + keep(others), true
}
