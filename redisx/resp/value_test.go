package resp_test

import (
	"math"
	"testing"

	"pelscope/redisx/resp"
)

func TestFieldFindsANameInAMapAndInAFlatArray(t *testing.T) {
	for _, kind := range []resp.Kind{resp.Map, resp.Array} {
		v := resp.Value{Kind: kind, Elems: []resp.Value{
			resp.Str("length"), resp.Integer(3), resp.Str("3"), resp.Str("three"), resp.Str("length"), resp.Integer(4)}}
		if got, ok := v.Field("length"); !ok || got.Int != 3 {
			t.Errorf("%v: length = %v, %v; want the first, 3", kind, got, ok)
		}
		if got, ok := v.Field("three"); ok {
			t.Errorf("%v: a value was taken for a name: %v", kind, got)
		}
	}
	if _, ok := resp.Str("length").Field("length"); ok {
		t.Error("a string has no fields")
	}
}

func TestLenCountsPairsElementsOrBytes(t *testing.T) {
	for want, v := range map[int]resp.Value{
		1: resp.MapOf(resp.Str("a"), resp.Str("b")),
		2: resp.ArrayOf(resp.Str("a"), resp.Str("b")),
		4: resp.Str("\x00abc"),
		0: resp.NilBulkValue(),
		3: resp.VerbatimText("abc"),
	} {
		if v.Len() != want {
			t.Errorf("Len of %v = %d, want %d", v, v.Len(), want)
		}
	}
}

// The texts were read from Redis 8.6.3 with ZSCORE.
func TestDoublesAreWrittenAsRedisWritesThem(t *testing.T) {
	for want, f := range map[string]float64{
		"0": math.Copysign(0, -1), "-17": -17, "1.5": 1.5, "0.1": 0.1, "3.3333333333333335": 10.0 / 3,
		"inf": math.Inf(1), "-inf": math.Inf(-1), "0.0001": 0.0001, "0.000001": 1e-6, "0.000015": 1.5e-5,
		"1e-7": 1e-7, "1.234e-5": 0.00001234, "1.2345e-10": 1.2345e-10, "1e+20": 1e20, "1.2345678e+27": 12345678e20,
		"-2.5e+300": -2.5e300, "5e-324": 4.9e-324, "100000000000000000": 1e17,
		"1234567890123456768": 1234567890123456789, "9007199254740992": 9007199254740993,
	} {
		if got := resp.FormatDouble(f); got != want {
			t.Errorf("FormatDouble(%v) = %s, want %s", f, got, want)
		}
	}
}
