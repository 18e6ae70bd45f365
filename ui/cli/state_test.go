package cli_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/redis/go-redis/v9"

	"pelscope/redisx/private/servertest"
)

// entry is XADD stream id, with fields and values in this order.
func entry(stream, id string, fields ...any) *redis.XAddArgs {
	return &redis.XAddArgs{Stream: stream, ID: id, Values: fields}
}

// do sends commands, split at spaces, none of which may fail.
func do(t *testing.T, c *redis.Client, commands ...string) {
	t.Helper()
	for _, command := range commands {
		send(t, c, strings.Fields(command)...)
	}
}

// send sends one command, which may not fail.
func send(t *testing.T, c *redis.Client, args ...string) any {
	t.Helper()
	words := make([]any, len(args))
	for i, a := range args {
		words[i] = a
	}
	v, err := c.Do(context.Background(), words...).Result()
	if err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	return v
}

// plain looks once and gives the lines that are printed, the one with the time left away.
func plain(t *testing.T, server string, args ...string) string {
	t.Helper()
	out := typed(t, append([]string{"state", server}, args...)...).worked(t)
	head, rest, _ := strings.Cut(out, "\n")
	if !regexp.MustCompile(`^stream .* on .*, (Redis|Valkey|unknown server).*, at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} UTC$`).MatchString(head) {
		t.Errorf("the first line is %q", head)
	}
	harmless(t, out)
	return rest
}

// printed looks once with --json and gives what encoding/json makes of it, numbers as they stand.
func printed(t *testing.T, server string, args ...string) any {
	t.Helper()
	out := typed(t, append([]string{"state", "--json", server}, args...)...).worked(t)
	harmless(t, out)
	dec := json.NewDecoder(strings.NewReader(out))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%v in\n%s", err, out)
	}
	if dec.More() {
		t.Error("there is more than one value in", out)
	}
	return v
}

// harmless fails when s has a character in it that a terminal obeys or that can't be seen, but for the ends of lines.
func harmless(t *testing.T, s string) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Errorf("not UTF-8: %q", s)
	}
	for _, r := range s {
		if r != '\n' && !unicode.IsPrint(r) {
			t.Fatalf("%U is in %q", r, s)
		}
	}
}

// at follows names and indexes into a JSON value.
func at(t *testing.T, v any, path ...any) any {
	t.Helper()
	for _, p := range path {
		switch p := p.(type) {
		case string:
			m, _ := v.(map[string]any)
			next, ok := m[p]
			if !ok {
				t.Fatalf("nothing at %v of %v: %v", p, path, v)
			}
			v = next
		case int:
			l, ok := v.([]any)
			if !ok || p >= len(l) {
				t.Fatalf("nothing at %v of %v: %v", p, path, v)
			}
			v = l[p]
		}
	}
	return v
}

// is fails unless at a path there is this text or number.
func is(t *testing.T, v any, want string, path ...any) {
	t.Helper()
	if got := fmt.Sprint(at(t, v, path...)); got != want {
		t.Errorf("%v is %s, want %s", path, got, want)
	}
}

// unknown fails unless at a path there is {"unknown": a text with these words}.
func unknown(t *testing.T, v any, why string, path ...any) {
	t.Helper()
	m, ok := at(t, v, path...).(map[string]any)
	if said, _ := m["unknown"].(string); !ok || len(m) != 1 || !strings.Contains(said, why) {
		t.Errorf("%v is %v, want it unknown: %s", path, at(t, v, path...), why)
	}
}

// exact gives the bytes of a JSON value that is text or {"base64": …}.
func exact(t *testing.T, v any) string {
	t.Helper()
	if s, ok := v.(string); ok {
		return s
	}
	raw, err := base64.StdEncoding.DecodeString(fmt.Sprint(at(t, v, "base64")))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// pairs gives the fields of the n-th newest entry, exact bytes, names and values in turn.
func pairs(t *testing.T, v any, n int) []string {
	t.Helper()
	var out []string
	for _, f := range at(t, v, "stream", "newest_entries", n, "fields").([]any) {
		out = append(out, exact(t, at(t, f, 0)), exact(t, at(t, f, 1)))
	}
	return out
}

// C1
func TestAFieldNamedTwiceIsPrintedTwiceInOrder(t *testing.T) {
	servertest.Each(t, func(t *testing.T, srv servertest.Server) {
		do(t, srv.Client(t), "XADD s 1-0 a 1 a 2", "XADD s 2-0 b 1 a 2 b 1")
		has(t, plain(t, srv.URL(), "s"), "  1-0 a=1 a=2\n", "  2-0 b=1 a=2 b=1\n")
		v := printed(t, srv.URL(), "s")
		for n, want := range [][]string{{"b", "1", "a", "2", "b", "1"}, {"a", "1", "a", "2"}} {
			if got := pairs(t, v, n); !slices.Equal(got, want) {
				t.Errorf("fields %q, want %q", got, want)
			}
		}
	})
}

// C3
func TestIDsAreExactAndNoDatesAreMadeOfThem(t *testing.T) {
	ids := []string{"5-9007199254740992", "16718007739968750-641504120531689158", "18446744073709551615-1"}
	servertest.Each(t, func(t *testing.T, srv servertest.Server) {
		c := srv.Client(t)
		do(t, c, "XGROUP CREATE s g 0 MKSTREAM")
		for _, id := range ids {
			do(t, c, "XADD s "+id+" a 1")
		}
		do(t, c, "XREADGROUP GROUP g alice STREAMS s >")
		text, v := plain(t, srv.URL(), "s"), printed(t, srv.URL(), "s")
		has(t, text, "first id "+ids[0]+", last-generated-id "+ids[2]+",", "last-delivered-id "+ids[2]+",")
		if date := regexp.MustCompile(`\d:\d|\d{4}-\d\d-\d\d\b|[A-Z][a-z]{2} \d`).FindString(text); date != "" {
			t.Errorf("%q looks like a date in\n%s", date, text)
		}
		for i, id := range ids {
			has(t, text, "\n  pending "+id+": held by alice", "\n  "+id+" a=1\n")
			is(t, v, id, "stream", "groups", 0, "pending_entries", i, "id")
			is(t, v, id, "stream", "newest_entries", len(ids)-1-i, "id")
		}
		is(t, v, ids[0], "stream", "first_id")
		is(t, v, ids[2], "stream", "last_generated_id")
		is(t, v, ids[2], "stream", "groups", 0, "last_delivered_id")
	})
}

// C4
func TestALargeValueIsCutAndSaysSo(t *testing.T) {
	srv := servertest.One(t)
	send(t, srv.Client(t), "XADD", "s", "1-0", "large", strings.Repeat("x", 10<<20))
	for _, args := range [][]string{{"state", srv.URL(), "s"}, {"state", srv.URL(), "s", "--json"}} {
		if out := typed(t, args...).worked(t); len(out) > 10<<10 {
			t.Errorf("%d bytes were printed", len(out))
		}
	}
	has(t, plain(t, srv.URL(), "s"), "xxx (cut)\n")
	is(t, printed(t, srv.URL(), "s"), "true", "stream", "newest_entries", 0, "cut")
}

// C5
func TestBytesAreExactAndNothingIsReadAsANumber(t *testing.T) {
	fields := []string{"raw", "\xc3(\x00\xff", "number", "00014", "\xff\xfe", "1e3", "", "", "text", "日本語 \\x41 <&>"}
	servertest.Each(t, func(t *testing.T, srv servertest.Server) {
		send(t, srv.Client(t), append([]string{"XADD", "s", "1-0"}, fields...)...)
		has(t, plain(t, srv.URL(), "s"), `  1-0 raw=\xc3(\x00\xff number=00014 \xff\xfe=1e3 = text=日本語 \x41 <&>`+"\n")
		if got := pairs(t, printed(t, srv.URL(), "s"), 0); !slices.Equal(got, fields) {
			t.Errorf("JSON gives back %q, want %q", got, fields)
		}
	})
}

// as is the server's address for a new user with these permissions.
func as(t *testing.T, srv servertest.Server, name string, may ...string) string {
	t.Helper()
	send(t, srv.Client(t), append([]string{"ACL", "SETUSER", name, "on", ">s3cret"}, may...)...)
	return (&url.URL{Scheme: "unix", User: url.UserPassword(name, "s3cret"), Path: srv.Addr}).String()
}

// C6
func TestAUserWhoMayOnlyReadSeesAll(t *testing.T) {
	servertest.Each(t, func(t *testing.T, srv servertest.Server) {
		ordersHalfDone(t, srv)
		reader := as(t, srv, "reader", "~*", "+@read", "-@dangerous")
		text, v := plain(t, reader, "orders"), printed(t, reader, "orders")
		hasNot(t, text, "unknown (this user", "this user may not")
		has(t, text, "length 3,", "lag 1,", "pending 2,", "consumer alice: pending 2,", "pending 1-0: held by alice", "  3-0 event=A19\n")
		is(t, v, "true", "torn") // MULTI is not among what it may
		is(t, v, "1", "stream", "groups", 0, "lag")
		is(t, v, "2-0", "stream", "groups", 0, "pending_entries", 1, "id")
	})
}

// ordersHalfDone is three orders, two of them with alice.
func ordersHalfDone(t *testing.T, srv servertest.Server) {
	t.Helper()
	do(t, srv.Client(t), "XADD orders 1-0 event A17", "XADD orders 2-0 event A18", "XADD orders 3-0 event A19",
		"XGROUP CREATE orders workers 0", "XREADGROUP GROUP workers alice COUNT 2 STREAMS orders >")
}

// C6
func TestWhatIsDeniedSaysSoWhereItWouldStand(t *testing.T) {
	group := []any{"stream", "groups", 0}
	for _, c := range []struct {
		without string
		lines   []string // of the plain output, as regular expressions
		unknown map[string][]any
	}{
		{"-xlen -xinfo", []string{`^  length unknown \(this user may not run XINFO.*XLEN`, `^  groups: unknown, this user may not run XINFO`, `^  3-0 event=A19$`},
			map[string][]any{"XLEN": {"stream", "length"}, "XINFO STREAM": {"stream", "last_generated_id"}, "XINFO GROUPS": {"stream", "groups"}}},
		{"-xinfo", []string{`^  length 3, first id 1-0, last-generated-id unknown \(this user may not run XINFO`, `^  groups: unknown, this user may not run XINFO`},
			map[string][]any{"XINFO GROUPS": {"stream", "groups"}, "XINFO STREAM": {"stream", "entries_added"}}},
		{"-xinfo|consumers", []string{`^  consumers: unknown, this user may not run XINFO CONSUMERS`, `^  pending 1-0: held by alice`},
			map[string][]any{"XINFO CONSUMERS": append(group, "consumers")}},
		{"-xpending", []string{`^  pending entries: unknown, this user may not run XPENDING`, `pending 2,`},
			map[string][]any{"XPENDING": append(group, "pending_entries")}},
		{"-xrevrange -xrange", []string{`^entries: unknown, this user may not run XREVRANGE`, `^  length 3,`},
			map[string][]any{"XREVRANGE": {"stream", "newest_entries"}}},
		{"-type", []string{`^  length 3,`, `^  3-0 event=A19$`}, nil},
	} {
		t.Run(c.without, func(t *testing.T) {
			servertest.Each(t, func(t *testing.T, srv servertest.Server) {
				ordersHalfDone(t, srv)
				user := as(t, srv, "reader", append([]string{"~*", "+@read", "-@dangerous"}, strings.Fields(c.without)...)...)
				text, v := plain(t, user, "orders"), printed(t, user, "orders")
				for _, line := range c.lines {
					if !regexp.MustCompile("(?m)" + line).MatchString(text) {
						t.Errorf("no line %s in\n%s", line, text)
					}
				}
				for why, path := range c.unknown {
					unknown(t, v, why, path...)
				}
			})
		})
	}
}

// C6
func TestAKeyThatMayNotBeReadIsNoEmptyOne(t *testing.T) {
	servertest.Each(t, func(t *testing.T, srv servertest.Server) {
		ordersHalfDone(t, srv)
		for _, flag := range []string{"--json=false", "--json"} {
			line := typed(t, "state", flag, as(t, srv, "stranger", "~other:*", "+@read", "-@dangerous"), "orders").refused(t, 2)
			if line != "orders: this user may not read this key" {
				t.Error(line)
			}
		}
	})
}

// C8
func TestAnEmptyStreamWithAGroupIsPrinted(t *testing.T) {
	servertest.Each(t, func(t *testing.T, srv servertest.Server) {
		do(t, srv.Client(t), "XGROUP CREATE e g $ MKSTREAM")
		has(t, plain(t, srv.URL(), "e"), "  length 0, first id 0-0, last-generated-id 0-0, entries-added 0\n", "group g\n  last-delivered-id 0-0, lag 0, pending 0,")
		v := printed(t, srv.URL(), "e")
		is(t, v, "0", "stream", "length")
		is(t, v, "g", "stream", "groups", 0, "name")
		for _, path := range [][]any{{"stream", "groups", 0, "consumers"}, {"stream", "groups", 0, "pending_entries"}, {"stream", "newest_entries"}} {
			if l, ok := at(t, v, path...).([]any); !ok || len(l) != 0 {
				t.Errorf("%v is %v, want an empty list", path, at(t, v, path...))
			}
		}
	})
}

// C9
func TestAPendingEntryThatWasDeletedIsMarkedAndTheLagIsUnknown(t *testing.T) {
	servertest.Each(t, func(t *testing.T, srv servertest.Server) {
		ordersHalfDone(t, srv)
		do(t, srv.Client(t), "XDEL orders 1-0 3-0")
		text, v := plain(t, srv.URL(), "orders"), printed(t, srv.URL(), "orders")
		has(t, text, "last-delivered-id 2-0, lag unknown (the server cannot tell: entries were deleted ahead of the cursor")
		for line, want := range map[string]bool{`pending 1-0: held by alice, .*, its entry is deleted\n`: true, `pending 2-0: .*deleted`: false} {
			if regexp.MustCompile(line).MatchString(text) != want {
				t.Errorf("%s should be %v in\n%s", line, want, text)
			}
		}
		unknown(t, v, "the server cannot tell", "stream", "groups", 0, "lag")
		is(t, v, "true", "stream", "groups", 0, "pending_entries", 0, "entry_deleted")
		is(t, v, "false", "stream", "groups", 0, "pending_entries", 1, "entry_deleted")
	})
}

// hostile names and values do harm to a terminal that gets them as they are.
func hostile() []string {
	return []string{
		"\x1b]52;c;aGk=\x07", "\x1b[2J", "\u009b31m", "a\u202eb", "two\nlines", "a\tb", "\r\x00\x7f\u0085",
		"\u2028\u2029", "\u200b\u2066\ufeff", "\U000e0041", "x\xffy\x9b2J", `"\`,
	}
}

// C14
func TestHostileNamesAndValuesArePrintedHarmlessAndComeBackExact(t *testing.T) {
	servertest.Each(t, func(t *testing.T, srv servertest.Server) {
		c := srv.Client(t)
		for _, h := range hostile() {
			send(t, c, "XADD", h, "1-0", h, h)
			send(t, c, "XGROUP", "CREATE", h, h, "0")
			send(t, c, "XREADGROUP", "GROUP", h, h, "STREAMS", h, ">")
			v := printed(t, srv.URL(), h, h)
			group := at(t, v, "stream", "groups", 0)
			for _, got := range []any{
				at(t, v, "stream", "name"), at(t, group, "name"), at(t, group, "consumers", 0, "name"),
				at(t, group, "pending_entries", 0, "consumer"), pairs(t, v, 0)[0], pairs(t, v, 0)[1],
			} {
				if exact(t, got) != h {
					t.Errorf("JSON gives back %q, want %q", exact(t, got), h)
				}
			}
			if n := strings.Count(plain(t, srv.URL(), h), "\n"); n != 7 {
				t.Errorf("%d lines for %q, want 7", n, h)
			}
			harmless(t, typed(t, "state", srv.URL(), h, h+"?").refused(t, 2))
			harmless(t, typed(t, "state", srv.URL(), h+"?").refused(t, 2))
		}
	})
}

// C17
func TestLookingChangesNothing(t *testing.T) {
	servertest.Each(t, func(t *testing.T, srv servertest.Server) {
		ordersHalfDone(t, srv)
		c := srv.Client(t)
		do(t, c, "XGROUP CREATE orders audit 2-0", "XGROUP CREATECONSUMER orders audit carol", "XDEL orders 1-0", "RPUSH charges A17")
		look := func() any {
			return []any{send(t, c, "XINFO", "STREAM", "orders", "FULL", "COUNT", "0"), send(t, c, "DBSIZE"), send(t, c, "LRANGE", "charges", "0", "-1"), send(t, c, "CONFIG", "GET", "*")}
		}
		before := look()
		for _, args := range []string{"orders", "orders workers", "orders audit", "--json orders", "--json orders audit"} {
			typed(t, append([]string{"state", srv.URL()}, strings.Fields(args)...)...).worked(t)
		}
		for _, args := range []string{"orders nobody", "nothing", "nothing workers", "charges"} {
			typed(t, append([]string{"state", srv.URL()}, strings.Fields(args)...)...).refused(t, 2)
		}
		if after := look(); !reflect.DeepEqual(before, after) {
			t.Errorf("it was\n%v\nand is\n%v", before, after)
		}
	})
}

// C23
func TestARightPasswordIsNeverPrinted(t *testing.T) {
	servertest.Each(t, func(t *testing.T, srv servertest.Server) {
		ordersHalfDone(t, srv)
		reader := as(t, srv, "reader", "~*", "+@all")
		for _, flag := range []string{"--json=false", "--json"} {
			hasNot(t, typed(t, "state", flag, srv.URL(), "orders").worked(t), srv.Password)
			out := typed(t, "state", flag, reader, "orders").worked(t)
			hasNot(t, out, "s3cret")
			has(t, out, "reader@"+srv.Addr)
		}
	})
}

func TestOneGroupIsPrintedInDetail(t *testing.T) {
	srv := servertest.One(t)
	ordersHalfDone(t, srv)
	do(t, srv.Client(t), "XGROUP CREATE orders audit 0", "XREADGROUP GROUP audit carol COUNT 1 STREAMS orders >")
	for _, c := range []struct{ group, who, notWho string }{{"", "alice", "carol"}, {"audit", "carol", "alice"}, {"workers", "alice", "carol"}} {
		args := strings.Fields("orders " + c.group)
		text := plain(t, srv.URL(), args...)
		has(t, text, "group audit\n", "group workers\n", "consumer "+c.who, "held by "+c.who)
		hasNot(t, text, c.notWho)
	}
	v := printed(t, srv.URL(), "orders", "workers")
	unknown(t, v, "another group is selected", "stream", "groups", 0, "pending_entries")
	is(t, v, "alice", "stream", "groups", 1, "pending_entries", 0, "consumer")
}

func TestMorePendingEntriesThanArePrintedAreCounted(t *testing.T) {
	srv := servertest.One(t)
	c := srv.Client(t)
	ctx := context.Background()
	if _, err := c.Pipelined(ctx, func(p redis.Pipeliner) error {
		for i := range 1001 {
			p.XAdd(ctx, entry("s", fmt.Sprint(i+1, "-0"), "a", "1"))
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	do(t, c, "XGROUP CREATE s g 0", "XREADGROUP GROUP g alice COUNT 2000 STREAMS s >")
	has(t, plain(t, srv.URL(), "s"), "  … 1,000 of 1,001 pending entries are shown\n")
}
