package lessons

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxCodeWidth is how wide a line of a fenced block may be, in columns: it is not wrapped, and a
// screen may have 80 columns with a border.
const maxCodeWidth = 76

var (
	htmlStart = regexp.MustCompile(`<[A-Za-z/!?]`)
	codeSpan  = regexp.MustCompile("`+")
	indented  = regexp.MustCompile(`^(    |\t)`)
	rule      = regexp.MustCompile(`^(-{3,}|_{3,}|={2,})$`)
)

// checkText holds a text to the Markdown that every screen can show: paragraphs and lists with inline
// code and bold, and fenced blocks. first is the line of body[0].
func (w *wordsLoader) checkText(body []string, first int) {
	fence := ""
	var paragraph []string
	flush := func(next int) {
		if len(paragraph) > 0 {
			w.check(strings.Join(paragraph, "\n"), next-len(paragraph))
		}
		paragraph = nil
	}
	for i, l := range body {
		at := first + i
		switch {
		case fence != "" && strings.Trim(l, "`") == "" && len(l) >= len(fence):
			fence = ""
		case fence != "":
			if n := columns(l); n > maxCodeWidth {
				w.bad(at, "a line of a fenced block is %d columns wide; %d fit on a screen", n, maxCodeWidth)
			}
		case fenceOf(l) != "":
			flush(at)
			fence = fenceOf(l)
		case l == "":
			flush(at)
		default:
			w.checkLine(l, at)
			paragraph = append(paragraph, l)
		}
	}
	flush(first + len(body))
}

// checkLine judges how a line begins.
func (w *wordsLoader) checkLine(l string, at int) {
	switch trimmed := strings.TrimLeft(l, " \t"); {
	case indented.MatchString(l):
		w.bad(at, "this line is indented by four columns or more; put code between ``` lines")
	case strings.HasPrefix(trimmed, "> "):
		w.bad(at, "quotations are not part of a lesson's Markdown; if the > is meant, write `>`")
	case strings.HasPrefix(trimmed, "|"):
		w.bad(at, "tables are not part of a lesson's Markdown; draw it between ``` lines")
	case strings.HasPrefix(trimmed, "* "), strings.HasPrefix(trimmed, "+ "):
		w.bad(at, "an item of a list begins with - or 1.")
	case strings.HasPrefix(trimmed, "~~~"):
		w.bad(at, "a fenced block stands between ``` lines")
	case rule.MatchString(trimmed):
		w.bad(at, "a line of %s is a rule or a heading in Markdown; leave it out", trimmed[:1])
	}
}

// check judges the inline Markdown of a paragraph that begins in line at.
func (w *wordsLoader) check(paragraph string, at int) {
	plain, open := withoutCode(paragraph)
	lineOf := func(i int) int { return at + strings.Count(paragraph[:min(i, len(paragraph))], "\n") }
	if open >= 0 {
		w.bad(lineOf(open), "a ` opens code here and none closes it")
		return
	}
	if m := htmlStart.FindStringIndex(plain); m != nil {
		w.bad(lineOf(m[0]), "HTML is not part of a lesson; a < that is meant goes into `code`")
	}
	if i := strings.Index(plain, "]("); i >= 0 {
		w.bad(lineOf(i), "links and pictures are not part of a lesson's Markdown")
	}
	bold := strings.Count(plain, "**")
	if bold%2 == 1 {
		w.bad(lineOf(strings.LastIndex(plain, "**")), "a ** opens bold here and none closes it")
	}
	if i := strings.Index(strings.ReplaceAll(plain, "**", "  "), "*"); i >= 0 {
		w.bad(lineOf(i), "a single * here; only **bold** and `code` are known, and a * that is meant goes into `code`")
	}
}

// withoutCode blanks the code spans of a text, keeping its length; open is where a span begins that
// never ends, or -1.
func withoutCode(s string) (plain string, open int) {
	b := []byte(s)
	runs := codeSpan.FindAllStringIndex(s, -1)
	for i := 0; i < len(runs); i++ {
		closing := -1
		for j := i + 1; j < len(runs); j++ {
			if runs[j][1]-runs[j][0] == runs[i][1]-runs[i][0] {
				closing = j
				break
			}
		}
		if closing < 0 {
			return string(b), runs[i][0]
		}
		for k := runs[i][0]; k < runs[closing][1]; k++ {
			if b[k] != '\n' {
				b[k] = ' '
			}
		}
		i = closing
	}
	return string(b), -1
}

// columns is about how wide a line is on a terminal: letters from Hangul's on count twice.
func columns(l string) int {
	wide := 0
	for _, r := range l {
		if r >= 0x1100 && (r < 0x2000 || r >= 0x2e80) {
			wide++
		}
	}
	return utf8.RuneCountInString(l) + wide
}
