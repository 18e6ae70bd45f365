package explore_test

import (
	"cmp"
	"errors"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pelscope/redisx/state"
	"pelscope/ui/explore"
	"pelscope/ui/intent"
	"pelscope/ui/theme"
)

// foreign draws bytes as they come from a server: names, hostile sequences, scripts, anything.
func foreign(t *rapid.T) string {
	return rapid.OneOf(
		rapid.SampledFrom(append(widths(), hostile, "", "orders", "a b", "\xff\xfe", "\u0301", "\u200d", "🇰", "x\x1b[31m", "\x1b", "é\u202e")),
		rapid.String(), rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 40), func(b []byte) string { return string(b) }),
	).Draw(t, "text")
}

func anyID(t *rapid.T) state.ID {
	return rapid.OneOf(
		rapid.Map(rapid.Uint64Range(0, 40), func(n uint64) state.ID { return id(n) }),
		rapid.SampledFrom([]state.ID{{}, {Seq: 1}, state.MaxID(), {MS: 5, Seq: 9007199254740992}}),
	).Draw(t, "id")
}

func anyMaybe[T comparable](t *rapid.T, value func(*rapid.T) T) state.Maybe[T] {
	if rapid.Bool().Draw(t, "known") {
		return state.Know(value(t))
	}
	return state.Unknown[T](foreign(t))
}

func anyCount(t *rapid.T) int64 {
	return rapid.OneOf(rapid.Int64Range(0, 50), rapid.SampledFrom([]int64{-1, 1 << 40, 9223372036854775807})).Draw(t, "count")
}

func anyInstant(t *rapid.T) state.Instant {
	return at + state.Instant(rapid.Int64Range(-1<<40, 1<<20).Draw(t, "when"))
}

// anyOf draws up to n things in the order of a State, each once.
func anyOf[T any](t *rapid.T, n int, one func(*rapid.T) T, order func(a, b T) int) []T {
	var out []T
	for range rapid.IntRange(0, n).Draw(t, "n") {
		out = append(out, one(t))
	}
	slices.SortFunc(out, order)
	return slices.CompactFunc(out, func(a, b T) bool { return order(a, b) == 0 })
}

// anyRange is a window's or page's ends around what is in it.
func anyRange(t *rapid.T, ids []state.ID) (from, to state.ID) {
	to = state.MaxID()
	if len(ids) > 0 && rapid.Bool().Draw(t, "cut below") {
		from = ids[0]
	}
	if len(ids) > 0 && rapid.Bool().Draw(t, "cut above") {
		to = ids[len(ids)-1]
	}
	return from, to
}

func anyWindow(t *rapid.T) state.Window {
	if rapid.IntRange(0, 9).Draw(t, "denied") == 0 {
		return state.Window{Unknown: foreign(t)}
	}
	w := state.Window{Entries: anyOf(t, 30, func(t *rapid.T) state.Entry {
		e := state.Entry{ID: anyID(t)}
		for range rapid.IntRange(0, 4).Draw(t, "fields") {
			e.Fields = append(e.Fields, state.Field{Name: foreign(t), Value: foreign(t)})
		}
		return e
	}, func(a, b state.Entry) int { return a.ID.Compare(b.ID) })}
	var ids []state.ID
	for _, e := range w.Entries {
		ids = append(ids, e.ID)
	}
	w.From, w.To = anyRange(t, ids)
	return w
}

func anyPage(t *rapid.T, from state.ID) state.Page {
	if rapid.IntRange(0, 9).Draw(t, "denied") == 0 {
		return state.Page{From: from, Unknown: foreign(t)}
	}
	p := state.Page{From: from, Rows: anyOf(t, 12, func(t *rapid.T) state.Pending {
		return state.Pending{ID: anyID(t), Consumer: foreign(t), DeliveredAt: anyInstant(t), Deliveries: anyCount(t)}
	}, func(a, b state.Pending) int { return a.ID.Compare(b.ID) })}
	var ids []state.ID
	for _, r := range p.Rows {
		ids = append(ids, r.ID)
	}
	_, p.To = anyRange(t, ids)
	return p
}

func anyGroup(t *rapid.T, from state.ID) state.Group {
	g := state.Group{
		Name: foreign(t), LastDelivered: anyID(t), EntriesRead: anyMaybe(t, anyCount), Lag: anyMaybe(t, anyCount),
		Pending: anyMaybe(t, anyCount), PEL: anyPage(t, from),
	}
	if rapid.IntRange(0, 9).Draw(t, "denied") == 0 {
		g.ConsumersUnknown = foreign(t)
		return g
	}
	g.Consumers = anyOf(t, 8, func(t *rapid.T) state.Consumer {
		return state.Consumer{Name: foreign(t), Pending: anyMaybe(t, anyCount), Seen: anyMaybe(t, anyInstant), Active: anyMaybe(t, anyInstant)}
	}, func(a, b state.Consumer) int { return cmp.Compare(a.Name, b.Name) })
	return g
}

func anyState(t *rapid.T, key string, from state.ID) state.State {
	st := state.State{At: at, Torn: rapid.Bool().Draw(t, "torn")}
	k := state.Key{Name: key, Type: rapid.SampledFrom([]string{"stream", "stream", "stream", "none", "list", ""}).Draw(t, "type")}
	if k.Type == "" {
		k.Denied = "denied " + foreign(t)
	}
	if k.Type == "stream" {
		k.Stream = &state.Stream{
			Length: anyMaybe(t, anyCount), FirstID: anyMaybe(t, anyID), LastID: anyMaybe(t, anyID), EntriesAdded: anyMaybe(t, anyCount),
			MaxDeleted: anyMaybe(t, anyID), Entries: anyWindow(t),
			Gone:   anyOf(t, 3, anyID, state.ID.Compare),
			Groups: anyOf(t, 4, func(t *rapid.T) state.Group { return anyGroup(t, from) }, func(a, b state.Group) int { return cmp.Compare(a.Name, b.Name) }),
		}
		if len(k.Stream.Groups) == 0 && rapid.Bool().Draw(t, "groups denied") {
			k.Stream.GroupsUnknown = "denied " + foreign(t)
		}
	}
	st.Keys = []state.Key{k}
	return st
}

func anyIntent(t *rapid.T) intent.Intent {
	var list []intent.Intent
	for _, b := range intent.For(intent.Explore) {
		list = append(list, b.Intent)
	}
	return rapid.SampledFrom(list).Draw(t, "intent")
}

// Whatever is seen and whatever is pressed, on a screen of whatever size: the view is exactly as large as
// the screen without its footer, each line as wide as it shall be, with no foreign byte in it.
func TestAnyScreenIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := theme.Kind(rapid.IntRange(0, 2).Draw(t, "theme"))
		key := foreign(t)
		s := explore.New(theme.New(kind, rapid.Bool().Draw(t, "ascii")), explore.Server{Where: foreign(t), What: foreign(t), Note: foreign(t)}, key, foreign(t))
		now := time.UnixMilli(int64(at))
		for range rapid.IntRange(1, 6).Draw(t, "steps") {
			w, h := rapid.IntRange(40, 210).Draw(t, "w"), rapid.IntRange(12, 70).Draw(t, "h")
			s.SetSize(w, h)
			now = now.Add(time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "later")))
			switch rapid.IntRange(0, 4).Draw(t, "what") {
			case 0:
				s.Lost(errors.New(foreign(t)).Error(), now)
			case 1:
				s.Tick(now)
			case 2:
				s.SetTheme(theme.New(theme.Kind(rapid.IntRange(0, 2).Draw(t, "next theme")), rapid.Bool().Draw(t, "next ascii")))
			default:
				s.Observed(anyState(t, key, s.Look().PendingFrom), explore.Cost{Commands: 11, Took: time.Millisecond})
			}
			exact(t, s.View(), w, h)
			for range rapid.IntRange(0, 6).Draw(t, "keys") {
				s.Do(anyIntent(t))
				exact(t, s.View(), w, h)
			}
		}
	})
}
