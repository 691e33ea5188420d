package main

import (
	"fmt"
	"slices"

	"mcpworks/internal/cmdline"
	"mcpworks/lint"
	"mcpworks/lint/report"
	"mcpworks/lint/rules"
)

// A choice is which rules are asked, and what their findings weigh.
type choice struct {
	named, skipped map[string]bool // by id
	categories     []string
	preset         string
	least          lint.Severity
}

func newChoice(c *call) (*choice, error) {
	ch := &choice{named: map[string]bool{}, skipped: map[string]bool{}, preset: c.Value(optPreset), least: lint.Info}
	named, err := rulesOf(c, optRules)
	if err != nil {
		return nil, err
	}
	level := lint.Probe
	if c.Has(optLevel) {
		_ = level.UnmarshalText([]byte(c.Value(optLevel))) // it was checked when it was read
	}
	for _, rule := range named {
		ch.named[rule.ID] = true
		if rule.Level > level && !c.Has(optFromRecord) {
			c.notice("%s is not asked: it needs the level %v", rule.ID, rule.Level)
		}
	}
	skipped, err := rulesOf(c, optSkip)
	if err != nil {
		return nil, err
	}
	for _, rule := range skipped {
		ch.skipped[rule.ID] = true
	}
	if ch.categories, err = categoriesOf(c, optCategory, optFeatures); err != nil {
		return nil, err
	}
	if c.Has(optMinSeverity) {
		_ = ch.least.UnmarshalText([]byte(c.Value(optMinSeverity)))
	}
	if !slices.ContainsFunc(rules.All(), func(rule *lint.Rule) bool {
		return ch.skip(rule) == "" && (rule.Level <= level || c.Has(optFromRecord))
	}) {
		return nil, cmdline.Mistaken("no rule is left to ask", "mcplint rules lists what there is, and at which level it is asked")
	}
	return ch, nil
}

// skip says why a rule is not asked; it is empty if it is.
func (ch *choice) skip(rule *lint.Rule) string {
	selective := len(ch.named) > 0 || len(ch.categories) > 0
	switch {
	case ch.skipped[rule.ID]:
		return "left out by " + optSkip
	case ch.named[rule.ID]:
		return ""
	case selective && !slices.Contains(ch.categories, rule.Category()):
		return "not asked for"
	case ch.preset == presetMinimal && (rule.Severity != lint.Error || rule.Strength != lint.Must):
		return "not in the preset " + presetMinimal
	case ch.preset != presetAll && rule.Severity == lint.Off:
		return "off unless it is asked for"
	case ch.severity(rule, rule.Severity) == lint.Off:
		return "below " + optMinSeverity
	}
	return ""
}

// severity is what a finding weighs; off if it is not reported at all.
func (ch *choice) severity(rule *lint.Rule, given lint.Severity) lint.Severity {
	given = max(given, lint.Info) // rules that are off were asked for
	switch {
	case ch.preset == presetStrict:
		given = min(given+1, lint.Error)
	case ch.preset == presetMinimal && !ch.named[rule.ID] && given < lint.Error:
		return lint.Off
	}
	if given < ch.least {
		return lint.Off
	}
	return given
}

// judge asks the rules about what was said. Where a server has never answered,
// there is nothing to ask them about.
func (ch *choice) judge(c check) report.Run {
	run := report.Run{Failure: c.failure, Began: c.began, Took: c.took}
	if !c.answered {
		run.Report = &lint.Report{Record: c.record}
		for _, rule := range rules.All() {
			result := lint.Result{Rule: rule, Status: lint.NotVerified, Reason: "the server has not answered"}
			if reason := ch.skip(rule); reason != "" {
				result.Status, result.Reason = lint.Skipped, reason
			}
			run.Report.Results = append(run.Report.Results, result)
		}
		return run
	}
	locked := c.exit == exitLocked
	dropped := map[string]bool{}
	run.Report = lint.Run(c.record, rules.All(), lint.Options{Skip: ch.skip, Severity: func(rule *lint.Rule, given lint.Severity) lint.Severity {
		severity := ch.severity(rule, given)
		dropped[rule.ID] = dropped[rule.ID] || severity == lint.Off
		return severity
	}})
	for i, result := range run.Report.Results {
		if dropped[result.Rule.ID] && result.Status != lint.Fail { // not to report it is not to pass it
			run.Report.Results[i].Status = lint.Skipped
			run.Report.Results[i].Reason = fmt.Sprintf("what it found is below %v", max(ch.least, ch.severityOfPreset()))
		}
		if locked && result.Status == lint.NotApplicable && mayConcern(result.Rule, c.record) { // nobody could look
			run.Report.Results[i].Status, run.Report.Results[i].Reason = lint.NotVerified, "the server wants credentials"
		}
	}
	return run
}

// mayConcern says whether a rule could apply to a server that lets nobody in, as
// far as its transport tells.
func mayConcern(rule *lint.Rule, record *lint.Record) bool {
	if rule.Category() == "AUTH" {
		return false // that was looked at
	}
	return slices.ContainsFunc(record.Talks, func(t *lint.Talk) bool {
		return rule.Transports == 0 || rule.Transports&lint.TransportOf(t.Transport) != 0
	})
}

// severityOfPreset is the least that the preset reports.
func (ch *choice) severityOfPreset() lint.Severity {
	if ch.preset == presetMinimal {
		return lint.Error
	}
	return lint.Info
}
