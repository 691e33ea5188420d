// Package lint judges MCP servers by a record of what was said with them.
//
// A Record is made by lint/probe and holds everything that was sent and
// received, talk by talk and step by step (record.go). A Rule is a text and a
// pure function over a View, the part of the record that concerns it (rule.go,
// view.go). Run asks every rule and returns a Report (run.go, report.go), which
// lint/report prints. Nothing here talks to a server: the same record gives the
// same report.
package lint

import "fmt"

// A Severity says how bad a finding is.
type Severity int

// Off is for rules that only run when they are asked for.
const (
	Off Severity = iota
	Info
	Warning
	Error
)

var severityNames = []string{"off", "info", "warning", "error"}

func (s Severity) String() string { return severityNames[s] }

// MarshalText implements encoding.TextMarshaler.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Severity) UnmarshalText(text []byte) error {
	return parseName(s, severityNames, text, "severity")
}

// A Strength says what a rule rests on: a demand of the specification, in its
// own words, or good practice.
type Strength int

// The strengths, weakest first.
const (
	Quality Strength = iota
	Should
	Must
)

var strengthNames = []string{"quality", "SHOULD", "MUST"}

func (s Strength) String() string { return strengthNames[s] }

// MarshalText implements encoding.TextMarshaler.
func (s Strength) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Strength) UnmarshalText(text []byte) error {
	return parseName(s, strengthNames, text, "strength")
}

// A Level bounds what is sent to a server (B2). Each includes those before it.
type Level int

// Static sends nothing. Passive opens, lists and pings. Probe adds messages
// that cannot run a tool. Call runs tools that are marked read-only. Stress adds
// what may break the server.
const (
	Static Level = iota
	Passive
	Probe
	Call
	Stress
)

var levelNames = []string{"static", "passive", "probe", "call", "stress"}

func (l Level) String() string { return levelNames[l] }

// MarshalText implements encoding.TextMarshaler.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (l *Level) UnmarshalText(text []byte) error { return parseName(l, levelNames, text, "level") }

func parseName[T ~int](to *T, names []string, text []byte, what string) error {
	for i, name := range names {
		if name == string(text) {
			*to = T(i)
			return nil
		}
	}
	return fmt.Errorf("there is no %s %q", what, text)
}
