package utilities

import (
	"regexp"
	"strings"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var traceContext = lint.Rule{
	ID: "UTIL-013", Slug: "trace-context",
	Title:    "traceparent, tracestate and baggage in _meta have the forms of the W3C",
	Severity: lint.Info, Strength: lint.Must,
	Revisions: lint.E, Level: lint.Passive,
	Rests: []lint.Clause{
		{Revisions: lint.E, Page: "basic#meta", Demand: "These three keys carry values as the W3C defines them."},
		{Page: "W3C Trace Context", Demand: "The forms of traceparent and tracestate."},
		{Page: "W3C Baggage", Demand: "The form of baggage."},
	},
	What: "Looks at these keys in every _meta that the server sends. traceparent is version, trace id, parent id and flags in lower-case hexadecimal digits, with neither id all zeros; tracestate and baggage are lists of key=value.",
	Why:  "Tracing libraries drop a malformed context without a word, and the trace ends at this server.",
	Bad:  `"_meta":{"traceparent":"4bf92f3577b34da6a3ce929d0e0e4736"}`,
	Good: `"_meta":{"traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}`,
	Fix:  "Let a tracing library write the values, with its W3C propagator.",
	Check: func(v *lint.View) {
		for _, m := range v.Received() {
			for _, meta := range metas(m) {
				for key, value := range rawjson.Members(meta) {
					form := traceForms[string(key)]
					if form == nil {
						continue
					}
					v.Saw()
					if text, ok := lint.Text(value); !ok || !form(text) {
						v.Failf(m, lint.Subject{Kind: "key", Name: string(key)}, "the value has not the form of the W3C")
					}
				}
			}
		}
		if len(v.Received()) > 0 {
			v.NotApplicable("the server sends no trace context")
		}
	},
}

var traceForms = map[string]func(string) bool{"traceparent": isTraceparent, "tracestate": isTracestate, "baggage": isBaggage}

var (
	traceparentForm = regexp.MustCompile(`^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$`)
	tracestateForm  = regexp.MustCompile(`^[a-z0-9][a-z0-9_*/@-]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$`)
	baggageForm     = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+\\s*=\\s*[\\x21\\x23-\\x2b\\x2d-\\x3a\\x3c-\\x5b\\x5d-\\x7e]*\\s*(?:;.*)?$")
)

func isTraceparent(text string) bool {
	parts := traceparentForm.FindStringSubmatch(text)
	return parts != nil && parts[1] != "ff" && (parts[1] != "00" || parts[4] == "") &&
		strings.Trim(parts[2], "0") != "" && strings.Trim(parts[3], "0") != ""
}

func isTracestate(text string) bool {
	members := strings.Split(text, ",")
	for _, member := range members {
		if member = strings.Trim(member, " \t"); member != "" && !tracestateForm.MatchString(member) {
			return false
		}
	}
	return len(members) <= 32
}

func isBaggage(text string) bool {
	for member := range strings.SplitSeq(text, ",") {
		if !baggageForm.MatchString(strings.Trim(member, " \t")) {
			return false
		}
	}
	return true
}
