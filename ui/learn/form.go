package learn

import (
	"hash/fnv"
	"math/rand/v2"

	"pelscope/lessons"
	"pelscope/ui/theme"
	"pelscope/ui/widget"
)

// form is what the learner fills in before a step runs: a value for each cell, then one of the answers to a
// question. The cursor stands on a field, on the question (no answer is taken), or on an answer (it is taken):
// to go on with enter alone leaves all open.
type form struct {
	cells  []lessons.Cell
	inputs []*widget.Input
	choice *lessons.Choice
	order  []int // the choice's options as they are shown
	at     int   // of the inputs, then the question, then the answers as they are shown
	active bool
}

// newForm makes the form of a step. Its name mixes the answers, always in the same way, so that the right one
// has no place of its own.
func newForm(th *theme.Theme, p *lessons.Predict, step string) form {
	f := form{}
	if p == nil {
		return f
	}
	f.active = true
	f.cells, f.choice = p.Cells, p.Choice
	for range p.Cells {
		in := widget.NewInput(th, "")
		in.SetWidth(cellWidth)
		f.inputs = append(f.inputs, in)
	}
	if p.Choice != nil {
		h := fnv.New64a()
		_, _ = h.Write([]byte(step)) // a hash takes everything
		f.order = rand.New(rand.NewPCG(h.Sum64(), 0)).Perm(len(p.Choice.Options))
	}
	return f
}

// cellWidth is how wide the field for one value is.
const cellWidth = 12

func (f *form) setTheme(th *theme.Theme) {
	for _, in := range f.inputs {
		in.SetTheme(th)
	}
}

// places is how many places the cursor has.
func (f *form) places() int {
	n := len(f.inputs)
	if f.choice != nil {
		n += 1 + len(f.order)
	}
	return n
}

// asked says whether the cursor stands on the question.
func (f *form) asked() bool { return f.choice != nil && f.at == len(f.inputs) }

// chosen is the option that is taken, -1 for none.
func (f *form) chosen() int {
	if i := f.at - len(f.inputs) - 1; i >= 0 && i < len(f.order) {
		return f.order[i]
	}
	return -1
}

// move goes to the next or the previous place, and round at the ends.
func (f *form) move(forward bool) {
	n := f.places()
	if n == 0 {
		return
	}
	if forward {
		f.at = (f.at + 1) % n
	} else {
		f.at = (f.at + n - 1) % n
	}
}

// next goes on from a value; false when there is nothing left to fill in, so that the prediction can be
// committed to.
func (f *form) next() bool {
	if f.at >= len(f.inputs)-1 && f.choice == nil || f.at >= len(f.inputs) {
		return false
	}
	f.move(true)
	return true
}

func (f *form) key(name, text string) {
	if f.at < len(f.inputs) {
		f.inputs[f.at].Key(name, text)
	}
}

// clear leaves everything open: "don't know".
func (f *form) clear() {
	for _, in := range f.inputs {
		in.SetValue("")
	}
	f.at = len(f.inputs)
}

// guess is what was filled in.
func (f *form) guess() lessons.Prediction {
	p := lessons.Prediction{Cells: map[string]string{}}
	for i, in := range f.inputs {
		if v := in.Value(); v != "" {
			p.Cells[f.cells[i].String()] = v
		}
	}
	if i := f.chosen(); i >= 0 {
		p.Choice = f.choice.Options[i].Is
	}
	return p
}
