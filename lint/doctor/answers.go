package doctor

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"mcpworks/mcp/client"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
)

// attempts are what was tried before an error of client.Connect.
func attempts(err error) []client.Attempt {
	var failed *client.ConnectError
	if !errors.As(err, &failed) {
		return nil
	}
	return failed.Attempts
}

// triedLines tell what was tried, with the beginning of what came back (A8.2.2).
func (x *examination) triedLines(tried []client.Attempt) (lines []string) {
	for _, a := range tried {
		if a.Method == "" && a.Err == nil {
			continue // the line was opened
		}
		what := strings.TrimSpace(a.Way + " " + a.Method)
		if a.Err == nil {
			lines = append(lines, what+": ok")
			continue
		}
		line := what + ": " + strings.TrimPrefix(shortError(a.Err), a.Method+": ")
		if body := answerBody(a.Err); len(body) > 0 {
			line += fmt.Sprintf(": %q", x.short(string(body), 200))
		}
		lines = append(lines, line)
	}
	return lines
}

// answerBody is the beginning of an answer that is of no use.
func answerBody(err error) []byte {
	var (
		status  *transport.StatusError
		content *transport.ContentError
	)
	switch {
	case errors.As(err, &status):
		return status.Body
	case errors.As(err, &content):
		return content.Body
	}
	return nil
}

// answerCause is why an answer of a server is of no use, nil if it is not known.
func (x *examination) answerCause(err error) *Cause {
	var (
		wire   *jsonrpc.Error
		broken *client.ProtocolError
	)
	switch {
	case errors.As(err, new(*client.VersionError)), errors.Is(err, client.ErrNotModern):
		return because(noVersion, "")
	case errors.As(err, &wire):
		return because(errorAnswer, fmt.Sprintf("%d %s", wire.Code, x.short(wire.Message, 200)))
	case endless.MatchString(err.Error()):
		return because(endlessList, shortError(err))
	case errors.As(err, &broken):
		return because(brokenAnswer, broken.Reason)
	}
	return nil
}

// endless matches what the client says when it gives up a list: the limits are
// its own, and a cursor that comes again leads nowhere.
var endless = regexp.MustCompile(`/list: more than \d+ (?:pages|items|bytes)$|/list repeats a cursor$`)

// complaintCause is the same for a server that may have been started here, whose
// complaint is then perhaps about its environment.
func (x *examination) complaintCause(s *symptoms, err error) *Cause {
	var wire *jsonrpc.Error
	if errors.As(err, &wire) && s.command.Args != nil {
		if names := missing(s.command, wanted(wire.Message)); names != nil {
			return lackOf(s.command, names)
		}
	}
	return x.answerCause(err)
}

// shortError is an error for people, without what is said elsewhere.
func shortError(err error) string { return strings.TrimPrefix(err.Error(), "connecting: ") }
