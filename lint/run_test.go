package lint_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"mcpworks/lint"
)

func read(t testing.TB, text string) *lint.Record {
	t.Helper()
	record, err := lint.ReadRecord(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return record
}

const legacy = `
{"target":"sample","level":"probe"}
{"talk":"main","transport":"stdio","revision":"2025-06-18"}
{"step":"initialize"}
{"send":{"jsonrpc":"2.0","id":1,"method":"initialize"}}
{"recv":{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":false}},"serverInfo":{"name":"sample"}}}}
`

// C0, D2.60, D2.61, D2.62: a rule runs only where it applies, and has passed only
// if it has seen something.
func TestOutcomes(t *testing.T) {
	saw := func(v *lint.View) { v.Saw() }
	for name, test := range map[string]struct {
		rule   lint.Rule
		status lint.Status
		reason string
	}{
		"seen":               {lint.Rule{Revisions: lint.All, Check: saw}, lint.Pass, ""},
		"nothing seen":       {lint.Rule{Revisions: lint.All, Check: func(*lint.View) {}}, lint.NotVerified, "nothing was seen that could show it"},
		"another revision":   {lint.Rule{Revisions: lint.D | lint.E, Check: saw}, lint.NotApplicable, "the server does not speak 2025-11-25, 2026-07-28"},
		"another transport":  {lint.Rule{Revisions: lint.All, Transports: lint.HTTP, Check: saw}, lint.NotApplicable, "it is about streamable_http, sse"},
		"its capability":     {lint.Rule{Revisions: lint.All, Needs: "tools.listChanged", Check: saw}, lint.Pass, ""},
		"no such capability": {lint.Rule{Revisions: lint.All, Needs: "prompts", Check: saw}, lint.NotApplicable, "the server does not declare prompts"},
		"a flag that is off": {lint.Rule{Revisions: lint.All, Needs: "resources.subscribe", Check: saw}, lint.NotApplicable, "the server does not declare resources.subscribe"},
		"another level":      {lint.Rule{Revisions: lint.All, Level: lint.Call, Check: saw}, lint.Skipped, "needs level call"},
		"undecided":          {lint.Rule{Revisions: lint.All, Check: func(v *lint.View) { v.Saw(); v.NotVerified("too %s", "late") }}, lint.NotVerified, "too late"},
		"not about it":       {lint.Rule{Revisions: lint.All, Check: func(v *lint.View) { v.NotApplicable("no icons") }}, lint.NotApplicable, "no icons"},
		"a bug in the rule":  {lint.Rule{Revisions: lint.All, Check: func(*lint.View) { panic("oops") }}, lint.NotVerified, "META-002: the rule itself failed: oops"},
	} {
		t.Run(name, func(t *testing.T) {
			report := lint.Run(read(t, legacy), []*lint.Rule{&test.rule}, lint.Options{})
			if got := report.Results[0]; got.Status != test.status || got.Reason != test.reason {
				t.Errorf("%v (%s), want %v (%s)", got.Status, got.Reason, test.status, test.reason)
			}
		})
	}
}

// B15: findings are in a fixed order, and the same one in two talks is one.
func TestFindingsAreSettled(t *testing.T) {
	report := lint.Run(read(t, legacy+strings.TrimPrefix(legacy, "\n{\"target\":\"sample\",\"level\":\"probe\"}\n")), []*lint.Rule{
		{ID: "B-002", Severity: lint.Warning, Revisions: lint.All, Check: func(v *lint.View) {
			for _, talk := range v.Talks() {
				v.Failf(talk, lint.Subject{Kind: "tool", Name: "x"}, "again")
			}
			v.FailAs(lint.Info, v.Talks()[0], lint.Subject{}, "small")
		}},
		{ID: "A-001", Severity: lint.Error, Revisions: lint.All, Check: func(v *lint.View) { v.Failf(v.Talks()[0], lint.Subject{}, "bad") }},
	}, lint.Options{})
	var got []string
	for _, f := range report.Findings {
		got = append(got, f.Severity.String()+" "+f.RuleID+" "+f.Subject.String()+": "+f.Message)
	}
	want := []string{"error A-001 server: bad", "warning B-002 tool x: again", "info B-002 server: small"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// B16: severities can be changed, and off is off.
func TestSeverityIsGiven(t *testing.T) {
	rule := lint.Rule{ID: "A-001", Severity: lint.Warning, Revisions: lint.All, Check: func(v *lint.View) { v.Failf(v.Talks()[0], lint.Subject{}, "bad") }}
	for severity, status := range map[lint.Severity]lint.Status{lint.Error: lint.Fail, lint.Off: lint.Pass} {
		report := lint.Run(read(t, legacy), []*lint.Rule{&rule}, lint.Options{
			Severity: func(*lint.Rule, lint.Severity) lint.Severity { return severity },
		})
		if len(report.Findings) != report.CountFindings(severity) || (report.Results[0].Status == lint.Fail) != (status == lint.Fail) {
			t.Errorf("%v: %+v", severity, report)
		}
	}
}

// B15: a fingerprint does not change with texts, and changes with the place.
func TestFingerprint(t *testing.T) {
	f := lint.Finding{RuleID: "A-001", Subject: lint.Subject{Kind: "tool", Name: "x"}, Pointer: "/tools/0", Message: "one"}
	other := f
	other.Message, other.Evidence.Received = "two", "{}"
	if f.Fingerprint() != other.Fingerprint() {
		t.Error("it changes with texts")
	}
	other.Pointer = "/tools/7"
	if f.Fingerprint() != other.Fingerprint() {
		t.Error("it changes with the place in the list")
	}
	other.Subject.Part = "y"
	if f.Fingerprint() == other.Fingerprint() {
		t.Error("it does not change with the subject")
	}
}

// B15: evidence is bounded, and text whatever it was.
func TestEvidenceIsBounded(t *testing.T) {
	rule := lint.Rule{ID: "A-001", Severity: lint.Error, Revisions: lint.All, Check: func(v *lint.View) {
		v.Fail(lint.Finding{Message: "bad", Evidence: lint.Evidence{Sent: strings.Repeat("x", 5000), Received: "a\xffb"}})
	}}
	e := lint.Run(read(t, legacy), []*lint.Rule{&rule}, lint.Options{}).Findings[0].Evidence
	if len(e.Sent) > 2<<10 || e.Received != "a�b" {
		t.Errorf("%d bytes, %q", len(e.Sent), e.Received)
	}
}

// B15, D2.66: whatever a server calls its things, a finding stays short.
func TestFindingsAreShort(t *testing.T) {
	long := strings.Repeat("ü", 1<<20)
	rule := &lint.Rule{ID: "RPC-901", Severity: lint.Error, Revisions: lint.All, Check: func(v *lint.View) {
		v.Fail(lint.Finding{Subject: lint.Subject{Kind: "tool", Name: long, Part: long}, Message: long, Pointer: "/" + long, Evidence: lint.Evidence{Sent: long, Received: long, Note: long}})
	}}
	found := lint.Run(read(t, head), []*lint.Rule{rule}, lint.Options{}).Findings
	if text, err := json.Marshal(found); err != nil || len(found) != 1 || len(text) > 8*2048 || !utf8.Valid(text) {
		t.Errorf("%d findings, %d bytes, %v", len(found), len(text), err)
	}
}
