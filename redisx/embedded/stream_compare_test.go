package embedded_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"pelscope/redisx/resp"
)

// slack is how far times may lie apart on two servers that got the same commands one after the
// other, in ms. Idle times that tests tell apart differ by far more.
const slack = 2500

// clockID is an id that a server made by its clock.
var clockID = regexp.MustCompile(`^(1[0-9]{12})-([0-9]+)$`)

// idleNames are the fields of XINFO that count milliseconds.
var idleNames = map[string]bool{"idle": true, "inactive": true}

// differ says where two replies differ, or "". Times may lie apart by the slack, and ids made by the
// clock with them.
func differ(a, b resp.Value) string { return differAt("", a, b, false) }

func differAt(path string, a, b resp.Value, idle bool) string {
	if a.Kind != b.Kind || len(a.Elems) != len(b.Elems) {
		return fmt.Sprintf("%s: %s and %s", path, show(a), show(b))
	}
	switch a.Kind {
	case resp.Int:
		if a.Int == b.Int || (idle || isTime(a.Int)) && a.Int >= 0 && b.Int >= 0 && near(a.Int, b.Int) {
			return ""
		}
		return fmt.Sprintf("%s: %d and %d", path, a.Int, b.Int)
	case resp.Array, resp.Map, resp.Set, resp.Push:
		return differElems(path, a, b)
	}
	if a.Str == b.Str || sameClockID(a.Str, b.Str) {
		return ""
	}
	return fmt.Sprintf("%s: %q and %q", path, a.Str, b.Str)
}

func differElems(path string, a, b resp.Value) string {
	// [id, consumer, idle, deliveries] and [id, fields, idle, deliveries] are the only rows of four
	// that begin with an id and end with a number.
	row := len(a.Elems) == 4 && a.Elems[0].Kind == resp.Bulk && a.Elems[3].Kind == resp.Int
	for i := range a.Elems {
		idle := row && i == 2
		if i%2 == 1 && a.Elems[i-1].Kind == resp.Bulk && idleNames[a.Elems[i-1].Str] {
			idle = true
		}
		at := path + "[" + strconv.Itoa(i) + "]"
		if i%2 == 1 && a.Elems[i-1].Kind == resp.Bulk {
			at = path + "." + a.Elems[i-1].Str
		}
		if d := differAt(at, a.Elems[i], b.Elems[i], idle); d != "" {
			return d
		}
	}
	return ""
}

// isTime says whether a number is a time of our days in ms since 1970.
func isTime(n int64) bool { return n > 1_500_000_000_000 && n < 3_000_000_000_000 }

func near(a, b int64) bool { return a-b <= slack && b-a <= slack }

func sameClockID(a, b string) bool {
	x, y := clockID.FindStringSubmatch(a), clockID.FindStringSubmatch(b)
	if x == nil || y == nil {
		return false
	}
	m, _ := strconv.ParseInt(x[1], 10, 64)
	n, _ := strconv.ParseInt(y[1], 10, 64)
	return near(m, n)
}

// show is a reply on one line, with its types.
func show(v resp.Value) string {
	switch v.Kind {
	case resp.Array, resp.Map, resp.Set, resp.Push:
		parts := make([]string, len(v.Elems))
		for i, e := range v.Elems {
			parts[i] = show(e)
		}
		return v.Kind.String() + "[" + strings.Join(parts, " ") + "]"
	case resp.Bulk:
		return strconv.Quote(v.Str)
	case resp.Nil, resp.NilBulk, resp.NilArray:
		return v.Kind.String()
	}
	return v.Kind.String() + " " + v.Text()
}

// streamState are the commands that tell everything about a stream.
func streamState(s *session, key string) map[string]resp.Value {
	w := s.on("observer")
	out := map[string]resp.Value{"TYPE": w.do("TYPE", key)}
	if out["TYPE"].Text() != "stream" {
		return out
	}
	full := w.do("XINFO", "STREAM", key, "FULL", "COUNT", "0")
	out["XINFO STREAM FULL"] = full
	out["XINFO STREAM"] = w.do("XINFO", "STREAM", key)
	out["XINFO GROUPS"] = w.do("XINFO", "GROUPS", key)
	groups, _ := full.Field("groups")
	for _, g := range groups.Elems {
		name, _ := g.Field("name")
		out["XPENDING "+name.Str] = w.do("XPENDING", key, name.Str)
		out["XINFO CONSUMERS "+name.Str] = w.do("XINFO", "CONSUMERS", key, name.Str)
	}
	return out
}

// differState says where what two places hold at a key differs, or "".
func differState(a, b *session, key string) string {
	x, y := streamState(a, key), streamState(b, key)
	for name, v := range x {
		if d := differ(v, y[name]); d != "" {
			return fmt.Sprintf("%s of %s%s", name, key, d)
		}
	}
	return ""
}
