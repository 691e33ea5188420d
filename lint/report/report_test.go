package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mcpworks/internal/jsonschema"
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/lint/report"
)

var update = flag.Bool("update", false, "write the golden files anew")

const record = `
{"target":"some-server --flag","level":"probe"}
{"talk":"main","transport":"stdio","revision":"2025-11-25"}
{"step":"initialize"}
{"send":{"jsonrpc":"2.0","id":1,"method":"initialize"}}
{"recv":{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"sample \u001b[31m","version":"1.2"}}}}
{"step":"list","about":"tools/list"}
{"send":{"jsonrpc":"2.0","id":2,"method":"tools/list"}}
{"recv":{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"one","inputSchema":{}},{"name":"two|\u202e","inputSchema":{}},{"name":"%three\n::error::","inputSchema":{}}]}}}
`

// Rules of all outcomes.
var rules = []*lint.Rule{
	{ID: "HTTP-901", Slug: "server-wide", Title: "the server is good", Severity: lint.Error, Strength: lint.Must, Revisions: lint.All,
		Rests: []lint.Clause{{Revisions: lint.All, Page: "basic#x", Demand: "it is good"}}, What: "Looks.", Why: "Because.", Fix: "Be good.",
		Check: func(v *lint.View) { v.Failf(v.Messages()[1], lint.Subject{}, "it is\x1b[2J bad: %s", "<b>&") }},
	{ID: "TOOL-902", Slug: "each-tool", Title: "tools are good", Severity: lint.Warning, Strength: lint.Quality, Revisions: lint.All, What: "Looks.", Why: "Because.", Fix: "Be good.",
		Check: func(v *lint.View) {
			for _, tool := range v.Items("tools/list") {
				v.Fail(lint.Finding{Subject: tool.Subject(), Message: "it is no good", Pointer: tool.Pointer, Evidence: tool.Evidence(), Revision: "2025-11-25"})
			}
		}},
	{ID: "RPC-903", Slug: "everywhere", Title: "sdk", Severity: lint.Info, SDKWide: true, Revisions: lint.All, What: "Looks.", Why: "Because.", Fix: "Wait.",
		Check: func(v *lint.View) { v.Failf(v.Messages()[1], lint.Subject{}, "as always") }},
	{ID: "RPC-904", Slug: "passes", Title: "t", Severity: lint.Error, Revisions: lint.All, Check: func(v *lint.View) { v.Saw() }},
	{ID: "RPC-905", Slug: "unknown", Title: "t", Severity: lint.Error, Revisions: lint.All, Check: func(v *lint.View) { v.NotVerified("the server was\x07 silent") }},
	{ID: "MOD-906", Slug: "modern", Title: "t", Severity: lint.Error, Revisions: lint.Modern, Check: func(v *lint.View) { v.Saw() }},
	{ID: "TOOL-907", Slug: "called", Title: "t", Severity: lint.Error, Revisions: lint.All, Level: lint.Call, Check: func(v *lint.View) { v.Saw() }},
}

func run(t testing.TB) report.Run {
	t.Helper()
	r, err := lint.ReadRecord(strings.NewReader(record))
	if err != nil {
		t.Fatal(err)
	}
	return report.Run{Report: lint.Run(r, rules, lint.Options{}), Began: time.Unix(0, 0), Took: time.Second}
}

func write(t testing.TB, format string, opts report.Options, runs ...report.Run) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := report.Write(&out, format, runs, opts); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// B15, D2.39, D2.40: every format is what it was, whatever the server says.
func TestGolden(t *testing.T) {
	for _, format := range report.Formats {
		t.Run(format, func(t *testing.T) {
			got := write(t, format, report.Options{ExitCode: 1}, run(t))
			file := filepath.Join("testdata", format+".golden")
			if *update {
				if err := os.WriteFile(file, got, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Error(diff)
			}
			if again := write(t, format, report.Options{ExitCode: 1}, run(t)); !bytes.Equal(got, again) {
				t.Error("a second run writes something else")
			}
		})
	}
}

// D2.66: nothing that a server says reaches a terminal as it is.
func TestNothingRunsOnATerminal(t *testing.T) {
	for _, format := range report.Formats {
		got := write(t, format, report.Options{Verbose: true, Explain: true, Times: true}, run(t))
		if i := bytes.IndexAny(got, "\x1b\x07\u202e"); i >= 0 {
			t.Errorf("%s has %q", format, got[max(0, i-20):min(len(got), i+20)])
		}
	}
}

// D2.39: json is valid against the published schema, one report and several.
func TestJSONFitsItsSchema(t *testing.T) {
	schema, err := jsonschema.Compile(report.Schema)
	if err != nil {
		t.Fatal(err)
	}
	broken := run(t)
	broken.Failure = "gone"
	broken.Known = map[string]bool{broken.Report.Findings[0].Fingerprint(): true}
	for _, runs := range [][]report.Run{{run(t)}, {broken}, {run(t), broken}} {
		text := write(t, "json", report.Options{Times: true, ExitCode: 3}, runs...)
		value, err := rawjson.Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, violation := range schema.Validate(value) {
			t.Errorf("%+v", violation)
		}
	}
}

func TestNDJSONHasOneObjectPerLine(t *testing.T) {
	var events []string
	for line := range bytes.Lines(write(t, "ndjson", report.Options{}, run(t))) {
		var event struct{ Event string }
		if err := json.Unmarshal(line, &event); err != nil {
			t.Fatal(err)
		}
		events = append(events, event.Event)
	}
	want := strings.Fields(strings.Repeat("finding ", 5) + strings.Repeat("rule ", 7) + "summary")
	if diff := cmp.Diff(want, events); diff != "" {
		t.Error(diff)
	}
}

// B15: one case for each rule that applied; not verified is skipped; an info
// fails nothing.
func TestJUnitCounts(t *testing.T) {
	var suites struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Skipped  int `xml:"skipped,attr"`
		Suites   []struct {
			Cases []struct {
				Name string `xml:"name,attr"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(write(t, "junit", report.Options{}, run(t)), &suites); err != nil {
		t.Fatal(err)
	}
	if suites.Tests != 5 || suites.Failures != 2 || suites.Skipped != 1 || len(suites.Suites[0].Cases) != 5 {
		t.Errorf("%+v", suites)
	}
}

// D2.39: a workflow command is one line, and ends nothing early.
func TestGitHubLinesAreEscaped(t *testing.T) {
	for line := range strings.Lines(string(write(t, "github", report.Options{}, run(t)))) {
		if strings.HasPrefix(line, "::error::") || strings.Contains(line, "%three") {
			t.Errorf("%q", line)
		}
	}
}

// B15: the logical location says what, the physical one is a file, and a
// finding that a baseline has is suppressed.
func TestSARIF(t *testing.T) {
	r := run(t)
	r.Known = map[string]bool{r.Report.Findings[1].Fingerprint(): true}
	var log struct {
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct {
				RuleID       string
				RuleIndex    int
				Suppressions []struct{ Kind string }
			}
		}
	}
	if err := json.Unmarshal(write(t, "sarif", report.Options{}, r), &log); err != nil {
		t.Fatal(err)
	}
	ran := log.Runs[0]
	if log.Version != "2.1.0" || len(ran.Tool.Driver.Rules) != 4 || len(ran.Results) != 5 {
		t.Fatalf("%+v", log)
	}
	for i, result := range ran.Results {
		if ran.Tool.Driver.Rules[result.RuleIndex].ID != result.RuleID || (i == 1) != (len(result.Suppressions) > 0) {
			t.Errorf("%d: %+v", i, result)
		}
	}
}

// B3: findings that share rule and message are one line; what an SDK does is
// folded unless it is asked for.
func TestTextGroups(t *testing.T) {
	text := string(write(t, "text", report.Options{}, run(t)))
	if !strings.Contains(text, "3 tools: ") || strings.Contains(text, "as always") || !strings.Contains(text, "RPC-903 (-v") {
		t.Error(text)
	}
	if verbose := string(write(t, "text", report.Options{Verbose: true}, run(t))); !strings.Contains(verbose, "as always") {
		t.Error(verbose)
	}
}

func TestUnknownFormat(t *testing.T) {
	if err := report.Write(&bytes.Buffer{}, "pdf", nil, report.Options{}); err == nil || !strings.Contains(err.Error(), "markdown") {
		t.Errorf("%v", err)
	}
}
