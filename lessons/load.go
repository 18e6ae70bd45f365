package lessons

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of what is read. A lesson written by hand stays far below them; they keep a wrong file from
// filling the memory or the screen.
const (
	maxFileSize = 256 << 10 // bytes of one file
	maxProblems = 30        // told of one file; the rest is counted
)

const lessonFile = "lesson.yaml"

// Problem is one thing that is wrong in a lesson's folder: where, and what was meant.
type Problem struct {
	File string // as "crash-then-zero/lesson.yaml"
	Line int    // from 1; 0 when it concerns the whole file
	Text string
}

// Error writes the problem as compilers do, so that an editor finds the line.
func (p *Problem) Error() string {
	if p.Line == 0 {
		return p.File + ": " + p.Text
	}
	return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Text)
}

// LoadDir loads the lesson in the folder dir of fsys: lesson.yaml and the words beside it, one file for
// each language (en.md, ko.md, …). Its error joins everything that is wrong, each a *Problem; then the
// lesson is nil.
func LoadDir(fsys fs.FS, dir string) (*Lesson, error) {
	l, _, err := loadDir(fsys, dir)
	return l, err
}

// loadDir is LoadDir, and tells besides on which line the lesson says what it needs.
func loadDir(fsys fs.FS, dir string) (*Lesson, map[string]int, error) {
	name := path.Base(dir)
	file := func(base string) string {
		if name == "." || name == "/" {
			return base
		}
		return name + "/" + base
	}
	all := &problems{}
	ll := &lessonLoader{reader: reader{file: file(lessonFile), problems: &problems{}}, folder: name}
	if text, ok := readFile(fsys, path.Join(dir, lessonFile), ll.file, ll.problems); ok {
		ll.load(text)
	}
	all.add(ll.problems)
	words := loadWords(fsys, dir, file, ll, all)
	if err := all.err(); err != nil {
		return nil, nil, err
	}
	ll.lesson.Words = words
	return ll.lesson, ll.needsLine, nil
}

// readFile reads one file of a lesson and reports what keeps it from being read.
func readFile(fsys fs.FS, name, shown string, to *problems) (string, bool) {
	info, err := fs.Stat(fsys, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		to.report(shown, 0, "there is no such file")
		return "", false
	case err == nil && info.IsDir():
		to.report(shown, 0, "this is a folder; want a file")
		return "", false
	case err == nil && info.Size() > maxFileSize:
		to.report(shown, 0, "the file has %d KB; at most %d are read", info.Size()>>10, maxFileSize>>10)
		return "", false
	}
	var text []byte
	if err == nil {
		text, err = fs.ReadFile(fsys, name)
	}
	if err != nil {
		to.report(shown, 0, "cannot be read: %v", err)
		return "", false
	}
	return plainText(string(text), shown, to)
}

// plainText takes out what editors add on some systems, and refuses bytes that are no text.
func plainText(text, shown string, to *problems) (string, bool) {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	ok := true
	for i, l := range strings.Split(text, "\n") {
		switch {
		case !utf8.ValidString(l):
			to.report(shown, i+1, "this is not UTF-8; save the file in that encoding")
			ok = false
		case strings.ContainsFunc(l, func(r rune) bool { return unicode.IsControl(r) && r != '\t' }):
			to.report(shown, i+1, "there is a control character in this line")
			ok = false
		}
	}
	return text, ok
}

// problems gathers what is wrong, each thing once.
type problems struct {
	list []*Problem
	more int // found but not kept
}

func (p *problems) report(file string, line int, format string, args ...any) {
	x := Problem{File: file, Line: line, Text: fmt.Sprintf(format, args...)}
	if slices.ContainsFunc(p.list, func(y *Problem) bool { return *y == x }) {
		return
	}
	if len(p.list) == maxProblems {
		p.more++
		return
	}
	p.list = append(p.list, &x)
}

// add takes over the problems of one file, in the order of its lines.
func (p *problems) add(of *problems) {
	slices.SortStableFunc(of.list, func(a, b *Problem) int { return cmp.Compare(a.Line, b.Line) })
	p.list = append(p.list, of.list...)
	if of.more > 0 {
		file := of.list[0].File
		p.list = append(p.list, &Problem{File: file, Text: fmt.Sprintf("and %d more problems", of.more)})
	}
}

func (p *problems) err() error {
	errs := make([]error, len(p.list))
	for i, x := range p.list {
		errs[i] = x
	}
	return errors.Join(errs...)
}
