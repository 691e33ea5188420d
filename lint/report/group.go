package report

import (
	"fmt"
	"strings"

	"mcpworks/lint"
)

// A group is findings that share rule, severity and message: one cause, in
// several places.
type group struct {
	first    *lint.Finding
	findings []*lint.Finding
	known    bool // all of them are in the baseline
}

// groups puts findings together, in their order.
func groups(run *Run) []*group {
	type key struct {
		rule, message, kind string
		severity            lint.Severity
		known               bool
	}
	index := map[key]*group{}
	var all []*group
	for i := range run.Report.Findings {
		f := &run.Report.Findings[i]
		known := run.Known[f.Fingerprint()]
		k := key{f.RuleID, f.Message, f.Subject.Kind, f.Severity, known}
		if index[k] == nil {
			index[k] = &group{first: f, known: known}
			all = append(all, index[k])
		}
		index[k].findings = append(index[k].findings, f)
	}
	return all
}

// mostNamed is how many subjects are named when there are many.
const mostNamed = 5

// subject names what a group is about: one thing, or how many of a kind.
func (g *group) subject() string {
	if len(g.findings) == 1 || g.first.Subject.Kind == "" {
		return g.first.Subject.String()
	}
	var names []string
	things, places := map[string]bool{}, map[string]bool{}
	for _, f := range g.findings {
		name := f.Subject.Name
		things[name] = true
		if f.Subject.Part != "" {
			name += "." + f.Subject.Part
		}
		if !places[name] && len(names) < mostNamed {
			names = append(names, name)
		}
		places[name] = true
	}
	if len(places) > mostNamed {
		names = append(names, "…")
	}
	if len(things) < len(g.findings) {
		return fmt.Sprintf("%d places in %s: %s", len(g.findings), count(len(things), g.first.Subject.Kind), strings.Join(names, ", "))
	}
	return fmt.Sprintf("%d %ss: %s", len(g.findings), g.first.Subject.Kind, strings.Join(names, ", "))
}
