package stream

import "strconv"

// Redis keeps a node's entries in one listpack and closes the node when that grows to
// stream-node-max-bytes. These functions count what a listpack would need, so that our nodes end
// where Redis's do. The encoding is described in Redis's listpack.md.

// listpackEmpty is a listpack's header (4 bytes total, 2 bytes count) and its end mark.
const listpackEmpty = 7

// listpackInt is the size of an element that holds the integer v, its back length included.
func listpackInt(v int64) int {
	switch {
	case v >= 0 && v <= 127:
		return 1 + 1
	case v >= -4096 && v <= 4095:
		return 2 + 1
	case v >= -1<<15 && v < 1<<15:
		return 3 + 1
	case v >= -1<<23 && v < 1<<23:
		return 4 + 1
	case v >= -1<<31 && v < 1<<31:
		return 5 + 1
	}
	return 9 + 1
}

// listpackString is the size of an element that holds s, its back length included. A string that is
// a number in its plain form is kept as a number.
func listpackString(s string) int {
	if v, ok := plainInt(s); ok {
		return listpackInt(v)
	}
	n := len(s)
	switch {
	case n < 64:
		n++
	case n < 4096:
		n += 2
	default:
		n += 5
	}
	return n + backLength(n)
}

// backLength is how many bytes it takes to say, after an element, how long it was.
func backLength(n int) int {
	switch {
	case n <= 127:
		return 1
	case n < 16383:
		return 2
	case n < 2097151:
		return 3
	case n < 268435455:
		return 4
	}
	return 5
}

// plainInt reads s as a number if it is exactly how that number is printed.
func plainInt(s string) (int64, bool) {
	if len(s) == 0 || len(s) > 20 || (s[0] != '-' && (s[0] < '0' || s[0] > '9')) {
		return 0, false
	}
	v, err := strconv.ParseInt(s, 10, 64)
	if err != nil || strconv.FormatInt(v, 10) != s {
		return 0, false
	}
	return v, true
}
