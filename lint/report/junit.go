package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"mcpworks/internal/printable"
	"mcpworks/lint"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr,omitempty"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string      `xml:"name,attr"`
	Class   string      `xml:"classname,attr"`
	Failure *junitText  `xml:"failure,omitempty"`
	Error   *junitText  `xml:"error,omitempty"`
	Skipped *junitBlank `xml:"skipped,omitempty"`
	Out     string      `xml:"system-out,omitempty"`
}

type junitText struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

type junitBlank struct {
	Message string `xml:"message,attr"`
}

// writeJUnit has one case for each rule that applied. Those that could not be
// verified are skipped; findings that are only infos do not fail a case.
func writeJUnit(w io.Writer, runs []Run, opts Options) error {
	all := junitSuites{Name: "mcplint"}
	for i := range runs {
		suite := junitRun(&runs[i], opts)
		all.Tests += suite.Tests
		all.Failures += suite.Failures
		all.Errors += suite.Errors
		all.Skipped += suite.Skipped
		all.Suites = append(all.Suites, suite)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func junitRun(run *Run, opts Options) junitSuite {
	suite := junitSuite{Name: printable.Line(run.Report.Record.Target.Shown)}
	if opts.Times {
		suite.Time = fmt.Sprintf("%.3f", run.Took.Seconds())
	}
	if run.Failure != "" {
		suite.Errors++
		suite.Cases = append(suite.Cases, junitCase{Name: "connect", Class: "mcplint", Error: &junitText{Message: printable.Line(run.Failure), Type: "unreachable"}})
	}
	for _, result := range run.Report.Results {
		one := junitCase{Name: result.Rule.ID + " " + result.Rule.Slug, Class: "mcplint." + result.Rule.Category()}
		switch result.Status {
		case lint.NotApplicable, lint.Skipped:
			continue
		case lint.NotVerified:
			one.Skipped = &junitBlank{Message: printable.Line(result.Reason)}
			suite.Skipped++
		case lint.Fail:
			if one.judge(run, result.Rule); one.Failure != nil {
				suite.Failures++
			}
		}
		suite.Cases = append(suite.Cases, one)
	}
	suite.Tests = len(suite.Cases)
	return suite
}

// judge fills in what a rule has found.
func (c *junitCase) judge(run *Run, rule *lint.Rule) {
	var lines []string
	worst := lint.Off
	for _, f := range run.Fresh() {
		if f.RuleID == rule.ID {
			worst = max(worst, f.Severity)
			lines = append(lines, printable.Line(fmt.Sprintf("%v: %v: %s", f.Severity, f.Subject, f.Message)))
		}
	}
	text := strings.Join(lines, "\n")
	if worst <= lint.Info {
		c.Out = text
		return
	}
	c.Failure = &junitText{Message: lines[0], Type: worst.String(), Text: text}
}
