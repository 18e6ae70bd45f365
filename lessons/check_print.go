package lessons

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"pelscope/redisx/resp"
	"pelscope/redisx/state"
)

// printer writes the report of a check: one thing a line, from top to bottom, without colour or columns,
// so that a screen reader can follow it. The first error of writing is kept.
type printer struct {
	w   io.Writer
	err error
}

// line writes one line. What comes from a server is made harmless.
func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = io.WriteString(p.w, harmless(fmt.Sprintf(format, args...))+"\n")
	}
}

// indented writes each line of a text, moved to the right.
func (p *printer) indented(by, text string) {
	for _, l := range strings.Split(text, "\n") {
		p.line("%s%s", by, l)
	}
}

// harmless writes what is not printable as \xNN, but for line breaks.
func harmless(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == '\n', r != utf8.RuneError && unicode.IsPrint(r):
			b.WriteString(s[:size])
		default:
			for i := range size {
				fmt.Fprintf(&b, `\x%02x`, s[i])
			}
		}
		s = s[size:]
	}
	return b.String()
}

func (p *printer) begin(l *Lesson, server, lang string, n int) {
	title := ""
	if lang == "" {
		lang = "en"
	}
	if w := l.Words[lang]; w != nil {
		title = ": " + w.Title
	}
	p.line("")
	p.line("lesson %s%s", l.ID, title)
	p.line("server %s, run %d of 2 from fresh", server, n)
}

func (p *printer) seed(sent []Sent) {
	p.line("")
	p.line("seed")
	for _, x := range sent {
		p.line("  %s", x.Typed())
		p.indented("    ", printed(x.Reply))
	}
}

func (p *printer) step(s *Session, i int, step *Step) {
	p.line("")
	kind := "step"
	if step.Challenge() {
		kind = "challenge"
	}
	p.line("%s %d of %d: %s", kind, i+1, len(s.lesson.Steps), step.ID)
	if len(step.Shows) > 0 {
		p.line("  shows %s", strings.Join(step.Shows, ", "))
	}
}

// outcome writes what was sent, what came back and what changed.
func (p *printer) outcome(s *Session, actions []Action, o Outcome) {
	from := 0
	for i, a := range actions {
		to := len(o.Sent)
		if i < len(o.acts) {
			to = o.acts[i]
		}
		if a.Event != nil {
			p.line("  event: %s", a.Event)
		}
		for _, x := range o.Sent[from:to] {
			p.sent(x)
		}
		from = to
	}
	for _, n := range o.Notes {
		p.line("  note: %s", n)
	}
	if len(actions) == 0 {
		return
	}
	p.changes(s, o)
	for _, g := range o.Answers {
		p.line("  predicted %s: was %s, now %s", g.Cell, g.Was, g.Now)
	}
	if o.Choice != nil && o.Choice.Right != nil {
		p.line("  right answer: %s", o.Choice.Right.Text)
	}
	for _, g := range o.GoalsReached {
		p.line("  goal reached: %s", g)
	}
}

func (p *printer) sent(x Sent) {
	who := x.Actor + "> "
	if x.Actor == "" {
		who = ""
	}
	p.line("  %s%s", who, x.Typed())
	switch {
	case x.Err != nil:
		p.line("    no reply: %s", x.Err)
	case x.Waiting:
		p.line("    (waits)")
	default:
		p.indented("    ", printed(x.Reply))
	}
}

func (p *printer) changes(s *Session, o Outcome) {
	var told, derived []string
	for _, c := range o.Changes {
		line := state.Notation(c, s.home)
		switch {
		case c.Kind() == state.KindSeen, c.Kind() == state.KindActive, onlyCommand(c):
		case c.Kind().Derived():
			derived = append(derived, line)
		default:
			told = append(told, line)
		}
	}
	if len(told) == 0 {
		p.line("  nothing changed")
	} else {
		p.line("  changes:")
	}
	for _, l := range told {
		p.line("    %s", l)
	}
	if len(derived) > 0 {
		p.line("  and so: %s", strings.Join(derived, "; "))
	}
}

// onlyCommand says whether a connection is the same but for its last command.
func onlyCommand(c state.Change) bool {
	x, ok := c.(state.ClientChanged)
	x.From.Cmd = x.To.Cmd
	return ok && x.From == x.To
}

// String says what happens, for a line of text.
func (e *Event) String() string {
	switch e.Kind {
	case EventCrash:
		return e.Who + " crashes: its connection is cut"
	case EventStart:
		return e.Who + " starts and connects"
	case EventIdle:
		return fmt.Sprintf("until all that %s owns has been idle for %s", e.Who, e.For)
	case EventWait:
		return fmt.Sprintf("wait %s", e.For)
	case EventBlock:
		return fmt.Sprintf("%s sends %s and waits", e.Who, resp.Join(e.Args))
	case EventReply:
		return "the reply to " + e.Who + "'s waiting command comes"
	case EventWork:
		return fmt.Sprintf("%s, a %s worker, lives one pass of its loop", e.Who, orNormal(e.Like))
	case EventFinish:
		return e.Who + " finishes what it is at work on"
	}
	return string(e.Kind)
}

func orNormal(like string) string {
	if like == "" {
		return LikeNormal
	}
	return like
}

func (p *printer) summary(r Result) {
	p.line("")
	verdict := "passed"
	if !r.OK() {
		verdict = fmt.Sprintf("FAILED in %d places", len(r.Failures))
	}
	p.line("lesson %s on %s %s: %d steps, %d commands, %d changes, %d answers, %d clauses, %d solutions, %d wrong ways, %d undos, %d skipped",
		r.Lesson, r.Server, verdict, r.Steps, r.Commands, r.Changes, r.Answers, r.Clauses, r.Solutions, r.Wrong, r.Undos, len(r.Skipped))
	for _, f := range r.Failures {
		p.line("  %s", f)
	}
}
