package workers

import (
	"context"
	"fmt"
	"strconv"

	"pelscope/redisx/resp"
	"pelscope/redisx/state"
)

// Entries reads the entries in a reply of XREADGROUP (of one stream), XCLAIM or XAUTOCLAIM.
func Entries(v resp.Value) []Entry {
	var out []Entry
	for _, e := range v.Elems {
		if len(e.Elems) < 2 {
			continue // XCLAIM before 7.0: nil in place of a deleted entry
		}
		id, err := state.ParseID(e.Elems[0].Text())
		if err != nil {
			continue
		}
		entry := Entry{ID: id, Gone: e.Elems[1].IsNil()}
		for f := e.Elems[1].Elems; len(f) >= 2; f = f[2:] {
			entry.Fields = append(entry.Fields, state.Field{Name: f[0].Text(), Value: f[1].Text()})
		}
		out = append(out, entry)
	}
	return out
}

// Field is the value of a field; empty when there is none. Of several of that name it is the first's.
func (e Entry) Field(name string) string {
	for _, f := range e.Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// Fault is why the application cannot work on the entry: it needs an event, and an amount must be a whole
// number where there is one. Empty when it can.
func (e Entry) Fault() string {
	if e.Field("event") == "" {
		return "it has no event"
	}
	for _, f := range e.Fields {
		if _, err := strconv.ParseInt(f.Value, 10, 64); f.Name == "amount" && err != nil {
			return fmt.Sprintf("its amount is no number: %q", f.Value)
		}
	}
	return ""
}

// effect does to the outside world what the entry asks for: one line in the ledger. failed says that it
// could not, so that the entry is not to be acknowledged.
func (w *Worker) effect(ctx context.Context, e Entry, r *Report) (failed bool, err error) {
	if e.Gone { // nothing left to do; acknowledging takes it out of the PEL
		return false, nil
	}
	if why := e.Fault(); why != "" {
		r.Failed = append(r.Failed, Failure{e.ID, why})
		return true, nil
	}
	if w.spec.Ledger == "" {
		r.Done = append(r.Done, e.ID)
		return false, nil
	}
	line := fmt.Sprintf("%s %s %s", e.Field("event"), w.spec.Name, e.ID)
	if w.spec.Dedup != DedupNone {
		return w.effectOnce(ctx, e, line, r)
	}
	v, err := w.send(ctx, r, "RPUSH", w.spec.Ledger, line)
	return w.wrote(e, v, r), err
}

// effectOnce writes the effect unless the processed table has its key already, and both in one step. WATCH
// makes EXEC do nothing (nil) when another worker came in between; then it looks again.
func (w *Worker) effectOnce(ctx context.Context, e Entry, line string, r *Report) (failed bool, err error) {
	key := e.ID.String()
	if w.spec.Dedup == DedupEvent {
		key = e.Field("event")
	}
	for {
		if _, err := w.send(ctx, r, "WATCH", w.spec.Processed); err != nil {
			return true, err
		}
		seen, err := w.send(ctx, r, "HGET", w.spec.Processed, key)
		if err != nil || seen.IsError() {
			return w.wrote(e, seen, r), err
		}
		if !seen.IsNil() {
			r.Skipped = append(r.Skipped, e.ID)
			_, err = w.send(ctx, r, "UNWATCH")
			return err != nil, err
		}
		var v resp.Value
		for _, args := range [][]string{
			{"MULTI"},
			{"HSET", w.spec.Processed, key, w.spec.Stream + " " + e.ID.String()},
			{"RPUSH", w.spec.Ledger, line},
			{"EXEC"},
		} {
			if v, err = w.send(ctx, r, args...); err != nil {
				return true, err
			}
		}
		if !v.IsNil() {
			return w.wrote(e, v, r), nil
		}
	}
}

// wrote notes the effect, or that the server refused it.
func (w *Worker) wrote(e Entry, v resp.Value, r *Report) (failed bool) {
	if v.IsError() {
		r.Failed = append(r.Failed, Failure{e.ID, v.Str})
		return true
	}
	r.Done = append(r.Done, e.ID)
	return false
}
