package client

import (
	"bytes"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The bounds of the log: entries kept, and how much of one command.
const (
	logEntries = 1000
	logArgs    = 64
	logArg     = 256 // bytes
)

// Sent is one command that was sent, with what came back.
type Sent struct {
	At    time.Time     // when it was sent, by the local clock
	Who   string        // the session's name; empty for the client's own connections
	Args  []string      // secrets replaced by ***, long arguments cut
	Took  time.Duration // until its reply; for a batch, until the last reply
	Batch int64         // equal and not 0 for the commands of one pipeline
	Reply string        // what came back, in short: OK, 3, 12 elements, an error reply's text
	Err   string        // why no reply came; empty when one did
	Bytes int           // size of the reply on the wire, in bytes
}

// Cost is what a look took.
type Cost struct {
	Commands int           // sent, MULTI and EXEC included
	Took     time.Duration // from the first sent to the last reply
}

// Log remembers the last commands sent on a client and its sessions, the handshake included. It is
// bounded and may be used from several goroutines.
type Log struct {
	mu      sync.Mutex
	ring    []Sent
	next    int
	total   int64
	batches int64
	cost    Cost
}

// Entries returns what is remembered, oldest first.
func (l *Log) Entries() []Sent {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make([]Sent, 0, len(l.ring))
	out = append(out, l.ring[l.next:]...)
	return append(out, l.ring[:l.next]...)
}

// Total is how many commands were sent since the client was opened.
func (l *Log) Total() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.total
}

// Cost is what the last Observe took.
func (l *Log) Cost() Cost {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.cost
}

func (l *Log) setCost(c Cost) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cost = c
}

func (l *Log) batch() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.batches++
	return l.batches
}

func (l *Log) add(s Sent) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.total++
	if len(l.ring) < logEntries {
		l.ring = append(l.ring, s)
		return
	}
	l.ring[l.next] = s
	l.next = (l.next + 1) % logEntries
}

// forLog is the arguments of a command as the log keeps them.
func forLog(args []string) []string {
	args = Redact(args)
	out := make([]string, 0, min(len(args), logArgs+1))
	for i, a := range args {
		if i == logArgs {
			return append(out, "…")
		}
		if len(a) > logArg {
			a = string([]byte(a[:logArg])) + "…"
		}
		out = append(out, a)
	}
	return out
}

// summary tells a reply in a few words, from its first line on the wire, so that a long one costs nothing.
func summary(raw []byte) string {
	line, rest, ok := bytes.Cut(raw, []byte("\r\n"))
	if !ok || len(line) == 0 {
		return ""
	}
	text := string(line[1:])
	switch line[0] {
	case '$', '=':
		if n, err := strconv.Atoi(text); err == nil && n >= 0 && n <= 60 && n <= len(rest) {
			return string(rest[:n])
		}
		text += " bytes"
	case '*', '~', '>', '%':
		text += " elements"
	}
	if line[0] == '_' || strings.HasPrefix(text, "-1 ") {
		return "nil"
	}
	return text
}
