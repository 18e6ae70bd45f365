package lessons

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

const orderFile = "order.yaml"

// LoadAll loads every lesson in the folders below root, in the order of the list in order.yaml there;
// folders that it does not name, or all of them without that file, follow by name. A lesson stands
// behind those that it needs all the same.
//
// elsewhere are ids of lessons that are there already, from another folder: they may be needed, and
// their ids are taken. The error joins what is wrong in all of them, each a *Problem; the lessons that
// are right are returned with it.
func LoadAll(fsys fs.FS, root string, elsewhere ...string) ([]*Lesson, error) {
	all := &problems{}
	folders, err := fs.ReadDir(fsys, root)
	if err != nil {
		all.report(root, 0, "cannot be read: %v", err)
		return nil, all.err()
	}
	var names []string
	for _, f := range folders {
		if info, err := fs.Stat(fsys, path.Join(root, f.Name())); err == nil && info.IsDir() && !strings.HasPrefix(f.Name(), ".") {
			names = append(names, f.Name())
		}
	}
	order := readOrder(fsys, root, names, all)
	var list []*Lesson
	for _, name := range order {
		l, needsLine, err := loadDir(fsys, path.Join(root, name))
		if err != nil {
			all.join(err)
			continue
		}
		if slices.Contains(elsewhere, l.ID) {
			all.report(name+"/"+lessonFile, 0, "there is a lesson %q already; progress is kept by the id, so take another", l.ID)
			continue
		}
		list = append(list, l)
		checkNeeds(l, append(slices.Clone(names), elsewhere...), needsLine, all)
	}
	return sorted(list, all), all.err()
}

// join takes over what loadDir has reported.
func (p *problems) join(err error) {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range many.Unwrap() {
			if x, ok := e.(*Problem); ok {
				p.list = append(p.list, x)
			}
		}
	}
}

// readOrder gives the folders in the order of order.yaml, then the others.
func readOrder(fsys fs.FS, root string, names []string, all *problems) []string {
	own := &problems{}
	defer func() { all.add(own) }()
	r := &reader{file: orderFile, problems: own}
	file := path.Join(root, orderFile)
	var order []string
	if _, err := fs.Stat(fsys, file); err == nil {
		if text, ok := readFile(fsys, file, orderFile, own); ok {
			if n := r.parse(text); n != nil {
				r.texts(&order, func(s string, n ast.Node) {
					if !slices.Contains(names, s) {
						r.bad(n, "there is no lesson in a folder %q%s", s, meant(s, names))
					}
				})("the order", n)
			}
		}
	}
	order = slices.DeleteFunc(order, func(s string) bool { return !slices.Contains(names, s) })
	for _, n := range names {
		if !slices.Contains(order, n) {
			order = append(order, n)
		}
	}
	return order
}

func checkNeeds(l *Lesson, known []string, at map[string]int, all *problems) {
	for _, id := range l.Needs.Lessons {
		if !slices.Contains(known, id) || id == l.ID {
			all.report(l.ID+"/"+lessonFile, at[id], "there is no other lesson %q%s", id, meant(id, known))
		}
	}
}

// sorted puts each lesson behind those that it needs and otherwise leaves the order as it is. Lessons
// that need each other in a circle stay where they are, and that is a problem.
func sorted(list []*Lesson, all *problems) []*Lesson {
	var out []*Lesson
	state := map[string]int{} // 1: being placed, 2: placed
	var place func(l *Lesson)
	place = func(l *Lesson) {
		state[l.ID] = 1
		for _, id := range l.Needs.Lessons {
			i := slices.IndexFunc(list, func(x *Lesson) bool { return x.ID == id })
			switch {
			case i < 0 || state[id] == 2 || id == l.ID:
			case state[id] == 1:
				all.report(l.ID+"/"+lessonFile, 0, "the lessons %q and %q need each other", l.ID, id)
			default:
				place(list[i])
			}
		}
		state[l.ID] = 2
		out = append(out, l)
	}
	for _, l := range list {
		if state[l.ID] == 0 {
			place(l)
		}
	}
	return out
}
