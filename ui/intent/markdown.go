package intent

import (
	"fmt"
	"strings"
)

// Markdown is the table of all keys as the README has it. What a mode shares with an earlier one is told
// there.
func Markdown() string {
	var b strings.Builder
	told := map[string]bool{}
	for _, m := range Modes() {
		if m == Popup || m == Choose || m == Ask || m == Confirm {
			continue // their keys stand at their lower edge
		}
		fmt.Fprintf(&b, "**%s**\n\n| key | what it does |\n|---|---|\n", m.Title())
		for _, bind := range For(m) {
			row := fmt.Sprintf("| %s | %s |\n", keyNames(bind.Keys), bind.Help)
			if told[row] && m != Home {
				continue
			}
			told[row] = true
			b.WriteString(row)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func keyNames(keys []string) string {
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = "`" + k + "`"
	}
	return strings.Join(out, " ")
}
