package embedded

import "slices"

// names is a small ordered set of names.
type names struct{ list []string }

func (n *names) len() int             { return len(n.list) }
func (n *names) has(name string) bool { return slices.Contains(n.list, name) }

// add says whether the name is new.
func (n *names) add(name string) bool {
	if n.has(name) {
		return false
	}
	n.list = append(n.list, name)
	return true
}

// remove says whether the name was there.
func (n *names) remove(name string) bool {
	i := slices.Index(n.list, name)
	if i < 0 {
		return false
	}
	n.list = slices.Delete(n.list, i, i+1)
	return true
}

// matches says whether s matches a pattern by Redis's rules (stringmatchlen): *, ?, [a-c], [^x] and \x.
func matches(pattern, s string) bool {
	steps := 0
	return glob(pattern, s, &steps)
}

// maxGlobSteps bounds what a hostile pattern can cost.
const maxGlobSteps = 1_000_000

func glob(p, s string, steps *int) bool {
	for len(p) > 0 && len(s) > 0 {
		if *steps++; *steps > maxGlobSteps {
			return false
		}
		switch p[0] {
		case '*':
			for len(p) > 1 && p[1] == '*' {
				p = p[1:]
			}
			if len(p) == 1 {
				return true
			}
			for i := 0; i <= len(s); i++ {
				if glob(p[1:], s[i:], steps) {
					return true
				}
			}
			return false
		case '?':
		case '[':
			var ok bool
			if p, ok = class(p[1:], s[0]); !ok {
				return false
			}
			s = s[1:]
			continue
		default:
			if p[0] == '\\' && len(p) >= 2 {
				p = p[1:]
			}
			if p[0] != s[0] {
				return false
			}
		}
		p, s = p[1:], s[1:]
	}
	for len(p) > 0 && p[0] == '*' {
		p = p[1:]
	}
	return len(p) == 0 && len(s) == 0
}

// class matches c against what stands behind "[" and returns the pattern behind "]". A class that is
// not closed ends with the pattern.
func class(p string, c byte) (rest string, ok bool) {
	not := len(p) > 0 && p[0] == '^'
	if not {
		p = p[1:]
	}
	match := false
	for len(p) > 0 && p[0] != ']' {
		switch {
		case p[0] == '\\' && len(p) >= 2:
			match = match || p[1] == c
			p = p[2:]
		case len(p) >= 3 && p[1] == '-':
			lo, hi := min(p[0], p[2]), max(p[0], p[2])
			match = match || c >= lo && c <= hi
			p = p[3:]
		default:
			match = match || p[0] == c
			p = p[1:]
		}
	}
	if len(p) > 0 {
		p = p[1:]
	}
	return p, match != not
}
