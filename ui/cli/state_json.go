package cli

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"pelscope/redisx/client"
	"pelscope/redisx/state"
)

// The form of `pelscope state --json`. Names are Redis's own; times are milliseconds, instants since 1970.
type (
	jsonState struct {
		Server  string     `json:"server"`
		Product string     `json:"product"`
		At      int64      `json:"at_ms"`
		Torn    bool       `json:"torn"`
		Stream  jsonStream `json:"stream"`
	}
	jsonStream struct {
		Name         bytesText `json:"name"`
		Length       any       `json:"length"`
		FirstID      any       `json:"first_id"`
		LastID       any       `json:"last_generated_id"`
		EntriesAdded any       `json:"entries_added"`
		MaxDeleted   any       `json:"max_deleted_entry_id"`
		Groups       any       `json:"groups"`
		Newest       any       `json:"newest_entries"`
	}
	jsonGroup struct {
		Name          bytesText `json:"name"`
		LastDelivered string    `json:"last_delivered_id"`
		EntriesRead   any       `json:"entries_read"`
		Lag           any       `json:"lag"`
		Pending       any       `json:"pending"`
		Consumers     any       `json:"consumers"`
		PEL           any       `json:"pending_entries"`
	}
	jsonConsumer struct {
		Name     bytesText `json:"name"`
		Pending  any       `json:"pending"`
		Idle     any       `json:"idle_ms"`
		Inactive any       `json:"inactive_ms"`
	}
	jsonPending struct {
		ID         string     `json:"id"`
		Consumer   *bytesText `json:"consumer"` // null: nobody owns it
		Idle       int64      `json:"idle_ms"`
		Deliveries int64      `json:"deliveries"`
		Deleted    any        `json:"entry_deleted"`
	}
	jsonEntry struct {
		ID     string         `json:"id"`
		Fields [][2]bytesText `json:"fields"` // in order, duplicates kept
		Cut    bool           `json:"cut,omitempty"`
	}
	jsonUnknown struct {
		Unknown string `json:"unknown"`
	}
)

// bytesText is text where it is UTF-8, else {"base64": …}: the exact bytes either way.
type bytesText string

// MarshalJSON implements json.Marshaler.
func (b bytesText) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(b)) {
		return json.Marshal(string(b))
	}
	return json.Marshal(map[string]string{"base64": base64.StdEncoding.EncodeToString([]byte(b))})
}

// writeJSON writes v as JSON that a terminal may be shown: what is not visible (C1 controls and bidirectional
// ones too, which encoding/json leaves as they are) stands as \uNNNN, so that the same bytes come back.
func writeJSON(out io.Writer, v any) error {
	raw, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	var text strings.Builder
	for _, r := range string(raw) {
		if r == '\n' || unicode.IsPrint(r) {
			text.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) { // only in strings is anything but ASCII
			fmt.Fprintf(&text, `\u%04x`, unit)
		}
	}
	_, err = fmt.Fprintln(out, text.String())
	return err
}

func stateJSON(st state.State, name string, c *client.Client) jsonState {
	s := st.Stream(name)
	out := jsonState{Server: c.Target().String(), Product: c.Server().String(), At: int64(st.At), Torn: st.Torn, Stream: jsonStream{
		Name: bytesText(name), Length: maybeJSON(s.Length), FirstID: idJSON(s.FirstID), LastID: idJSON(s.LastID),
		EntriesAdded: maybeJSON(s.EntriesAdded), MaxDeleted: idJSON(s.MaxDeleted),
	}}
	groups := make([]jsonGroup, 0, len(s.Groups))
	for _, g := range s.Groups {
		groups = append(groups, groupJSON(st, s, g))
	}
	out.Stream.Groups = orUnknown(s.GroupsUnknown, groups)
	entries := make([]jsonEntry, 0, len(s.Entries.Entries))
	for i := len(s.Entries.Entries) - 1; i >= 0; i-- {
		e := s.Entries.Entries[i]
		je := jsonEntry{ID: e.ID.String(), Fields: [][2]bytesText{}, Cut: e.Cut}
		for _, f := range e.Fields {
			je.Fields = append(je.Fields, [2]bytesText{bytesText(f.Name), bytesText(f.Value)})
		}
		entries = append(entries, je)
	}
	out.Stream.Newest = orUnknown(s.Entries.Unknown, entries)
	return out
}

func groupJSON(st state.State, s *state.Stream, g state.Group) jsonGroup {
	consumers := make([]jsonConsumer, 0, len(g.Consumers))
	for _, c := range g.Consumers {
		consumers = append(consumers, jsonConsumer{
			Name: bytesText(c.Name), Pending: maybeJSON(c.Pending), Idle: sinceJSON(st, c.Seen), Inactive: sinceJSON(st, c.Active),
		})
	}
	rows := make([]jsonPending, 0, len(g.PEL.Rows))
	for _, r := range g.PEL.Rows {
		row := jsonPending{ID: r.ID.String(), Idle: r.Idle(st.At).Milliseconds(), Deliveries: r.Deliveries}
		if r.Consumer != "" {
			owner := bytesText(r.Consumer)
			row.Consumer = &owner
		}
		here := s.Present(r.ID)
		row.Deleted = maybeJSON(state.Maybe[bool]{Value: !here.Value, Known: here.Known, Why: here.Why})
		rows = append(rows, row)
	}
	return jsonGroup{
		Name: bytesText(g.Name), LastDelivered: g.LastDelivered.String(), EntriesRead: maybeJSON(g.EntriesRead),
		Lag: maybeJSON(g.Lag), Pending: maybeJSON(g.Pending),
		Consumers: orUnknown(g.ConsumersUnknown, consumers), PEL: orUnknown(g.PEL.Unknown, rows),
	}
}

func orUnknown(why string, v any) any {
	if why != "" {
		return jsonUnknown{why}
	}
	return v
}

func maybeJSON[T comparable](m state.Maybe[T]) any {
	if !m.Known {
		return jsonUnknown{m.Why}
	}
	return m.Value
}

func idJSON(m state.Maybe[state.ID]) any {
	if !m.Known {
		return jsonUnknown{m.Why}
	}
	return m.Value.String()
}

func sinceJSON(st state.State, m state.Maybe[state.Instant]) any {
	if !m.Known {
		return jsonUnknown{m.Why}
	}
	return max(0, st.At.Sub(m.Value).Milliseconds())
}
