package draw

import (
	"strconv"
	"time"
)

// Count is n with commas between its thousands: 18,204.
func Count(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// Plural is a count with its noun: "1 entry", "18,204 entries".
func Plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Count(n) + " " + many
}

// Milliseconds writes what a command took, to a tenth of a millisecond.
func Milliseconds(d time.Duration) string {
	return strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'f', 1, 64) + " ms"
}

// Age is a duration in at most two units, as a person says it: 0s, 310ms, 12s, 4m12s, 1m0s, 3h5m, 2d3h.
// It is rounded down, so that nothing looks older than it is; a negative one is 0s.
func Age(d time.Duration) string {
	const day = 24 * time.Hour
	two := func(a time.Duration, unit string, b time.Duration, small string) string {
		return strconv.FormatInt(int64(a), 10) + unit + strconv.FormatInt(int64(b), 10) + small
	}
	switch {
	case d < time.Millisecond:
		return "0s"
	case d < time.Second:
		return strconv.FormatInt(d.Milliseconds(), 10) + "ms"
	case d < time.Minute:
		return strconv.FormatInt(int64(d/time.Second), 10) + "s"
	case d < time.Hour:
		return two(d/time.Minute, "m", d%time.Minute/time.Second, "s")
	case d < day:
		return two(d/time.Hour, "h", d%time.Hour/time.Minute, "m")
	}
	return two(d/day, "d", d%day/time.Hour, "h")
}

// Bytes is a size in bytes by powers of 1024: 310 B, 1.2 KiB, 12 KiB, 4.0 MiB.
func Bytes(n int64) string {
	if n < 1024 && n > -1024 {
		return strconv.FormatInt(n, 10) + " B"
	}
	v, unit := float64(n), 0
	for unit < 6 && (v >= 1023.95 || v <= -1023.95) {
		v /= 1024
		unit++
	}
	digits := 0
	if v < 9.95 && v > -9.95 {
		digits = 1
	}
	return strconv.FormatFloat(v, 'f', digits, 64) + " " + "BKMGTPE"[unit:unit+1] + "iB"
}
