package lint

import (
	"bytes"
	"cmp"
	"mime"
	"slices"
	"strconv"
	"time"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/transport/eventstream"
)

// A Kind says what a message is (A2.5).
type Kind int

// Noise is no JSON at all. Invalid is JSON that is no message.
const (
	Noise Kind = iota
	Invalid
	Request
	Notification
	Response
)

func (k Kind) String() string {
	return [...]string{"noise", "invalid message", "request", "notification", "response"}[k]
}

// A Message is one message, or what should have been one. Its members are
// pieces of its text; those that are absent are nil.
type Message struct {
	FromServer bool
	At         time.Duration
	Raw        []byte
	Kind       Kind
	// ID, Method and the others are the raw JSON of the members.
	ID, Method, Params, Result, Error []byte

	Step  *Step
	HTTP  *Exchange // that carried it; nil on stdio
	Event string    // the type of the event that carried it, if that was a stream
	Lines int       // how many lines it took; 1 as it should be
	Batch bool      // it was one of an array

	// Answer is the response to a request, of either side; Asked is the request
	// that a response answers. Ids are compared to the letter and the type.
	Answer *Message
	Asked  *Message
	// Again says that the request had been answered before.
	Again bool
}

// Talk is the talk that the message was part of.
func (m *Message) Talk() *Talk { return m.Step.talk }

// MethodName is the method as a string; empty if there is none. For a response
// it is that of the request it answers.
func (m *Message) MethodName() string {
	if m.Kind == Response && m.Asked != nil {
		m = m.Asked
	}
	name, _ := rawjson.String(m.Method)
	return name
}

// Code is the code of the error; 0 if there is none, or none that is a number.
func (m *Message) Code() int {
	code, _ := strconv.Atoi(string(rawjson.Member(object(m.Error), "code")))
	return code
}

// IsError says whether the message is an error response.
func (m *Message) IsError() bool { return m.Kind == Response && m.Error != nil }

// HasResult says whether the message is a response with a result.
func (m *Message) HasResult() bool { return m.Kind == Response && m.Error == nil && m.Result != nil }

// object returns text that is an object, and otherwise nothing.
func object(raw []byte) []byte {
	if rawjson.KindOf(raw) != rawjson.Object {
		return nil
	}
	return raw
}

// Member returns the member of a message, or of anything below it: Member(m.Result,
// "capabilities", "tools"). It is nil if one of them is absent or no object. Of
// several with the same name the last one counts, as for most readers (A2.9).
func Member(raw []byte, path ...string) []byte {
	for _, name := range path {
		var last []byte
		for key, value := range rawjson.Members(object(raw)) {
			if string(key) == name {
				last = value
			}
		}
		raw = last
	}
	return raw
}

// Text returns a string's value; ok is false for anything else.
func Text(raw []byte) (text string, ok bool) {
	if rawjson.KindOf(raw) != rawjson.StringKind {
		return "", false
	}
	return rawjson.String(raw)
}

func cut(capability string) (name, flag string) {
	before, after, _ := bytes.Cut([]byte(capability), []byte("."))
	return string(before), string(after)
}

// seal finds the messages in the events, and what answers what.
func (t *Talk) seal() {
	t.messages, t.sent = nil, nil
	var lines Lines
	for _, s := range t.Steps {
		s.talk = t
		for i := range s.Events {
			t.gather(s, &s.Events[i], &lines)
		}
	}
	slices.SortStableFunc(t.messages, func(a, b *Message) int { return cmp.Compare(a.At, b.At) })
	for _, s := range t.Steps {
		s.messages = nil
	}
	for _, m := range t.messages {
		m.Step.messages = append(m.Step.messages, m)
	}
	t.link()
	t.introduce()
}

func (t *Talk) gather(s *Step, e *Event, lines *Lines) {
	at := Message{At: e.At, Step: s, Lines: 1}
	switch {
	case e.Sent != nil:
		t.sent = append(t.sent, e.Sent...)
		if !e.Part {
			t.sent = append(t.sent, '\n')
		}
		t.gatherSent(at)
	case e.Received != nil:
		at.FromServer = true
		text, n := lines.Add(bytes.TrimSuffix(e.Received, []byte("\r")))
		if n > 1 { // the lines before were taken for noise
			t.dropNoise(n - 1)
		}
		if at.Lines = n; len(text) > 0 {
			t.add(at, text)
		}
	case e.HTTP != nil:
		t.gatherHTTP(at, e.HTTP)
	}
}

// gatherSent takes the lines that are complete.
func (t *Talk) gatherSent(at Message) {
	for {
		line, rest, whole := bytes.Cut(t.sent, []byte("\n"))
		if !whole {
			return
		}
		if t.sent = rest; len(bytes.TrimSpace(line)) > 0 {
			t.add(at, bytes.TrimRight(line, "\r"))
		}
	}
}

// dropNoise takes back the last lines of noise. A line in the middle of a value
// can be JSON, too: the element of an array.
func (t *Talk) dropNoise(n int) {
	for i := len(t.messages) - 1; i >= 0 && n > 0; i-- {
		if m := t.messages[i]; m.FromServer && m.Kind <= Invalid {
			t.messages = append(t.messages[:i], t.messages[i+1:]...)
			n--
		}
	}
}

func (t *Talk) gatherHTTP(at Message, x *Exchange) {
	at.HTTP = x
	if len(x.Body) > 0 {
		t.add(at, x.Body)
	}
	at.FromServer = true
	begin := at.At
	at.At += x.Answered
	switch kind := x.Type(); {
	case len(x.Answer) == 0:
	case kind == "application/json":
		t.add(at, x.Answer)
	case kind == "text/event-stream":
		for i, e := range x.Events() {
			if i < len(x.Times) {
				at.At = begin + x.Times[i]
			}
			if at.Event = e.Type; len(e.Data) > 0 && e.Type != "endpoint" {
				t.add(at, e.Data)
			}
		}
	}
}

// Type is the content type of the response, without its parameters.
func (x *Exchange) Type() string {
	kind, _, _ := mime.ParseMediaType(x.Response.Get("Content-Type"))
	return kind
}

// MaxStreamEvents is how many events of a stream are looked at, and maxBatch how
// many messages of an array. Whoever sends more does not want to be understood,
// and each of them costs far more here than on the wire.
const (
	MaxStreamEvents = 20_000
	maxBatch        = 1000
)

// Events are those of a response that is a stream.
func (x *Exchange) Events() []eventstream.Event {
	reader := eventstream.NewReader(bytes.NewReader(x.Answer), len(x.Answer)+1)
	var events []eventstream.Event
	for len(events) < MaxStreamEvents {
		e, err := reader.Next()
		if err != nil {
			break
		}
		events = append(events, e)
	}
	return events
}

// add takes one message, or an array of them.
func (t *Talk) add(m Message, raw []byte) {
	m.Raw = raw
	if rawjson.Check(raw, recordLimits) != nil {
		t.messages = append(t.messages, &m)
		return
	}
	if rawjson.KindOf(raw) == rawjson.Array {
		count := 0
		m.Batch = true
		for element := range rawjson.Elements(raw) {
			if count++; count > maxBatch {
				break
			}
			one := m
			one.Raw = element
			one.classify()
			t.messages = append(t.messages, &one)
		}
		if count > 0 {
			return
		}
	}
	m.classify()
	t.messages = append(t.messages, &m)
}

// recordLimits are for what is in a record: it was bounded when it was made.
var recordLimits = rawjson.Limits{Depth: 1000}

func (m *Message) classify() {
	m.Kind = Invalid
	if rawjson.KindOf(m.Raw) != rawjson.Object {
		return
	}
	m.ID, m.Method = rawjson.Member(m.Raw, "id"), rawjson.Member(m.Raw, "method")
	m.Params = rawjson.Member(m.Raw, "params")
	m.Result, m.Error = rawjson.Member(m.Raw, "result"), rawjson.Member(m.Raw, "error")
	switch {
	case m.Method != nil && m.ID != nil:
		m.Kind = Request
	case m.Method != nil:
		m.Kind = Notification
	case (m.Result != nil) != (m.Error != nil):
		m.Kind = Response
	}
}

// IDKey is the same for ids that are the same: of the same type, and with the
// same value however it is written.
func IDKey(id []byte) string {
	if text, ok := Text(id); ok {
		return "text " + text
	}
	return string(id)
}

// link finds the answers.
func (t *Talk) link() {
	type key struct {
		fromServer bool
		id         string
	}
	asked := map[key]*Message{}
	if t.Transport == transportNames[2] { // the stream was there before the requests
		for _, m := range t.messages {
			if k := (key{m.FromServer, IDKey(m.ID)}); m.Kind == Request && asked[k] == nil {
				asked[k] = m
			}
		}
	}
	for _, m := range t.messages {
		switch m.Kind {
		case Request:
			if k := (key{m.FromServer, IDKey(m.ID)}); asked[k] == nil || asked[k].Answer != nil {
				asked[k] = m
			}
		case Response:
			request := asked[key{!m.FromServer, IDKey(m.ID)}]
			if request == nil {
				continue
			}
			m.Asked = request
			if m.Again = request.Answer != nil; !m.Again {
				request.Answer = m
			}
		}
	}
}

// introduce finds what the server says of itself.
func (t *Talk) introduce() {
	for _, m := range t.messages {
		if !m.FromServer || !m.HasResult() {
			continue
		}
		switch m.MethodName() {
		case mcp.MethodInitialize:
			t.server = Member(m.Result, "serverInfo")
		case mcp.MethodDiscover:
			t.server = Member(m.Result, "_meta", "io.modelcontextprotocol/serverInfo")
		default:
			continue
		}
		t.capabilities = object(Member(m.Result, "capabilities"))
		return
	}
}
