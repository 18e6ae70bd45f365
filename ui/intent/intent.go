// Package intent holds every intention a person can have at the keyboard, and which key means which
// in which mode.
//
// Screens know intents and never keys. The footer, the ? screen and the README's table of keys are all
// made from Bindings, so a key that is shown is a key that works.
//
// The package imports nothing of ours; ui and its screens import it.
package intent

import "slices"

// Intent is something a person wants done.
type Intent string

// The intents. None is an unbound key.
const (
	None Intent = ""

	Quit    Intent = "quit"
	Help    Intent = "help"
	Back    Intent = "back"
	Suspend Intent = "suspend"
	Theme   Intent = "theme"

	Up       Intent = "up"
	Down     Intent = "down"
	Left     Intent = "left"
	Right    Intent = "right"
	PageUp   Intent = "page-up"
	PageDown Intent = "page-down"
	Top      Intent = "top"
	Bottom   Intent = "bottom"
	Open     Intent = "open"
	NextPane Intent = "next-pane"
	PrevPane Intent = "prev-pane"

	Pause      Intent = "pause"
	Faster     Intent = "faster"
	Slower     Intent = "slower"
	Refresh    Intent = "refresh"
	NextGroup  Intent = "next-group"
	PrevGroup  Intent = "prev-group"
	NextStream Intent = "next-stream"
	GoCursor   Intent = "go-cursor"
	GoTail     Intent = "go-tail"
	Sort       Intent = "sort"
	Commands   Intent = "commands"

	Run        Intent = "run"
	NextCell   Intent = "next-cell"
	PrevCell   Intent = "prev-cell"
	DontKnow   Intent = "dont-know"
	Undo       Intent = "undo"
	Reset      Intent = "reset"
	Reply      Intent = "reply"
	SkipWait   Intent = "skip-wait"
	Hint       Intent = "hint"
	Solution   Intent = "solution"
	Actor      Intent = "actor"
	Crash      Intent = "crash"
	PrevLine   Intent = "prev-line"
	NextLine   Intent = "next-line"
	ScrollUp   Intent = "scroll-up"
	ScrollDown Intent = "scroll-down"
	MoreUp     Intent = "more-up"
	MoreDown   Intent = "more-down"

	Yes    Intent = "yes"
	No     Intent = "no"
	Submit Intent = "submit"
)

// Mode is what the keyboard is for at the moment.
type Mode string

// The modes.
const (
	Home    Mode = "home"
	Explore Mode = "explore"
	Learn   Mode = "learn"   // reading and stepping
	Predict Mode = "predict" // filling in what one expects
	Prompt  Mode = "prompt"  // typing commands in a challenge
	Ask     Mode = "ask"     // typing one line into a popup
	Confirm Mode = "confirm" // yes or no
	Choose  Mode = "choose"  // picking from a list
	Popup   Mode = "popup"   // reading something laid over the screen
)

// Modes lists the modes in the order in which help and the README tell of them.
func Modes() []Mode {
	return []Mode{Home, Explore, Learn, Predict, Prompt, Ask, Confirm, Choose, Popup}
}

// Title is the mode's heading in help.
func (m Mode) Title() string {
	switch m {
	case Home:
		return "Home"
	case Explore:
		return "Explorer"
	case Learn:
		return "Lesson"
	case Predict:
		return "Prediction"
	case Prompt:
		return "Challenge prompt"
	case Ask:
		return "Typing a line"
	case Confirm:
		return "A question"
	case Choose:
		return "A list"
	}
	return "Popup"
}

// Typing says whether keys that are plain text are typed in this mode rather than looked up.
func (m Mode) Typing() bool { return m == Predict || m == Prompt || m == Ask }

// Binding ties keys to an intent.
type Binding struct {
	Keys   []string // as Bubble Tea v2 names them; the first is the one to show
	Intent Intent
	Label  string // one or two words for the footer
	Help   string // a sentence for the ? screen
	Rank   int    // the footer shows low ranks first and drops high ones when it is narrow, but for the highest; 0 is not in the footer
}

// For gives the bindings of a mode, its own first and then those that work everywhere.
func For(m Mode) []Binding {
	return slices.Concat(own(m), common(m))
}

// Lookup finds what a key means in a mode.
func Lookup(m Mode, key string) Intent {
	for _, b := range For(m) {
		if slices.Contains(b.Keys, key) {
			return b.Intent
		}
	}
	return None
}
