package learn

import (
	"fmt"
	"strings"

	"pelscope/lessons"
	"pelscope/redisx/resp"
	"pelscope/ui/draw"
	"pelscope/ui/theme"
	"pelscope/ui/widget"
)

// storyPage is how many lines a page key moves the story.
const storyPage = 8

// column collects the lines of the story pane, and which of them must be seen.
type column struct {
	th    *theme.Theme
	w     int
	lines []string
	mark  int // the line that must be seen; -1 for none
}

func (c *column) add(lines ...string) { c.lines = append(c.lines, lines...) }

func (c *column) gap() {
	if n := len(c.lines); n > 0 && c.lines[n-1] != "" {
		c.lines = append(c.lines, "")
	}
}

func (c *column) words(markdown string) {
	if strings.TrimSpace(markdown) == "" {
		return
	}
	c.gap()
	c.add(widget.Markdown(c.th, markdown, c.w)...)
}

func (c *column) wrapped(style theme.Style, text string) {
	for _, line := range draw.Wrap(text, c.w) {
		c.add(style.Render(line))
	}
}

// story is what the story pane says at the moment.
func (s *Screen) story(w int) column {
	c := column{th: s.theme, w: w, mark: -1}
	switch {
	case s.session == nil && s.trouble != "":
		c.wrapped(s.theme.Bad, s.theme.Clean(s.trouble))
	case s.session == nil:
		c.words(s.words().Summary)
		c.gap()
		c.add(s.theme.Quiet.Render("making the lesson's world…"))
	case s.session.Finished():
		s.finished(&c)
	default:
		s.step(&c)
	}
	return c
}

func (s *Screen) step(c *column) {
	step := s.session.Step()
	words := s.words().Steps[step.ID]
	ran := s.session.Ran()
	if s.index == 0 && !ran {
		c.words(s.words().Summary)
	}
	s.complaints(c)
	if ran {
		s.choiceAfter(c, step, words)
		c.words(words.Why)
		s.code(c, words)
		c.gap()
		c.add(s.nextLine())
		s.before(c, words)
		return
	}
	c.words(words.Story)
	s.commands(c, step)
	if step.Predict != nil {
		s.prediction(c, step, words)
	}
	if step.Challenge() {
		s.goals(c, step, words)
	}
	if !step.Challenge() && len(step.Do) == 0 {
		c.words(words.Why)
		s.code(c, words)
	}
	s.bar(c)
	if !step.Challenge() && step.Predict == nil && !s.busy {
		c.gap()
		c.add(s.nextLine())
	}
}

// before is the story again, quietly, for whoever wants to read it once more.
func (s *Screen) before(c *column, words lessons.StepWords) {
	if strings.TrimSpace(words.Story) == "" {
		return
	}
	c.gap()
	c.add(s.theme.Quiet.Render(strings.Repeat(s.theme.Glyphs.Rule, c.w)))
	for _, line := range widget.Markdown(s.theme, words.Story, c.w) {
		c.add(s.theme.Quiet.Render(line))
	}
}

// complaints is what went otherwise than the lesson expects, first of all.
func (s *Screen) complaints(c *column) {
	if s.lostServer != "" {
		c.wrapped(s.theme.Bad, s.theme.Clean("The server does not answer: "+s.lostServer+". What is shown is what was seen last."))
	}
	if s.trouble != "" {
		c.wrapped(s.theme.Bad, s.theme.Clean(s.trouble))
	}
	if len(s.last.Strayed) > 0 {
		c.wrapped(s.theme.Warn, "The server was in another state than this step expects, so it did something else. u takes it back.")
		for _, line := range s.last.Strayed {
			c.wrapped(s.theme.Quiet, s.theme.Clean("- "+line))
		}
	}
	if s.hint != "" {
		c.gap()
		c.add(s.theme.Title.Render("hint"))
		c.words(s.hint)
	}
}

// commands shows what runs on enter, exactly as one types it.
func (s *Screen) commands(c *column, step *lessons.Step) {
	if len(step.Do) == 0 {
		return
	}
	c.gap()
	for _, a := range step.Do {
		for _, line := range s.actionLines(a, c.w) {
			c.add(line)
		}
	}
}

func (s *Screen) actionLines(a lessons.Action, w int) []string {
	if a.Event != nil {
		return s.eventLines(*a.Event, w)
	}
	var out []string
	for i, line := range draw.Wrap(s.theme.Clean(resp.Join(s.expand(a.Args))), max(8, w-2-draw.Width(a.Actor))) {
		prompt := s.theme.Clean(a.Actor) + "> "
		if i > 0 {
			prompt = draw.Spaces(draw.Width(prompt))
		}
		out = append(out, s.theme.Owner(a.Actor).Render(prompt)+s.theme.Command.Render(line))
	}
	return out
}

func (s *Screen) expand(args []string) []string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = s.session.Expand(a)
	}
	return out
}

func (s *Screen) eventLines(e lessons.Event, w int) []string {
	who := s.theme.Clean(e.Who)
	words := ""
	switch e.Kind {
	case lessons.EventCrash:
		words = who + "'s process dies: its connection is cut"
	case lessons.EventStart:
		words = who + " starts again and connects"
	case lessons.EventIdle:
		words = fmt.Sprintf("wait until what %s holds has been idle for %s (w skips)", who, draw.Age(e.For))
	case lessons.EventWait:
		words = "wait " + draw.Age(e.For)
	case lessons.EventReply:
		words = who + "'s read returns"
	case lessons.EventFinish:
		words = who + " finishes its work: effect, then XACK"
	case lessons.EventWork:
		words = who + workWords(e)
	case lessons.EventBlock:
		return s.actionLines(lessons.Action{Actor: e.Who, Args: e.Args}, w)
	}
	var out []string
	mark := s.theme.Strong.Render(s.theme.Glyphs.Chosen)
	for _, line := range draw.Wrap(words, w-2) {
		out = append(out, mark+" "+line)
		mark = " "
	}
	return out
}

func workWords(e lessons.Event) string {
	switch {
	case e.Like == "slow":
		return " reads an entry and works on it, slowly"
	case e.Like == "crashing" && e.At == "before-effect":
		return " reads an entry and dies before it did anything"
	case e.Like == "crashing":
		return " reads an entry, does the work, and dies before XACK"
	case e.Like == "poisoned":
		return " reads an entry and cannot make sense of it"
	}
	return " reads, does the work, and acknowledges"
}

// prediction is what the learner fills in.
func (s *Screen) prediction(c *column, step *lessons.Step, words lessons.StepWords) {
	p := step.Predict
	if len(p.Cells) > 0 {
		c.gap()
		c.add(s.theme.Title.Render("What will stand there afterwards?"))
		s.cells(c, p.Cells)
	}
	if p.Choice == nil {
		return
	}
	c.gap()
	style := s.theme.Title
	if s.fields.active && s.fields.asked() {
		c.mark = len(c.lines)
		style = s.theme.Accent
	}
	for _, line := range widget.Markdown(s.theme, words.Asks[p.Choice.Ask], c.w) {
		c.add(style.Render(line))
	}
	for _, i := range s.fields.order {
		s.option(c, i, words.Options[p.Choice.Options[i].Text].Answer)
	}
}

// cells shows each cell to predict: what it holds now, and a field for what it will hold.
func (s *Screen) cells(c *column, cells []lessons.Cell) {
	names, was := make([]string, len(cells)), make([]string, len(cells))
	nameW, wasW := 0, 0
	for i, cell := range cells {
		names[i], was[i] = s.theme.Clean(s.session.Expand(cell.String())), s.theme.Clean(s.cell(cell))
		nameW, wasW = max(nameW, draw.Width(names[i])), max(wasW, draw.Width(was[i]))
	}
	fieldW := min(cellWidth, max(6, c.w-nameW-wasW-6))
	wasW = min(wasW, max(4, c.w/3))
	nameW = min(nameW, c.w-wasW-fieldW-6)
	for i := range cells {
		focused := s.fields.active && s.fields.at == i
		if focused {
			c.mark = len(c.lines)
		}
		c.add(" " + s.theme.Fit(names[i], nameW) + "  " + s.theme.Quiet.Render(s.theme.FitRight(was[i], wasW)) +
			" " + s.theme.Glyphs.Arrow + " " + s.field(i, focused, fieldW))
	}
}

// field is the input of a cell, w columns; an empty one is a line to write on.
func (s *Screen) field(i int, focused bool, w int) string {
	in := s.fields.inputs[i]
	in.SetWidth(w)
	if in.Value() == "" && !focused {
		return s.theme.Quiet.Render(strings.Repeat("_", w))
	}
	return in.View(focused)
}

// option is an answer that can be taken.
func (s *Screen) option(c *column, i int, answer string) {
	mark := "( ) "
	if s.fields.chosen() == i {
		c.mark = len(c.lines)
		mark = s.theme.Accent.Render("(" + s.theme.Glyphs.Bullet + ") ")
	}
	for j, line := range widget.Markdown(s.theme, answer, max(4, c.w-5)) {
		if j > 0 {
			mark = "    "
		}
		c.add(" " + mark + line)
	}
}

// choiceAfter says to whoever chose an answer why it is right or wrong.
func (s *Screen) choiceAfter(c *column, step *lessons.Step, words lessons.StepWords) {
	g := s.last.Choice
	if g == nil || step.Predict == nil || step.Predict.Choice == nil {
		return
	}
	c.gap()
	for _, line := range widget.Markdown(s.theme, words.Asks[step.Predict.Choice.Ask], c.w) {
		c.add(s.theme.Title.Render(line))
	}
	if g.Chosen != nil {
		mark, style := s.theme.Glyphs.Bad+" ", s.theme.Bad
		if g.Verdict == lessons.VerdictRight {
			mark, style = s.theme.Glyphs.Good+" ", s.theme.Good
		}
		o := words.Options[g.Chosen.Text]
		c.wrapped(style, mark+s.theme.Clean(o.Answer))
		c.words(o.Because)
	}
	if g.Right != nil && g.Chosen != g.Right {
		o := words.Options[g.Right.Text]
		c.gap()
		if g.Chosen == nil {
			c.add(s.theme.Quiet.Render("you left this open; what happened is:"))
		}
		c.wrapped(s.theme.Good, s.theme.Glyphs.Good+" "+s.theme.Clean(o.Answer))
		if g.Chosen == nil {
			c.words(o.Because)
		}
	}
}

// goals is what a challenge asks for, and how far it is.
func (s *Screen) goals(c *column, step *lessons.Step, words lessons.StepWords) {
	c.gap()
	c.add(s.theme.Title.Render("goals"))
	states := map[string]lessons.GoalState{}
	for _, g := range s.session.Goals() {
		states[g.ID] = g
	}
	for _, g := range step.Goals {
		mark, style := s.theme.Glyphs.Undelivered, s.theme.Text
		switch st := states[g.ID]; {
		case st.Reached:
			mark, style = s.theme.Glyphs.Good, s.theme.Good
		case st.Broken:
			mark, style = s.theme.Glyphs.Bad, s.theme.Bad
		}
		for i, line := range widget.Markdown(s.theme, words.Goals[g.ID], max(4, c.w-3)) {
			if i > 0 {
				mark = " "
			}
			c.add(" " + style.Render(mark) + " " + line)
		}
		if states[g.ID].Broken {
			c.add("   " + s.theme.Bad.Render("can't be reached any more: undo"))
		}
	}
	if s.session.Done() {
		c.gap()
		c.wrapped(s.theme.Good, s.theme.Glyphs.Good+" All goals are reached, judged on the server's state. Enter goes on.")
		if s.session.Solved() {
			c.wrapped(s.theme.Quiet, "(with the solution's help)")
		}
	}
}

func (s *Screen) code(c *column, words lessons.StepWords) {
	for _, code := range words.Code {
		c.gap()
		c.add(s.theme.Title.Render(s.theme.Clean(code.Title)))
		for _, line := range strings.Split(strings.TrimRight(code.Source, "\n"), "\n") {
			line = s.theme.Clean(strings.ReplaceAll(line, "\t", "  "))
			c.add(s.theme.Command.Render(s.theme.Fit(line, c.w)))
		}
	}
}

// bar shows how far a wait is.
func (s *Screen) bar(c *column) {
	if !s.busy {
		return
	}
	c.gap()
	wait := s.session.Waiting()
	if wait.For <= 0 || s.waiting.IsZero() {
		c.add(s.theme.Quiet.Render("running…"))
		return
	}
	gone := min(wait.For, s.now.Sub(s.waiting))
	c.mark = len(c.lines)
	c.add(widget.Gauge(s.theme, c.w, float64(gone)/float64(wait.For),
		fmt.Sprintf("%.1fs of %s", gone.Seconds(), draw.Age(wait.For))))
}

func (s *Screen) nextLine() string {
	step := s.session.Step()
	what := "enter runs it"
	switch {
	case s.session.Ran() || len(step.Do) == 0:
		what = "enter goes on"
	case step.Predict != nil:
		what = "enter commits and runs it"
	}
	return s.theme.Quiet.Render(what)
}

func (s *Screen) finished(c *column) {
	c.add(s.theme.Good.Render(s.theme.Glyphs.Good + " done"))
	c.words("You have seen all of **" + s.words().Title + "**, each change taken from the server itself. `enter` leads home; `x` begins again.")
	for _, skip := range s.session.Skipped() {
		c.gap()
		c.wrapped(s.theme.Quiet, s.theme.Clean("left out: "+skip.Step+", since "+skip.Why))
	}
	c.gap()
	c.add(s.theme.Title.Render("what you saw"))
	for _, clause := range s.lesson.Clauses {
		for i, line := range draw.Wrap(s.theme.Clean(clause.Text), max(4, c.w-3)) {
			mark := s.theme.Good.Render(s.theme.Glyphs.Good)
			if i > 0 {
				mark = " "
			}
			c.add(" " + mark + " " + line)
		}
	}
}

// cell is what a cell holds now, as text.
func (s *Screen) cell(c lessons.Cell) string {
	c.Arg = s.session.Expand(c.Arg)
	return c.Value(s.state(), s.lesson.Home(), s.lesson.Ledger())
}
