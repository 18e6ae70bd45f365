package resp_test

import (
	"testing"

	"pelscope/redisx/resp"
)

// Every expected text was printed by redis-cli 7.0.15 and 8.6.3 (--no-raw, the maps and doubles with -3).
func TestPrintOfKnownReplies(t *testing.T) {
	nil3 := []resp.Value{resp.NilValue(), resp.NilValue(), resp.NilValue()}
	for _, c := range []struct {
		v    resp.Value
		want string
	}{
		{resp.NilBulkValue(), "(nil)\n"},
		{resp.NilArrayValue(), "(nil)\n"},
		{resp.ArrayOf(), "(empty array)\n"},
		{resp.MapOf(), "(empty hash)\n"},
		{resp.SetOf(), "(empty set)\n"},
		{resp.Integer(3), "(integer) 3\n"},
		{resp.Errorf("ERR no"), "(error) ERR no\n"},
		{resp.OK(), "OK\n"},
		{resp.Str("a\"\x00\xff\n주"), `"a\"\x00\xff\n\xec\xa3\xbc"` + "\n"},
		{resp.DoubleOf(1.5), "(double) 1.5\n"},
		{resp.BoolOf(false), "(false)\n"},
		{resp.MapOf(resp.Str("k"), resp.ArrayOf(nil3...)), "1# \"k\" => \n   1) (nil)\n   2) (nil)\n   3) (nil)\n"},
		{resp.MapOf(resp.Str("k"), resp.MapOf(resp.Str("l"), resp.Integer(1))), "1# \"k\" => 1# \"l\" => (integer) 1\n"},
		{resp.MapOf(resp.Str("k"), resp.ArrayOf(resp.SetOf(nil3...))), "1# \"k\" => \n   1) 1~ (nil)\n      2~ (nil)\n      3~ (nil)\n"},
		{resp.ArrayOf(resp.ArrayOf(resp.Str("1-0"), resp.StrArray([]string{"f", "v"})), resp.Integer(2)),
			"1) 1) \"1-0\"\n   2) 1) \"f\"\n      2) \"v\"\n2) (integer) 2\n"},
		{resp.StrArray([]string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}),
			" 1) \"1\"\n 2) \"2\"\n 3) \"3\"\n 4) \"4\"\n 5) \"5\"\n 6) \"6\"\n 7) \"7\"\n 8) \"8\"\n 9) \"9\"\n10) \"10\"\n"},
	} {
		if got := resp.Print(c.v); got != c.want {
			t.Errorf("%v:\n%s\nwant:\n%s", c.v, got, c.want)
		}
	}
}
