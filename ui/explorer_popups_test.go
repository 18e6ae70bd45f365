package ui_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pelscope/redisx/client"
	"pelscope/redisx/private/servertest"
	"pelscope/ui"
	"pelscope/ui/uitest"
)

// inBubble runs a test on the explorer of a server in memory. Without a stream it begins at the list.
func inBubble(t *testing.T, stream string, lines []string, f func(*explorer), options ...uitest.Option) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		e, w, _ := inMemory()
		defer func() { _ = e.Close() }()
		x := exploring(t, byDial(w), stream, "", lines, options...)
		defer x.end()
		x.poll()
		f(x)
	})
}

func TestOneStreamIsOpenedByItself(t *testing.T) {
	inBubble(t, "", append(seed(), "SET other x"), func(x *explorer) { x.within("orders · 30 entries", "orders ▸ settlement") })
}

func TestAStreamIsPickedAmongSeveral(t *testing.T) {
	inBubble(t, "", append(seed(), "XADD payments 1-0 a b", "XADD refunds 1-0 a b"), func(x *explorer) {
		x.within("streams", "▸orders", "payments", "refunds")
		x.Press("down", "enter")
		x.poll()
		x.within("pelscope ▸ payments", "payments · 1 entry")
		x.Press("s")
		x.within("▸payments") // where one is
		x.Press("s", "s")     // nothing more is laid over
		x.Press("end", "enter")
		x.poll()
		x.within("refunds · 1 entry")
		x.Press("s", "esc", "s", "esc")
		x.within("refunds · 1 entry")
		x.hides("╭ streams")
	})
}

// A second press while the list is still on its way brings no second list; and whoever has left gets none.
func TestTheListOfStreamsComesOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, w, delay := inMemory()
		defer func() { _ = e.Close() }()
		x := exploring(t, byDial(w), "orders", "", append(seed(), "XADD payments 1-0 a b"))
		defer x.end()
		x.poll()
		delay.Store(int64(time.Second))
		x.Press("s")
		x.within("looking for streams…")
		x.Press("s", "s")
		x.WaitFor("╭ streams")
		x.Press("esc")
		x.Advance(5 * time.Second)
		x.hides("╭ streams")
		x.Press("enter", "enter", "enter")
		x.WaitFor("╭ entry 30-0")
		x.Press("esc")
		x.Advance(5 * time.Second)
		x.hides("╭ entry")
		x.Press("enter", "s", "esc")
		x.Advance(5 * time.Second)
		x.within("╭ lessons")
		x.hides("╭ streams", "╭ entry")
	})
}

func TestNoStreamIsThereYet(t *testing.T) {
	inBubble(t, "", []string{"SET other x"}, func(x *explorer) {
		x.within("there is no stream on this server yet", "which stream")
		x.Type("orders")
		x.Press("enter")
		x.poll()
		x.within("there is no key orders now; it is shown as soon as there is")
		x.do("XADD orders 1-0 a b")
		x.poll()
		x.within("orders · 1 entry", "▸1-0")
	})
}

func TestTheStreamsMayNotBeListed(t *testing.T) {
	srv := servertest.One(t)
	synctest.Test(t, func(t *testing.T) {
		admin := exploring(t, byURL(srv.URL()), "orders", "", append(seed(), "ACL SETUSER viewer on >sesame ~* +@read -@dangerous -scan"))
		admin.end()
		x := exploring(t, byURL(strings.Replace(srv.URL(), "://:"+srv.Password, "://viewer:sesame", 1)), "", "", nil)
		defer x.end()
		x.poll()
		x.within("the streams could not be listed", "NOPERM")
		x.Type("orders")
		x.Press("enter")
		x.Advance(2 * time.Second)
		x.within("orders · 30 entries", "alice 1-0")
	})
}

// C1, C5: every field in its order, its exact bytes escaped, nothing read as a number.
func TestAnEntryIsShownWhole(t *testing.T) {
	lines := []string{
		`XADD orders 18446744073709551615-1 a 1 a 2 raw "\xc3(\x00\xff" number 00014 esc "\x1b]52;c;aGk=\x07"`,
	}
	inBubble(t, "orders", lines, func(x *explorer) {
		x.within("18446744073709551615-1", "a=1 a=2 raw=\\xc3(\\x00\\xff number=00014")
		x.Press("enter")
		x.Golden("entry")
		x.Press("esc")
		x.hides("╭ entry")
	}, uitest.Size(80, 24))
	inBubble(t, "orders", seed(), func(x *explorer) {
		x.do("XDEL orders 29-0")
		x.Press("down", "enter")
		x.within("29-0 is no entry any more: deleted or trimmed")
		x.Press("tab", "enter")
		x.within("╭ entry 1-0", "OrderPaid")
	})
}

func TestAHugeValueIsShownUpToABound(t *testing.T) {
	inBubble(t, "orders", nil, func(x *explorer) {
		if _, err := x.others.Do(context.Background(), "XADD", "orders", "1-0", "small", "1", "huge", strings.Repeat("x", 1<<20)+"END"); err != nil {
			x.t.Fatal(err)
		}
		x.poll()
		x.within("small=1 huge=xxxx")
		x.answersKeysOn("tab")
		x.Press("enter")
		x.within("2 fields · 1.0 MiB", "huge · 1.0 MiB · the first 64 KiB")
		x.Press("end")
		x.within("xxx…")
		x.hides("END")
		x.Press("home", "esc")
	})
}

// answersKeysOn presses a key that must change the screen at once.
func (x *explorer) answersKeysOn(key string) {
	x.t.Helper()
	before := x.Styled()
	x.Press(key)
	if x.Styled() == before {
		x.t.Fatalf("the key %s changed nothing:\n%s", key, x.Screen())
	}
	x.Press("shift+" + key)
}

func TestEveryCommandThatWasSentIsListed(t *testing.T) {
	inBubble(t, "orders", seed(), func(x *explorer) {
		x.Press("L")
		x.within("sent to in this process", "commands since pelscope connected", "XINFO STREAM orders", "XPENDING orders settlement - + 200", "XREVRANGE orders + - COUNT 200", "TYPE orders")
		x.Press("end", "home", "pgdown", "esc")
		x.hides("sent to")
	})
}

func TestTheKeysAreExplained(t *testing.T) {
	inBubble(t, "orders", seed(), func(x *explorer) {
		for _, key := range []string{"?", "f1"} {
			x.Press(key)
			x.within("keys · explorer", "tab", "To the next pane.")
			x.Press("f1") // help of the help
			x.within("keys · popup")
			x.Press("esc", "esc")
			x.hides("╭ keys")
		}
	})
}

func TestThemesGoRound(t *testing.T) {
	inBubble(t, "orders", seed(), func(x *explorer) {
		dark := x.Styled()
		x.Press("t")
		light := x.Styled()
		x.Press("t")
		none := x.Styled()
		if light == dark || none == light || strings.Contains(none, "\x1b[38") {
			x.t.Error("the theme does not change")
		}
		x.Press("s", "esc", "?")
		x.Press("esc", "t")
		if x.Styled() != dark {
			x.t.Errorf("after three the theme is another than before:\n%s", x.Screen())
		}
	})
}

// At any time to any size and back, with and without a popup.
func TestItIsResized(t *testing.T) {
	inBubble(t, "orders", seed(), func(x *explorer) {
		first := x.Screen()
		for _, keys := range [][]string{nil, {"tab"}, {"enter"}, {"?"}, {"L"}, {"s"}} {
			x.Press(keys...)
			open := x.Screen()
			for _, size := range [][2]int{{80, 24}, {40, 12}, {39, 12}, {40, 11}, {1, 1}, {3, 40}, {200, 60}, {101, 28}, {20, 5}, {120, 36}} {
				x.Resize(size[0], size[1])
				if size[0] < 40 && size[0] > 2 || size[1] < 12 && size[1] > 2 {
					if !strings.HasPrefix(strings.Join(strings.Fields(x.Screen()), ""), "pelscopeneedsascreen"[:min(20, size[0]*size[1])]) && size[0] > 12 {
						x.t.Errorf("%d×%d shows\n%s", size[0], size[1], x.Screen())
					}
				}
				for y, line := range strings.Split(x.Screen(), "\n") {
					if n := len([]rune(line)); n > size[0] || y >= size[1] {
						x.t.Errorf("%d×%d: line %d has %d columns", size[0], size[1], y, n)
					}
				}
				x.poll()
			}
			if keys == nil && withoutAges(x.Screen()) != withoutAges(first) {
				x.t.Errorf("back at its size it is another screen:\n%s\nwas\n%s", x.Screen(), first)
			}
			if keys != nil && !strings.Contains(x.Screen(), strings.Split(open, "\n")[0][:20]) {
				x.t.Errorf("after %v and resizing:\n%s", keys, x.Screen())
			}
			x.Press("esc")
			if strings.Contains(x.Screen(), "╭ lessons") { // esc of the explorer itself
				return
			}
		}
	})
}

// withoutAges leaves out what goes on by itself.
func withoutAges(screen string) string {
	var out []string
	for _, line := range strings.Split(screen, "\n") {
		if !strings.Contains(line, "alice") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

// C23: the password that was typed is nowhere on the screen once it was sent, though it is used again.
func TestAWrongAddressIsMended(t *testing.T) {
	srv := servertest.One(t)
	const password = "s3same/open"
	if err := srv.Client(t).Do(context.Background(), "ACL", "SETUSER", "viewer", "on", ">"+password, "~*", "+@all").Err(); err != nil {
		t.Fatal(err)
	}
	if srv.Network != "unix" {
		t.Fatalf("the test knows of unix sockets only, not of %s", srv.Network)
	}
	synctest.Test(t, func(t *testing.T) {
		admin := exploring(t, byURL(srv.URL()), "orders", "", seed())
		admin.end()
		var asked []string
		open := func(ctx context.Context, server string) (*client.Client, error) {
			asked = append(asked, server)
			return byURL(server)(ctx, client.Options{Name: "pelscope"})
		}
		m := ui.New(deps(ui.Deps{Connect: open, OpenLab: func(context.Context) (*ui.Lab, error) { return nil, errors.New("no lab here") }}, nil))
		s := uitest.Start(t, m)
		x := &explorer{Session: s, t: t, model: m}
		defer func() {
			s.Quit()
			if err := m.Close(); err != nil {
				t.Error(err)
			}
			synctest.Wait()
		}()
		x.Press("end", "enter")
		x.Type("unix://viewer:s3same%2Fopen@/tmp/nowhere.sock")
		x.Press("enter")
		x.poll()
		x.within("no such socket", "unix://viewer:***@/tmp/nowhere.sock")
		x.hides("s3same", password)
		for range len("/tmp/nowhere.sock") {
			x.Press("backspace")
		}
		x.Type(srv.Addr)
		x.Press("enter")
		x.Advance(2 * time.Second)
		x.within("orders · 30 entries", "viewer@"+srv.Addr[:20])
		x.hides("s3same", password)
		x.Press("L")
		x.within("XINFO STREAM orders")
		x.Press("end")
		x.within("***")
		x.hides("s3same", password)
		if len(asked) != 2 || !strings.Contains(asked[1], "viewer:s3same%2Fopen@"+srv.Addr) {
			t.Errorf("connected to %q", asked)
		}
		x.Press("esc", "esc", "end", "enter")
		x.hides("***", "s3same")
		if strings.Contains(s.Title(), "s3same") {
			t.Error("the password is in the window's title")
		}
		// what was typed once is on the screen only while it is typed
		after := s.Output()[strings.Index(s.Output(), "no such socket"):]
		if strings.Contains(after, "s3same") {
			t.Error("the password was written to the terminal after it was sent")
		}
	})
}

func TestNoPasswordIsPutBack(t *testing.T) {
	for address, want := range map[string]string{
		"redis://:secret@host:6379":        "redis://:***@host:6379",
		"redis://u:secret@host":            "redis://u:***@host",
		"redis://u:sec@ret:x/y@host/0":     "redis://u:***@host/0",
		"u:secret@host:6379":               "u:***@host:6379",
		"unix://:secret@/run/redis.sock":   "unix://:***@/run/redis.sock",
		"redis://host:6379":                "redis://host:6379",
		"redis://user@host:6379":           "redis://user@host:6379",
		"localhost:6379":                   "localhost:6379",
		"":                                 "",
		"redis://:@host":                   "redis://:***@host",
		"rediss://u:secret@[::1]:6379?x=y": "rediss://u:***@[::1]:6379?x=y",
	} {
		shown, password := ui.HidePassword(address)
		if shown != want {
			t.Errorf("%s is shown as %s, want %s", address, shown, want)
		}
		if back := ui.PutPassword(shown, password); password != "" && back != address {
			t.Errorf("%s comes back as %s", address, back)
		}
		if got := ui.PutPassword("redis://u:other@host", password); got != "redis://u:other@host" {
			t.Errorf("another password becomes %s", got)
		}
	}
}

// No file is left where the program was started.
func TestItLeavesNoFile(t *testing.T) {
	before, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	inBubble(t, "orders", seed(), func(x *explorer) { x.Press("L", "esc", "enter", "esc", "s", "esc") })
	after, err := os.ReadDir(".")
	if err != nil || len(after) != len(before) {
		t.Errorf("%d files, then %d: %v", len(before), len(after), err)
	}
}

// C14: bytes that would do harm to a terminal reach it in no place, the title and the clipboard among them.
func TestHostileNamesReachNoTerminal(t *testing.T) {
	const evil = "\x1b]52;c;aGk=\x07\x1b[2J\u009b31m\u202e\n\t\x1b]0;owned\x07"
	synctest.Test(t, func(t *testing.T) {
		e, w, _ := inMemory()
		defer func() { _ = e.Close() }()
		x := exploring(t, byDial(w), "", "", nil)
		defer x.end()
		for _, args := range [][]string{
			{"XADD", evil, "1-0", evil, evil}, {"XADD", evil + "2", "1-0", evil, evil}, {"XGROUP", "CREATE", evil, evil, "0"},
			{"XREADGROUP", "GROUP", evil, evil, "STREAMS", evil, ">"},
		} {
			if v, err := x.others.Do(context.Background(), args...); err != nil || v.IsError() {
				t.Fatal(v, err)
			}
		}
		x.Press("esc", "end")
		x.Press("enter")
		x.Type("anything")
		x.Press("enter")
		x.poll()
		x.within("╭ streams")
		x.Press("enter")
		x.poll()
		x.Press("enter", "esc", "tab", "enter", "esc", "tab", "tab", "tab", "L", "esc", "?", "esc", "s", "esc", "tab")
		for _, bad := range []string{"\x1b]52", "\x1b[2Jc", "\u009b", "\u202e", "owned\x07", "\x1b]0;"} {
			if strings.Contains(x.Output(), bad) {
				t.Errorf("%q was written to the terminal", bad)
			}
		}
		if x.Title() != "pelscope" {
			t.Errorf("the window is called %q", x.Title())
		}
		x.within(`\x1b]52;c;aGk=\x07`)
	})
}

// More than a screen of streams can be walked through.
func TestManyStreams(t *testing.T) {
	var lines []string
	for i := range 200 {
		lines = append(lines, fmt.Sprintf("XADD s:%03d 1-0 a b", i))
	}
	inBubble(t, "", lines, func(x *explorer) {
		x.within("▸s:000")
		x.Press("pgdown", "pgdown", "end")
		x.within("▸s:199")
		x.Press("enter")
		x.poll()
		x.within("s:199 · 1 entry")
	})
}
