package lessons

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// checkKey wants a key of the world.
func (l *lessonLoader) checkKey(key string, n ast.Node) {
	if _, ok := l.worldLine[key]; ok || strings.Contains(key, "$") || l.worldLine == nil {
		return
	}
	known := sortedKeys(l.worldLine)
	l.bad(n, "the world has no key %q%s It has %s", shorten(key), orDot(meant(key, known)), list(known))
}

// checkArgs wants the keys of a command to be of the world, since only they are seen and undone; and no
// other argument to be named as a key is, so that a name stands for one thing, with a prefix or without.
func (l *lessonLoader) checkArgs(args []string, n ast.Node) {
	keys, known := keyPlaces(args)
	if !known {
		return // left to the server
	}
	for i, a := range args {
		if slices.Contains(keys, i) {
			l.checkKey(a, n)
			continue
		}
		if at, taken := l.worldLine[a]; taken && i > 0 {
			l.bad(n, "in %q the word %q is no key, but named as a key is (line %d): take another name", shorten(strings.Join(args, " ")), a, at)
		}
	}
}
