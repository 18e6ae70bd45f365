package lessons

import (
	"fmt"
	"slices"
	"strings"
)

// meant says which of the words a misspelt one was probably to be, as "; did you mean \"changes\"?",
// or nothing when none is near.
func meant(word string, known []string) string {
	if best := nearest(word, known); best != "" {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	return ""
}

// nearest is the known word that is nearest to a misspelt one, or empty when none is near.
func nearest(word string, known []string) string {
	best, at := "", min(len(word), len(word)/3+2) // something of the word must be left
	for _, k := range known {
		if d := distance(strings.ToLower(word), strings.ToLower(k)); d < at {
			best, at = k, d
		}
	}
	return best
}

// list writes words as "a, b and c".
func list(words []string) string {
	switch n := len(words); n {
	case 0:
		return "nothing"
	case 1:
		return words[0]
	default:
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
}

// either writes words as "a, b or c".
func either(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return list(words)
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// distance counts the letters to add, drop, alter or swap with their neighbour to get from a to b.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	if len(x) > 40 || len(y) > 40 {
		return len(x) + len(y)
	}
	d := make([][]int, len(x)+1)
	for i := range d {
		d[i] = make([]int, len(y)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			alter := d[i-1][j-1]
			if x[i-1] != y[j-1] {
				alter++
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, alter)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(x)][len(y)]
}

// sortedKeys are a map's keys, sorted.
func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
