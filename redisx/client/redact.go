package client

import "strings"

// hidden stands where a secret was.
const hidden = "***"

// Redact returns the arguments of a command with its secrets replaced by ***: passwords of AUTH, HELLO,
// MIGRATE, CONFIG SET and ACL SETUSER. The given slice is left alone.
func Redact(args []string) []string {
	if len(args) < 2 {
		return args
	}
	switch strings.ToUpper(args[0]) {
	case "AUTH":
		return hideFrom(args, len(args)-1)
	case "HELLO":
		return hideAfter(args, map[string]int{"AUTH": 2})
	case "MIGRATE":
		return hideAfter(args, map[string]int{"AUTH": 1, "AUTH2": 2})
	case "CONFIG":
		return redactConfig(args)
	case "ACL":
		if strings.EqualFold(args[1], "SETUSER") {
			return redactUser(args)
		}
	}
	return args
}

func hideFrom(args []string, from int) []string {
	out := append([]string(nil), args...)
	for i := from; i < len(out); i++ {
		out[i] = hidden
	}
	return out
}

// hideAfter hides the n-th argument after each of these words.
func hideAfter(args []string, after map[string]int) []string {
	out := append([]string(nil), args...)
	for i, a := range args[1:] {
		if n := after[strings.ToUpper(a)]; n > 0 && 1+i+n < len(out) {
			out[1+i+n] = hidden
		}
	}
	return out
}

func redactConfig(args []string) []string {
	if !strings.EqualFold(args[1], "SET") {
		return args
	}
	out := append([]string(nil), args...)
	for i := 2; i+1 < len(out); i += 2 {
		switch name := strings.ToLower(out[i]); {
		case name == "requirepass", strings.Contains(name, "auth"), strings.Contains(name, "pass"):
			out[i+1] = hidden
		}
	}
	return out
}

// redactUser hides ACL SETUSER's password rules: >password <password #hash !hash.
func redactUser(args []string) []string {
	out := append([]string(nil), args...)
	for i := 3; i < len(out); i++ {
		if out[i] != "" && strings.ContainsRune("><#!", rune(out[i][0])) {
			out[i] = out[i][:1] + hidden
		}
	}
	return out
}
