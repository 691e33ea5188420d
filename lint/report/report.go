// Package report writes what the linter found, for people and for machines.
//
// A Run is one server that was checked. Write writes one or several of them in
// one of the Formats, each of which is a file of its own. Everything that comes
// from a server is made safe to show on the way.
package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"mcpworks/lint"
)

// A Run is one server that was checked.
type Run struct {
	Report *lint.Report
	// Failure is why the server could not be checked, or not to the end.
	Failure string
	Began   time.Time
	Took    time.Duration
	// Known are the fingerprints of findings that a baseline has: they are shown
	// but do not count. Stale are those of the baseline that were not found.
	Known map[string]bool
	Stale []string
}

// Options change how a report is written.
type Options struct {
	// Verbose adds the evidence, and everything that is folded otherwise.
	Verbose bool
	// Explain adds why each rule is there.
	Explain bool
	// Times adds when and how long, which no two runs have in common.
	Times    bool
	ExitCode int
}

// A writer writes runs in one format.
type writer func(w io.Writer, runs []Run, opts Options) error

// writers are the formats, by their names.
var writers = map[string]writer{
	"text": writeText, "json": writeJSON, "ndjson": writeNDJSON, "sarif": writeSARIF,
	"junit": writeJUnit, "github": writeGitHub, "markdown": writeMarkdown,
}

// Formats are the names of all formats.
var Formats = []string{"text", "json", "ndjson", "sarif", "junit", "github", "markdown"}

// Write writes a report.
func Write(w io.Writer, format string, runs []Run, opts Options) error {
	write := writers[format]
	if write == nil {
		return fmt.Errorf("there is no format %q; there are %s", format, strings.Join(Formats, ", "))
	}
	return write(w, runs, opts)
}

// Fresh are the findings of a run that are not in its baseline.
func (r *Run) Fresh() []lint.Finding {
	if len(r.Known) == 0 {
		return r.Report.Findings
	}
	var fresh []lint.Finding
	for _, f := range r.Report.Findings {
		if !r.Known[f.Fingerprint()] {
			fresh = append(fresh, f)
		}
	}
	return fresh
}

// ruleOf finds the rule of a finding.
func (r *Run) ruleOf(f *lint.Finding) *lint.Rule {
	for _, result := range r.Report.Results {
		if result.Rule.ID == f.RuleID {
			return result.Rule
		}
	}
	return &lint.Rule{ID: f.RuleID, Slug: f.Slug}
}
