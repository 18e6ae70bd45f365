package ui

import (
	"fmt"
	"io"
	"slices"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"pelscope/redisx/state"
	"pelscope/ui/explore"
	"pelscope/ui/intent"
	"pelscope/ui/theme"
)

// watched is a stream as the explorer sees it at tick n: the rows stand still, and ten idle times go on.
func watched(n int) state.State {
	const entries, pending = 200, 10
	at := state.Instant(1_735_200_000_000 + int64(n)*1000)
	st := &state.Stream{
		Length: state.Know[int64](18_204), FirstID: state.Know(state.ID{MS: 1}), LastID: state.Know(state.ID{MS: entries}),
		EntriesAdded: state.Know[int64](18_204), MaxDeleted: state.Know(state.ID{}),
		Entries: state.Window{From: state.ID{MS: 1}, To: state.MaxID()},
	}
	for i := uint64(1); i <= entries; i++ {
		st.Entries.Entries = append(st.Entries.Entries, state.Entry{ID: state.ID{MS: i}, Fields: []state.Field{
			{Name: "eventType", Value: "OrderPaid"}, {Name: "orderId", Value: fmt.Sprint(10_000 + i)}, {Name: "amount", Value: "49000"},
		}})
	}
	g := state.Group{
		Name: "settlement", LastDelivered: state.ID{MS: 190}, EntriesRead: state.Know[int64](18_194), Lag: state.Know[int64](10),
		Pending: state.Know[int64](pending), PEL: state.Page{To: state.MaxID()},
	}
	for i := uint64(0); i < pending; i++ {
		g.PEL.Rows = append(g.PEL.Rows, state.Pending{ID: state.ID{MS: 20 + i}, Consumer: "consumer-a", DeliveredAt: 1_735_199_990_000, Deliveries: 1})
	}
	g.Consumers = []state.Consumer{{Name: "consumer-a", Pending: state.Know[int64](pending), Seen: state.Know(at), Active: state.Know(at)}}
	st.Groups = []state.Group{g}
	return state.State{At: at, RTT: time.Millisecond, Keys: []state.Key{{Name: "orders", Type: "stream", Stream: st}}}
}

// exploringModel is the program in the explorer, without a server: what it sees comes as messages.
func exploringModel(w, h int) *Model {
	m := New(Deps{Now: time.Now, Theme: theme.Dark, ThemeFixed: true, Progress: noProgress()})
	m.explore = explore.New(m.theme, explore.Server{Where: "10.0.3.7:6379", What: "Redis 8.6.3", ReadOnly: true}, "orders", "settlement")
	m.at = atExplorer
	m.resize(w, h)
	return m
}

// counter counts the bytes of each write and says when one came.
type counter struct {
	mu    sync.Mutex
	bytes int
	wrote chan struct{}
}

func (c *counter) Write(p []byte) (int, error) {
	c.mu.Lock()
	c.bytes += len(p)
	c.mu.Unlock()
	select {
	case c.wrote <- struct{}{}:
	default:
	}
	return len(p), nil
}

func (c *counter) take() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.bytes
	c.bytes = 0
	return n
}

// BenchmarkBytesPerFrame is what a poll writes to a terminal of 120×40 on which ten idle times went on by
// a second: the median of the frames.
func BenchmarkBytesPerFrame(b *testing.B) {
	out := &counter{wrote: make(chan struct{}, 1)}
	in, feed := io.Pipe()
	defer func() { _ = feed.Close() }()
	m := exploringModel(120, 40)
	p := tea.NewProgram(m, tea.WithOutput(out), tea.WithInput(in), tea.WithWindowSize(120, 40), tea.WithoutSignalHandler(),
		tea.WithEnvironment([]string{"TERM=xterm-256color", "COLORTERM=truecolor"}))
	ended := make(chan error, 1)
	go func() {
		_, err := p.Run()
		ended <- err
	}()
	send := func(n int) { p.Send(observedMsg{gen: m.ex.gen, state: watched(n), at: time.Unix(0, 0)}) }
	for n := range 10 { // the first frame, and what the terminal is asked at the start
		send(n)
		<-out.wrote
	}
	var frames []int
	out.take()
	b.ResetTimer()
	for n := range b.N {
		send(10 + n)
		<-out.wrote
		frames = append(frames, out.take())
	}
	b.StopTimer()
	slices.Sort(frames)
	b.ReportMetric(float64(frames[len(frames)/2]), "bytes/frame")
	p.Quit()
	<-ended
}

// BenchmarkView200x60 draws a screen of 200×60 after a poll in which idle times went on.
func BenchmarkView200x60(b *testing.B) {
	m := exploringModel(200, 60)
	states := make([]state.State, 64)
	for i := range states {
		states[i] = watched(i)
	}
	b.ResetTimer()
	for i := range b.N {
		m.explore.Observed(states[i%len(states)], explore.Cost{})
		_ = m.View()
	}
}

// BenchmarkViewUnchanged draws it again with nothing new, as after a message that concerns nobody.
func BenchmarkViewUnchanged(b *testing.B) {
	m := exploringModel(200, 60)
	m.explore.Observed(watched(0), explore.Cost{})
	_ = m.View()
	for b.Loop() {
		_ = m.View()
	}
}

// BenchmarkKey draws it after a key that moves the selection.
func BenchmarkKey(b *testing.B) {
	m := exploringModel(200, 60)
	m.explore.Observed(watched(0), explore.Cost{})
	keys := []intent.Intent{intent.Down, intent.Up}
	for i := range b.N {
		m.explore.Do(keys[i%2])
		_ = m.View()
	}
}
