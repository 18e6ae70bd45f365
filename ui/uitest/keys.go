package uitest

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// named are the keys with a name of their own and the bytes that an xterm sends for them.
func named(key string) (string, bool) {
	switch key {
	case "enter":
		return "\r", true
	case "tab":
		return "\t", true
	case "shift+tab":
		return "\x1b[Z", true
	case "space":
		return " ", true
	case "backspace":
		return "\x7f", true
	case "esc":
		return "\x1b", true
	case "up":
		return "\x1b[A", true
	case "down":
		return "\x1b[B", true
	case "right":
		return "\x1b[C", true
	case "left":
		return "\x1b[D", true
	case "home":
		return "\x1b[H", true
	case "end":
		return "\x1b[F", true
	case "insert":
		return "\x1b[2~", true
	case "delete":
		return "\x1b[3~", true
	case "pgup":
		return "\x1b[5~", true
	case "pgdown":
		return "\x1b[6~", true
	case "f1":
		return "\x1bOP", true
	case "f2":
		return "\x1bOQ", true
	}
	return "", false
}

// bytesOf is what a terminal without the Kitty protocol sends for a key, by the names that Bubble Tea
// gives keys: j, enter, ctrl+c, alt+b, shift+tab.
func bytesOf(key string) (string, error) {
	if s, ok := named(key); ok {
		return s, nil
	}
	if letter, ok := strings.CutPrefix(key, "ctrl+"); ok && len(letter) == 1 && letter[0] >= 'a' && letter[0] <= 'z' {
		return string(rune(letter[0] - 'a' + 1)), nil
	}
	if rest, ok := strings.CutPrefix(key, "alt+"); ok {
		s, err := bytesOf(rest)
		return "\x1b" + s, err
	}
	if utf8.RuneCountInString(key) == 1 {
		return key, nil
	}
	return "", fmt.Errorf("no key is called %q: text is typed with Type", key)
}
