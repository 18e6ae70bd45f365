package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "pelscope"

// ours are the folders that hold all packages but main.
func ours() []string { return []string{"assets", "lessons", "redisx", "ui"} }

// screens are what the program shows one at a time; none knows of another.
func screens() []string { return []string{"ui/explore", "ui/home", "ui/learn", "ui/popup"} }

// bubbleTea are the modules that only ui may know.
func bubbleTea() []string {
	return []string{"charm.land/", "github.com/charmbracelet/"}
}

// The directions in which packages import one another: down only.
func TestImportsGoDownOnly(t *testing.T) {
	for _, rule := range directions() {
		t.Run(rule.why, func(t *testing.T) {
			met := false
			for _, p := range packages(t) {
				if !within(p.dir, rule.of...) || within(p.dir, rule.but...) {
					continue
				}
				met = true
				for _, imported := range p.imports() {
					if within(imported, rule.never...) && !within(imported, rule.except...) {
						t.Errorf("%s imports %s", p.dir, imported)
					}
				}
			}
			if !met {
				t.Error("there is no such package any more")
			}
		})
	}
}

// direction forbids packages, with all below them, to import others. Our own are named by their folder.
type direction struct {
	why     string
	of, but []string
	never   []string
	except  []string
}

func directions() []direction {
	rules := []direction{
		{why: "Redis knows no lesson, no screen and no Bubble Tea", of: []string{"redisx"}, never: append(bubbleTea(), "lessons", "ui", "assets")},
		{why: "lessons know Redis alone", of: []string{"lessons"}, never: append(bubbleTea(), "ui", "assets", "redisx/embedded", "redisx/private")},
		{why: "the model imports nothing of ours but resp", of: []string{"redisx/state"}, never: ours(), except: []string{"redisx/resp"}},
		{why: "the engine does not know the client it serves", of: []string{"redisx/embedded"}, never: []string{"redisx"}, except: []string{"redisx/embedded", "redisx/resp", "redisx/safe"}},
		{why: "the streams of the engine stand alone", of: []string{"redisx/embedded/stream"}, never: []string{"redisx"}},
		{why: "drawing knows no Redis", of: []string{"ui/draw", "ui/theme", "ui/layout", "ui/intent"}, never: []string{"redisx", "lessons"}},
		{why: "screens and widgets send nothing to a server", of: append(screens(), "ui/widget", "ui/text"), never: []string{"redisx"}, except: []string{"redisx/state", "redisx/resp"}},
		{why: "widgets know no screen", of: []string{"ui/widget", "ui/draw", "ui/theme", "ui/text"}, never: append(screens(), "ui/layout", "ui/intent")},
		{why: "what ui is built of does not know ui", of: []string{"ui"}, but: []string{"ui/cli"}, never: []string{"ui/cli"}},
		{why: "only main imports the command line", of: []string{"assets", "lessons", "redisx"}, never: []string{"ui/cli"}},
		{why: "what tests share is for tests", of: append(ours(), "."), but: []string{"ui/uitest", "redisx/private/servertest"}, never: []string{"testing", "ui/uitest", "redisx/private/servertest"}},
		{why: "what only computes reads no file, no network and no environment", of: append(screens(), "redisx/state", "redisx/resp", "ui/draw", "ui/intent", "ui/layout", "ui/text", "ui/theme", "ui/widget"), never: []string{"os", "net", "syscall"}},
	}
	for _, s := range screens() {
		others := slices.DeleteFunc(screens(), func(o string) bool { return o == s })
		rules = append(rules, direction{why: s + " knows no other screen", of: []string{s}, never: append(others, "ui/cli")})
	}
	return rules
}

// Every goroutine is started where a panic in it is caught.
func TestGoroutinesStartInOnePlace(t *testing.T) {
	each(t, func(p pkg, n ast.Node) {
		if _, ok := n.(*ast.GoStmt); ok && p.dir != "redisx/safe" {
			t.Errorf("%s: a go statement; redisx/safe has Go", p.at(n))
		}
	})
}

// Time comes in messages and is injected: the clock is asked at the edge alone.
func TestTheClockIsAskedAtTheEdge(t *testing.T) {
	edge := []string{
		"main.go",                   // hands it in
		"redisx/client/client.go",   // the default when nobody hands one in
		"redisx/embedded/clock.go",  // the same
		"redisx/private",            // waits for real processes
		"redisx/private/servertest", // and so does what tests it
		"ui/uitest",                 // the virtual clock itself
		"lessons/session.go",        // a lesson's waits, cut short by a context
		"lessons/progress_file.go",  // waits for another program's lock
	}
	ask := []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}
	each(t, func(p pkg, n ast.Node) {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return
		}
		x, ok := s.X.(*ast.Ident)
		if ok && x.Name == "time" && slices.Contains(ask, s.Sel.Name) && !within(p.file(n), edge...) {
			t.Errorf("%s: time.%s", p.at(n), s.Sel.Name)
		}
	})
}

// Nothing happens before main begins, and no package keeps something that changes.
func TestNoInitAndNoMutableVariables(t *testing.T) {
	constant := map[string]string{
		"assets.Lessons":                   "embedded files",
		"redisx/resp.kindNames":            "an array that is only read",
		"ui/draw.ambiguousWide":            "the environment does not change",
		"redisx/private/servertest.shared": "tests have no other place in common",
	}
	for _, p := range packages(t) {
		for _, d := range p.decls() {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.Name == "init" {
					t.Errorf("%s: init", p.at(d))
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					v, ok := s.(*ast.ValueSpec)
					if !ok || d.Tok != token.VAR {
						continue
					}
					for i, name := range v.Names {
						if name.Name != "_" && constant[p.dir+"."+name.Name] == "" && !(i < len(v.Values) && immutable(v.Values[i])) {
							t.Errorf("%s: variable %s", p.at(v), name.Name)
						}
					}
				}
			}
		}
	}
}

// immutable is true of errors and of regular expressions.
func immutable(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	name := fmt.Sprint(call.Fun)
	s, ok := call.Fun.(*ast.SelectorExpr)
	if ok {
		name = fmt.Sprint(s.X, ".", s.Sel.Name)
	}
	return name == "errors.New" || name == "regexp.MustCompile"
}

// A function fits a screen. (That of a test may hold a long table.)
func TestFunctionsFitAScreen(t *testing.T) {
	const screen = 60
	for _, p := range packages(t) {
		for _, d := range p.decls() {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := p.fset.Position(f.End()).Line - p.fset.Position(f.Pos()).Line + 1; n > screen {
				t.Errorf("%s: %s has %d lines", p.at(f), f.Name.Name, n)
			}
		}
	}
}

// Each package says what it is for, once, and whom it may import or who may import it.
func TestEachPackageSaysWhatItIsFor(t *testing.T) {
	for _, p := range packages(t) {
		var docs []string
		for _, f := range p.files {
			if f.Doc != nil {
				docs = append(docs, f.Doc.Text())
			}
		}
		begin := "Package " + path.Base(p.dir) + " "
		if p.dir == "." {
			begin = "Command " + module + " "
		}
		switch {
		case len(docs) != 1:
			t.Errorf("%s has %d package comments", p.dir, len(docs))
		case !strings.HasPrefix(docs[0], begin):
			t.Errorf("%s: its comment does not begin with %q", p.dir, begin)
		case p.dir != "." && !strings.Contains(docs[0], "import"):
			t.Errorf("%s: its comment says nothing of imports", p.dir)
		}
	}
}

// within says whether a folder or a path is one of some, or lies below.
func within(dir string, of ...string) bool {
	return slices.ContainsFunc(of, func(o string) bool {
		if strings.HasSuffix(o, "/") {
			return strings.HasPrefix(dir, o)
		}
		return dir == o || strings.HasPrefix(dir, o+"/")
	})
}

// pkg is a package of ours without its tests.
type pkg struct {
	dir   string // its folder, slashes between, "." for main
	fset  *token.FileSet
	files []*ast.File
}

// packages reads all of them.
func packages(t *testing.T) []pkg {
	t.Helper()
	found := map[string]*pkg{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && name != "."):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		dir := path.Dir(filepath.ToSlash(name))
		if found[dir] == nil {
			found[dir] = &pkg{dir: dir, fset: token.NewFileSet()}
		}
		f, err := parser.ParseFile(found[dir].fset, name, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		found[dir].files = append(found[dir].files, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var list []pkg
	for _, p := range found {
		list = append(list, *p)
	}
	slices.SortFunc(list, func(a, b pkg) int { return strings.Compare(a.dir, b.dir) })
	return list
}

// each walks over all that is written, but for the tests.
func each(t *testing.T, visit func(p pkg, n ast.Node)) {
	t.Helper()
	for _, p := range packages(t) {
		for _, f := range p.files {
			ast.Inspect(f, func(n ast.Node) bool {
				if n != nil {
					visit(p, n)
				}
				return true
			})
		}
	}
}

func (p pkg) at(n ast.Node) string { return p.fset.Position(n.Pos()).String() }

func (p pkg) file(n ast.Node) string { return filepath.ToSlash(p.fset.Position(n.Pos()).Filename) }

func (p pkg) decls() []ast.Decl {
	var list []ast.Decl
	for _, f := range p.files {
		list = append(list, f.Decls...)
	}
	return list
}

// imports are what the package imports, each once; of ours the folder.
func (p pkg) imports() []string {
	var list []string
	for _, f := range p.files {
		for _, i := range f.Imports {
			name := strings.Trim(i.Path.Value, `"`)
			if name != module {
				name = strings.TrimPrefix(name, module+"/")
			}
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
