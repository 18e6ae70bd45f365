package resp_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"pelscope/redisx/resp"
)

// anyValue draws values of every kind that survive protocol 3 unchanged.
func anyValue() *rapid.Generator[resp.Value] {
	oneLine := rapid.StringMatching(`[ -~]{0,12}`)
	raw := rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 20), func(b []byte) string { return string(b) })
	scalar := rapid.OneOf(
		rapid.Just(resp.NilValue()),
		rapid.Map(oneLine, resp.StatusOf),
		rapid.Map(oneLine, func(s string) resp.Value { return resp.Value{Kind: resp.Error, Str: s} }),
		rapid.Map(rapid.Int64(), resp.Integer),
		rapid.Map(raw, resp.Str),
		rapid.Map(rapid.Float64Range(-1e300, 1e300), resp.DoubleOf),
		rapid.Map(rapid.Bool(), resp.BoolOf),
		rapid.Map(rapid.StringMatching(`-?[0-9]{1,40}`), func(s string) resp.Value { return resp.Value{Kind: resp.Big, Str: s} }),
		rapid.Map(raw, resp.VerbatimText),
	)
	return rapid.Custom(func(t *rapid.T) resp.Value { return draw(t, scalar, 3) })
}

func draw(t *rapid.T, scalar *rapid.Generator[resp.Value], depth int) resp.Value {
	if depth == 0 || rapid.IntRange(0, 2).Draw(t, "shape") == 0 {
		return scalar.Draw(t, "scalar")
	}
	kind := rapid.SampledFrom([]resp.Kind{resp.Array, resp.Map, resp.Set, resp.Push}).Draw(t, "kind")
	n := rapid.IntRange(0, 12).Draw(t, "n")
	if kind == resp.Map {
		n *= 2
	}
	elems := make([]resp.Value, n)
	for i := range elems {
		elems[i] = draw(t, scalar, depth-1)
	}
	return resp.Value{Kind: kind, Elems: elems}
}

func TestEveryValueComesBackFromItsBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := anyValue().Draw(t, "value")
		b := resp.Append(nil, want, 3)
		got, rest, err := resp.Decode(append(b, "+next"...))
		if err != nil || string(rest) != "+next" {
			t.Fatalf("%q: rest %q, error %v", b, rest, err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("%q: %s", b, d)
		}
		slow, err := resp.NewReader(iotest.OneByteReader(bytes.NewReader(b))).Read()
		if d := cmp.Diff(want, slow); err != nil || d != "" {
			t.Fatalf("byte by byte: %v %s", err, d)
		}
		cut := rapid.IntRange(0, len(b)-1).Draw(t, "cut")
		if _, _, err := resp.Decode(b[:cut]); !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
			t.Fatalf("%q: error %v, want an end too early", b[:cut], err)
		}
	})
}

func TestProtocol2HasOnlyItsOwnTypes(t *testing.T) {
	v := resp.ArrayOf(resp.MapOf(resp.Str("k"), resp.DoubleOf(1.5)), resp.SetOf(resp.BoolOf(true)), resp.NilValue(),
		resp.NilArrayValue(), resp.VerbatimText("hi"), resp.Value{Kind: resp.Big, Str: "12"}, resp.PushOf())
	want := "*7\r\n*2\r\n$1\r\nk\r\n$3\r\n1.5\r\n*1\r\n:1\r\n$-1\r\n*-1\r\n$2\r\nhi\r\n$2\r\n12\r\n*0\r\n"
	if got := string(resp.Append(nil, v, 2)); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestALineBreakInAStatusCannotSmuggleASecondReply(t *testing.T) {
	b := resp.Append(nil, resp.Errorf("ERR unknown command 'x\r\n+OK'"), 2)
	v, rest, err := resp.Decode(b)
	if err != nil || len(rest) != 0 || v.Str != "ERR unknown command 'x  +OK'" {
		t.Errorf("got %v, rest %q, %v", v, rest, err)
	}
}

func TestAttributesAreDropped(t *testing.T) {
	v, rest, err := resp.Decode([]byte("|1\r\n+ttl\r\n:3600\r\n$2\r\nok\r\n"))
	if err != nil || v.Str != "ok" || len(rest) != 0 {
		t.Errorf("got %v, %q, %v", v, rest, err)
	}
}

func TestBytesThatAreNotRESPAreRefused(t *testing.T) {
	for _, s := range []string{"x\r\n", "\r\n", ":\r\n", ":1x\r\n", ":99999999999999999999\r\n", "$-2\r\n", "$x\r\n", "$1\r\nabc\r\n",
		"*-2\r\n", "*99999999999\r\n", "%16777216\r\n", "$536870913\r\n", "#x\r\n", ",0x1\r\n", ",\r\n", "(1.5\r\n", "(+-1\r\n", "=2\r\nab\r\n", "+OK\n", "_x\r\n",
		strings.Repeat("*1\r\n", 40) + "_\r\n"} {
		var p *resp.ProtocolError
		if v, _, err := resp.Decode([]byte(s)); !errors.As(err, &p) {
			t.Errorf("%q: %v, %v; want a ProtocolError", s, v, err)
		}
		if _, err := resp.NewReader(strings.NewReader(s)).Read(); !errors.As(err, &p) {
			t.Errorf("%q from a stream: %v; want a ProtocolError", s, err)
		}
	}
}

func TestAClaimedLengthCostsNoMemory(t *testing.T) {
	allocated := testing.AllocsPerRun(1, func() {
		for _, s := range []string{"$536870000\r\nx", "*16000000\r\n"} {
			if _, err := resp.NewReader(strings.NewReader(s)).Read(); !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%q: %v", s, err)
			}
		}
	})
	if allocated > 40 {
		t.Errorf("%v allocations", allocated)
	}
}

func TestAnOverlongLineIsRefusedWhileItArrives(t *testing.T) {
	endless := io.MultiReader(strings.NewReader("+"), repeat('a'))
	var p *resp.ProtocolError
	if _, err := resp.NewReader(endless).Read(); !errors.As(err, &p) {
		t.Errorf("error %v", err)
	}
}

type repeat byte

func (r repeat) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(r)
	}
	return len(b), nil
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{"", "+OK\r\n", "-ERR x\r\n", ":1\r\n", "$3\r\nabc\r\n", "$-1\r\n", "*-1\r\n", "*2\r\n:1\r\n$0\r\n\r\n",
		"%1\r\n+a\r\n~1\r\n,1.5\r\n", ">1\r\n#t\r\n", "(123\r\n", "=5\r\ntxt:a\r\n", "_\r\n", "|1\r\n+a\r\n+b\r\n+c\r\n",
		"*1\r\n*1\r\n*1\r\n", "$9223372036854775807\r\n", "*9223372036854775807\r\n", "%9223372036854775807\r\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v, rest, err := resp.Decode(b)
		slow, slowErr := resp.NewReader(bytes.NewReader(b)).Read()
		if (err == nil) != (slowErr == nil) {
			t.Fatalf("from bytes: %v; from a stream: %v", err, slowErr)
		}
		if err != nil {
			return
		}
		if len(rest) >= len(b) {
			t.Fatal("a value of no bytes")
		}
		if !bytes.Equal(resp.Append(nil, v, 3), resp.Append(nil, slow, 3)) {
			t.Fatalf("%v from bytes, %v from a stream", v, slow)
		}
		again, _, err := resp.Decode(resp.Append(nil, v, 3))
		if err != nil || !bytes.Equal(resp.Append(nil, again, 3), resp.Append(nil, v, 3)) {
			t.Fatalf("written and read again: %v, %v; was %v", again, err, v)
		}
		_ = resp.Append(nil, v, 2)
	})
}
