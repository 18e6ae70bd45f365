package state_test

import (
	"testing"

	"pelscope/redisx/state"
)

// C3: ids are two unsigned 64-bit numbers, exact from one end to the other.
func TestIDsAreExact(t *testing.T) {
	for _, c := range []struct{ in, out, next, prev, date string }{
		{"0-0", "0-0", "0-1", "", ""},
		{"0-1", "0-1", "0-2", "0-0", ""},
		{"7", "7-0", "7-1", "6-18446744073709551615", ""},
		{"1735200000412-3", "1735200000412-3", "1735200000412-4", "1735200000412-2", "2024-12-26T08:00:00.412Z"},
		{"5-9007199254740992", "5-9007199254740992", "5-9007199254740993", "5-9007199254740991", ""},
		{"16718007739968750-641504120531689158", "16718007739968750-641504120531689158", "16718007739968750-641504120531689159", "16718007739968750-641504120531689157", ""},
		{"18446744073709551615-1", "18446744073709551615-1", "18446744073709551615-2", "18446744073709551615-0", ""},
		{"9-18446744073709551615", "9-18446744073709551615", "10-0", "9-18446744073709551614", ""},
		{"18446744073709551615-18446744073709551615", "18446744073709551615-18446744073709551615", "", "18446744073709551615-18446744073709551614", ""},
		{"946684799999-0", "946684799999-0", "946684799999-1", "946684799998-18446744073709551615", ""},
		{"946684800000-0", "946684800000-0", "946684800000-1", "946684799999-18446744073709551615", "2000-01-01T00:00:00Z"},
		{"7258118400000-0", "7258118400000-0", "7258118400000-1", "7258118399999-18446744073709551615", ""},
	} {
		id, err := state.ParseID(c.in)
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
			continue
		}
		if id.String() != c.out {
			t.Errorf("%s is printed as %s", c.in, id)
		}
		step := func(to state.ID, ok bool) string {
			if ok {
				return to.String()
			}
			if to != id {
				t.Errorf("%s: at the end, but moved to %s", c.in, to)
			}
			return ""
		}
		if next := step(id.Next()); next != c.next {
			t.Errorf("after %s comes %s", c.in, next)
		}
		if prev := step(id.Prev()); prev != c.prev {
			t.Errorf("before %s comes %s", c.in, prev)
		}
		date := ""
		if at, ok := id.Date(); ok {
			date = at.Format("2006-01-02T15:04:05.999Z07:00")
		}
		if date != c.date {
			t.Errorf("%s is of %q, want %q", c.in, date, c.date)
		}
	}
}

func TestWhatIsNoID(t *testing.T) {
	for _, in := range []string{"", "-", "1-", "-1", "1-2-3", "+1-0", "1-+0", " 1-0", "1-0 ", "$", "x", "1-x", "18446744073709551616-0", "0-18446744073709551616", "1.5-0", "0x1-0", "1_0-0"} {
		if id, err := state.ParseID(in); err == nil {
			t.Errorf("%q is read as %s", in, id)
		}
	}
}

func TestIDsAreOrderedByBothNumbers(t *testing.T) {
	ids := []state.ID{{}, {Seq: 1}, {MS: 1}, {MS: 1, Seq: 1}, {MS: 1 << 63}, {MS: 1 << 63, Seq: 1 << 63}, state.MaxID()}
	for i, a := range ids {
		for j, b := range ids {
			if got := a.Less(b); got != (i < j) {
				t.Errorf("%s before %s: %v", a, b, got)
			}
			if c := a.Compare(b); c != -b.Compare(a) || (c == 0) != (i == j) {
				t.Errorf("%s against %s: %d", a, b, c)
			}
		}
	}
}
