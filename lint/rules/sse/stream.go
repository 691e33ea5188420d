package sse

import (
	"net/http"
	"net/url"

	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp/transport/eventstream"
)

// A stream is one GET that opened a stream, or should have.
type stream struct {
	step   *lint.Step
	x      *lint.Exchange
	events []eventstream.Event
}

// talks are those over HTTP+SSE. If that was only tried, the rule is not about
// this server.
func talks(v *lint.View) []*lint.Talk {
	var talks []*lint.Talk
	for _, t := range v.Talks() {
		if t.Phase != step.Era && t.Phase != step.Locked {
			talks = append(talks, t)
		}
	}
	if len(talks) == 0 {
		v.NotApplicable("the server does not speak HTTP+SSE")
	}
	return talks
}

// streams are those that the server opened when it was asked politely.
func streams(v *lint.View) []stream {
	var streams []stream
	for _, t := range talks(v) {
		for _, s := range t.StepsOf(step.Open) {
			for _, x := range s.Exchanges() {
				if x.Method == http.MethodGet && x.Status == http.StatusOK {
					streams = append(streams, stream{s, x, x.Events()})
				}
			}
		}
	}
	return streams
}

// steps are those of a name that were taken.
func steps(v *lint.View, name string) []*lint.Step {
	var steps []*lint.Step
	for _, t := range talks(v) {
		for _, s := range t.StepsOf(name) {
			if s.Outcome != lint.NotSent {
				steps = append(steps, s)
			}
		}
	}
	return steps
}

// asked is the request that a step is about. Answers to what the server asks
// meanwhile are requests of HTTP as well.
func asked(s *lint.Step) *lint.Exchange {
	for _, x := range s.Exchanges() {
		if len(x.Body) == 0 || lint.Member(x.Body, "method") != nil {
			return x
		}
	}
	return nil
}

// endpoint is what the stream names as its endpoint; ok is false if it names
// none.
func (s stream) endpoint() (text string, ok bool) {
	for _, e := range s.events {
		if e.Type == "endpoint" {
			return string(e.Data), true
		}
	}
	return "", false
}

// resolved is the endpoint as an address; nil if there is none.
func (s stream) resolved() *url.URL {
	base, err := url.Parse(s.x.URL)
	text, ok := s.endpoint()
	if err != nil || !ok {
		return nil
	}
	endpoint, err := base.Parse(text)
	if err != nil {
		return nil
	}
	return endpoint
}
