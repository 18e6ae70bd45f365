package ui_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pelscope/redisx/client"
	"pelscope/redisx/private/servertest"
	"pelscope/redisx/resp"
	"pelscope/ui"
	"pelscope/ui/theme"
	"pelscope/ui/uitest"
)

// explorer is the whole program looking at a server, and somebody else who uses that server.
type explorer struct {
	*uitest.Session
	t      *testing.T
	model  *ui.Model
	others *client.Client
}

// opener opens connections to a server: a real one by its URL, or one in memory.
type opener func(ctx context.Context, o client.Options) (*client.Client, error)

func byURL(server string) opener {
	return func(ctx context.Context, o client.Options) (*client.Client, error) {
		target, err := client.Parse(server)
		if err != nil {
			return nil, err
		}
		return client.Open(ctx, target, o)
	}
}

func byDial(w *wire) opener {
	return func(ctx context.Context, o client.Options) (*client.Client, error) {
		o.Dial = w.Dial
		return client.Open(ctx, client.Target{}, o)
	}
}

// exploring starts the program on a server, inside a synctest bubble. lines are sent before.
func exploring(t *testing.T, open opener, stream, group string, lines []string, options ...uitest.Option) *explorer {
	t.Helper()
	others, err := open(context.Background(), client.Options{Write: true})
	if err != nil {
		t.Fatal(err)
	}
	x := &explorer{t: t, others: others}
	x.do(lines...)
	c, err := open(context.Background(), client.Options{Name: "pelscope"})
	if err != nil {
		t.Fatal(err)
	}
	x.model = ui.New(deps(ui.Deps{Server: c, Stream: stream, Group: group}, open))
	x.Session = uitest.Start(t, x.model, options...)
	return x
}

// deps fills in what every program of these tests is given.
func deps(d ui.Deps, open opener) ui.Deps {
	d.Now, d.Theme, d.ThemeFixed, d.Progress = time.Now, theme.Dark, true, ui.NoProgress()
	if d.Connect == nil {
		d.Connect = func(ctx context.Context, _ string) (*client.Client, error) {
			return open(ctx, client.Options{Name: "pelscope"})
		}
	}
	return d
}

// end leaves the program and closes what was opened.
func (x *explorer) end() {
	x.t.Helper()
	x.Quit()
	if err := x.model.Close(); err != nil {
		x.t.Error(err)
	}
	if err := x.others.Close(); err != nil {
		x.t.Error(err)
	}
	synctest.Wait()
}

// do sends command lines as somebody else; an error reply is a mistake in the test.
func (x *explorer) do(lines ...string) {
	x.t.Helper()
	for _, line := range lines {
		args, err := resp.Split(line)
		if err != nil {
			x.t.Fatal(err)
		}
		v, err := x.others.Do(context.Background(), args...)
		if err != nil || v.Kind == resp.Error {
			x.t.Fatalf("%s: %v %s", line, err, v.Str)
		}
	}
}

// poll lets the time of one look and a frame pass.
func (x *explorer) poll() { x.Advance(1100 * time.Millisecond) }

// Every pane follows within a poll what other clients do.
func TestEveryPaneFollowsWithinAPoll(t *testing.T) {
	servertest.Each(t, func(t *testing.T, srv servertest.Server) {
		open := byURL(srv.URL())
		synctest.Test(t, func(t *testing.T) {
			x := exploring(t, open, "orders", "settlement", []string{
				"XADD orders 1-0 eventType OrderPaid orderId 1", "XADD orders 2-0 eventType OrderPaid orderId 2", "XGROUP CREATE orders settlement 0",
			})
			defer x.end()
			for _, step := range []struct {
				does  string
				shows []string
			}{
				{"PING", []string{"orders · 2 entries · 1 group", "settlement's cursor", "no consumer yet", "nothing is pending", "lag 2", "1-0 □ eventType=OrderPaid orderId=1"}},
				{"XADD orders 3-0 eventType OrderPaid orderId 3", []string{"orders · 3 entries", "lag 3", "▸3-0 □ eventType=OrderPaid orderId=3", "entry + 3-0"}},
				{"XREADGROUP GROUP settlement alice COUNT 2 STREAMS orders >", []string{
					"lag 1", "pending 2", "▲ last-delivered-id 2-0", "2-0 ◆ alice ×1", "1-0 ◆ alice ×1", "3-0 □", "1 active", "▸alice 2",
					"▸alice 1-0", "alice 2-0", "▸settlement 2-0 2 1", "cursor 0-0 → 2-0 (+2)", "consumer + alice", "pending + 2-0 alice ×1",
				}},
				{"XCLAIM orders settlement bob 0 1-0", []string{"2 active", "▸alice 1", "bob 1", "bob 1-0", "1-0 ◆ bob ×2", "owner 1-0: alice → bob", "deliveries 1-0: 1 → 2"}},
				{"XACK orders settlement 2-0", []string{"pending 1", "2-0 ■ eventType", "pending - 2-0 alice, no longer pending", "▸settlement 2-0 1 1"}},
				{"XDEL orders 1-0", []string{"orders · 2 entries", "its entry is deleted", "entry - 1-0 gone from the head"}},
				{"XGROUP DELCONSUMER orders settlement bob", []string{"nothing is pending", "pending 0", "consumer - bob, 1 pending with it"}},
				{"XGROUP CREATE orders audit 0", []string{"2 groups", "audit 0-0 0", "group + audit, cursor at 0-0", "audit's cursor"}},
				{"XTRIM orders MAXLEN 0", []string{"orders · 0 entries", "no entries"}},
			} {
				x.do(step.does)
				x.poll()
				x.within(step.shows...)
			}
		})
	})
}

// within fails unless all of these are on the screen, however spaces stand.
func (x *explorer) within(texts ...string) {
	x.t.Helper()
	flat := strings.Join(strings.Fields(x.Screen()), " ")
	for _, text := range texts {
		if !strings.Contains(flat, text) {
			x.t.Fatalf("%q is not on the screen:\n%s", text, x.Screen())
		}
	}
}

// hides fails when one of these is on the screen.
func (x *explorer) hides(texts ...string) {
	x.t.Helper()
	for _, text := range texts {
		if strings.Contains(x.Screen(), text) {
			x.t.Fatalf("%q is on the screen:\n%s", text, x.Screen())
		}
	}
}
