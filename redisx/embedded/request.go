package embedded

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"pelscope/redisx/resp"
)

// Limits of one request: those of Redis.
const (
	maxInline   = 64 << 10    // bytes of an inline command or of a length
	maxRequest  = 1024 * 1024 // arguments
	maxArgument = 512 << 20   // bytes of one argument
)

// requestError is a request that is no RESP; the connection ends after it.
type requestError struct{ reason string }

func (e *requestError) Error() string { return "protocol error: " + e.reason }

// requests reads commands: arrays of bulk strings, or inline commands as typed in telnet.
type requests struct{ r *bufio.Reader }

func newRequests(r io.Reader) *requests { return &requests{bufio.NewReaderSize(r, 16<<10)} }

// next reads one command. It may be empty (an empty line, *0): then there is nothing to do.
func (q *requests) next() ([]string, error) {
	line, err := q.line("too big inline request")
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(line, []byte("*")) {
		args, err := resp.Split(string(line))
		if err != nil {
			return nil, &requestError{"unbalanced quotes in request"}
		}
		return args, nil
	}
	n, err := strconv.Atoi(string(line[1:]))
	if err != nil || n > maxRequest {
		return nil, &requestError{"invalid multibulk length"}
	}
	args := make([]string, 0, min(max(n, 0), 64))
	for range n {
		a, err := q.bulk()
		if err != nil {
			return nil, err
		}
		args = append(args, a)
	}
	return args, nil
}

func (q *requests) bulk() (string, error) {
	line, err := q.line("too big bulk count string")
	if err != nil {
		return "", err
	}
	if len(line) == 0 || line[0] != '$' {
		got := byte(0)
		if len(line) > 0 {
			got = line[0]
		}
		return "", &requestError{fmt.Sprintf("expected '$', got '%c'", got)}
	}
	n, err := strconv.Atoi(string(line[1:]))
	if err != nil || n < 0 || n > maxArgument {
		return "", &requestError{"invalid bulk length"}
	}
	var b strings.Builder
	if n <= 64<<10 { // a length that is only claimed must cost no memory
		b.Grow(n)
	}
	if _, err := io.CopyN(&b, q.r, int64(n)); err != nil {
		return "", err
	}
	_, err = q.r.Discard(2)
	return b.String(), err
}

// line reads up to a line feed and returns the line without its end; it is valid until the next read.
func (q *requests) line(tooLong string) ([]byte, error) {
	line, err := q.r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		line = bytes.Clone(line)
		for errors.Is(err, bufio.ErrBufferFull) && len(line) < maxInline {
			var more []byte
			more, err = q.r.ReadSlice('\n')
			line = append(line, more...)
		}
		if errors.Is(err, bufio.ErrBufferFull) || len(line) > maxInline {
			return nil, &requestError{tooLong}
		}
	}
	if err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(line[:len(line)-1], []byte("\r")), nil
}
