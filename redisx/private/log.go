package private

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
)

const (
	logBytes = 16 << 10 // of a server's log are kept
	logLines = 5        // of them are shown when it ends
)

// tail keeps the last bytes written to it. It is safe for concurrent use.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

// Write never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - logBytes; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(p), nil
}

// last gives the last n lines that say something, safe to show, without pid, role and date, and
// without secret: a server that refuses its configuration prints the line it refuses.
func (t *tail) last(n int, secret string) []string {
	t.mu.Lock()
	text := string(bytes.ToValidUTF8(t.kept, []byte("?")))
	t.mu.Unlock()
	// 4711:M 30 Nov 2026 22:17:51.123 * Ready to accept connections
	stamp := regexp.MustCompile(`^\d+:[A-Z] \d+ \w+ \d+ [\d:.]+ [.*#-] `)
	var lines []string
	for line := range strings.Lines(text) {
		line = clean(stamp.ReplaceAllString(strings.ReplaceAll(line, secret, "***"), ""))
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines[max(0, len(lines)-n):]
}
