package intent

import "slices"

func own(m Mode) []Binding {
	switch m {
	case Home:
		return home()
	case Explore:
		return explore()
	case Learn:
		return learn()
	case Predict:
		return predict()
	case Prompt:
		return prompt()
	case Ask:
		return []Binding{
			{[]string{"enter"}, Submit, "go", "Take the line that was typed.", 1},
			{[]string{"esc"}, Back, "cancel", "Close without doing anything.", 2},
		}
	case Confirm:
		return []Binding{
			{[]string{"y"}, Yes, "yes", "Do it.", 1},
			{[]string{"n", "esc"}, No, "no", "Leave everything as it is.", 2},
		}
	case Choose:
		return slices.Concat([]Binding{
			{[]string{"enter"}, Open, "pick", "Take the selected one.", 1},
			{[]string{"esc"}, Back, "cancel", "Close without picking.", 2},
		}, moving())
	case Popup:
		return slices.Concat([]Binding{{[]string{"esc", "q", "enter", "?"}, Back, "close", "Close what is laid over the screen.", 1}}, moving())
	}
	return nil
}

// common are the keys that work in every mode. Where letters are typed, only those that are no letters.
func common(m Mode) []Binding {
	all := []Binding{{[]string{"ctrl+c"}, Quit, "", "Leave pelscope, from anywhere.", 0}, {[]string{"ctrl+z"}, Suspend, "", "Put pelscope into the background (fg brings it back).", 0}}
	if m.Typing() || m == Confirm || m == Choose || m == Popup {
		return append(all, Binding{[]string{"f1"}, Help, "", "All keys.", 0})
	}
	return append([]Binding{
		{[]string{"?", "f1"}, Help, "keys", "All keys.", 10},
		{[]string{"t"}, Theme, "", "Next theme: dark, light, without colour.", 0},
		{[]string{"q"}, Quit, "quit", "Leave pelscope.", 9},
	}, all...)
}

func moving() []Binding {
	return []Binding{
		{[]string{"up", "k"}, Up, "", "One row up.", 0},
		{[]string{"down", "j"}, Down, "", "One row down.", 0},
		{[]string{"pgup", "ctrl+b"}, PageUp, "", "A page up.", 0},
		{[]string{"pgdown", "ctrl+f"}, PageDown, "", "A page down.", 0},
		{[]string{"home", "g"}, Top, "", "To the first row.", 0},
		{[]string{"end", "G"}, Bottom, "", "To the last row.", 0},
	}
}

func home() []Binding {
	return slices.Concat([]Binding{
		{[]string{"enter", "right", "l"}, Open, "open", "Begin or go on with what is selected.", 1},
		{[]string{"x"}, Reset, "", "Forget the progress of the selected lesson (asks first).", 0},
		{[]string{"esc"}, Back, "", "Back.", 0},
	}, moving())
}

func explore() []Binding {
	return slices.Concat([]Binding{
		{[]string{"tab"}, NextPane, "pane", "To the next pane.", 1},
		{[]string{"shift+tab"}, PrevPane, "", "To the pane before.", 0},
		{[]string{"enter"}, Open, "whole", "The selected row whole: every field in order, exact bytes.", 2},
		{[]string{"]"}, NextGroup, "group", "The next consumer group: its cursor, consumers and pending entries.", 3},
		{[]string{"["}, PrevGroup, "", "The group before.", 0},
		{[]string{"s"}, NextStream, "stream", "Another stream.", 4},
		{[]string{"c"}, GoCursor, "cursor", "Entries around the group's cursor.", 5},
		{[]string{"f"}, GoTail, "newest", "Follow the newest entries.", 5},
		{[]string{"o"}, Sort, "", "Order of the pending entries: by consumer, or by id.", 0},
		{[]string{"p", "space"}, Pause, "pause", "Stop looking, or go on.", 6},
		{[]string{"+", "="}, Faster, "", "Look more often (down to every 100 ms).", 0},
		{[]string{"-"}, Slower, "", "Look less often (up to every minute).", 0},
		{[]string{"r"}, Refresh, "", "Look now.", 0},
		{[]string{"L"}, Commands, "sent", "Every command that pelscope sent to this server.", 7},
		{[]string{"esc"}, Back, "back", "Home.", 8},
	}, moving())
}

func learn() []Binding {
	return []Binding{
		{[]string{"enter"}, Run, "go on", "Run the step's command as it is shown; after it ran, to the next step.", 1},
		{[]string{"u"}, Undo, "undo", "Take the last step back: every key as it was before it.", 2},
		{[]string{"x"}, Reset, "reset", "The lesson from its beginning (asks first).", 4},
		{[]string{"r"}, Reply, "reply", "The server's replies, as redis-cli prints them.", 3},
		{[]string{"w"}, SkipWait, "skip wait", "Skip a wait by ageing the entries with XCLAIM … IDLE, shown as the command it is.", 5},
		{[]string{"i", ":"}, Submit, "type", "In a challenge: to the prompt.", 6},
		{[]string{"h"}, Hint, "hint", "In a challenge, after a try: a hint for where you stand.", 6},
		{[]string{"S"}, Solution, "solution", "In a challenge: play a solution (kept as seen).", 6},
		{[]string{"up", "k"}, ScrollUp, "", "Scroll the story up.", 0},
		{[]string{"down", "j"}, ScrollDown, "", "Scroll the story down.", 0},
		{[]string{"pgup"}, PageUp, "", "Scroll the story a page up.", 0},
		{[]string{"pgdown"}, PageDown, "", "Scroll the story a page down.", 0},
		{[]string{"]"}, MoreDown, "more", "Scroll what changed down.", 5},
		{[]string{"["}, MoreUp, "", "Scroll what changed up.", 0},
		{[]string{"tab"}, NextPane, "pane", "On a small screen: the next tab.", 7},
		{[]string{"shift+tab"}, PrevPane, "", "On a small screen: the tab before.", 0},
		{[]string{"L"}, Commands, "", "Every command that was sent to this server.", 0},
		{[]string{"esc"}, Back, "home", "Home; the lesson stays where it is.", 8},
	}
}

func predict() []Binding {
	return []Binding{
		{[]string{"enter"}, Run, "next", "On to the next field; from the last one, commit to the prediction and run the command.", 1},
		{[]string{"down", "tab"}, NextCell, "choose", "The next field or answer.", 2},
		{[]string{"up", "shift+tab"}, PrevCell, "", "The field or answer before.", 0},
		{[]string{"pgdown"}, PageDown, "", "Scroll the story a page down.", 0},
		{[]string{"pgup"}, PageUp, "", "Scroll the story a page up.", 0},
		{[]string{"ctrl+d"}, DontKnow, "don't know", "Leave everything open and see what happens.", 3},
		{[]string{"ctrl+u"}, Undo, "undo", "Take the last step back.", 4},
		{[]string{"esc"}, Back, "keys", "Away from the fields: every other key works again, and i comes back.", 5},
	}
}

func prompt() []Binding {
	return []Binding{
		{[]string{"enter"}, Run, "run", "Send the command.", 1},
		{[]string{"tab"}, Actor, "as", "Type as the next consumer: every one has a connection of its own.", 2},
		{[]string{"up"}, PrevLine, "", "The command typed before.", 0},
		{[]string{"down"}, NextLine, "", "The command typed after.", 0},
		{[]string{"ctrl+u"}, Undo, "undo", "Take the last command back.", 3},
		{[]string{"ctrl+t"}, Hint, "hint", "A hint for where you stand.", 4},
		{[]string{"ctrl+x"}, Crash, "crash", "Cut this consumer's connection, as when its process dies; the next command connects it again.", 5},
		{[]string{"pgdown"}, MoreDown, "", "Scroll what changed down.", 0},
		{[]string{"pgup"}, MoreUp, "", "Scroll what changed up.", 0},
		{[]string{"esc"}, Back, "leave", "Leave the prompt; then r, h, u, x and S work.", 6},
	}
}
