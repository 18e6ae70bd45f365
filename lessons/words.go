package lessons

import (
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// defaultLanguage is the language that every lesson has.
const defaultLanguage = "en"

var wordsFile = regexp.MustCompile(`^([a-z]{2})\.md$`)

// loadWords reads the files of words in a lesson's folder and holds them to the lesson: every text that
// it names is there in each language, and no other.
func loadWords(fsys fs.FS, dir string, file func(string) string, ll *lessonLoader, all *problems) map[string]*Words {
	out := map[string]*Words{}
	files, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return out // lesson.yaml could not be read either, and that has been said
	}
	var first *wordsLoader
	for _, f := range files {
		name, own := f.Name(), &problems{}
		m := wordsFile.FindStringSubmatch(name)
		switch {
		case m == nil && strings.HasSuffix(name, ".md"):
			own.report(file(name), 0, "a file of words is named by its language in two letters, such as en.md")
		case m != nil:
			w := &wordsLoader{file: file(name), problems: own, lines: map[string]int{}}
			if text, ok := readFile(fsys, path.Join(dir, name), w.file, own); ok {
				out[m[1]] = w.load(m[1], text)
				w.compare(ll)
				if first != nil && len(first.problems.list) == 0 {
					w.compareCode(first)
				} else if m[1] == defaultLanguage {
					first = w
				}
			}
		}
		all.add(own)
	}
	if out[defaultLanguage] == nil {
		all.report(file(defaultLanguage+".md"), 0, "there is no such file; every lesson has its words in English")
	}
	return out
}

// wordsLoader reads one file of words.
type wordsLoader struct {
	file     string
	problems *problems
	words    *Words
	lines    map[string]int // of each heading: "read" for a step, "read/option a" for its texts
}

func (w *wordsLoader) bad(line int, format string, args ...any) {
	w.problems.report(w.file, line, format, args...)
}

// section is a heading and what stands below it, without blank lines around.
type section struct {
	level int
	title string
	line  int
	body  []string
	first int // line of body[0]
}

func (s section) text() string { return strings.Join(s.body, "\n") }

var heading = regexp.MustCompile(`^(#+)[ \t]+(.*?)[ \t#]*$`)

// sections cuts a file at its headings. Within a fenced block nothing is a heading.
func (w *wordsLoader) sections(text string) []section {
	var out []section
	fence, opened := "", 0
	for i, l := range strings.Split(text, "\n") {
		l = strings.TrimRight(l, " \t")
		m := heading.FindStringSubmatch(l)
		switch {
		case fence != "" && strings.Trim(l, "`") == "" && len(l) >= len(fence):
			fence = ""
		case fence != "" && fenceOf(l) == fence:
			w.bad(i+1, "a fenced block begins here, but the one of line %d was not closed; end it with %s", opened, fence)
		case fence != "":
		case fenceOf(l) != "":
			fence, opened = fenceOf(l), i+1
		case m != nil:
			if len(m[1]) > 3 {
				w.bad(i+1, "headings go no deeper than ###")
			}
			out = append(out, section{level: len(m[1]), title: m[2], line: i + 1, first: i + 2})
			continue
		case strings.HasPrefix(l, "##"):
			w.bad(i+1, "a heading has a space behind its #")
		}
		if len(out) == 0 && l != "" {
			w.bad(i+1, "a file of words begins with its title: # …")
			out = append(out, section{level: 1, line: i + 1, first: i + 1})
		}
		if len(out) > 0 {
			s := &out[len(out)-1]
			s.body = append(s.body, l)
		}
	}
	if fence != "" {
		w.bad(opened, "this fenced block is never closed; end it with %s", fence)
	}
	for i := range out {
		out[i].trim()
	}
	return out
}

func (s *section) trim() {
	for len(s.body) > 0 && s.body[0] == "" {
		s.body, s.first = s.body[1:], s.first+1
	}
	for len(s.body) > 0 && s.body[len(s.body)-1] == "" {
		s.body = s.body[:len(s.body)-1]
	}
}

// fenceOf gives the backticks that open a fenced block.
func fenceOf(l string) string {
	ticks := len(l) - len(strings.TrimLeft(l, "`"))
	if ticks < 3 || strings.Contains(l[ticks:], "`") {
		return ""
	}
	return l[:ticks]
}

func (w *wordsLoader) load(lang, text string) *Words {
	w.words = &Words{Lang: lang, Steps: map[string]StepWords{}}
	list := w.sections(text)
	if len(list) == 0 {
		w.bad(0, "the file is empty")
	}
	step := ""
	for i, s := range list {
		switch {
		case s.level == 1 && i > 0:
			w.bad(s.line, "there is a title already; a step begins with ##, such as ## read: Alice takes two")
		case s.level == 1:
			w.title(s)
		case s.level == 2:
			step = w.step(s)
		case s.level == 3 && step == "":
			w.bad(s.line, "### %s belongs to no step; a step begins with ##", s.title)
		case s.level == 3:
			w.part(step, s)
		}
	}
	return w.words
}

func (w *wordsLoader) title(s section) {
	w.words.Title, w.words.Summary = s.title, s.text()
	if s.title == "" {
		w.bad(s.line, "the title is empty")
	}
	if len(s.body) == 0 {
		w.bad(s.line, "below the title a summary of the lesson is missing")
	}
	w.check(s.title, s.line)
	w.checkText(s.body, s.first)
}

// step begins a step and gives its id, empty when the heading has none.
func (w *wordsLoader) step(s section) string {
	id, title, _ := strings.Cut(s.title, ":")
	id, title = strings.TrimSpace(id), strings.TrimSpace(title)
	switch {
	case !kebabName.MatchString(id) || title == "":
		w.bad(s.line, "want ## and a step's id, a colon and its title, such as ## read: Alice takes two")
		return ""
	case w.lines[id] > 0:
		w.bad(s.line, "the step %q stands in line %d already", id, w.lines[id])
		return ""
	case len(s.body) == 0:
		w.bad(s.line, "the step %q has no story below its heading", id)
	}
	w.lines[id] = s.line
	w.words.Steps[id] = StepWords{
		Title: title, Story: s.text(),
		Asks: map[string]string{}, Options: map[string]OptionWords{}, Goals: map[string]string{}, Hints: map[string]string{},
	}
	w.check(title, s.line)
	w.checkText(s.body, s.first)
	return id
}

// partNames are the headings within a step.
func partNames() []string { return []string{"why", "ask", "option", "goal", "hint", "code"} }

// part reads one ### of a step.
func (w *wordsLoader) part(step string, s section) {
	word, key, _ := strings.Cut(s.title, " ")
	key = strings.TrimSpace(key)
	at := step + "/" + strings.TrimSpace(word+" "+key)
	sw := w.words.Steps[step]
	switch {
	case word == "why" && key == "":
	case slices.Contains([]string{"ask", "option", "goal", "hint"}, word) && kebabName.MatchString(key):
	case word == "code":
		w.code(&sw, key, s)
		w.words.Steps[step] = sw
		return
	default:
		w.bad(s.line, "unknown heading ### %s%s Within a step there are ### why, ### ask q1, ### option a, ### goal drained, ### hint h1 and ### code go: go-redis",
			s.title, orDot(meant(word, partNames())))
		return
	}
	if w.lines[at] > 0 {
		w.bad(s.line, "### %s stands in line %d already", s.title, w.lines[at])
		return
	}
	w.lines[at] = s.line
	if len(s.body) == 0 {
		w.bad(s.line, "### %s has no text below it", s.title)
		return
	}
	w.checkText(s.body, s.first)
	switch word {
	case "why":
		sw.Why = s.text()
		w.words.Steps[step] = sw
	case "ask":
		sw.Asks[key] = s.text()
	case "option":
		sw.Options[key] = w.option(s)
	case "goal":
		sw.Goals[key] = s.text()
	case "hint":
		sw.Hints[key] = s.text()
	}
}

// option takes the first line for the answer and the rest for what to say to it.
func (w *wordsLoader) option(s section) OptionWords {
	rest := section{body: s.body[1:], first: s.first + 1}
	rest.trim()
	if len(rest.body) == 0 {
		w.bad(s.line, "### %s has an answer, but below it nothing to say to whoever chose it", s.title)
	}
	return OptionWords{Answer: s.body[0], Because: rest.text()}
}

// codeLanguages are those in which a lesson shows code.
func codeLanguages() []string { return []string{"go", "java", "kotlin", "python"} }

// code reads "go: go-redis" and the one fenced block below it.
func (w *wordsLoader) code(to *StepWords, key string, s section) {
	lang, title, _ := strings.Cut(key, ":")
	lang, title = strings.TrimSpace(lang), strings.TrimSpace(title)
	if !slices.Contains(codeLanguages(), lang) || title == "" {
		w.bad(s.line, "want ### code, a language, a colon and a title, such as ### code go: go-redis; languages are %s", list(codeLanguages()))
		return
	}
	n := len(s.body)
	if n < 3 || fenceOf(s.body[0]) == "" || strings.Trim(s.body[n-1], "`") != "" || closes(s.body) != n-1 {
		w.bad(s.line, "### %s wants one fenced block of code below it and nothing else", s.title)
		return
	}
	if info := strings.Trim(s.body[0], "`"); info != "" && info != lang {
		w.bad(s.first, "the block is %s, its heading says %s", info, lang)
	}
	w.checkText(s.body, s.first)
	to.Code = append(to.Code, Code{Title: title, Lang: lang, Source: strings.Join(s.body[1:n-1], "\n") + "\n"})
}

// closes is the index of the line that closes the fence that body[0] opens.
func closes(body []string) int {
	fence := fenceOf(body[0])
	for i, l := range body[1:] {
		if len(l) >= len(fence) && strings.Trim(l, "`") == "" {
			return i + 1
		}
	}
	return -1
}

// compare holds the words to the lesson.
func (w *wordsLoader) compare(ll *lessonLoader) {
	if ll.lesson == nil {
		return
	}
	wanted := map[string]int{}
	for _, k := range ll.keys {
		wanted[k.id] = k.line
		if w.lines[k.id] == 0 {
			w.bad(0, "the step %q (%s:%d) has no words; write ## %s: and its title", k.id, lessonFile, k.line, k.id)
			continue
		}
		for word, keys := range map[string]map[string]int{"ask": k.asks, "option": k.options, "goal": k.goals, "hint": k.hints} {
			for key, at := range keys {
				part := word + " " + key
				wanted[k.id+"/"+part] = at
				if w.lines[k.id+"/"+part] == 0 {
					w.bad(w.lines[k.id], "the step %q lacks ### %s, which %s:%d wants", k.id, part, lessonFile, at)
				}
			}
		}
	}
	if len(ll.problems.list) > 0 {
		return // what is not in the lesson may be in a part of it that could not be read
	}
	for at, line := range w.lines {
		step, part, isPart := strings.Cut(at, "/")
		_, ok := wanted[at]
		switch {
		case ok || part == "why":
		case !isPart:
			w.bad(line, "the lesson has no step %q%s", at, meant(at, stepIDs(ll.lesson)))
		case wanted[step] > 0:
			w.bad(line, "### %s is not wanted by the step %q (%s:%d)%s", part, step, lessonFile, wanted[step], meant(part, partsOf(step, wanted)))
		}
	}
}

func stepIDs(l *Lesson) []string {
	var ids []string
	for _, s := range l.Steps {
		ids = append(ids, s.ID)
	}
	return ids
}

func partsOf(step string, wanted map[string]int) []string {
	var out []string
	for _, at := range sortedKeys(wanted) {
		if part, ok := strings.CutPrefix(at, step+"/"); ok {
			out = append(out, part)
		}
	}
	return out
}

// compareCode wants the same pieces of code in every language.
func (w *wordsLoader) compareCode(first *wordsLoader) {
	titles := func(sw StepWords) map[string]bool {
		out := map[string]bool{}
		for _, c := range sw.Code {
			out[c.Lang+": "+c.Title] = true
		}
		return out
	}
	for id, sw := range w.words.Steps {
		other, ok := first.words.Steps[id]
		if own, want := titles(sw), titles(other); ok && !maps.Equal(own, want) {
			w.bad(w.lines[id], "the step %q has code for %s, but in %s for %s",
				id, list(sortedKeys(own)), path.Base(first.file), list(sortedKeys(want)))
		}
	}
}
