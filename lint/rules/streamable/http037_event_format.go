package streamable

import "mcpworks/lint"

var eventFormat = lint.Rule{
	ID: "HTTP-037", Slug: "event-format",
	Title:    "event streams are written as the standard says",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: anyRevision, Transports: lint.Streamable, Level: lint.Passive,
	Rests: []lint.Clause{
		other("HTML Standard 9.2", "A stream is made of the fields data, event, id and retry and of comments; an empty line ends an event, and one without it is dropped."),
	},
	What: "Reads every event stream a second time with a parser that forgives nothing: fields other than data, event, id and retry, types other than message on what carries one, several messages in one event, and a last event without its empty line are found. Data that is no JSON at all is for RPC-002.",
	Why:  "Parsers skip what they do not know, without a word. The message is lost, and the client waits for it.",
	Bad: `event: response
data: {"jsonrpc":"2.0","id":2,"result":{}}`,
	Good: `event: message
data: {"jsonrpc":"2.0","id":2,"result":{}}`,
	Fix: `Write "event: message" or no event line, one "data:" line with one message, and an empty line after it. Line breaks inside the JSON need a data: of their own.`,
	Check: func(v *lint.View) {
		for _, s := range streams(v) {
			v.Saw()
			for _, e := range s.events {
				if e.kind != "" && e.kind != "message" && !e.empty() {
					e.odd = append(e.odd, `an event has a type other than "message"`)
				}
				if e.values() > 1 {
					e.odd = append(e.odd, "an event holds more than one message")
				}
				for _, flaw := range e.odd {
					failEvent(v, s, e.raw, flaw)
				}
			}
			if s.whole() && s.rest != nil {
				failEvent(v, s, s.rest, "the last event of a stream is not ended by an empty line")
			}
		}
	},
}

// failEvent shows the event itself, which may be anywhere in its stream.
func failEvent(v *lint.View, s *stream, raw []byte, flaw string) {
	evidence := s.step.Evidence()
	evidence.Received = string(raw)
	v.Fail(lint.Finding{Message: flaw, Evidence: evidence, Revision: s.talk().Revision})
}
