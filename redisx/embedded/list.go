package embedded

import "slices"

// list is a list. Elements are kept in a slice with room at both ends.
type list struct {
	buf   []string
	head  int   // buf[:head] is free
	bytes int64 // of the elements
	big   bool  // a quicklist of several nodes: more than 8 kB since it was last small
}

// listpackBytes is the size of one node of a quicklist (list-max-listpack-size -2).
const listpackBytes = 8192

func (l *list) len() int        { return len(l.buf) - l.head }
func (l *list) items() []string { return l.buf[l.head:] }
func (l *list) size() int64     { return l.bytes + int64(l.len())*4 }

func (l *list) push(left bool, s string) {
	if left {
		if l.head == 0 {
			room := max(8, len(l.buf))
			l.buf = append(make([]string, room, room+len(l.buf)), l.buf...)
			l.head = room
		}
		l.head--
		l.buf[l.head] = s
	} else {
		l.buf = append(l.buf, s)
	}
	l.bytes += int64(len(s))
	l.big = l.big || l.packed() > listpackBytes
}

// packed is about how many bytes a listpack of these elements takes.
func (l *list) packed() int64 { return l.bytes + int64(l.len())*2 + 7 }

// pop takes an element of a list that is not empty.
func (l *list) pop(left bool) string {
	at := len(l.buf) - 1
	if left {
		at = l.head
	}
	s := l.buf[at]
	l.buf[at] = ""
	if left {
		l.head++
		if l.head > 64 && l.head > len(l.buf)*3/4 {
			l.replace(slices.Clone(l.items()))
			return s
		}
	} else {
		l.buf = l.buf[:at]
	}
	l.bytes -= int64(len(s))
	l.shrunk()
	return s
}

// replace makes the elements these.
func (l *list) replace(items []string) {
	l.buf, l.head, l.bytes = items, 0, 0
	for _, s := range items {
		l.bytes += int64(len(s))
	}
	l.shrunk()
}

// set changes the element at a place.
func (l *list) set(i int, s string) {
	l.bytes += int64(len(s) - len(l.items()[i]))
	l.items()[i] = s
	l.big = l.big || l.packed() > listpackBytes
}

// shrunk turns a list that fits into half a node back into a listpack.
func (l *list) shrunk() {
	if l.packed() <= listpackBytes/2 {
		l.big = false
	}
}

func (l *list) encoding() string {
	if l.big {
		return "quicklist"
	}
	return "listpack"
}
