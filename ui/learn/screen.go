package learn

import (
	"slices"
	"strings"
	"time"

	"pelscope/lessons"
	"pelscope/redisx/resp"
	"pelscope/redisx/state"
	"pelscope/ui/draw"
	"pelscope/ui/intent"
	"pelscope/ui/layout"
	"pelscope/ui/theme"
	"pelscope/ui/widget"
)

// Request is something that the screen asks of the program.
type Request struct {
	Kind  RequestKind
	Actor string // TypeLine, Crash
	Line  string // TypeLine
	Guess lessons.Prediction
}

// RequestKind is a sort of request.
type RequestKind uint8

// The requests there are.
const (
	RunStep      RequestKind = iota // run the step's actions, with Guess as the prediction
	NextStep                        // to the next step
	UndoStep                        // take the last thing back
	AskReset                        // ask, then begin anew
	TypeLine                        // send Line as Actor
	CrashActor                      // cut Actor's connection
	SkipWait                        // age the entries instead of waiting
	ShowHint                        // a hint for where the learner stands
	AskSolution                     // ask, then play a solution
	ShowReplies                     // the replies of the last commands
	ShowCommands                    // everything that was sent
	Leave                           // home
)

// Screen is a lesson. Make one with New.
type Screen struct {
	theme *theme.Theme
	lab   string
	w, h  int
	focus layout.Pane

	lesson  *lessons.Lesson
	session *lessons.Session // nil while the lesson's world is being made
	index   int              // the step that the fields below belong to

	busy       bool      // an operation is under way
	waiting    time.Time // since when a wait goes on; zero when none does
	now        time.Time
	trouble    string // why the last operation failed, or was refused
	hint       string
	lostServer string // why the server could not be looked at; empty when it could
	tried      bool   // something was typed in this challenge

	scroll  int  // first line of the story shown
	free    bool // the story is where it was scrolled to, even if the field to fill in is out of sight
	top     int  // the line of the story that is shown first, as it was last drawn
	more    int  // first row of what changed shown
	hidden  int  // rows of what changed that do not fit
	fields  form
	prompt  *widget.Input
	typing  bool // the prompt has the keyboard
	actor   int
	history []lessons.Sent // what was typed in the challenge, with the replies
	last    lessons.Outcome

	drawn   draw.Block
	isDrawn bool
}

// New makes the screen of a lesson whose world is not made yet. lab names the server.
func New(th *theme.Theme, l *lessons.Lesson, lab string) *Screen {
	s := &Screen{theme: th, lesson: l, lab: lab, focus: layout.Story, index: -1, prompt: widget.NewInput(th, "")}
	s.prompt.SetGhost(" a command, as in redis-cli")
	return s
}

// SetTheme changes colours and glyphs.
func (s *Screen) SetTheme(th *theme.Theme) {
	s.theme = th
	s.prompt.SetTheme(th)
	s.fields.setTheme(th)
	s.isDrawn = false
}

// SetSize tells the size of the whole screen.
func (s *Screen) SetSize(w, h int) {
	s.w, s.h = w, h
	s.isDrawn = false
}

// Begin gives the session, once the lesson's world is there.
func (s *Screen) Begin(session *lessons.Session) {
	s.session = session
	s.Refresh()
}

// Lesson is the lesson that is shown.
func (s *Screen) Lesson() *lessons.Lesson { return s.lesson }

// Busy tells that an operation is under way, or is done.
func (s *Screen) Busy(busy bool) {
	s.busy = busy
	s.free = s.free && !busy // the bar of a wait is to be seen
	s.waiting = time.Time{}
	s.isDrawn = false
}

// Acted tells what an operation brought. The session has the rest.
func (s *Screen) Acted(o lessons.Outcome, trouble string) {
	s.Busy(false)
	s.trouble, s.hint, s.more = trouble, "", 0
	if len(o.Sent) > 0 || len(o.Changes) > 0 {
		s.last = o
		s.history = append(s.history, o.Sent...)
	}
	s.Refresh()
	if s.session != nil && s.session.Ran() {
		s.scroll = 0
	}
}

// Undone tells that the last thing was taken back.
func (s *Screen) Undone() {
	s.Busy(false)
	s.trouble, s.hint = "", ""
	s.last = lessons.Outcome{}
	if len(s.history) > 0 {
		s.history = s.history[:len(s.history)-1]
	}
	s.index = -1
	s.Refresh()
}

// Hint shows a hint of the current step, by the key of its words.
func (s *Screen) Hint(key string) {
	s.hint = s.words().Steps[s.session.Step().ID].Hints[key]
	s.scroll = 0
	s.isDrawn = false
}

// Refresh reads the session again: another step begins with empty fields.
func (s *Screen) Refresh() {
	s.isDrawn = false
	if s.session == nil || s.session.Index() == s.index {
		return
	}
	s.index = s.session.Index()
	s.free = true // first one reads, then one fills in
	s.scroll, s.more, s.history, s.tried, s.hint, s.last = 0, 0, nil, false, "", s.session.Outcome()
	step := s.session.Step()
	s.fields = newForm(s.theme, step.Predict, s.lesson.ID+"/"+step.ID)
	s.typing = step.Challenge()
	s.actor = s.actorIndex(step.As)
	s.prompt.SetValue("")
}

// Guess is what was filled in of the prediction.
func (s *Screen) Guess() lessons.Prediction { return s.fields.guess() }

// Tick moves the time on, for the bar of a wait.
func (s *Screen) Tick(now time.Time) {
	s.now = now
	if s.session != nil && s.session.Waiting().For > 0 {
		if s.waiting.IsZero() {
			s.waiting = now
		}
		s.isDrawn = false
	}
}

// Waiting says whether a wait goes on that can be skipped.
func (s *Screen) Waiting() bool { return s.busy && s.session != nil && s.session.Waiting().For > 0 }

// Mode is what the keyboard is for.
func (s *Screen) Mode() intent.Mode {
	switch {
	case s.session == nil || s.busy || s.session.Finished():
		return intent.Learn
	case s.session.Step().Challenge() && s.typing:
		return intent.Prompt
	case s.predicting() && s.fields.active:
		return intent.Predict
	}
	return intent.Learn
}

// predicting says whether the step asks for a prediction that can still be made.
func (s *Screen) predicting() bool {
	return s.session != nil && !s.session.Finished() && s.session.Step().Predict != nil && !s.session.Ran()
}

// Going is what going on does now, in a word for the footer; empty when it just goes on.
func (s *Screen) Going() string {
	if s.Mode() != intent.Learn || s.session == nil || s.session.Finished() {
		return ""
	}
	step := s.session.Step()
	switch {
	case step.Challenge() && !s.session.Done():
		return "type"
	case len(step.Do) > 0 && !s.session.Ran():
		return "run"
	}
	return ""
}

// Works says whether an intent can do anything now.
func (s *Screen) Works(i intent.Intent) bool {
	if s.session == nil {
		return i == intent.Back || i == intent.Quit || i == intent.Help
	}
	challenge := !s.session.Finished() && s.session.Step().Challenge()
	switch i {
	case intent.SkipWait:
		return s.Waiting()
	case intent.Undo:
		return s.session.CanUndo() && !s.busy
	case intent.Reply:
		return len(s.last.Sent) > 0
	case intent.Hint:
		return challenge && s.tried
	case intent.Submit: // in a challenge enter does it too
		return s.predicting()
	case intent.Solution:
		return challenge
	case intent.NextPane, intent.PrevPane:
		return len(s.layout().Fold) > 0
	case intent.Run:
		return !s.busy
	case intent.MoreDown:
		return s.hidden > 0
	}
	return true
}

// Key types into what has the keyboard.
func (s *Screen) Key(name, text string) {
	s.isDrawn = false
	switch s.Mode() {
	case intent.Prompt:
		s.prompt.Key(name, text)
	case intent.Predict:
		s.free = false
		s.fields.key(name, text)
	}
}

// State is what the panes show.
func (s *Screen) state() state.State {
	if s.session == nil {
		return state.State{}
	}
	return s.session.State()
}

// actors are those whom the learner can be in a challenge.
func (s *Screen) actors() []string {
	var names []string
	for _, t := range s.lesson.World {
		for _, g := range t.Groups {
			names = append(names, g.Consumers...)
		}
	}
	if s.session != nil {
		for _, a := range s.session.Actors() {
			if !slices.Contains(names, a.Name) {
				names = append(names, a.Name)
			}
		}
	}
	return names
}

// typists are those as whom one can type at the prompt.
func (s *Screen) typists() []string {
	if names := s.actors(); len(names) > 0 {
		return names
	}
	return []string{"you"}
}

func (s *Screen) actorIndex(name string) int {
	for i, a := range s.typists() {
		if a == name {
			return i
		}
	}
	return 0
}

// ActorName is who types at the prompt of a challenge.
func (s *Screen) ActorName() string {
	names := s.typists()
	return names[s.actor%len(names)]
}

// words are the lesson's words in the language that is shown.
func (s *Screen) words() *lessons.Words {
	if w, ok := s.lesson.Words["en"]; ok {
		return w
	}
	return &lessons.Words{}
}

// Replies are the last commands with what the server replied, as redis-cli prints it.
func (s *Screen) Replies(th *theme.Theme, w int) []string {
	var lines []string
	for _, sent := range s.last.Sent {
		for i, line := range draw.Wrap(th.Clean(sent.Actor+"> "+sent.Typed()), w) {
			if i == 0 {
				lines = append(lines, "")
			}
			lines = append(lines, th.Command.Render(line))
		}
		switch {
		case sent.Err != nil:
			lines = append(lines, th.Bad.Render(th.Clean(sent.Err.Error())))
		case sent.Waiting:
			lines = append(lines, th.Quiet.Render("no reply yet: it waits"))
		default:
			lines = append(lines, replyLines(th, sent.Reply)...)
		}
	}
	return lines
}

func replyLines(th *theme.Theme, v resp.Value) []string {
	var lines []string
	for _, line := range strings.Split(strings.TrimRight(resp.Print(v), "\n"), "\n") {
		lines = append(lines, th.Clean(line))
	}
	return lines
}

// SetLab tells the server's name.
func (s *Screen) SetLab(words string) {
	s.lab = words
	s.isDrawn = false
}

// Running says whether an operation is under way.
func (s *Screen) Running() bool { return s.busy }

// Looked tells that the session was looked at again; trouble is why that failed.
func (s *Screen) Looked(trouble string) {
	s.lostServer = trouble
	if s.session != nil {
		s.last.Sent = append(s.last.Sent, s.session.Arrived()...)
	}
	s.isDrawn = false
}

// Restarted tells that the lesson began anew.
func (s *Screen) Restarted() {
	s.Busy(false)
	s.index = -1
	s.trouble = ""
	s.Refresh()
}
