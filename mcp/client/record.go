package client

import (
	"net/http"
	"regexp"
	"strings"
	"time"

	"mcpworks/internal/secret"
)

// A Recorder gets everything that is said in a session, in the order in which
// it was said or heard. Record is called by several goroutines and must not
// keep them waiting, nor change what the event points to.
//
// Credentials have been taken out of the event: those of Options.Secrets, those
// in Options.Header, and variables of a Command whose name says that they are.
type Recorder interface {
	Record(Event)
}

// An Event is one thing that was said.
type Event struct {
	// At is when, since the session or its line began.
	At   time.Duration
	Kind Kind
	// Message is what was said: a message as it stood on the line, or a line
	// of standard error.
	Message []byte
	// Note says what is odd about a message, or tells the event in words.
	Note string
	HTTP *Exchange // of kind Exchanged
	Exit *Exit     // of kind Exited
}

// A Kind says what an event is.
type Kind string

// The kinds of event.
const (
	Sent      Kind = "sent"
	Received  Kind = "received"
	Stderr    Kind = "stderr"
	Exchanged Kind = "http"
	Exited    Kind = "exited"
	Noted     Kind = "note"
)

// An Exchange is an HTTP request with the head of its response.
type Exchange struct {
	Method, URL string
	Request     http.Header
	Status      int    // 0 if there was no response
	Proto       string // like HTTP/1.1
	Response    http.Header
	Took        time.Duration // up to the head of the response
	Err         string        // why there was none
}

// A recording is the way to a recorder, which may be nobody.
type recording struct {
	to       Recorder
	begin    time.Time
	redactor *secret.Redactor
}

func newRecording(target Target, opts *Options) *recording {
	return &recording{to: opts.Recorder, begin: time.Now(), redactor: secret.NewRedactor(secrets(target, opts)...)}
}

// record completes an event and hands it over.
func (r *recording) record(e Event) {
	if r.to == nil {
		return
	}
	e.At = time.Since(r.begin)
	e.Message = r.redactor.Bytes(e.Message)
	e.Note = r.redactor.String(e.Note)
	r.to.Record(e)
}

func (r *recording) sent(frame []byte) { r.record(Event{Kind: Sent, Message: frame}) }

// received records a frame; nil was recorded before.
func (r *recording) received(frame []byte, note string) {
	if frame != nil {
		r.record(Event{Kind: Received, Message: frame, Note: note})
	} else if note != "" {
		r.note(note)
	}
}

func (r *recording) stderr(line []byte) {
	if r.to != nil {
		r.record(Event{Kind: Stderr, Message: append([]byte{}, line...)})
	}
}

func (r *recording) exit(exit Exit) { r.record(Event{Kind: Exited, Exit: &exit}) }

func (r *recording) note(note string) { r.record(Event{Kind: Noted, Note: note}) }

func (r *recording) redact(text string) string { return r.redactor.String(text) }

// Redactor takes out of texts what a session with these options would take out
// of its events.
func Redactor(target Target, opts Options) *secret.Redactor {
	return secret.NewRedactor(secrets(target, &opts)...)
}

// shortestSecret is in bytes. What is shorter guards nothing, and would be found
// everywhere.
const shortestSecret = 6

// revealing matches names of headers and variables that hold credentials.
var revealing = regexp.MustCompile(`(?i)auth|cookie|token|secret|passw|credential|api[-_]?key|private[-_]?key|access[-_]?key`)

func isRevealing(name string) bool {
	return revealing.MatchString(name) && !strings.EqualFold(name, "WWW-Authenticate")
}

// secrets are all values that must not be recorded.
func secrets(target Target, opts *Options) []secret.String {
	all := append([]secret.String{}, opts.Secrets...)
	add := func(name, value string) {
		if isRevealing(name) && len(value) >= shortestSecret {
			all = append(all, secret.New(value))
		}
	}
	for name, values := range opts.Header {
		for _, value := range values {
			add(name, value)
			if _, credentials, ok := strings.Cut(value, " "); ok { // Bearer and the like
				add(name, credentials)
			}
		}
	}
	if command, ok := target.(Command); ok {
		for _, variable := range command.environ() {
			name, value, _ := strings.Cut(variable, "=")
			add(name, value)
		}
	}
	return all
}
