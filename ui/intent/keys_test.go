package intent_test

import (
	"testing"

	"pelscope/ui/intent"
)

func TestAKeyMeansOneThingInAMode(t *testing.T) {
	for _, m := range intent.Modes() {
		seen := map[string]intent.Intent{}
		for _, b := range intent.For(m) {
			for _, k := range b.Keys {
				if had, ok := seen[k]; ok && had != b.Intent {
					t.Errorf("%s: %q means both %s and %s", m, k, had, b.Intent)
				}
				seen[k] = b.Intent
			}
		}
	}
}

func TestEveryKeyThatIsShownIsExplained(t *testing.T) {
	for _, m := range intent.Modes() {
		for _, b := range intent.For(m) {
			if b.Help == "" || len(b.Keys) == 0 || b.Intent == intent.None {
				t.Errorf("%s: binding without help, key or intent: %+v", m, b)
			}
			if (b.Rank > 0) != (b.Label != "") {
				t.Errorf("%s: %v has a label without a rank in the footer, or the reverse", m, b.Keys)
			}
		}
	}
}

func TestLettersAreTypedNotLookedUpWhereOneTypes(t *testing.T) {
	for _, m := range intent.Modes() {
		if !m.Typing() {
			continue
		}
		for _, b := range intent.For(m) {
			for _, k := range b.Keys {
				if len(k) == 1 {
					t.Errorf("%s: the letter %q is bound where letters are typed", m, k)
				}
			}
		}
	}
}

func TestOneCanAlwaysLeaveAndAsk(t *testing.T) {
	for _, m := range intent.Modes() {
		if intent.Lookup(m, "ctrl+c") != intent.Quit {
			t.Errorf("%s: ctrl+c does not leave", m)
		}
		if m != intent.Popup && intent.Lookup(m, "f1") != intent.Help {
			t.Errorf("%s: no key shows the keys", m)
		}
	}
}
