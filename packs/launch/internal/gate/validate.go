package gate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/issue"
)

// How a gate can end.
const (
	passed  = "pass"
	failed  = "fail"
	skipped = "skipped"
	timeout = "timeout"
	crashed = "error"
)

// A Moment is the beginning or the end of a gate.
type Moment struct {
	Gate          string
	Number, Total int                  // its place among the gates of this validation
	Result        *artifact.GateResult // how it ended; nil at the beginning
}

// tell tells whoever watches the validation.
func (v *View) tell(m Moment) error {
	if v.Watch == nil {
		return nil
	}
	return v.Watch(m)
}

// Validate runs all gates of a validation in their order and writes the report.
// The error is that of the context, or of the view's Watch: then there is no
// report (S-45).
func Validate(ctx context.Context, v *View) (artifact.ValidationReport, error) {
	return validate(ctx, v, func(g Gate) bool { return !g.apart })
}

// Only runs the named gates, such as Rollback when the pull request is made
// (C-42).
func Only(ctx context.Context, v *View, names ...string) (artifact.ValidationReport, error) {
	return validate(ctx, v, func(g Gate) bool { return slices.Contains(names, g.Name) })
}

func validate(ctx context.Context, v *View, wanted func(Gate) bool) (artifact.ValidationReport, error) {
	profile := v.Config.ValidationProfile
	out := artifact.ValidationReport{
		SchemaVersion: artifact.Version, Profile: profile, Gates: []artifact.GateResult{}, Issues: []issue.Issue{},
		InputsHash: v.InputsHash, TreeHash: v.TreeHash,
	}
	chosen := slices.DeleteFunc(slices.Clone(gates), func(g Gate) bool { return !wanted(g) || g.Severity[profileIndex(profile)] == none })
	for at, g := range chosen {
		if err := v.tell(Moment{Gate: g.Name, Number: at + 1, Total: len(chosen)}); err != nil {
			return artifact.ValidationReport{}, err
		}
		result, issues := g.run(ctx, v)
		if err := ctx.Err(); err != nil {
			return artifact.ValidationReport{}, err
		}
		if err := v.tell(Moment{g.Name, at + 1, len(chosen), &result}); err != nil {
			return artifact.ValidationReport{}, err
		}
		out.Gates = append(out.Gates, result)
		out.Issues = append(out.Issues, issues...)
	}
	issue.Sort(out.Issues, Names())
	out.Counts = map[string]int{"blocker": 0, "error": 0, "warn": 0, "info": 0}
	for _, i := range out.Issues {
		out.Counts[string(i.Severity)]++
	}
	out.ManualEditedFiles = v.manuallyEdited()
	out.ManualEdits = len(out.ManualEditedFiles) > 0
	out.OK = Passes(out.Issues, profile, v.Config.CIStrictness)
	return out, nil
}

// manuallyEdited are the files with edits of people (18.8).
func (v *View) manuallyEdited() []string {
	var files []string
	for _, p := range v.Bundle.Patches {
		if p.Origin == "manual" {
			files = append(files, p.Path)
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// run runs one gate. Whatever happens to it, the others still run.
func (g Gate) run(ctx context.Context, v *View) (artifact.GateResult, []issue.Issue) {
	at := profileIndex(v.Config.ValidationProfile)
	for _, name := range g.Needs {
		if !v.have[name] {
			return artifact.GateResult{Name: g.Name, OK: true, Status: skipped, Reason: name + " is missing or cannot be read"}, nil
		}
	}
	ctx, cancel := context.WithTimeout(ctx, g.Timeout[min(at, 1)])
	defer cancel()
	r := &report{gate: g.Name, severity: g.Severity[at], profile: at}
	status := r.guarded(ctx, g, v)
	return r.result(status), r.issues
}

// guarded runs a check and survives it. What a check found before its time was
// over is kept.
func (r *report) guarded(ctx context.Context, g Gate, v *View) (status string) {
	defer func() {
		if problem := recover(); problem != nil {
			r.addAs(issue.Blocker, 0, CodeCrash, "", g.Name, "gate %s crashed", g.Name)
			status = crashed
		}
	}()
	g.check(ctx, v, r)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		r.addAs(issue.Blocker, 0, CodeTimeout, "", g.Name, "gate %s did not end in time", g.Name)
		return timeout
	}
	if r.skipped != "" {
		return skipped
	}
	return ""
}

// result sums up a gate. One that found nothing worse than an information has
// passed.
func (r *report) result(status string) artifact.GateResult {
	result := artifact.GateResult{Name: r.gate, Status: status, Issues: len(r.issues), Reason: r.skipped}
	worst := issue.Info
	for _, i := range r.issues {
		if i.Severity.Worse(worst) {
			worst = i.Severity
		}
	}
	if len(r.issues) > 0 {
		result.SeverityMax = string(worst)
	}
	if status == "" {
		result.Status = passed
		if worst != issue.Info {
			result.Status = failed
		}
	}
	result.OK = result.Status == passed || result.Status == skipped
	return result
}

// strict are the gates whose warnings count in a strict ci (10.3).
var strict = []string{Truthlock, InternalLinks, Frontmatter, TemplateTokens, ContentDistribution}

// Breaks says whether an issue stands against the verdict.
func Breaks(i issue.Issue, profile, strictness string) bool {
	switch i.Severity {
	case issue.Blocker, issue.Error:
		return true
	case issue.Warn:
		return profile == "prod" || profile == "ci" && strictness == "strict" && slices.Contains(strict, i.Gate) && i.Code != CodeQuotaUnderflow
	}
	return false
}

// Passes is the verdict on issues (10.3).
func Passes(issues []issue.Issue, profile, strictness string) bool {
	return !slices.ContainsFunc(issues, func(i issue.Issue) bool { return Breaks(i, profile, strictness) })
}

// quoted shortens a text of a page for a message.
func quoted(text string) string {
	const most = 80
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return fmt.Sprintf("%q", text)
}
