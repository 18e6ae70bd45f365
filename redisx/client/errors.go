package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"

	"github.com/redis/go-redis/v9"
)

// Reason is what kept a server from answering.
type Reason string

// The reasons. Their text is the second half of a sentence that starts with the server's name.
const (
	Refused        Reason = "connection refused: nothing listens there"
	NoSuchHost     Reason = "no such host"
	NoSuchSocket   Reason = "no such socket"
	NotPermitted   Reason = "permission denied by the operating system"
	Unreachable    Reason = "cannot be reached"
	TimedOut       Reason = "no answer in time"
	NeedsPassword  Reason = "the server wants a password: redis://user:password@host, or redis://:password@host"
	WrongPassword  Reason = "wrong user or password"
	WantsTLS       Reason = "closed at once, or speaks TLS: try rediss://"
	NoTLSThere     Reason = "the server does not speak TLS: use redis://"
	BadCertificate Reason = "the server's certificate is not trusted: name its authority with ?tls_ca=FILE"
	NotRedis       Reason = "what answers there is no Redis"
	DatabaseDenied Reason = "the database number in the address was refused"
	TooMany        Reason = "the server has no connection left (maxclients)"
	Lost           Reason = "connection lost"
	WasCut         Reason = "the connection was cut"
	Closed         Reason = "closed"
	Canceled       Reason = "canceled"
)

// Error is a failure to reach a server or to get its answer: transport, never an error reply. It never
// contains a password.
type Error struct {
	Server string // as Target.String names it
	Reason Reason
	Detail string // what the server or the system said, in its words; may be empty
	cause  error
}

// Error is one sentence: server, reason, and what was said.
func (e *Error) Error() string {
	s := e.Server + ": " + string(e.Reason)
	if e.Detail != "" {
		s += " (" + e.Detail + ")"
	}
	return s
}

// Unwrap is context.Canceled, context.DeadlineExceeded or nil.
func (e *Error) Unwrap() error { return e.cause }

// dialError marks that no connection came about.
type dialError struct{ error }

func (e dialError) Unwrap() error { return e.error }

// failure turns an error of go-redis or the network into an *Error; errors of ours pass through.
func (t Target) failure(err error) error {
	if err == nil {
		return nil
	}
	var guard *GuardError
	var ours *Error
	if errors.As(err, &guard) {
		return guard
	}
	if errors.As(err, &ours) {
		return ours
	}
	e := &Error{Server: t.String(), Reason: reasonOf(err, t.tls)}
	switch {
	case errors.Is(err, context.Canceled):
		e.cause = context.Canceled
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		e.cause = context.DeadlineExceeded
	}
	switch e.Reason {
	case Unreachable, BadCertificate, DatabaseDenied, Lost:
		e.Detail = t.scrub(innermost(err).Error())
	}
	return e
}

func reasonOf(err error, overTLS bool) Reason {
	for _, c := range []struct {
		is  error
		say Reason
	}{
		{context.Canceled, Canceled}, {redis.ErrClosed, Closed}, {syscall.ECONNREFUSED, Refused},
		{syscall.EACCES, NotPermitted}, {syscall.ENOENT, NoSuchSocket},
		{context.DeadlineExceeded, TimedOut}, {os.ErrDeadlineExceeded, TimedOut},
	} {
		if errors.Is(err, c.is) {
			return c.say
		}
	}
	var dns *net.DNSError
	var netErr net.Error
	switch {
	case errors.As(err, &dns):
		return NoSuchHost
	case tlsReason(err) != "":
		return tlsReason(err)
	case errors.As(err, &netErr) && netErr.Timeout():
		return TimedOut
	case replyReason(err.Error()) != "":
		return replyReason(err.Error())
	case isReply(innermost(err)): // of the handshake, where nothing else than SELECT is left to be refused
		return DatabaseDenied
	case errors.As(err, new(dialError)) && !overTLS:
		return Unreachable
	case errors.As(err, new(dialError)):
		return handshakeEnded(err)
	}
	return Lost
}

// handshakeEnded tells an ended TLS handshake from a network that did not get that far.
func handshakeEnded(err error) Reason {
	if errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) {
		return NoTLSThere
	}
	return Unreachable
}

func tlsReason(err error) Reason {
	var record tls.RecordHeaderError
	var verify *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	switch {
	case errors.As(err, &record):
		return NoTLSThere
	case errors.As(err, &verify), errors.As(err, &authority), errors.As(err, &host):
		return BadCertificate
	}
	return ""
}

// replyReason knows what servers, and things that are none, answer to a handshake.
func replyReason(text string) Reason {
	for _, c := range []struct {
		part string
		say  Reason
	}{
		{"WRONGPASS", WrongPassword}, {"invalid password", WrongPassword}, {"AUTH <password> called without", WrongPassword},
		{"NOAUTH", NeedsPassword}, {"max number of clients", TooMany},
		{`\x15\x03`, WantsTLS}, {"can't parse", NotRedis}, {"invalid reply", NotRedis}, {"RESP: ", NotRedis},
	} {
		if strings.Contains(text, c.part) {
			return c.say
		}
	}
	return ""
}

func innermost(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}

// scrub takes the password out of a text, should a server or library have quoted it.
func (t Target) scrub(text string) string {
	if p := t.password.reveal(); p != "" {
		return strings.ReplaceAll(text, p, hidden)
	}
	return text
}
