package theme

// The backgrounds that the colours are made for. A terminal's own may differ a little.
const (
	darkGround  = "#16181d"
	lightGround = "#fafafa"
)

// palette is a theme before it is worked out.
type palette struct {
	text, quiet, title, accent, key, strong look
	cursor, cursorOther                     look
	passed, pending, undelivered, gone      look
	warn, bad, good, changed                look
	selected, command, typed, caret, edge   look
	owners                                  [Owners]string
}

// looks are the colours of a kind. One accent (blue) for what is active; amber for the cursor and what
// just changed; red, orange and green only for what is bad, doubtful and good.
func looks(k Kind) palette {
	switch k {
	case Dark:
		return dark()
	case Light:
		return light()
	}
	return none()
}

func dark() palette {
	return palette{
		text: look{fg: "#d3d7de"}, quiet: look{fg: "#8a92a0"}, title: look{fg: "#eceff4", bold: true},
		accent: look{fg: "#74b0ff"}, key: look{fg: "#c3cad6", bold: true}, strong: look{fg: "#f3f5f8", bold: true},
		cursor: look{fg: "#ffc857", bold: true}, cursorOther: look{fg: "#a89468"},
		passed: look{fg: "#7f8796"}, pending: look{fg: "#74b0ff"}, undelivered: look{fg: "#c0c6d1"}, gone: look{fg: "#666e7c"},
		warn: look{fg: "#f0a35e"}, bad: look{fg: "#ff7b78", bold: true}, good: look{fg: "#8fce7d"}, changed: look{fg: "#ffd88a", bold: true},
		selected: look{bg: "#2b3242"}, command: look{fg: "#9fd6d2"}, typed: look{fg: "#f3f5f8"}, caret: look{reverse: true}, edge: look{fg: "#525a69"},
		owners: [Owners]string{"#f494b4", "#f2b06c", "#dccf63", "#98d27e", "#5cceb6", "#6fbdf3", "#b3a4f7", "#e49be6"},
	}
}

func light() palette {
	return palette{
		text: look{fg: "#23272e"}, quiet: look{fg: "#656d78"}, title: look{fg: "#0d1117", bold: true},
		accent: look{fg: "#0b5cc4"}, key: look{fg: "#353b45", bold: true}, strong: look{fg: "#0d1117", bold: true},
		cursor: look{fg: "#925400", bold: true}, cursorOther: look{fg: "#7a6a45"},
		passed: look{fg: "#6b7280"}, pending: look{fg: "#0b5cc4"}, undelivered: look{fg: "#3d434d"}, gone: look{fg: "#868c96"},
		warn: look{fg: "#9a4f00"}, bad: look{fg: "#b3202a", bold: true}, good: look{fg: "#226b2c"}, changed: look{fg: "#7d4b00", bold: true},
		selected: look{bg: "#e1e8f4"}, command: look{fg: "#0f6465"}, typed: look{fg: "#0d1117"}, caret: look{reverse: true}, edge: look{fg: "#b3b8c1"},
		owners: [Owners]string{"#b01e5b", "#9c4300", "#6f5900", "#3a6a0c", "#00695c", "#0a5ba6", "#5a3ec2", "#8b2c99"},
	}
}

func none() palette {
	bold := look{bold: true}
	return palette{
		title: bold, accent: bold, key: bold, strong: bold,
		cursor: bold, pending: bold,
		warn: bold, bad: look{bold: true, underline: true}, good: bold, changed: look{bold: true, underline: true},
		selected: look{reverse: true}, caret: look{reverse: true},
	}
}

// fill works the styles out.
func (t *Theme) fill(p palette) {
	for _, role := range []struct {
		style *Style
		look  look
	}{
		{&t.Text, p.text}, {&t.Quiet, p.quiet}, {&t.Title, p.title}, {&t.Accent, p.accent}, {&t.Key, p.key}, {&t.Strong, p.strong},
		{&t.Cursor, p.cursor}, {&t.CursorOther, p.cursorOther},
		{&t.Passed, p.passed}, {&t.Pending, p.pending}, {&t.Undelivered, p.undelivered}, {&t.Gone, p.gone},
		{&t.Warn, p.warn}, {&t.Bad, p.bad}, {&t.Good, p.good}, {&t.Changed, p.changed},
		{&t.Selected, p.selected}, {&t.Command, p.command}, {&t.Typed, p.typed}, {&t.Caret, p.caret}, {&t.edge, p.edge},
	} {
		*role.style = role.look.style()
	}
	for i, fg := range p.owners {
		t.owners[i] = look{fg: fg}.style()
	}
}
