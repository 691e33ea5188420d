package stdio

import (
	"bytes"

	"mcpworks/lint"
	"mcpworks/lint/step"
)

var lineEnds = lint.Rule{
	ID: "STD-011", Slug: "line-ends",
	Title:    "lines end with LF alone, none is blank, and CR LF is accepted",
	Severity: lint.Info, Strength: lint.Quality,
	Revisions: lint.All, Transports: lint.Stdio, Level: lint.Probe,
	Rests: says("A newline ends each message."),
	What:  "Looks at the ends of all lines on standard output, and for blank ones. Sends one request whose line ends with CR LF, which has to be answered like any other. Headers with a length, which have such lines around them, are STD-004.",
	Why:   "Clients cut at LF. Some then stumble over the CR, or over an empty message; and a client on Windows may write CR LF itself.",
	Bad:   `{"jsonrpc":"2.0","id":1,"result":{}}\r\n`,
	Good:  `{"jsonrpc":"2.0","id":1,"result":{}}\n`,
	Fix:   `Write "\n" whatever the platform, for example by opening standard output in binary mode, and trim white space around a line before it is parsed.`,
	Check: func(v *lint.View) {
		for _, t := range v.Talks() {
			if !isFramed(t) {
				checkLineEnds(v, t)
			}
		}
		steps := v.Steps(step.CarriageReturn)
		for _, s := range steps {
			if s.Asked() != nil && s.Answer() == nil {
				v.Failf(s, lint.Subject{}, "a request whose line ends with CR LF is not answered")
			}
		}
		if len(steps) == 0 {
			v.NotVerified("no request was sent with CR LF")
		}
	},
}

func checkLineEnds(v *lint.View, t *lint.Talk) {
	for _, s := range t.Steps {
		for _, e := range s.Events {
			if e.Received == nil {
				continue
			}
			v.Saw()
			switch line := bytes.TrimSpace(e.Received); {
			case len(line) == 0:
				failLine(v, s, e, "there are blank lines on standard output")
			case bytes.HasSuffix(e.Received, []byte("\r")):
				failLine(v, s, e, "lines on standard output end with CR LF")
			}
		}
	}
}

// failLine shows the line as it was, with its end.
func failLine(v *lint.View, s *lint.Step, e lint.Event, message string) {
	v.Fail(lint.Finding{Message: message, Revision: s.Talk().Revision, Evidence: lint.Evidence{
		Talk: s.Talk().Phase, Step: s.Label(), Received: string(e.Received) + "\n",
	}})
}

func isFramed(t *lint.Talk) bool {
	for _, m := range t.Messages() {
		if faultOf(m) == header {
			return true
		}
	}
	return false
}
