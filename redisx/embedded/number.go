package embedded

import (
	"math"
	"strconv"
	"strings"
	"time"

	"pelscope/redisx/resp"
)

// timeoutOf reads the seconds of BLPOP and its like, a decimal number; 0 is for ever.
func timeoutOf(s string) (time.Duration, resp.Value) {
	f, ok := floatOf(s)
	switch {
	case !ok:
		return 0, resp.Errorf("ERR timeout is not a float or out of range")
	case f*1000 > math.MaxInt64:
		return 0, resp.Errorf("ERR timeout is out of range")
	case f < 0:
		return 0, resp.Errorf("ERR timeout is negative")
	}
	ms := math.Ceil(f * 1000)
	return time.Duration(min(ms, float64(maxTimer/time.Millisecond))) * time.Millisecond, resp.Value{}
}

// floatOf reads a number as Redis does for scores: no white space, no NaN.
func floatOf(s string) (float64, bool) {
	switch strings.ToLower(s) {
	case "inf", "+inf", "infinity", "+infinity":
		return math.Inf(1), true
	case "-inf", "-infinity":
		return math.Inf(-1), true
	}
	if s == "" || strings.Trim(s, "0123456789+-.eE") != "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}

// span turns a start and stop, which may count from the end, into a half-open range of n places.
func span(start, stop int64, n int) (from, to int) {
	size := int64(n)
	if start < 0 {
		start = max(start+size, 0)
	}
	if stop < 0 {
		stop += size
	}
	stop = min(stop, size-1)
	if start > stop || start >= size {
		return 0, 0
	}
	return int(start), int(stop) + 1
}

// addInts adds and says whether the sum fits.
func addInts(a, b int64) (int64, bool) {
	sum := a + b
	return sum, (b >= 0) == (sum >= a)
}
