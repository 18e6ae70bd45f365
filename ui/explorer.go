package ui

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"pelscope/redisx/client"
	"pelscope/redisx/state"
	"pelscope/ui/draw"
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
}

// pageSize is how many entries and pending rows are fetched at once.
const pageSize = 200

// exploreServer shows a server: the stream named, or one to be picked.
func (m *Model) exploreServer(c *client.Client, stream, group string) tea.Cmd {
	if m.ex.client != nil && m.ex.client != c {
		_ = m.ex.client.Close() // nothing is lost with a connection that only looked
	}
	m.ex.client = c
	if stream == "" {
		return m.listStreams(c)
	}
	return m.exploreStream(stream, group)
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
	m.ex.flying, m.ex.again = false, false
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
		m.note = ""
		if msg.err != nil {
			m.askServer(msg.typed, msg.err.Error())
			return nil
		}
		return m.exploreServer(msg.client, "", "")
	case streamsMsg:
		return m.streams(msg)
	case entryMsg:
		m.showEntry(msg)
	}
	return nil
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
	if msg.client != m.ex.client {
		return nil
	}
	switch {
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
			cmds = append(cmds, m.fetchEntry(m.ex.client, m.explore.Look().Stream, r.ID))
		case explore.PickStream:
			cmds = append(cmds, m.listStreams(m.ex.client))
		case explore.ShowCommands:
			m.showCommands(m.ex.client)
		case explore.Leave:
			m.at = atHome
			m.ex.gen++
			m.ex.flying = false
			m.refreshHome()
			cmds = append(cmds, m.openLab())
		}
	}
	return tea.Batch(cmds...)
}

// showEntry lays an entry over the screen: every field in order, its exact bytes escaped.
func (m *Model) showEntry(msg entryMsg) {
	title := "entry " + msg.id.String()
	switch {
	case msg.err != nil:
		m.note = "the entry could not be read: " + msg.err.Error()
		return
	case !msg.found:
		m.note = msg.id.String() + " is no entry any more: deleted or trimmed"
		return
	}
	m.push(popup.NewText(m.theme, title, func(th *theme.Theme, w int) []string { return entryLines(th, msg.entry, w) }), nil)
}

func entryLines(th *theme.Theme, e state.Entry, w int) []string {
	first := draw.Plural(int64(len(e.Fields)), "field", "fields") + " " + th.Glyphs.Dot + " " + draw.Bytes(e.Size)
	if at, ok := e.ID.Date(); ok {
		first += " " + th.Glyphs.Dot + " " + at.Format("2006-01-02 15:04:05.000 UTC")
	}
	lines := []string{th.Quiet.Render(th.Fit(first, w)), ""}
	for _, f := range e.Fields {
		value := f.Value
		rest := ""
		if len(value) > maxShown {
			rest = fmt.Sprintf("… %s more", draw.Bytes(int64(len(value)-maxShown)))
			value = value[:maxShown]
		}
		name := th.Clean(f.Name)
		for i, line := range draw.Wrap(th.Clean(value)+rest, max(10, w-4)) {
			if i == 0 {
				lines = append(lines, th.Title.Render(name))
			}
			lines = append(lines, "  "+line)
		}
	}
	return lines
}

// maxShown is how many bytes of one value are laid out; it keeps a huge value from holding the screen.
const maxShown = 64 << 10

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
