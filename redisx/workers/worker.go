package workers

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"pelscope/redisx/client"
	"pelscope/redisx/resp"
	"pelscope/redisx/state"
)

// Behaviour is how a worker works through what it read.
type Behaviour int

// The behaviours. Any worker fails on an unparsable entry (see Entry.Fault) and does not acknowledge it.
const (
	Normal           Behaviour = iota // read, then for each entry: effect, XACK
	Slow                              // Pass only reads; effect and XACK come with Finish
	CrashBefore                       // its process dies before the effect
	CrashAfterEffect                  // its process dies after the effect, before XACK
	Poisoned                          // it can make sense of no entry
)

// Dedup is what a worker takes as the key that tells whether an effect was done already.
type Dedup int

// The deduplication keys.
const (
	DedupNone  Dedup = iota
	DedupID          // the stream id: a redelivery is recognized, a republished event is not
	DedupEvent       // the event's own id: both are recognized
)

// Spec is what a worker is.
type Spec struct {
	Name   string // the consumer
	Client string // CLIENT SETNAME of its connection; empty is Name
	Stream string
	Group  string
	Count  int // entries asked for in one read; 0 is 1
	Like   Behaviour

	Ledger    string // the list that its effects are appended to; empty: they leave no trace
	Dedup     Dedup
	Processed string // with a Dedup: the hash in which done keys stand, written in one MULTI with the effect
}

// Sent is one command that was sent, and its reply.
type Sent struct {
	Actor string
	Args  []string
	Reply resp.Value
}

// Entry is an entry as a worker reads it.
type Entry struct {
	ID     state.ID
	Fields []state.Field
	Gone   bool // deleted while it was pending: the reply held its id and nil
}

// Failure is an entry that a worker could not work on.
type Failure struct {
	ID  state.ID
	Why string
}

// Report is what a worker did.
type Report struct {
	Sent    []Sent
	Done    []state.ID // effect written now
	Skipped []state.ID // done before, as the deduplication key told
	Failed  []Failure
	Acked   []state.ID // XACK returned 1
	Crashed bool
	At      state.ID // with Crashed: the entry that it was working on
}

// ErrCrashed tells that the worker's process is dead; Restart starts it again.
var ErrCrashed = errors.New("the worker has crashed")

// Conn is a worker's connection. A *client.Session is one.
type Conn interface {
	// Do sends a command; an error reply is a value, an error means that the connection failed.
	Do(ctx context.Context, args ...string) (resp.Value, error)
	// Cut ends the connection as the end of the process would: without a word.
	Cut()
}

// Worker is one consumer's process with its one connection. Use it from one goroutine at a time.
type Worker struct {
	spec    Spec
	client  *client.Client  // nil when it was made by Over
	session *client.Session // the same
	conn    Conn
	hand    []Entry // read and not yet worked on or acknowledged
	crashed bool
}

// Start starts a worker's process: it connects.
func Start(ctx context.Context, c *client.Client, spec Spec) (*Worker, error) {
	if spec.Client == "" {
		spec.Client = spec.Name
	}
	spec.Count = max(spec.Count, 1)
	w := &Worker{spec: spec, client: c}
	return w, w.Restart(ctx)
}

// Over is a worker that lives over a connection of somebody else's, with what it has in hand. Whoever made
// the connection starts it again after a crash, and ends it.
func Over(conn Conn, spec Spec, hand ...Entry) *Worker {
	spec.Count = max(spec.Count, 1)
	return &Worker{spec: spec, conn: conn, hand: hand}
}

// Restart starts the process again, with a new connection: what it had in hand it no longer knows. One made
// by Over cannot.
func (w *Worker) Restart(ctx context.Context) error {
	if w.client == nil {
		return fmt.Errorf("starting %s: its connection is somebody else's", w.spec.Name)
	}
	if w.session != nil {
		_ = w.session.Close()
	}
	s, err := w.client.Session(ctx, w.spec.Client)
	if err != nil {
		return fmt.Errorf("starting %s: %w", w.spec.Name, err)
	}
	w.session, w.conn, w.hand, w.crashed = s, s, nil, false
	return nil
}

// Spec is what the worker is.
func (w *Worker) Spec() Spec { return w.spec }

// Behave changes how it works from now on.
func (w *Worker) Behave(b Behaviour) { w.spec.Like = b }

// Session is its connection; nil when it was made by Over.
func (w *Worker) Session() *client.Session { return w.session }

// Hand is what it has read and not yet acknowledged, in its own memory.
func (w *Worker) Hand() []Entry { return append([]Entry(nil), w.hand...) }

// Crashed says whether its process is dead.
func (w *Worker) Crashed() bool { return w.crashed }

// Crash kills its process now: the connection is cut, what it had in hand is forgotten.
func (w *Worker) Crash() {
	w.conn.Cut()
	w.hand, w.crashed = nil, true
}

// Stop ends its process in good order. One made by Over has nothing to end.
func (w *Worker) Stop() error {
	if w.session == nil {
		return nil
	}
	return w.session.Close()
}

// Pass is one turn of its main loop: read new entries with >, then work as it behaves.
func (w *Worker) Pass(ctx context.Context) (Report, error) {
	r, err := w.Begin(ctx)
	if err != nil || w.spec.Like == Slow {
		return r, err
	}
	rest, err := w.Finish(ctx)
	r.add(rest)
	return r, err
}

// Begin reads new entries into its hand and works on none.
func (w *Worker) Begin(ctx context.Context) (Report, error) {
	return w.read(ctx, ">")
}

// Finish works on what it has in hand and acknowledges each entry after its effect. A crashing worker
// crashes at the first.
func (w *Worker) Finish(ctx context.Context) (Report, error) {
	var r Report
	for _, e := range w.Hand() {
		if err := w.one(ctx, e, &r); err != nil || w.crashed {
			return r, err
		}
	}
	w.hand = nil
	return r, nil
}

// one is the life of one entry in the worker's hand.
func (w *Worker) one(ctx context.Context, e Entry, r *Report) error {
	switch w.spec.Like {
	case CrashBefore:
		w.die(e.ID, r)
		return nil
	case Poisoned:
		r.Failed = append(r.Failed, Failure{e.ID, "it can make no sense of it"})
		return nil
	}
	if failed, err := w.effect(ctx, e, r); err != nil || failed {
		return err
	}
	if w.spec.Like == CrashAfterEffect {
		w.die(e.ID, r)
		return nil
	}
	return w.ack(ctx, e.ID, r)
}

func (w *Worker) die(at state.ID, r *Report) {
	w.Crash()
	r.Crashed, r.At = true, at
}

// Work writes the effects of what it has in hand and acknowledges nothing yet. What it failed on leaves
// its hand, but not the PEL.
func (w *Worker) Work(ctx context.Context) (Report, error) {
	var r Report
	var worked []Entry
	for _, e := range w.hand {
		failed, err := w.effect(ctx, e, &r)
		if err != nil {
			return r, err
		}
		if !failed {
			worked = append(worked, e)
		}
	}
	w.hand = worked
	return r, nil
}

// Ack acknowledges what it has in hand.
func (w *Worker) Ack(ctx context.Context) (Report, error) {
	var r Report
	for _, e := range w.hand {
		if err := w.ack(ctx, e.ID, &r); err != nil {
			return r, err
		}
	}
	w.hand = nil
	return r, nil
}

// Recover is what a worker does after a restart, before it takes new work: it reads its own pending
// entries with 0, then on from the last id, until there are none, and works on each.
func (w *Worker) Recover(ctx context.Context) (Report, error) {
	var r Report
	from := "0"
	for {
		got, err := w.read(ctx, from)
		r.add(got)
		if err != nil || len(w.hand) == 0 {
			return r, err
		}
		from = w.hand[len(w.hand)-1].ID.String()
		got, err = w.Finish(ctx)
		r.add(got)
		if err != nil || w.crashed {
			return r, err
		}
	}
}

// Take puts entries that another command gave it (XCLAIM, XAUTOCLAIM) into its hand.
func (w *Worker) Take(entries []Entry) { w.hand = append(w.hand, entries...) }

func (w *Worker) read(ctx context.Context, from string) (Report, error) {
	var r Report
	w.hand = nil
	v, err := w.send(ctx, &r, "XREADGROUP", "GROUP", w.spec.Group, w.spec.Name,
		"COUNT", strconv.Itoa(w.spec.Count), "STREAMS", w.spec.Stream, from)
	if err == nil && v.Kind == resp.Array && len(v.Elems) == 1 && len(v.Elems[0].Elems) == 2 {
		w.hand = Entries(v.Elems[0].Elems[1])
	}
	return r, err
}

func (w *Worker) ack(ctx context.Context, id state.ID, r *Report) error {
	v, err := w.send(ctx, r, "XACK", w.spec.Stream, w.spec.Group, id.String())
	if err == nil && v.Kind == resp.Int && v.Int == 1 {
		r.Acked = append(r.Acked, id)
	}
	return err
}

func (w *Worker) send(ctx context.Context, r *Report, args ...string) (resp.Value, error) {
	if w.crashed {
		return resp.Value{}, ErrCrashed
	}
	v, err := w.conn.Do(ctx, args...)
	if err != nil {
		return v, err
	}
	r.Sent = append(r.Sent, Sent{Actor: w.spec.Name, Args: args, Reply: v})
	return v, nil
}

func (r *Report) add(o Report) {
	r.Sent = append(r.Sent, o.Sent...)
	r.Done = append(r.Done, o.Done...)
	r.Skipped = append(r.Skipped, o.Skipped...)
	r.Failed = append(r.Failed, o.Failed...)
	r.Acked = append(r.Acked, o.Acked...)
	if o.Crashed {
		r.Crashed, r.At = true, o.At
	}
}
