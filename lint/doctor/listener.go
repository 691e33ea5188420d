package doctor

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	"mcpworks/internal/bounded"
	"mcpworks/mcp/client"
)

// A listener is the recorder of an examination. It keeps what clues are found
// in, and little of it.
type listener struct {
	next client.Recorder // hears everything, too; may be nil

	mu        sync.Mutex
	sent      int
	stdout    []string // the first lines that are no messages
	stderr    []byte   // the end of it
	exchanges []client.Exchange
	requests  [][]byte // the first ones that were sent
	echo      bool     // one of them came back
}

// How much is kept.
const (
	keptNoise     = 40
	keptStderr    = 64 << 10
	keptExchanges = 40
	keptRequests  = 4
)

// Record implements client.Recorder.
func (l *listener) Record(e client.Event) {
	if l.next != nil {
		l.next.Record(e)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch e.Kind {
	case client.Sent:
		l.sent++
		if len(l.requests) < keptRequests {
			l.requests = append(l.requests, bytes.TrimSpace(e.Message))
		}
	case client.Received:
		l.hear(e)
	case client.Stderr:
		l.stderr = append(append(l.stderr, e.Message...), '\n')
		if len(l.stderr) > 2*keptStderr {
			l.stderr = append(l.stderr[:0], l.stderr[len(l.stderr)-keptStderr:]...)
		}
	case client.Exchanged:
		if len(l.exchanges) < keptExchanges {
			l.exchanges = append(l.exchanges, *e.HTTP)
		}
	}
}

// hear keeps what is no message.
func (l *listener) hear(e client.Event) {
	line := bytes.TrimSpace(e.Message)
	l.echo = l.echo || len(line) > 0 && slices.ContainsFunc(l.requests, func(request []byte) bool { return bytes.Equal(request, line) })
	isNoise := len(line) > 0 && (e.Note == "not JSON" || line[0] != '{' && line[0] != '[')
	if isNoise && len(l.stdout) < keptNoise {
		l.stdout = append(l.stdout, bounded.Bytes(string(line), maxLine, "…"))
	}
}

func (l *listener) messages() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sent
}

// echoed says whether a message of ours came back as it was.
func (l *listener) echoed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.echo
}

// noise is what stood on standard output and was no message.
func (l *listener) noise() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string{}, l.stdout...)
}

// complaints is the end of standard error, as plain text.
func (l *listener) complaints() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return plainText(string(l.stderr[max(0, len(l.stderr)-keptStderr):]))
}

// traffic is what was exchanged over HTTP.
func (l *listener) traffic() []client.Exchange {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]client.Exchange{}, l.exchanges...)
}

// frames are lines of a stack, which say less than those around them.
var frames = regexp.MustCompile(`^\s+at \S`)

// lastLines are the last ones of a text that say something.
func lastLines(text string) (lines []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, " \r\n"); line != "" && !frames.MatchString(line) {
			lines = append(lines, line)
		}
	}
	return lines[max(0, len(lines)-maxLines):]
}
