package widget

// Column is one column of a table. Widths are in terminal columns.
type Column struct {
	Title string
	Min   int  // the least width that is of any use; below it the column is dropped, or cut when it can't be
	Max   int  // not wider than this while another column wants the width; 0 for no limit
	Grow  int  // its share of width that nobody needs; 0 for none
	Right bool // aligned at the right and never cut while it can be dropped instead: numbers

	// What goes when the column is too narrow for a text: its end, unless one of these is set.
	Tail   bool // the end stays: ids, as …000412-0
	Middle bool // both ends stay: names, which differ there, as settlement-w…b8-0001

	// Priority says who gives way when the width is short: the highest first. Columns of 0, the
	// identifiers, are cut when nothing else is left, and never dropped.
	Priority int
}

// gap is the space between two columns.
const gap = 2

// widths shares w columns among the table's columns; a column that is dropped gets 0. content is the
// widest content of each column, title the width of its title. What is short is taken from the titles
// first, then from the columns that grow, then from the others by priority.
func widths(columns []Column, content, title []int, w int) []int {
	n := len(columns)
	out, full, least := make([]int, n), make([]int, n), make([]int, n)
	for i, c := range columns {
		full[i] = max(content[i], c.Min, 1)
		capped := full[i]
		if c.Max > 0 {
			capped = min(capped, c.Max)
		}
		least[i] = min(capped, max(c.Min, 1))
		if c.Right {
			least[i] = capped
		}
		out[i] = max(capped, title[i])
	}
	for sum(least) > w && drop(columns, out, least) {
	}
	order := givingWay(columns)
	for _, i := range order {
		shrink(out, i, max(least[i], min(full[i], out[i])), w)
	}
	for _, i := range order {
		shrink(out, i, least[i], w)
	}
	for i := n - 1; i >= 0; i-- { // not even the least fits: cut from the right
		shrink(out, i, 1, w)
	}
	for i := n - 1; i > 0 && sum(out) > w; i-- {
		out[i] = 0
	}
	if n > 0 && sum(out) > w {
		out[0] = max(0, w)
	}
	uncap(order, out, full, w)
	grow(columns, out, w)
	return out
}

// uncap gives width that is left over to columns that were held at their Max, the most important first.
func uncap(order, out, full []int, w int) {
	for k := len(order) - 1; k >= 0; k-- {
		i := order[k]
		if room := w - sum(out); room > 0 && out[i] > 0 && out[i] < full[i] {
			out[i] = min(full[i], out[i]+room)
		}
	}
}

// sum is what widths take together with the gaps between those that are not 0.
func sum(ws []int) int {
	total, shown := 0, 0
	for _, w := range ws {
		if w > 0 {
			total += w
			shown++
		}
	}
	return total + gap*max(0, shown-1)
}

// drop takes out the column that gives way first and may be dropped; false when there is none.
func drop(columns []Column, out, least []int) bool {
	victim := -1
	for i, c := range columns {
		if out[i] > 0 && c.Priority > 0 && (victim < 0 || c.Priority >= columns[victim].Priority) {
			victim = i
		}
	}
	if victim < 0 {
		return false
	}
	out[victim], least[victim] = 0, 0
	return true
}

// givingWay is the order in which columns become narrower: those that grow, then by priority, from the
// right.
func givingWay(columns []Column) []int {
	var order []int
	for i := len(columns) - 1; i >= 0; i-- {
		if columns[i].Grow > 0 {
			order = append(order, i)
		}
	}
	top := 0
	for _, c := range columns {
		top = max(top, c.Priority)
	}
	for p := top; p >= 0; p-- {
		for i := len(columns) - 1; i >= 0; i-- {
			if columns[i].Grow == 0 && columns[i].Priority == p {
				order = append(order, i)
			}
		}
	}
	return order
}

func shrink(out []int, i, least, w int) {
	if over := sum(out) - w; over > 0 && out[i] > least {
		out[i] = max(least, out[i]-over)
	}
}

// grow gives what is left over to the columns that want it, by their shares; the first of them takes what
// can't be divided.
func grow(columns []Column, out []int, w int) {
	left, shares, first := w-sum(out), 0, -1
	for i, c := range columns {
		if out[i] > 0 && c.Grow > 0 {
			shares += c.Grow
			if first < 0 {
				first = i
			}
		}
	}
	if left <= 0 || shares == 0 {
		return
	}
	for i, c := range columns {
		if out[i] > 0 && c.Grow > 0 {
			out[i] += left * c.Grow / shares
		}
	}
	out[first] += w - sum(out)
}
