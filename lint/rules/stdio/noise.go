package stdio

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"mcpworks/internal/bounded"
	"mcpworks/lint"
	"mcpworks/lint/step"
)

// A fault is what is wrong with a line of standard output that is no message.
type fault int

const (
	sound     fault = iota
	noise           // no message, and never meant to be one
	header          // of another protocol's framing
	mark            // a byte order mark before it
	wide            // UTF-16
	notUTF8         // a message with other bytes in it
	halfRunes       // a message that UTF-8 cannot say, or too deep to be read
)

// faultOf judges what the server has written. JSON that does not say to be a
// message is noise, too; the rules about JSON-RPC leave it to these.
func faultOf(m *lint.Message) fault {
	if !m.FromServer || m.Kind > lint.Invalid || m.Kind == lint.Invalid && lint.Member(m.Raw, "jsonrpc") != nil {
		return sound
	}
	switch raw := m.Raw; {
	case framing.Match(raw):
		return header
	case bytes.HasPrefix(raw, []byte("\ufeff")):
		return mark
	case bytes.HasPrefix(raw, []byte("\xff\xfe")), bytes.HasPrefix(raw, []byte("\xfe\xff")), bytes.Contains(raw, []byte("{\x00")), bytes.Contains(raw, []byte("\x00{")):
		return wide
	case !utf8.Valid(raw) && bytes.HasPrefix(raw, []byte("{")):
		return notUTF8
	case m.Kind == lint.Noise && json.Valid(raw) && bytes.HasPrefix(raw, []byte("{")):
		return halfRunes
	}
	return noise
}

// framing finds the header that the Language Server Protocol has before every
// message; without a line's end after the message, it is behind the last one.
var framing = regexp.MustCompile(`(?i)(^|})content-length: *[0-9]+`)

// faulty are the messages of a view with a fault. Every message is something
// that could have one.
func faulty(v *lint.View, faults ...fault) []*lint.Message {
	var found []*lint.Message
	for _, m := range v.Messages() {
		if !m.FromServer {
			continue
		}
		v.Saw()
		if slices.Contains(faults, faultOf(m)) {
			found = append(found, m)
		}
	}
	return found
}

// whileCalling says whether a message came when tools were called.
func whileCalling(m *lint.Message) bool {
	switch m.Step.Name {
	case step.Open, step.Initialize, step.Initialized, step.Discover, step.List:
		return false
	}
	return m.Talk().Phase == step.Calling
}

// isLastWord says whether a message came when the process was told to end by a
// signal: then nobody listens any more.
func isLastWord(m *lint.Message) bool {
	exit := m.Talk().Exit()
	return m.Step.Name == step.Terminate || m.Step.Name == step.Close && exit != nil && (exit.After == terminate || exit.After == kill)
}

// failNoise adds one finding for all lines: the first three of them, how many
// there are, and in which talks.
func failNoise(v *lint.View, lines []*lint.Message, message string) {
	if len(lines) == 0 {
		return
	}
	var quoted, phases []string
	for _, m := range lines {
		if len(quoted) < 3 {
			quoted = append(quoted, bounded.Bytes(string(m.Raw), 200, "…"))
		}
		if phase := m.Talk().Phase; !slices.Contains(phases, phase) {
			phases = append(phases, phase)
		}
	}
	evidence := lines[0].Evidence()
	evidence.Received = strings.Join(quoted, "\n")
	evidence.Note = fmt.Sprintf("%d such lines, in: %s", len(lines), strings.Join(phases, ", "))
	v.Fail(lint.Finding{Message: message, Evidence: evidence, Revision: lines[0].Talk().Revision})
}
