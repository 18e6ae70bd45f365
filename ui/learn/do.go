package learn

import (
	"pelscope/ui/intent"
	"pelscope/ui/layout"
)

// Do carries out an intent and says what it asks of the program.
func (s *Screen) Do(i intent.Intent) []Request {
	s.isDrawn = false
	switch s.Mode() {
	case intent.Predict:
		if reqs, done := s.doPredict(i); done {
			return reqs
		}
	case intent.Prompt:
		if reqs, done := s.doPrompt(i); done {
			return reqs
		}
	}
	switch i {
	case intent.ScrollUp:
		s.scrollStory(-1)
	case intent.ScrollDown:
		s.scrollStory(1)
	case intent.PageUp:
		s.scrollStory(-storyPage)
	case intent.PageDown:
		s.scrollStory(storyPage)
	case intent.MoreUp:
		s.more = max(0, s.more-changedPage)
	case intent.MoreDown:
		s.more += changedPage
	case intent.NextPane, intent.PrevPane:
		s.turnFocus(i == intent.NextPane)
	case intent.Back:
		return []Request{{Kind: Leave}}
	case intent.Commands:
		return []Request{{Kind: ShowCommands}}
	case intent.Reply:
		return []Request{{Kind: ShowReplies}}
	case intent.SkipWait:
		if s.Waiting() {
			return []Request{{Kind: SkipWait}}
		}
	}
	if s.session == nil || s.busy {
		return nil
	}
	return s.operate(i)
}

// scrollStory moves the story from where it is shown. It ends at its last line when it is drawn.
func (s *Screen) scrollStory(n int) {
	s.scroll = max(0, s.top+n)
	s.free = true
}

// operate asks for what only one operation at a time can do.
func (s *Screen) operate(i intent.Intent) []Request {
	switch i {
	case intent.Run:
		return s.goOn()
	case intent.Undo:
		if s.session.CanUndo() {
			return []Request{{Kind: UndoStep}}
		}
	case intent.Reset:
		return []Request{{Kind: AskReset}}
	case intent.Submit:
		s.typing = true
		s.fields.active = true
		s.focus = layout.Story
	case intent.Hint:
		if s.tried {
			return []Request{{Kind: ShowHint}}
		}
	case intent.Solution:
		if !s.session.Finished() && s.session.Step().Challenge() {
			return []Request{{Kind: AskSolution}}
		}
	}
	return nil
}

// goOn runs the step, or goes to the next one when it ran, or there is nothing to run.
func (s *Screen) goOn() []Request {
	if s.session.Finished() {
		return []Request{{Kind: Leave}}
	}
	step := s.session.Step()
	switch {
	case step.Challenge() && !s.session.Done():
		s.typing = true
		return nil
	case step.Challenge(), len(step.Do) == 0, s.session.Ran():
		return []Request{{Kind: NextStep}}
	}
	return []Request{{Kind: RunStep, Guess: s.Guess()}}
}

func (s *Screen) doPredict(i intent.Intent) ([]Request, bool) {
	switch i {
	case intent.Run:
		s.free = false
		if s.fields.next() {
			return nil, true
		}
		return s.goOn(), true
	case intent.NextCell, intent.PrevCell:
		s.free = false
		s.fields.move(i == intent.NextCell)
	case intent.DontKnow:
		s.fields.clear()
		return s.goOn(), true
	case intent.Back:
		s.fields.active = false
	default:
		return nil, false
	}
	return nil, true
}

func (s *Screen) doPrompt(i intent.Intent) ([]Request, bool) {
	switch i {
	case intent.Run:
		line := s.prompt.Value()
		if line == "" {
			if s.session.Done() {
				return s.goOn(), true
			}
			return nil, true
		}
		s.prompt.Submit()
		s.tried = true
		return []Request{{Kind: TypeLine, Actor: s.ActorName(), Line: line}}, true
	case intent.Actor:
		s.actor = (s.actor + 1) % len(s.typists())
	case intent.PrevLine:
		s.prompt.Key("up", "")
	case intent.NextLine:
		s.prompt.Key("down", "")
	case intent.Crash:
		s.tried = true
		return []Request{{Kind: CrashActor, Actor: s.ActorName()}}, true
	case intent.Hint:
		if s.tried {
			return []Request{{Kind: ShowHint}}, true
		}
		s.trouble = "a hint comes after a first try of your own"
	case intent.Back:
		s.typing = false
	default:
		return nil, false
	}
	return nil, true
}

func (s *Screen) turnFocus(forward bool) {
	fold := s.layout().Fold
	if len(fold) == 0 {
		return
	}
	at := 0
	for i, p := range fold {
		if p == s.focus {
			at = i
		}
	}
	step := 1
	if !forward {
		step = len(fold) - 1
	}
	s.focus = fold[(at+step)%len(fold)]
}
