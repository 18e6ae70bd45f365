// Package text holds the interface's words: how a change, a span of time or a count is said to a
// person. What comes from Redis stands in these texts as it is; whoever draws a text cleans it first.
//
// It may import redisx/state and nothing of ui.
package text

import (
	"fmt"
	"strconv"
	"strings"

	"pelscope/redisx/state"
)

// Change says a change in the field's words, one line, without the stream's and the group's name where
// they are those of home.
func Change(c state.Change, home state.Place) string {
	at := where(c.Place(), home)
	switch c := c.(type) {
	case state.KeyAppeared:
		return fmt.Sprintf("key %s appeared (%s)", c.Key, c.Type)
	case state.KeyVanished:
		return fmt.Sprintf("key %s is gone", c.Key)
	case state.EntryAdded:
		return fmt.Sprintf("%sentry + %s", at, c.Entry.ID)
	case state.EntryGone:
		return fmt.Sprintf("%sentry - %s %s", at, c.Entry.ID, goneHow(c))
	case state.GroupCreated:
		return fmt.Sprintf("%sgroup + %s, cursor at %s", at, c.Group, c.Cursor)
	case state.GroupDestroyed:
		return fmt.Sprintf("%sgroup - %s%s", at, c.Group, lostRows(c.Lost))
	case state.CursorMoved:
		return at + cursor(c)
	case state.ConsumerAppeared:
		return fmt.Sprintf("%sconsumer + %s", at, c.Consumer)
	case state.ConsumerVanished:
		return fmt.Sprintf("%sconsumer - %s%s", at, c.Consumer, lostRows(c.Lost))
	case state.PendingAdded:
		return fmt.Sprintf("%spending + %s %s ×%d", at, c.Row.ID, ownerName(c.Row.Consumer), c.Row.Deliveries)
	case state.PendingGone:
		return fmt.Sprintf("%spending - %s %s, %s", at, c.Row.ID, ownerName(c.Row.Consumer), leftHow(c.Cause))
	case state.OwnerChanged:
		return fmt.Sprintf("%sowner %s: %s → %s", at, c.ID, ownerName(c.From), ownerName(c.To))
	case state.DeliveriesChanged:
		return fmt.Sprintf("%sdeliveries %s: %d → %d", at, c.ID, c.From, c.To)
	case state.Redelivered:
		return at + redelivered(c)
	}
	return at + other(c)
}

func other(c state.Change) string {
	switch c := c.(type) {
	case state.ListChanged:
		return strings.TrimSpace(itemsText(" -", c.Out) + itemsText(" +", c.In))
	case state.PairChanged:
		return fmt.Sprintf("%s: %s → %s", c.Name, c.From.Or("none"), c.To.Or("none"))
	case state.ClientChanged:
		return connection(c)
	case state.Moved[int64]:
		return counter(c)
	case state.Moved[state.ID]:
		return fmt.Sprintf("%s %s → %s", c.Gauge, Known(c.From), Known(c.To))
	case state.Moved[state.Instant]:
		return fmt.Sprintf("%s %s", c.Where.Consumer, seenOrActive(c.Gauge))
	}
	return string(c.Kind())
}

func goneHow(c state.EntryGone) string {
	switch {
	case c.Cause != "":
		return "by " + c.Cause
	case !c.Head.Known:
		return "gone"
	case c.Head.Value:
		return "gone from the head"
	}
	return "gone from the middle"
}

func cursor(c state.CursorMoved) string {
	if c.Kind() == state.KindSetBack {
		return fmt.Sprintf("cursor set back %s → %s%s", c.From, c.To, passedText(c.Passed, "-"))
	}
	return fmt.Sprintf("cursor %s → %s%s", c.From, c.To, passedText(c.Passed, "+"))
}

func passedText(n state.Maybe[int64], sign string) string {
	if !n.Known {
		return ""
	}
	return " (" + sign + strconv.FormatInt(n.Value, 10) + ")"
}

func lostRows(n state.Maybe[int64]) string {
	switch {
	case !n.Known:
		return ", how many pending it held is not known"
	case n.Value == 0:
		return ""
	}
	return fmt.Sprintf(", %d pending with it", n.Value)
}

func leftHow(cause string) string {
	switch cause {
	case "":
		return "no longer pending"
	case "XACK", "XACKDEL":
		return "acknowledged"
	}
	return "no longer pending (" + cause + ")"
}

func redelivered(c state.Redelivered) string {
	if c.To < c.From {
		return fmt.Sprintf("delivery time of %s set back", c.ID)
	}
	return fmt.Sprintf("idle %s → 0, held by %s", c.ID, ownerName(c.Consumer))
}

func connection(c state.ClientChanged) string {
	switch {
	case c.From.ID == 0:
		return "connection + " + c.To.Name
	case c.To.ID == 0:
		return "connection - " + c.From.Name
	case c.To.Blocked && !c.From.Blocked:
		return c.To.Name + " waits in " + c.To.Cmd
	case c.From.Blocked && !c.To.Blocked:
		return c.To.Name + " waits no more"
	}
	return c.To.Name + " ran " + c.To.Cmd
}

func counter(c state.Moved[int64]) string {
	name := string(c.Gauge)
	if c.Where.Consumer != "" {
		name += " of " + c.Where.Consumer
	}
	s := fmt.Sprintf("%s %s → %s", name, Known(c.From), Known(c.To))
	if c.From.Known && c.To.Known && (c.Gauge == state.KindLength || c.Gauge == state.KindPendingCount) {
		return s + " outside the view"
	}
	return s
}

func seenOrActive(k state.Kind) string {
	if k == state.KindActive {
		return "did something"
	}
	return "was seen"
}

func itemsText(sign string, list []string) string {
	var b strings.Builder
	for _, s := range list {
		b.WriteString(sign + " " + s)
	}
	return b.String()
}

func ownerName(s string) string {
	if s == "" {
		return "nobody"
	}
	return s
}

// Known says a value, or that it is unknown.
func Known[T comparable](m state.Maybe[T]) string {
	if !m.Known {
		return "unknown"
	}
	return fmt.Sprint(m.Value)
}

func where(p, home state.Place) string {
	switch {
	case p.Key != "" && p.Key != home.Key:
		return p.Key + ": "
	case p.Group != "" && p.Group != home.Group:
		return p.Group + ": "
	}
	return ""
}

// Place writes what a cell of a place is called, such as deliveries(1-0), as lessons name cells; stream
// and group go without saying where they are those of home.
func Place(what string, p, home state.Place) string {
	var parts []string
	if p.Key != "" && p.Key != home.Key {
		parts = append(parts, p.Key)
	}
	if p.Group != "" && (p.Group != home.Group || len(parts) > 0) {
		parts = append(parts, p.Group)
	}
	if !p.ID.IsZero() {
		parts = append(parts, p.ID.String())
	}
	if len(parts) == 0 {
		return what
	}
	return what + "(" + strings.Join(parts, "/") + ")"
}
