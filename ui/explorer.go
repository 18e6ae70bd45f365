package ui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"pelscope/redisx/client"
	"pelscope/redisx/state"
	"pelscope/ui/explore"
	"pelscope/ui/popup"
	"pelscope/ui/theme"
)

// exploring is what the explorer needs of the outside.
type exploring struct {
	client *client.Client
	gen    int  // looks of an older generation are dropped
	flying bool // a look is under way
	again  bool // what to look at changed meanwhile

	listing bool     // the streams have been asked for
	opening state.ID // the entry that has been asked for; 0-0 when none is
}

// pageSize is how many entries and pending rows are fetched at once.
const pageSize = 200

// exploreServer shows a server: the stream named, or one to be picked.
func (m *Model) exploreServer(c *client.Client, stream, group string) tea.Cmd {
	if m.ex.client != nil && m.ex.client != c {
		_ = m.ex.client.Close() // nothing is lost with a connection that only looked
	}
	m.explore = nil
	m.ex = exploring{client: c, gen: m.ex.gen + 1}
	if stream == "" {
		return m.pickStream()
	}
	return m.exploreStream(stream, group)
}

// listing is what the footer says while the streams are looked for.
const listing = "looking for streams…"

// pickStream lists the streams, once at a time, so that there is never a second list to pick from.
func (m *Model) pickStream() tea.Cmd {
	if m.ex.listing {
		return nil
	}
	m.ex.listing = true
	m.note = listing
	return m.listStreams(m.ex.client)
}

func (m *Model) exploreStream(stream, group string) tea.Cmd {
	c := m.ex.client
	server := explore.Server{Where: c.Target().String(), What: c.Server().String(), ReadOnly: c.ReadOnly()}
	if c.Server().Role.Or("") == "replica" {
		server.Note = "replica"
	}
	m.explore = explore.New(m.theme, server, stream, group)
	m.explore.SetSize(m.w, m.h)
	m.explore.Tick(m.now)
	m.at = atExplorer
	m.ex.gen++
	m.ex.flying, m.ex.again, m.ex.opening = false, false, state.ID{}
	return m.look()
}

// look observes, unless a look is under way: then it is done again right after.
func (m *Model) look() tea.Cmd {
	if m.explore == nil || m.ex.client == nil {
		return nil
	}
	if m.ex.flying {
		m.ex.again = true
		return nil
	}
	m.ex.flying = true
	m.ex.gen++
	want := m.explore.Look()
	scope := client.Scope{
		Stream: want.Stream, Group: want.Group,
		Entries: client.Window{Tail: want.Tail, Anchor: want.Anchor, Before: pageSize / 2, After: pageSize / 2, Count: pageSize},
		Pending: client.Page{From: want.PendingFrom, Count: pageSize},
		Prev:    m.explore.State(),
	}
	return m.observe(m.ex.client, scope, m.ex.gen)
}

func (m *Model) exploreMsg(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case pollMsg:
		if msg.gen != m.ex.gen || m.at != atExplorer {
			return nil
		}
		if _, running := m.explore.Interval(); !running {
			return nil
		}
		return m.look()
	case observedMsg:
		return m.observed(msg)
	case connectedMsg:
		return m.connected(msg)
	case streamsMsg:
		return m.streams(msg)
	case entryMsg:
		m.showEntry(msg)
	}
	return nil
}

// connected opens the explorer, or asks again. Who has gone on to something else meanwhile is left alone.
func (m *Model) connected(msg connectedMsg) tea.Cmd {
	m.note = ""
	switch {
	case m.at != atHome:
		if msg.err == nil {
			_ = msg.client.Close() // nobody wants it any more
		}
		return nil
	case msg.err != nil:
		m.askServer(msg.typed, msg.err.Error())
		return nil
	}
	return m.exploreServer(msg.client, "", "")
}

func (m *Model) observed(msg observedMsg) tea.Cmd {
	if msg.gen != m.ex.gen || m.explore == nil {
		return nil
	}
	m.ex.flying = false
	wait, running := m.explore.Interval()
	if msg.err != nil {
		m.explore.Lost(msg.err.Error(), msg.at)
		wait = max(wait, time.Second)
	} else {
		m.explore.Tick(msg.at)
		m.explore.Observed(msg.state, explore.Cost{Commands: msg.cost.Commands, Took: msg.cost.Took})
	}
	if m.ex.again {
		m.ex.again = false
		return m.look()
	}
	if !running {
		return nil
	}
	return pollAfter(wait, m.ex.gen)
}

// streams lets the person pick one, or opens the only one.
func (m *Model) streams(msg streamsMsg) tea.Cmd {
	if msg.client != m.ex.client || !m.ex.listing {
		return nil
	}
	m.ex.listing = false
	if m.note == listing {
		m.note = ""
	}
	switch {
	case m.at == atLesson:
		return nil
	case msg.err != nil && len(msg.names) == 0:
		m.askStream(fmt.Sprintf("the streams could not be listed: %v", msg.err))
		return nil
	case len(msg.names) == 1 && !msg.more && m.explore == nil:
		return m.exploreStream(msg.names[0], "")
	case len(msg.names) == 0:
		m.askStream("there is no stream on this server yet")
		return nil
	}
	note := ""
	if msg.more {
		note = "there are more than these"
	}
	p := popup.NewPick(m.theme, "streams", note, msg.names)
	if m.explore != nil {
		p.Select(m.explore.Look().Stream)
	}
	m.push(p, func(m *Model, name string) tea.Cmd { return m.exploreStream(name, "") })
	return nil
}

func (m *Model) askStream(why string) {
	p := popup.NewAsk(m.theme, "which stream", "The name of the key. It need not exist yet: it is shown as soon as it does.")
	p.Wrong(m.theme.Clean(why))
	m.push(p, func(m *Model, name string) tea.Cmd { return m.exploreStream(name, "") })
}

func (m *Model) exploreRequests(list []explore.Request) tea.Cmd {
	var cmds []tea.Cmd
	for _, r := range list {
		switch r.Kind {
		case explore.LookNow:
			cmds = append(cmds, m.look())
		case explore.ShowEntry:
			if m.ex.opening != r.ID {
				m.ex.opening = r.ID
				cmds = append(cmds, m.fetchEntry(m.ex.client, m.explore.Look().Stream, r.ID))
			}
		case explore.PickStream:
			cmds = append(cmds, m.pickStream())
		case explore.ShowCommands:
			m.showCommands(m.ex.client)
		case explore.Leave:
			m.at = atHome
			m.ex.gen++
			m.ex.flying, m.ex.listing, m.ex.opening = false, false, state.ID{}
			m.refreshHome()
			cmds = append(cmds, m.openLab())
		}
	}
	return tea.Batch(cmds...)
}

// showEntry lays an entry over the screen, unless another one was asked for since, or the screen was left.
func (m *Model) showEntry(msg entryMsg) {
	if msg.id != m.ex.opening || m.at != atExplorer {
		return
	}
	m.ex.opening = state.ID{}
	switch {
	case msg.err != nil:
		m.note = "the entry could not be read: " + msg.err.Error()
		return
	case !msg.found:
		m.note = msg.id.String() + " is no entry any more: deleted or trimmed"
		return
	}
	m.push(popup.NewText(m.theme, "entry "+msg.id.String(), func(th *theme.Theme, w int) []string {
		return explore.EntryLines(th, msg.entry, w)
	}), nil)
}

// showCommands lists what was sent to a server, newest last.
func (m *Model) showCommands(c *client.Client) {
	if c == nil {
		return
	}
	sent := c.Log().Entries()
	total := c.Log().Total()
	title := "sent to " + m.theme.Clean(c.Target().String())
	m.push(popup.NewText(m.theme, title, func(th *theme.Theme, w int) []string {
		lines := []string{th.Quiet.Render(fmt.Sprintf("%d commands since pelscope connected; the last %d, newest first", total, len(sent))), ""}
		for i := len(sent) - 1; i >= 0; i-- {
			lines = append(lines, sentLine(th, sent[i], w))
		}
		return lines
	}), nil)
}

// hiddenPassword stands for the password in an address that is shown again to be mended.
const hiddenPassword = ":***@"

// hidePassword takes the password out of an address that was typed, right or wrong as that may be: all
// between the first colon of what stands before the last @ and that @.
func hidePassword(address string) (shown, password string) {
	start := 0
	if i := strings.Index(address, "://"); i >= 0 {
		start = i + len("://")
	}
	end := strings.LastIndexByte(address, '@')
	if end < start {
		return address, ""
	}
	colon := strings.IndexByte(address[start:end], ':')
	if colon < 0 {
		return address, ""
	}
	colon += start
	return address[:colon] + hiddenPassword + address[end+1:], address[colon+1 : end]
}

// putPassword puts it back where hidePassword took it out, if the person has left that place as it was.
func putPassword(address, password string) string {
	if password == "" {
		return address
	}
	return strings.Replace(address, hiddenPassword, ":"+password+"@", 1)
}
