package ui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pelscope/lessons"
	"pelscope/redisx/client"
	"pelscope/redisx/resp"
	"pelscope/ui/draw"
	"pelscope/ui/learn"
	"pelscope/ui/popup"
	"pelscope/ui/theme"
)

// learning is what a lesson needs of the outside.
type learning struct {
	lab      *Lab
	opening  bool   // the server is being started
	want     string // the lesson to begin as soon as the server is there
	session  *lessons.Session
	gen      int  // messages of an older lesson are dropped
	watching bool // a look is under way
}

// action is an operation on a lesson.
type action uint8

const (
	ran action = iota
	wentOn
	undid
	resetDone
	typedLine
	solved
	hinted
)

// openLab starts the server for lessons, unless it is there.
func (m *Model) openLab() tea.Cmd {
	if m.le.lab != nil || m.le.opening || m.d.OpenLab == nil {
		return nil
	}
	m.le.opening = true
	return m.startLab()
}

// openLesson shows a lesson: where it stands when it is open already, else from its beginning.
func (m *Model) openLesson(id string) tea.Cmd {
	l := m.lessonByID(id)
	if l == nil {
		return nil
	}
	m.at = atLesson
	if m.learn != nil && m.le.session != nil && m.learn.Lesson().ID == id {
		return nil
	}
	lab := "starting a server…"
	if m.le.lab != nil {
		lab = m.le.lab.Name
	}
	m.learn = learn.New(m.theme, l, lab)
	m.learn.SetSize(m.w, m.h)
	m.le.want = id
	if m.le.lab == nil {
		return m.openLab()
	}
	return m.begin()
}

// begin makes the wanted lesson's world.
func (m *Model) begin() tea.Cmd {
	l := m.lessonByID(m.le.want)
	if l == nil || m.le.lab == nil {
		return nil
	}
	m.le.want = ""
	m.le.gen++
	old := m.le.session
	m.le.session = nil
	start := m.startSession(l, m.le.lab, m.le.gen)
	if old == nil {
		return start
	}
	ctx := m.ctx
	return tea.Sequence(func() tea.Msg {
		_ = old.Close(ctx) // its world is removed; the next lesson makes its own
		return nil
	}, start)
}

func (m *Model) lessonByID(id string) *lessons.Lesson {
	for _, l := range m.d.Lessons {
		if l.ID == id {
			return l
		}
	}
	return nil
}

func (m *Model) learnMsg(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case labMsg:
		return m.labOpened(msg)
	case startedMsg:
		if msg.gen != m.le.gen || m.learn == nil {
			return nil
		}
		if msg.err != nil {
			m.learn.Acted(lessons.Outcome{}, msg.err.Error())
			return nil
		}
		m.le.session = msg.session
		m.learn.Begin(msg.session)
	case actedMsg:
		if msg.gen == m.le.gen && m.learn != nil {
			m.acted(msg)
		}
	case watchedMsg:
		m.le.watching = false
		if msg.gen == m.le.gen && m.learn != nil {
			m.learn.Looked(errorWords(msg.err))
		}
	case waitMsg:
		if msg.gen != m.le.gen || m.learn == nil || !m.learn.Running() {
			return nil
		}
		m.learn.Tick(msg.at)
		return tickWait(msg.gen)
	}
	return nil
}

func (m *Model) labOpened(msg labMsg) tea.Cmd {
	m.le.opening = false
	if msg.err != nil {
		if m.learn != nil && m.le.want != "" {
			m.learn.Acted(lessons.Outcome{}, msg.err.Error())
		} else {
			m.note = msg.err.Error()
		}
		return nil
	}
	m.le.lab = msg.lab
	m.home.SetLab(msg.lab.Name)
	if m.learn != nil {
		m.learn.SetLab(msg.lab.Name)
	}
	return m.begin()
}

// watchLesson looks again once a second, so that idle times and connections are those of now.
func (m *Model) watchLesson() tea.Cmd {
	if m.at != atLesson || m.le.session == nil || m.le.watching || m.learn.Running() {
		return nil
	}
	m.le.watching = true
	return m.watch(m.le.session)
}

func (m *Model) learnRequests(list []learn.Request) tea.Cmd {
	var cmds []tea.Cmd
	for _, r := range list {
		cmds = append(cmds, m.learnRequest(r))
	}
	return tea.Batch(cmds...)
}

func (m *Model) learnRequest(r learn.Request) tea.Cmd {
	s := m.le.session
	switch r.Kind {
	case learn.Leave:
		m.at = atHome
		m.refreshHome()
		return nil
	case learn.ShowReplies:
		m.push(popup.NewText(m.theme, "replies, as redis-cli prints them", m.learn.Replies), nil)
		return nil
	case learn.ShowCommands:
		if m.le.lab != nil {
			m.showCommands(m.le.lab.Client)
		}
		return nil
	case learn.SkipWait:
		s.SkipWait()
		return nil
	case learn.AskReset:
		m.push(popup.NewConfirm(m.theme, "reset", "Begin this lesson anew? Its keys are made afresh; what you have done so far stays noted."), func(m *Model, _ string) tea.Cmd {
			return m.start(resetDone, noOutcome(s.Reset))
		})
		return nil
	case learn.AskSolution:
		m.push(popup.NewConfirm(m.theme, "solution", "Play a solution? The challenge begins anew and the commands run before your eyes. It will be noted as seen."), func(m *Model, _ string) tea.Cmd {
			return m.start(solved, func(ctx context.Context) (lessons.Outcome, error) { return s.Solve(ctx, 0) })
		})
		return nil
	}
	return m.operation(r)
}

// operation starts what only one at a time can do.
func (m *Model) operation(r learn.Request) tea.Cmd {
	s := m.le.session
	switch r.Kind {
	case learn.RunStep:
		return m.start(ran, func(ctx context.Context) (lessons.Outcome, error) {
			s.Predict(r.Guess)
			return s.Run(ctx)
		})
	case learn.NextStep:
		m.noteStep()
		return m.start(wentOn, noOutcome(s.Next))
	case learn.UndoStep:
		return m.start(undid, noOutcome(s.Undo))
	case learn.TypeLine:
		return m.start(typedLine, func(ctx context.Context) (lessons.Outcome, error) { return s.Type(ctx, r.Actor, r.Line) })
	case learn.CrashActor:
		return m.start(typedLine, func(ctx context.Context) (lessons.Outcome, error) {
			return s.Event(ctx, lessons.Event{Kind: lessons.EventCrash, Who: r.Actor})
		})
	case learn.ShowHint:
		return m.start(hinted, func(context.Context) (lessons.Outcome, error) {
			say, ok := s.Hint()
			if !ok {
				return lessons.Outcome{}, errNoHint
			}
			return lessons.Outcome{Notes: []string{say}}, nil
		})
	}
	return nil
}

func noOutcome(f func(context.Context) error) func(context.Context) (lessons.Outcome, error) {
	return func(ctx context.Context) (lessons.Outcome, error) { return lessons.Outcome{}, f(ctx) }
}

// start marks the lesson as busy and runs an operation.
func (m *Model) start(what action, f func(context.Context) (lessons.Outcome, error)) tea.Cmd {
	m.learn.Busy(true)
	return tea.Batch(m.act(what, f), tickWait(m.le.gen))
}

// acted takes in what an operation brought, and notes progress.
func (m *Model) acted(msg actedMsg) {
	s := m.le.session
	trouble := errorWords(msg.err)
	switch msg.what {
	case undid:
		if msg.err == nil {
			m.learn.Undone()
			return
		}
	case hinted:
		m.learn.Busy(false)
		if msg.err == nil {
			m.learn.Hint(msg.outcome.Notes[0]) // the key of its words
			return
		}
	case resetDone:
		if msg.err == nil {
			m.learn.Restarted()
			return
		}
	}
	m.learn.Acted(msg.outcome, trouble)
	if msg.err != nil {
		return
	}
	step := s.Step()
	l := m.learn.Lesson().ID
	switch {
	case msg.what == solved:
		m.keep(m.d.Progress.SolutionSeen(l, step.ID, m.d.Now()))
	case msg.what == ran:
		m.keep(m.d.Progress.StepDone(l, step.ID, m.d.Now(), answers(msg.outcome)...))
	case msg.what == typedLine && s.Done():
		m.keep(m.d.Progress.ChallengeDone(l, step.ID, m.d.Now()))
	}
}

// noteStep keeps that a step that only tells was read.
func (m *Model) noteStep() {
	step := m.le.session.Step()
	if len(step.Do) == 0 && !step.Challenge() {
		m.keep(m.d.Progress.StepDone(m.learn.Lesson().ID, step.ID, m.d.Now()))
	}
}

func answers(o lessons.Outcome) []lessons.Answer {
	var out []lessons.Answer
	for _, g := range o.Answers {
		out = append(out, lessons.Answer{Key: g.Cell.String(), Given: g.Yours, Right: g.Verdict == lessons.VerdictRight})
	}
	if c := o.Choice; c != nil {
		a := lessons.Answer{Key: "choice", Right: c.Verdict == lessons.VerdictRight}
		if c.Chosen != nil {
			a.Given = c.Chosen.Is
		}
		out = append(out, a)
	}
	return out
}

func errorWords(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

type plainError string

func (e plainError) Error() string { return string(e) }

const errNoHint plainError = "there is no hint for where you stand; S plays a solution"

// sentLine is one sent command in the list of them.
func sentLine(th *theme.Theme, s client.Sent, w int) string {
	reply := s.Reply
	if s.Err != "" {
		reply = s.Err
	}
	who := ""
	if s.Who != "" {
		who = th.Clean(s.Who) + "> "
	}
	right := th.Clean(strings.TrimSpace(reply))
	if reply != "QUEUED" { // EXEC tells what the whole of it took
		right += " " + draw.Milliseconds(s.Took)
	}
	right = th.FitRight(right, min(draw.Width(right), w/2))
	left := th.Quiet.Render(s.At.Format("15:04:05.000")) + " " + who + th.Command.Render(th.Clean(resp.Join(s.Args)))
	return th.Fit(left, max(0, w-draw.Width(right)-1)) + " " + th.Quiet.Render(right)
}
