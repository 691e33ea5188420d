package report

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"io"
	"time"

	"mcpworks/internal/printable"
	"mcpworks/internal/version"
	"mcpworks/lint"
)

// Schema is the JSON Schema of the formats json and ndjson. Within one
// schemaVersion members are only ever added.
//
//go:embed schema.json
var Schema []byte

const schemaVersion = 1

type jsonTool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

var tool = jsonTool{"mcplint", version.Number}

// A jsonReport is one run.
type jsonReport struct {
	SchemaVersion int           `json:"schemaVersion"`
	Tool          jsonTool      `json:"tool"`
	Time          string        `json:"time,omitempty"`
	DurationMS    int64         `json:"durationMs,omitempty"`
	Target        jsonTarget    `json:"target"`
	Failure       string        `json:"failure,omitempty"`
	Transport     string        `json:"transport,omitempty"`
	Eras          []string      `json:"eras"`
	Revisions     []string      `json:"revisions"`
	Server        jsonServer    `json:"server"`
	Level         lint.Level    `json:"level"`
	Counts        jsonCounts    `json:"counts"`
	Findings      []jsonFinding `json:"findings"`
	Rules         []jsonRule    `json:"rules"`
	Coverage      jsonCoverage  `json:"coverage"`
	Stale         []string      `json:"staleBaseline,omitempty"`
	ExitCode      int           `json:"exitCode"`
}

type jsonTarget struct {
	Shown string `json:"shown"`
	URL   string `json:"url,omitempty"`
}

type jsonServer struct {
	Name      string `json:"name,omitempty"`
	Version   string `json:"version,omitempty"`
	Tools     int    `json:"tools"`
	Resources int    `json:"resources"`
	Templates int    `json:"templates"`
	Prompts   int    `json:"prompts"`
	Tokens    int    `json:"tokensEstimate"`
}

type jsonCounts struct {
	Error         int `json:"error"`
	Warning       int `json:"warning"`
	Info          int `json:"info"`
	Pass          int `json:"pass"`
	Fail          int `json:"fail"`
	NotApplicable int `json:"notApplicable"`
	NotVerified   int `json:"notVerified"`
	Skipped       int `json:"skipped"`
	MessagesSent  int `json:"messagesSent"`
	Connections   int `json:"connections"`
}

type jsonFinding struct {
	lint.Finding
	Confidence  string `json:"confidence"`
	Fingerprint string `json:"fingerprint"`
	Baseline    bool   `json:"baseline,omitempty"`
}

type jsonRule struct {
	ID     string      `json:"id"`
	Slug   string      `json:"slug"`
	Status lint.Status `json:"status"`
	Reason string      `json:"reason,omitempty"`
}

// A jsonCoverage says how many of the rules that apply were decided.
type jsonCoverage struct {
	Applicable int `json:"applicable"`
	Verified   int `json:"verified"`
}

// writeJSON writes one object: the report, or for several targets an object
// with all reports.
func writeJSON(w io.Writer, runs []Run, opts Options) error {
	if len(runs) == 1 {
		return encode(w, jsonOf(&runs[0], opts), "  ")
	}
	all := struct {
		SchemaVersion int          `json:"schemaVersion"`
		Tool          jsonTool     `json:"tool"`
		Reports       []jsonReport `json:"reports"`
		ExitCode      int          `json:"exitCode"`
	}{schemaVersion, tool, []jsonReport{}, opts.ExitCode}
	for i := range runs {
		all.Reports = append(all.Reports, jsonOf(&runs[i], opts))
	}
	return encode(w, all, "  ")
}

// encode writes a value as JSON that a terminal can show.
func encode(w io.Writer, value any, indent string) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	_, err := w.Write(printable.JSON(text.Bytes()))
	return err
}

func jsonOf(run *Run, opts Options) jsonReport {
	report := run.Report
	s := Summarize(report.Record)
	r := jsonReport{
		SchemaVersion: schemaVersion, Tool: tool, Target: jsonTarget{s.Target, report.Record.Target.URL}, Failure: run.Failure,
		Transport: s.Transport, Eras: orEmpty(s.Eras), Revisions: orEmpty(s.Revisions), Level: report.Record.Level,
		Server:   jsonServer{s.Name, s.Version, s.Tools, s.Resources, s.Templates, s.Prompts, s.Tokens},
		Counts:   countsOf(report, &s),
		Findings: []jsonFinding{}, Rules: []jsonRule{}, Stale: run.Stale, ExitCode: opts.ExitCode,
	}
	if opts.Times {
		r.Time, r.DurationMS = run.Began.UTC().Format(time.RFC3339), run.Took.Milliseconds()
	}
	for _, f := range report.Findings {
		r.Findings = append(r.Findings, jsonFindingOf(f, run))
	}
	for _, result := range report.Results {
		r.Rules = append(r.Rules, jsonRule{result.Rule.ID, result.Rule.Slug, result.Status, result.Reason})
	}
	r.Coverage.Verified = r.Counts.Pass + r.Counts.Fail
	r.Coverage.Applicable = r.Coverage.Verified + r.Counts.NotVerified
	return r
}

func jsonFindingOf(f lint.Finding, run *Run) jsonFinding {
	confidence := "certain"
	if f.Likely {
		confidence = "likely"
	}
	fingerprint := f.Fingerprint()
	return jsonFinding{f, confidence, fingerprint, run.Known[fingerprint]}
}

func countsOf(report *lint.Report, s *Summary) jsonCounts {
	return jsonCounts{
		report.CountFindings(lint.Error), report.CountFindings(lint.Warning), report.CountFindings(lint.Info),
		report.Count(lint.Pass), report.Count(lint.Fail), report.Count(lint.NotApplicable), report.Count(lint.NotVerified), report.Count(lint.Skipped),
		s.Messages, s.Talks,
	}
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// writeNDJSON writes one object for each finding and rule, and one at the end of
// each run, which has everything else.
func writeNDJSON(w io.Writer, runs []Run, opts Options) error {
	for i := range runs {
		r := jsonOf(&runs[i], opts)
		for _, f := range r.Findings {
			if err := encode(w, struct {
				Event  string `json:"event"`
				Target string `json:"target"`
				jsonFinding
			}{"finding", r.Target.Shown, f}, ""); err != nil {
				return err
			}
		}
		for _, rule := range r.Rules {
			if err := encode(w, struct {
				Event  string `json:"event"`
				Target string `json:"target"`
				jsonRule
			}{"rule", r.Target.Shown, rule}, ""); err != nil {
				return err
			}
		}
		r.Findings, r.Rules = []jsonFinding{}, []jsonRule{}
		if err := encode(w, struct {
			Event string `json:"event"`
			jsonReport
		}{"summary", r}, ""); err != nil {
			return err
		}
	}
	return nil
}
