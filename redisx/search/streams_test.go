package search_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pelscope/redisx/resp"
	"pelscope/redisx/search"
)

// pages answers SCAN with one page a call, the last of them with cursor 0.
type pages struct {
	list [][]string
	sent [][]string
}

func (p *pages) Do(_ context.Context, args ...string) (resp.Value, error) {
	p.sent = append(p.sent, args)
	i := len(p.sent) - 1
	cursor := fmt.Sprint(i + 1)
	if i >= len(p.list)-1 {
		cursor = "0"
	}
	var keys []resp.Value
	for _, k := range p.list[i%len(p.list)] {
		keys = append(keys, resp.Value{Kind: resp.Bulk, Str: k})
	}
	return resp.Value{Kind: resp.Array, Elems: []resp.Value{
		{Kind: resp.Bulk, Str: cursor}, {Kind: resp.Array, Elems: keys},
	}}, nil
}

func TestStreamsFollowTheCursorToItsEndAndNameEachOnce(t *testing.T) {
	p := &pages{list: [][]string{{"b", "a"}, {}, {"a", "c"}}}
	names, more, err := search.Streams(context.Background(), p)
	if err != nil || more || !slices.Equal(names, []string{"a", "b", "c"}) {
		t.Errorf("got %v, more %v, %v", names, more, err)
	}
	for _, s := range p.sent {
		if !slices.Contains(s, "COUNT") {
			t.Errorf("sent without a COUNT: %v", s)
		}
	}
}

func TestADeniedScanIsSaid(t *testing.T) {
	_, more, err := search.Streams(context.Background(), denied{})
	if err == nil || !more {
		t.Errorf("got more %v, error %v", more, err)
	}
}

type denied struct{}

func (denied) Do(context.Context, ...string) (resp.Value, error) {
	return resp.Value{Kind: resp.Error, Str: "NOPERM no permissions"}, nil
}
