package text

import (
	"fmt"

	"pelscope/redisx/state"
)

// Line is one line of the changes log.
type Line struct {
	Kind state.Kind
	Text string
}

// fewEnough is how many changes of one sort in a row are still told one by one.
const fewEnough = 8

// Lines tells the changes of one look as a log tells them: each in its own line, long runs of one sort
// for one consumer as one line with their count, and counters left out that the other lines explain.
func Lines(changes []state.Change, home state.Place) []Line {
	var out []Line
	told := withoutBookkeeping(changes)
	for i := 0; i < len(told); {
		j := i + 1
		for j < len(told) && sameSort(told[i], told[j]) {
			j++
		}
		if j-i > fewEnough {
			out = append(out, Line{told[i].Kind(), run(told[i:j], home)})
			i = j
			continue
		}
		for ; i < j; i++ {
			out = append(out, Line{told[i].Kind(), Change(told[i], home)})
		}
	}
	return out
}

// withoutBookkeeping leaves out counters and traces; lengths and pending counts stay, since Diff gives
// them only where something happened outside the view.
func withoutBookkeeping(changes []state.Change) []state.Change {
	added := map[string]bool{}
	delivered := map[state.Place]bool{}
	for _, c := range changes {
		switch c := c.(type) {
		case state.EntryAdded:
			added[c.Key] = true
		case state.DeliveriesChanged:
			delivered[rowOf(c)] = true
		}
	}
	var out []state.Change
	for _, c := range changes {
		switch c.Kind() {
		case state.KindLength, state.KindPendingCount:
		case state.KindLastID:
			if added[c.Place().Key] {
				continue
			}
		case state.KindRedelivered:
			if delivered[rowOf(c)] {
				continue // the new count says it
			}
		default:
			if c.Kind().Derived() && c.Kind() != state.KindClient {
				continue
			}
		}
		out = append(out, c)
	}
	return out
}

func rowOf(c state.Change) state.Place {
	p := c.Place()
	return state.Place{Key: p.Key, Group: p.Group, ID: p.ID}
}

func sameSort(a, b state.Change) bool {
	pa, pb := a.Place(), b.Place()
	return a.Kind() == b.Kind() && !pa.ID.IsZero() &&
		pa.Key == pb.Key && pa.Group == pb.Group && pa.Consumer == pb.Consumer && cause(a) == cause(b)
}

func cause(c state.Change) string {
	switch c := c.(type) {
	case state.PendingGone:
		return c.Cause
	case state.EntryGone:
		return fmt.Sprint(c.Cause, c.Head)
	case state.OwnerChanged:
		return c.From
	}
	return ""
}

// run tells many changes of one sort in one line.
func run(list []state.Change, home state.Place) string {
	first, last := list[0].Place(), list[len(list)-1].Place()
	span := fmt.Sprintf("%d entries, %s … %s", len(list), first.ID, last.ID)
	at := where(first, home)
	switch c := list[0].(type) {
	case state.EntryAdded:
		return at + "entry + " + span
	case state.EntryGone:
		return at + "entry - " + span + ", " + goneHow(c)
	case state.PendingAdded:
		return at + "pending + " + span + " " + ownerName(c.Row.Consumer)
	case state.PendingGone:
		return at + "pending - " + span + " " + ownerName(c.Row.Consumer) + ", " + leftHow(c.Cause)
	case state.OwnerChanged:
		return at + "owner of " + span + ": " + ownerName(c.From) + " → " + ownerName(c.To)
	case state.DeliveriesChanged:
		return at + "deliveries of " + span + " went up, held by " + ownerName(c.Consumer)
	}
	return at + string(list[0].Kind()) + " " + span
}
