package explore_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"pelscope/redisx/state"
	"pelscope/ui/explore"
	"pelscope/ui/theme"
	"pelscope/ui/uitest"
)

func whole(id state.ID, fields ...string) state.Entry {
	e := entry(1, fields...)
	e.ID = id
	return e
}

func text(lines []string) string { return ansi.Strip(strings.Join(lines, "\n")) }

func TestAnEntryWhole(t *testing.T) {
	for name, e := range map[string]state.Entry{
		"order-and-duplicates": whole(id(1), "a", "1", "a", "2", "b", "", "", "x"),
		"bytes":                whole(state.ID{MS: 18446744073709551615, Seq: 1}, "raw", "\xc3\x28\x00\xff", "number", "00014", "looks", `\xc3`, "both", "\\x00\x00"),
		"hostile":              whole(state.ID{MS: 5, Seq: 9007199254740992}, hostile, hostile),
		"long":                 whole(id(2), strings.Repeat("name ", 30), strings.Repeat("a value ", 60), "json", `{"a": "b\\c", "d": [1, 2]}`),
		"none":                 whole(id(3)),
	} {
		t.Run(name, func(t *testing.T) {
			for _, w := range []int{30, 96} {
				uitest.Golden(t, strconv.Itoa(w), text(explore.EntryLines(theme.New(theme.None, false), e, w))+"\n")
			}
		})
	}
}

// Fields stand in their order, one that comes twice twice.
func TestFieldsStandInTheirOrder(t *testing.T) {
	var fields []string
	for i := range 40 {
		fields = append(fields, strconv.Itoa(i%7), "value"+strconv.Itoa(i))
	}
	s := text(explore.EntryLines(theme.New(theme.None, false), whole(id(1), fields...), 60))
	at := 0
	for i := range 40 {
		found := strings.Index(s[at:], "value"+strconv.Itoa(i)+"\n")
		if i == 39 {
			found = strings.Index(s[at:], "value39")
		}
		if found < 0 {
			t.Fatalf("value%d is not after value%d:\n%s", i, i-1, s)
		}
		at += found
	}
}

// What stands on the screen is the value and no other: the bytes can be told from it.
func TestTheBytesCanBeToldFromTheScreen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := foreign(t)
		w := rapid.IntRange(20, 120).Draw(t, "w")
		lines := explore.EntryLines(theme.New(theme.Dark, false), whole(id(1), "f", value), w)
		var shown strings.Builder
		escaped := false
		for _, line := range lines[2:] {
			exactLine(t, line, w)
			if rest, ok := strings.CutPrefix(line, "  "); ok {
				shown.WriteString(rest)
			} else {
				escaped = escaped || strings.Contains(line, "escaped")
			}
		}
		if got := unescape(shown.String(), escaped); got != value {
			t.Fatalf("%q is shown as %q", value, shown.String())
		}
	})
}

func exactLine(t complainer, line string, w int) {
	t.Helper()
	onlyStyles(t, line)
	if got := ansi.StringWidth(line); got > w {
		t.Fatalf("a line of %d columns, more than %d: %q", got, w, line)
	}
}

// unescape turns what the screen shows into the bytes again.
func unescape(s string, escaped bool) string {
	if !escaped {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		case 't':
			b.WriteByte('\t')
		case 'x':
			n, _ := strconv.ParseUint(s[i+1:i+3], 16, 8)
			b.WriteByte(byte(n))
			i += 2
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// A huge value, and very many fields, are laid out up to a bound, and it is said.
func TestAHugeEntryIsBounded(t *testing.T) {
	th := theme.New(theme.None, false)
	s := text(explore.EntryLines(th, whole(id(1), "huge", strings.Repeat("日", 10<<20/3), "after", "it"), 80))
	if len(s) > 200<<10 || !strings.Contains(s, "10 MiB · the first 64 KiB") || !strings.Contains(s, "日…\n") || !strings.Contains(s, "after · 2 B") {
		t.Errorf("a value of 10 MB is shown in %d bytes, from %q", len(s), s[:300])
	}
	var fields []string
	for range 100_000 {
		fields = append(fields, "name", strings.Repeat("v", 100))
	}
	lines := explore.EntryLines(th, whole(id(1), fields...), 80)
	if last := lines[len(lines)-1]; len(lines) > 20_000 || !strings.Contains(last, "more fields") {
		t.Errorf("a hundred thousand fields are shown in %d lines, the last is %q", len(lines), last)
	}
}
