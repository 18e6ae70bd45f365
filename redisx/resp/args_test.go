package resp_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pelscope/redisx/resp"
)

func TestPlainWordsStayUnquoted(t *testing.T) {
	for arg, want := range map[string]string{
		"XADD": "XADD", "*": "*", ">": ">", "(1-1": "(1-1", "$": "$", "~": "~", "주문": "주문", "日本語": "日本語",
		"": `""`, "a b": `"a b"`, `a"b`: `"a\"b"`, "it's": `"it's"`, `a\b`: `"a\\b"`, "a\nb": `"a\nb"`,
		"\xc3\x28\x00\xff": `"\xc3(\x00\xff"`, "\u202e": `"\xe2\x80\xae"`, "\u009b": `"\xc2\x9b"`, "주 문": `"주 문"`,
		"\x1b]52;c;": `"\x1b]52;c;"`, "\uFFFD": "\uFFFD",
	} {
		if got := resp.Quote(arg); got != want {
			t.Errorf("Quote(%q) = %s, want %s", arg, got, want)
		}
	}
}

func TestWhatIsJoinedSplitsIntoTheSameBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOf(rapid.OneOf(rapid.String(),
			rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))).Draw(t, "args")
		line := resp.Join(want)
		if strings.ContainsAny(line, "\r\n\x1b\x00") {
			t.Fatalf("control characters in %q", line)
		}
		got, err := resp.Split(line)
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("%s: got %q, %v; want %q", line, got, err, want)
		}
	})
}

func TestSplitReadsAsRedisCLIDoes(t *testing.T) {
	for line, want := range map[string][]string{
		"":                   {},
		"  \t ":              {},
		"  get   a  ":        {"get", "a"},
		`set k "a b"`:        {"set", "k", "a b"},
		`"\x41\n\r\t\a\b\q"`: {"A\n\r\t\a\bq"},
		`"\x4"`:              {"x4"},
		`'\n\''`:             {`\n'`},
		`a"b c"`:             {"ab c"},
		`a'b c' d`:           {"ab c", "d"},
		`"" ''`:              {"", ""},
		"a\\nb":              {`a\nb`},
		"a\vb":               {"a\vb"},
		`"\\"`:               {`\`},
	} {
		if got, err := resp.Split(line); err != nil || !slices.Equal(got, want) {
			t.Errorf("Split(%q) = %q, %v; want %q", line, got, err, want)
		}
	}
}

func TestSplitSaysWhereTheQuotesAreUnbalanced(t *testing.T) {
	for line, at := range map[string]int{`set k "abc`: 6, `get 'a`: 4, `"a"b`: 3, `'a''b'`: 3, `"a\"`: 0, `x "\`: 2} {
		var s *resp.SplitError
		if args, err := resp.Split(line); !errors.As(err, &s) || s.At != at {
			t.Errorf("Split(%q) = %q, %v; want an error at byte %d", line, args, err, at)
		}
	}
}
