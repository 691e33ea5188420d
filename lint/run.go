package lint

import (
	"cmp"
	"fmt"
	"slices"

	"mcpworks/lint/step"
)

// Options change what Run does.
type Options struct {
	// Skip returns why a rule is not to run; nil and the empty reason mean that
	// it is.
	Skip func(*Rule) (reason string)
	// Severity returns the severity that findings of a rule shall have, given
	// what they would have; nil leaves it. Off drops the finding.
	Severity func(rule *Rule, given Severity) Severity
}

// Run asks every rule about a record.
func Run(record *Record, rules []*Rule, opts Options) *Report {
	report := &Report{Record: record}
	for _, rule := range rules {
		result, findings := judge(record, rule, opts)
		report.Results = append(report.Results, result)
		report.Findings = append(report.Findings, findings...)
	}
	slices.SortStableFunc(report.Findings, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(b.Severity, a.Severity), cmp.Compare(a.RuleID, b.RuleID),
			cmp.Compare(a.Subject.Kind, b.Subject.Kind), cmp.Compare(a.Subject.Name, b.Subject.Name), cmp.Compare(a.Subject.Part, b.Subject.Part),
			cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Message, b.Message),
		)
	})
	return report
}

func judge(record *Record, rule *Rule, opts Options) (Result, []Finding) {
	result := Result{Rule: rule}
	if opts.Skip != nil {
		if result.Reason = opts.Skip(rule); result.Reason != "" {
			result.Status = Skipped
			return result, nil
		}
	}
	view := &View{record: record, rule: rule}
	if view.talks, result.Status, result.Reason = gate(record, rule); result.Status != Pass {
		return result, nil
	}
	if bug := ask(rule, view); bug != "" {
		result.Status, result.Reason = NotVerified, bug
		return result, nil
	}
	findings := settle(rule, view.findings, opts)
	switch {
	case len(findings) > 0:
		if result.Status = Fail; view.more > 0 {
			result.Reason = fmt.Sprintf("%d more findings were left out", view.more)
		}
	case view.unverified != "":
		result.Status, result.Reason = NotVerified, view.unverified
	case view.pointless != "" && view.seen == 0:
		result.Status, result.Reason = NotApplicable, view.pointless
	case view.seen == 0:
		result.Status, result.Reason = NotVerified, "nothing was seen that could show it"
	}
	return result, findings
}

// gate finds the talks in which a rule holds. Without any, it says what is
// missing.
func gate(record *Record, rule *Rule) ([]*Talk, Status, string) {
	if rule.Level > record.Level {
		return nil, Skipped, "needs level " + rule.Level.String()
	}
	var talks []*Talk
	reason := "the server does not speak " + rule.Revisions.String()
	for _, t := range record.Talks {
		switch {
		case !rule.concerns(t):
		case !t.speaks(rule.Revisions):
		case rule.Transports != 0 && rule.Transports&TransportOf(t.Transport) == 0:
			reason = "it is about " + rule.Transports.String()
		case rule.Needs != "" && !t.Declares(rule.Needs):
			reason = "the server does not declare " + rule.Needs
		default:
			talks = append(talks, t)
		}
	}
	if len(talks) == 0 {
		return nil, NotApplicable, reason
	}
	return talks, Pass, ""
}

// concerns says whether a talk is about what the rule is about. What the server
// turned out not to have is judged by nobody, and the documents around
// credentials, which may be others', by the rules for them alone.
func (r *Rule) concerns(t *Talk) bool {
	switch t.Phase {
	case step.Era:
		return false
	case step.Locked, step.Auth:
		return r.Category() == "AUTH"
	}
	return true
}

// speaks says whether a talk is in one of the revisions. One that has not come
// to an agreement is in that of the main talk, or else in those of its era.
func (t *Talk) speaks(revisions Revisions) bool {
	spoken := RevisionsOf(t.assumed)
	if spoken == 0 && t.Modern {
		spoken = Modern
	} else if spoken == 0 {
		spoken = Legacy
	}
	return spoken&revisions != 0
}

// ask runs a rule. A rule that fails itself has not judged anything (META-002).
func ask(rule *Rule, view *View) (bug string) {
	defer func() {
		if cause := recover(); cause != nil {
			bug = fmt.Sprintf("META-002: the rule itself failed: %v", cause)
		}
	}()
	rule.Check(view)
	return ""
}

// settle gives the findings their severity, and makes one of those that were
// made of the same thing in several talks.
func settle(rule *Rule, findings []Finding, opts Options) []Finding {
	type key struct {
		subject          Subject
		pointer, message string
	}
	known := map[key]bool{}
	var settled []Finding
	for _, f := range findings {
		if opts.Severity != nil {
			f.Severity = opts.Severity(rule, f.Severity)
		}
		k := key{f.Subject, f.Pointer, f.Message}
		if f.Severity == Off || known[k] {
			continue
		}
		known[k] = true
		settled = append(settled, f)
	}
	return settled
}
