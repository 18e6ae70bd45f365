package embedded

import (
	"strings"

	"pelscope/redisx/resp"
)

// Redis's own words for what goes wrong. They are functions because a Value must not be shared.

func errWrongType() resp.Value {
	return resp.Errorf("WRONGTYPE Operation against a key holding the wrong kind of value")
}
func errSyntax() resp.Value     { return resp.Errorf("ERR syntax error") }
func errNotInteger() resp.Value { return resp.Errorf("ERR value is not an integer or out of range") }
func errNotFloat() resp.Value   { return resp.Errorf("ERR value is not a valid float") }
func errNoSuchKey() resp.Value  { return resp.Errorf("ERR no such key") }
func errOverflow() resp.Value   { return resp.Errorf("ERR increment or decrement would overflow") }

func errArity(name string) resp.Value {
	return resp.Errorf("ERR wrong number of arguments for '%s' command", name)
}

// errUnknown repeats at most 128 bytes of the name and of the arguments, as Redis does.
func errUnknown(args []string) resp.Value {
	var b strings.Builder
	for _, a := range args[1:] {
		if b.Len() >= 128 {
			break
		}
		b.WriteString("'" + cut(cText(a), 128-b.Len()) + "' ")
	}
	name := cut(cText(args[0]), 128)
	if len(args) == 1 {
		return resp.Errorf("ERR unknown command '%s'", name)
	}
	return resp.Errorf("ERR unknown command '%s', with args beginning with: %s", name, b.String())
}

func errUnknownSub(name, sub string) resp.Value {
	return resp.Errorf("ERR unknown subcommand '%s'. Try %s HELP.", cut(cText(sub), 128), strings.ToUpper(name))
}

func cut(s string, n int) string {
	if len(s) > n {
		return s[:n]
	}
	return s
}
