package learn

import (
	"pelscope/lessons"
	"pelscope/ui/theme"
	"pelscope/ui/widget"
)

// form is what the learner fills in before a step runs: a value for each cell, then one of the answers.
type form struct {
	cells  []lessons.Cell
	inputs []*widget.Input
	choice *lessons.Choice
	chosen int // of the choice's options; -1 for none
	at     int // of the inputs and then of the options
	active bool
}

func newForm(th *theme.Theme, p *lessons.Predict) form {
	f := form{chosen: -1}
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
	return f
}

// cellWidth is how wide the field for one value is.
const cellWidth = 12

func (f *form) setTheme(th *theme.Theme) {
	for _, in := range f.inputs {
		in.SetTheme(th)
	}
}

func (f *form) options() int {
	if f.choice == nil {
		return 0
	}
	return len(f.choice.Options)
}

// move goes to the next or the previous field, and round at the ends.
func (f *form) move(forward bool) {
	n := len(f.inputs) + f.options()
	if n == 0 {
		return
	}
	if forward {
		f.at = (f.at + 1) % n
	} else {
		f.at = (f.at + n - 1) % n
	}
	f.choose()
}

// next takes the answer under the cursor, or goes from a value on to the next field; false when there
// is none left, so that the prediction can be committed to.
func (f *form) next() bool {
	if f.at >= len(f.inputs) {
		f.choose()
		return false
	}
	if f.at == len(f.inputs)-1 && f.options() == 0 {
		return false
	}
	f.move(true)
	return true
}

// choose takes the answer that the cursor stands on.
func (f *form) choose() {
	if i := f.at - len(f.inputs); i >= 0 && f.options() > 0 {
		f.chosen = i
	}
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
	f.chosen = -1
}

// guess is what was filled in.
func (f *form) guess() lessons.Prediction {
	p := lessons.Prediction{Cells: map[string]string{}}
	for i, in := range f.inputs {
		if v := in.Value(); v != "" {
			p.Cells[f.cells[i].String()] = v
		}
	}
	if f.chosen >= 0 && f.choice != nil {
		p.Choice = f.choice.Options[f.chosen].Is
	}
	return p
}
