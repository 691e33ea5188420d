package gitrepo

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A Kind says what went wrong with a repository.
type Kind string

// The kinds of errors.
const (
	Missing    Kind = "missing"     // there is no git, or it is too old
	Refused    Kind = "refused"     // the address is not allowed
	NotFound   Kind = "not found"   // no repository there, or a private one
	Network    Kind = "network"     // the remote could not be reached, or said to come again
	TimedOut   Kind = "timed out"   // a limit of time was reached
	TooLarge   Kind = "too large"   // a limit of size was reached
	UnknownRef Kind = "unknown ref" // the repository has no such ref or commit
	Empty      Kind = "empty"       // the repository has no commit
	RefMoved   Kind = "ref moved"   // a ref is not where it was expected to be
	Cancelled  Kind = "cancelled"   // the caller gave up
	Failed     Kind = "failed"      // git failed in another way

	Unsupported Kind = "unsupported" // the repository is of a kind that nothing here can read
)

// An Error is what all functions of this package return. Its text says nothing
// of what git said, since that has paths of this machine.
type Error struct {
	Kind Kind
	Op   string
	// Stderr is the end of what git said on standard error, for the log. It is
	// not redacted.
	Stderr string
	Err    error
}

func (e *Error) Error() string {
	switch {
	case e.Stderr != "" || e.Err == nil:
		return fmt.Sprintf("%s: %s", e.Op, e.Kind)
	default:
		return fmt.Sprintf("%s: %s: %v", e.Op, e.Kind, e.Err)
	}
}

func (e *Error) Unwrap() error { return e.Err }

// Retryable says whether the same may work later.
func (e *Error) Retryable() bool { return e.Kind == Network || e.Kind == TimedOut }

// KindOf is the kind of an error of this package, or empty.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return ""
}

var errTimeUp = errors.New("git took too long")

// asError leaves errors of this package as they are.
func asError(op string, err error) error {
	if _, ok := errors.AsType[*Error](err); ok {
		return err
	}
	return &Error{Kind: Failed, Op: op, Err: err}
}

// signs are what git, speaking plain English, says in each case. The first row
// that fits holds (6.1: connection, timeout, network, 429 and 503 are retryable).
var signs = []struct {
	kind  Kind
	words []string
}{
	{Refused, []string{"transport '' not allowed"}},
	{Network, []string{
		"connection", "timeout", "timed out", "network", "could not resolve host", "early eof",
		"rpc failed", "hung up unexpectedly", "temporary failure", "gnutls_handshake", "ssl_error", "unable to connect", "failed to connect",
	}},
	{NotFound, []string{
		"repository not found", "does not appear to be a git repository", "does not exist", "not found", "could not read username",
		"could not read password", "authentication failed", "terminal prompts disabled", "error: 401", "error: 403", "error: 404", "redirect",
	}},
	{UnknownRef, []string{
		"not our ref", "couldn't find remote ref", "unadvertised object", "not a valid object name", "not a tree object", "bad revision",
		"unknown revision", "bad object", "needed a single revision", "no such remote ref",
	}},
	{RefMoved, []string{"cannot lock ref", "reference already exists", "but expected"}},
}

// quoted is what git repeats: addresses, paths and names, which may hold any
// word.
var quoted = regexp.MustCompile(`'[^'\n]*'|\S*/\S*`)

// busy are the statuses of servers that may answer later.
var busy = regexp.MustCompile(`\b(?:429|50[0234])\b`)

func failure(op, stderr string, err error) error {
	said := quoted.ReplaceAllString(strings.ToLower(stderr), "''")
	if busy.MatchString(said) {
		return &Error{Kind: Network, Op: op, Stderr: stderr, Err: err}
	}
	for _, sign := range signs {
		if slices.ContainsFunc(sign.words, func(word string) bool { return strings.Contains(said, word) }) {
			return &Error{Kind: sign.kind, Op: op, Stderr: stderr, Err: err}
		}
	}
	return &Error{Kind: Failed, Op: op, Stderr: stderr, Err: err}
}
