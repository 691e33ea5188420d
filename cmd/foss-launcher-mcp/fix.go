package main

import "strings"

// A fix is what became of one issue, and what is left.
type fix struct {
	RunID     string   `json:"run_id"`
	Fixed     string   `json:"fixed_issue_id"`
	Patches   []string `json:"applied_patch_ids"`
	Remaining []issue  `json:"remaining_issues"`
	Blockers  int      `json:"remaining_blockers"`
	Report    report   `json:"validation_report"`
	State     string
}

func fixText(p *page, f fix) {
	p.fact("Fixed", "%s", f.Fixed)
	p.fact("Patches", "%s: %s", several(len(f.Patches), "change"), strings.Join(f.Patches, ", "))
	f.Report.facts(p, f.State)
	if len(f.Remaining) == 0 {
		p.fact("Remaining", "nothing")
	}
	issuesText(p, "Remaining issues", f.Remaining, len(f.Remaining))
	for _, i := range f.Remaining {
		if i.Fixable && f.State == "VALIDATING" {
			p.next("have the next one put right", "fix", f.RunID)
			return
		}
	}
	p.next("see how the run is", "status", f.RunID)
}
