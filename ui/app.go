package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"pelscope/ui/explore"
	"pelscope/ui/home"
	"pelscope/ui/intent"
	"pelscope/ui/layout"
	"pelscope/ui/learn"
	"pelscope/ui/popup"
	"pelscope/ui/theme"
)

// place is which screen is shown.
type place uint8

const (
	atHome place = iota
	atExplorer
	atLesson
)

// Model is the whole program. Make one with New.
type Model struct {
	d      Deps
	ctx    context.Context // ends when the program does, so that nothing sent stays behind
	cancel context.CancelFunc

	w, h  int
	theme *theme.Theme
	now   time.Time
	at    place
	note  string // one line over the footer until the next key

	home    *home.Screen
	explore *explore.Screen
	ex      exploring
	learn   *learn.Screen
	le      learning
	popups  []opened
}

// opened is a popup and what to do with its answer.
type opened struct {
	popup.Popup
	then func(*Model, string) tea.Cmd
}

// New makes the program.
func New(d Deps) *Model {
	ctx, cancel := context.WithCancel(context.Background())
	th := theme.New(d.Theme, d.ASCII)
	m := &Model{d: d, ctx: ctx, cancel: cancel, theme: th, note: d.Notice, home: home.New(th), now: d.Now()}
	m.refreshHome()
	return m
}

// Close ends everything that the program has opened. It is called after Bubble Tea has ended, however it
// ended.
func (m *Model) Close() error {
	m.cancel()
	return m.closeAll()
}

// Init implements tea.Model.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{tickClock()}
	if !m.d.ThemeFixed {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	switch {
	case m.d.Server != nil:
		cmds = append(cmds, m.exploreServer(m.d.Server, m.d.Stream, m.d.Group))
	case m.d.Lesson != "":
		cmds = append(cmds, m.openLesson(m.d.Lesson))
	default:
		cmds = append(cmds, m.openLab())
	}
	return tea.Batch(cmds...)
}

// Update implements tea.Model.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.resize(msg.Width, msg.Height)
	case tea.BackgroundColorMsg:
		m.background(msg.IsDark())
	case tea.KeyPressMsg:
		m.note = ""
		return m, m.key(msg.String(), msg.Text)
	case tea.PasteMsg:
		return m, m.key("", msg.Content)
	case clockMsg:
		return m, m.clock(msg)
	case pollMsg, observedMsg, connectedMsg, streamsMsg, entryMsg:
		return m, m.exploreMsg(msg)
	case labMsg, startedMsg, actedMsg, watchedMsg, waitMsg:
		return m, m.learnMsg(msg)
	}
	return m, nil
}

func (m *Model) resize(w, h int) {
	m.w, m.h = w, h
	m.home.SetSize(w, h)
	if m.explore != nil {
		m.explore.SetSize(w, h)
	}
	if m.learn != nil {
		m.learn.SetSize(w, h)
	}
}

func (m *Model) background(isDark bool) {
	if m.d.ThemeFixed || m.theme.Kind == theme.None {
		return
	}
	kind := theme.Light
	if isDark {
		kind = theme.Dark
	}
	m.setTheme(kind)
}

func (m *Model) setTheme(kind theme.Kind) {
	if kind == m.theme.Kind {
		return
	}
	m.theme = theme.New(kind, m.d.ASCII)
	m.home.SetTheme(m.theme)
	if m.explore != nil {
		m.explore.SetTheme(m.theme)
	}
	if m.learn != nil {
		m.learn.SetTheme(m.theme)
	}
	for _, p := range m.popups {
		p.SetTheme(m.theme)
	}
}

func (m *Model) clock(msg clockMsg) tea.Cmd {
	m.now = msg.at
	if m.explore != nil {
		m.explore.Tick(msg.at)
	}
	return tea.Batch(tickClock(), m.watchLesson())
}

// mode is what the keyboard is for now.
func (m *Model) mode() intent.Mode {
	if n := len(m.popups); n > 0 {
		return m.popups[n-1].Mode()
	}
	switch m.at {
	case atExplorer:
		return intent.Explore
	case atLesson:
		return m.learn.Mode()
	}
	return intent.Home
}

// key turns a key into an intent and carries it out, or types it.
func (m *Model) key(name, text string) tea.Cmd {
	mode := m.mode()
	i := intent.None
	if name != "" {
		i = intent.Lookup(mode, name)
	}
	if i == intent.None {
		m.typed(mode, name, text)
		return nil
	}
	switch i {
	case intent.Quit:
		m.cancel()
		return tea.Quit
	case intent.Suspend:
		return tea.Suspend
	case intent.Help:
		m.push(helpPopup(m.theme, mode), nil)
		return nil
	case intent.Theme:
		m.d.ThemeFixed = true
		m.setTheme((m.theme.Kind + 1) % 3)
		return nil
	}
	if len(m.popups) > 0 {
		return m.popupDo(i)
	}
	return m.screenDo(i)
}

func (m *Model) typed(mode intent.Mode, name, text string) {
	if !mode.Typing() {
		return
	}
	if n := len(m.popups); n > 0 {
		m.popups[n-1].Key(name, text)
		return
	}
	if m.at == atLesson {
		m.learn.Key(name, text)
	}
}

func (m *Model) screenDo(i intent.Intent) tea.Cmd {
	switch m.at {
	case atExplorer:
		return m.exploreRequests(m.explore.Do(i))
	case atLesson:
		return m.learnRequests(m.learn.Do(i))
	}
	return m.homeDo(i)
}

// push lays a popup over the screen; then is told its answer.
func (m *Model) push(p popup.Popup, then func(*Model, string) tea.Cmd) {
	m.popups = append(m.popups, opened{p, then})
}

func (m *Model) popupDo(i intent.Intent) tea.Cmd {
	top := m.popups[len(m.popups)-1]
	done, answer, ok := top.Do(i)
	if !done {
		return nil
	}
	m.popups = m.popups[:len(m.popups)-1]
	if !ok || top.then == nil {
		return nil
	}
	return top.then(m, answer)
}

// View implements tea.Model.
func (m *Model) View() tea.View {
	v := tea.NewView(m.screen())
	v.AltScreen = true
	v.WindowTitle = "pelscope"
	return v
}

func (m *Model) screen() string {
	if m.w == 0 || m.h == 0 {
		return ""
	}
	if layout.TooSmall(m.w, m.h) {
		return tooSmall(m.w, m.h)
	}
	return m.frame().String()
}
