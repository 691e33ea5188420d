package lint

import (
	"net/http"
	"slices"
	"time"

	"mcpworks/internal/rawjson"
	"mcpworks/lint/step"
)

// A Record is everything that was said with one server.
type Record struct {
	Target Target
	Level  Level
	Talks  []*Talk
}

// A Target is the server, as it may be shown: without credentials.
type Target struct {
	Shown    string // the command line or the URL
	URL      string // empty for a command
	Loopback bool   // the URL leads to this machine
	// Credentials says that the user has given some.
	Credentials bool
	// Package is what the command runs, if that is known.
	Package Package
}

// A Package is a published program.
type Package struct {
	Name    string `json:"name,omitempty"`
	Version string `json:"version,omitempty"`
}

// A Talk is one conversation: a process from its start to its end, or over HTTP
// what belongs together, which is a session where there are sessions.
type Talk struct {
	// Phase says what the talk was for; see package step.
	Phase string
	// Asked is the version that the client wanted, Revision the one in use. That
	// is empty if none was agreed, and unknown if the server made one up.
	Asked     string
	Revision  string
	Modern    bool   // spoken without a handshake
	Transport string // stdio, streamable_http, sse
	// Client is the JSON of the capabilities that the client declared.
	Client []byte
	Steps  []*Step
	// Failure is why the talk could not be begun, or why it ended before all of
	// its steps were taken; empty if it went to its end.
	Failure string
	// Left: it ended because the server went, or cannot be talked to any more.
	Left bool
	// StderrBytes counts all of the standard error; the events have its
	// beginning.
	StderrBytes int64
	// Truncated counts events that there was no room for.
	Truncated int

	messages     []*Message
	sent         []byte // of a line that is not complete
	assumed      string // the revision to judge by, where none was agreed
	capabilities []byte
	server       []byte
}

// A Step is something that was done in a talk on purpose, with everything that
// happened until the next one. A late answer is in the step in which it came.
type Step struct {
	Name   string // see package step
	About  string // which of several of the same name: a method, a URI, a form
	Events []Event
	// Outcome says how the step ended.
	Outcome Outcome
	Took    time.Duration

	talk     *Talk
	messages []*Message
}

// An Outcome says how a step ended.
type Outcome string

// Done is for steps that have all they wanted. Silent is for those that waited
// in vain, as long as Took says. Lost is for those during which the connection
// ended; NotSent for those that came too late for it, or could not be taken for
// another reason.
const (
	Done    Outcome = ""
	Silent  Outcome = "silent"
	Lost    Outcome = "lost"
	NotSent Outcome = "not sent"
)

// An Event is one thing that happened. Exactly one of its pointers and texts is
// set.
type Event struct {
	At       time.Duration // since the talk began
	Sent     []byte        // bytes written to a process, without the line's end
	Part     bool          // what was sent is part of a line, or of several, with their ends
	Received []byte        // a line of its standard output, without LF
	Stderr   string        // a line
	HTTP     *Exchange
	Exit     *Exit
	Note     string // what the prober has to add, in words
}

// An Exchange is one HTTP request and its response. A response stays open for
// as long as it streams, and its messages are those that came until then.
type Exchange struct {
	Method string
	URL    string
	Header http.Header
	Body   []byte

	Status   int // 0 if there was no response
	Response http.Header
	Answer   []byte // the body, up to a limit
	// Since the request: the head of the response, the message that answers the
	// request, and the end of the body. 0 means never. Left is when the prober
	// went away from a body that had not ended.
	Head, Answered, End time.Duration
	Left                time.Duration
	// Times is when the events of a stream came, one for each.
	Times []time.Duration
	Cut   bool   // the body was longer than what was kept
	Err   string // why there was no response, or no end of it
}

// An Exit is the end of a process.
type Exit struct {
	Code      int           `json:"code"` // -1 if a signal ended it
	Signal    string        `json:"signal,omitempty"`
	After     string        `json:"after"` // by itself, end of input, terminate, kill
	Took      time.Duration `json:"-"`     // since then
	Leftovers bool          `json:"leftovers,omitempty"`
}

// Seal works out what the talks say, and must be called once before rules read
// the record. ReadRecord does it.
func (r *Record) Seal() {
	for _, t := range r.Talks {
		t.seal()
	}
	for _, t := range r.Talks {
		t.assumed = t.Revision
		if main := r.mainOf(t.Modern); t.Revision == "" && main != nil {
			t.assumed = main.Revision
		}
		if t.capabilities == nil {
			if main := r.talkLike(t); main != nil {
				t.capabilities, t.server = main.capabilities, main.server
			}
		}
	}
}

// mainOf returns the main talk of an era; nil if there is none.
func (r *Record) mainOf(modern bool) *Talk {
	i := slices.IndexFunc(r.Talks, func(t *Talk) bool { return t.Phase == step.Main && t.Modern == modern })
	if i < 0 {
		return nil
	}
	return r.Talks[i]
}

// talkLike returns a talk of the same era that knows the capabilities.
func (r *Record) talkLike(t *Talk) *Talk {
	i := slices.IndexFunc(r.Talks, func(other *Talk) bool { return other.Modern == t.Modern && other.capabilities != nil })
	if i < 0 {
		return nil
	}
	return r.Talks[i]
}

// Capabilities is the JSON of what the server declares; nil if that is unknown.
func (t *Talk) Capabilities() []byte { return t.capabilities }

// Server is the JSON of the server's description of itself; nil if unknown.
func (t *Talk) Server() []byte { return t.server }

// Declares says whether the server declares a capability like "tools", or a
// flag of one that is true like "resources.subscribe".
func (t *Talk) Declares(capability string) bool {
	name, flag := cut(capability)
	value := rawjson.Member(t.capabilities, name)
	if value == nil || flag == "" {
		return value != nil && rawjson.KindOf(value) != rawjson.Null
	}
	return rawjson.KindOf(value) == rawjson.Object && string(rawjson.Member(value, flag)) == "true"
}

// Messages are all messages of the talk, in order.
func (t *Talk) Messages() []*Message { return t.messages }

// Step returns the first step with a name and a subject. With an empty subject
// any will do.
func (t *Talk) Step(name, about string) *Step {
	for _, s := range t.Steps {
		if s.Name == name && (about == "" || s.About == about) {
			return s
		}
	}
	return nil
}

// StepsOf returns all steps with a name, in order.
func (t *Talk) StepsOf(name string) []*Step {
	var steps []*Step
	for _, s := range t.Steps {
		if s.Name == name {
			steps = append(steps, s)
		}
	}
	return steps
}

// Exit is how the process ended; nil if it is not known, or there was none.
func (t *Talk) Exit() *Exit {
	for _, s := range t.Steps {
		for i := range s.Events {
			if s.Events[i].Exit != nil {
				return s.Events[i].Exit
			}
		}
	}
	return nil
}

// Talk is the talk that the step is part of.
func (s *Step) Talk() *Talk { return s.talk }

// Messages are those of the step, sent and received.
func (s *Step) Messages() []*Message { return s.messages }

// Asked is the first message that the client sent in the step; nil if there is
// none. Answers to what the server asks are given on the side, and do not count.
func (s *Step) Asked() *Message {
	for _, m := range s.messages {
		if !m.FromServer && !m.onTheSide() {
			return m
		}
	}
	return nil
}

// onTheSide says whether the client has answered the server with a message.
func (m *Message) onTheSide() bool { return !m.FromServer && m.Kind == Response && m.Asked != nil }

// Answer is the answer to what was asked, even if it came in a later step; nil
// if there is none.
func (s *Step) Answer() *Message {
	if asked := s.Asked(); asked != nil {
		return asked.Answer
	}
	return nil
}

// Exchanges are the HTTP requests that were made in the step. Those that answer
// what the server asks are made on the side, and do not count.
func (s *Step) Exchanges() []*Exchange {
	var exchanges []*Exchange
	for i := range s.Events {
		x := s.Events[i].HTTP
		if x != nil && !slices.ContainsFunc(s.messages, func(m *Message) bool { return m.HTTP == x && m.onTheSide() }) {
			exchanges = append(exchanges, x)
		}
	}
	return exchanges
}

// Exchange is the first of them; nil if there is none.
func (s *Step) Exchange() *Exchange {
	if all := s.Exchanges(); len(all) > 0 {
		return all[0]
	}
	return nil
}
