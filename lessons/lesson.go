package lessons

import (
	"time"

	"pelscope/redisx/state"
)

// Lesson is one lesson as its folder tells it. It is a value that nobody alters after loading.
type Lesson struct {
	ID      string // stable: progress is kept by it
	Minutes int    // how long it takes, about
	Needs   Needs
	Clauses []Clause // what the learner must see happen; every one is shown by a step
	World   []Thing  // every key of the lesson: State, Diff and undo cover them all
	Seed    []Action // commands that fill the world, with explicit ids so that every run is the same
	Steps   []Step
	Words   map[string]*Words // by language: "en", "ko"
}

// Needs is what must be there for a lesson or a step: lessons done before (advice, not a lock), and
// commands and features that the server must have.
type Needs struct {
	Lessons  []string
	Commands []string // as COMMAND INFO knows them, such as XACKDEL
	Features []string // as client.Features knows them, such as lag
}

// Clause is one thing that must be seen, N1, N2, …, and what it is, in a few words.
type Clause struct{ ID, Text string }

// Thing is one key of the world.
type Thing struct {
	Name   string
	Kind   string // stream, ledger (a list: one item an effect on the outside world, its first word the event), list, hash, set, zset, string
	Groups []WorldGroup
}

// WorldGroup is a group that the lesson works with. The consumers named are created after the seed, so
// that they exist before the first step on every server alike; without consumers the group itself
// need not exist at the start.
type WorldGroup struct {
	Name      string
	Consumers []string
}

// Home is the stream and group that go without saying in cells and changes: the first group of the
// world's first stream that has one.
func (l *Lesson) Home() state.Place {
	for _, t := range l.World {
		if t.Kind == "stream" && len(t.Groups) > 0 {
			return state.Place{Key: t.Name, Group: t.Groups[0].Name}
		}
	}
	for _, t := range l.World {
		if t.Kind == "stream" {
			return state.Place{Key: t.Name}
		}
	}
	return state.Place{}
}

// Ledger is the name of the world's ledger, or empty.
func (l *Lesson) Ledger() string {
	for _, t := range l.World {
		if t.Kind == "ledger" {
			return t.Name
		}
	}
	return ""
}

// Step is one step: words, then perhaps a prediction, then what runs, then what it changed.
type Step struct {
	ID        string
	Line      int      // in lesson.yaml, for messages
	Needs     Needs    // a server without these skips the step, and says so
	Do        []Action // what happens, in order; empty in a step that only tells, and in a challenge
	Predict   *Predict
	Changes   []Expected // all changes that are not Derived, and no other; a Derived one may be listed and must then occur
	Shows     []string   // ids of clauses
	Goals     []Goal     // a challenge: reached by any route
	As        string     // who the learner is at the prompt of a challenge
	Hints     []Hint
	Solutions [][]Action
	Wrong     []Wrong
}

// Challenge says whether the learner types freely here until the goals are reached.
func (s *Step) Challenge() bool { return len(s.Goals) > 0 }

// Action is a command that an actor sends, or an event in the world around Redis.
type Action struct {
	Actor string   // whose connection: the consumer's name, as in CLIENT LIST
	Args  []string // the command; nil for an event. $name stands for a saved reply
	Save  string   // keep the reply (a text) under this name
	Reply string   // how redis-cli must print the reply (a glob: * stands for anything); empty: not said
	Event *Event
}

// EventKind is a sort of event.
type EventKind string

// The events there are.
const (
	EventCrash  EventKind = "crash"  // Who's connection is cut, as when its process dies
	EventStart  EventKind = "start"  // Who connects (again)
	EventIdle   EventKind = "idle"   // wait until every row that Who owns has been idle for For; really waited, or aged by XCLAIM … IDLE
	EventWait   EventKind = "wait"   // wait For
	EventBlock  EventKind = "block"  // Who sends Args, a blocking command, and is seen to wait in CLIENT LIST
	EventReply  EventKind = "reply"  // the reply of Who's blocked command arrives
	EventWork   EventKind = "work"   // a simulated worker lives one pass of its loop: read, effect, XACK
	EventFinish EventKind = "finish" // a slow worker that is at work finishes: effect, XACK
)

// Event is something that happens around Redis.
type Event struct {
	Kind  EventKind
	Who   string
	For   time.Duration
	Args  []string // EventBlock
	Like  string   // EventWork: normal, slow (reads, then is at work until finish), crashing, poisoned
	At    string   // EventWork, crashing: before-effect, or before-ack
	Count int      // EventWork: how many entries it reads at once; 0 means 1
}

// Expected is a change as Notation writes it, perhaps only on servers with a feature. $name stands for
// a saved reply, * for anything.
type Expected struct {
	Text    string
	Feature string // only where the server has it
	Without string // only where the server lacks it
}

// Predict is what the learner commits to before a step runs.
type Predict struct {
	Cells  []Cell  // fill in the value after the step
	Choice *Choice // one question
}

// Choice is a question with one right option; the others are beliefs that people really hold.
type Choice struct {
	Ask     string // key of the question's words
	Options []Option
}

// Option is one answer. Which one is right is not only said but recomputed: When holds after the run
// for the right option and for no other.
type Option struct {
	Is   string // "right", or the belief's name
	Text string // key of its words
	When Cond
}

// Goal is reached when its condition is. Once reached it stays reached, unless Until holds.
type Goal struct {
	ID     string
	When   *Cond  // holds now
	Seen   []Cond // each was seen to hold, in this order, at different looks or within one
	Always *Cond  // held at every look since the challenge began; counts as reached once every other goal is
	Never  *Cond  // held at no look
	Until  *Cond  // loses the goal again
}

// Hint is said on request, after an attempt: the first whose condition holds.
type Hint struct {
	If  *Cond
	Say string
}

// Wrong is a way that people try and that must not reach the goal Fails.
type Wrong struct {
	Do    []Action
	Fails string
}

// Words is a lesson's text in one language.
type Words struct {
	Lang    string
	Title   string
	Summary string
	Steps   map[string]StepWords
}

// StepWords is a step's text. Its maps are keyed as the step names them.
type StepWords struct {
	Title   string
	Story   string // before it runs
	Why     string // after it ran
	Asks    map[string]string
	Options map[string]OptionWords
	Goals   map[string]string
	Hints   map[string]string
	Code    []Code // "in your code"
}

// OptionWords is an answer to choose, and what to say to whoever chose it.
type OptionWords struct{ Answer, Because string }

// Code is a piece of a real program.
type Code struct {
	Title  string // such as "go-redis" or "Spring Data Redis"
	Lang   string // go, java
	Source string
}
