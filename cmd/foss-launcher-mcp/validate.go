package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"mcpworks/packs/launch"
)

// A report is the verdict of the gates.
type report struct {
	OK      bool
	Profile string
	Gates   []struct {
		Name, Status, Reason string
		Issues               int
		Worst                string `json:"severity_max"`
	}
	Issues      []issue
	ManualEdits bool `json:"manual_edits"`
}

type validation struct {
	RunID   string `json:"run_id"`
	Report  report `json:"validation_report"`
	State   string
	Changed bool `json:"state_changed"`
}

// validVerdict is an error if the pages may not be published.
func validVerdict(answer json.RawMessage) error {
	var v validation
	if err := json.Unmarshal(answer, &v); err != nil || v.Report.OK {
		return err
	}
	return &failure{exit: launch.ExitInvalid, err: errors.New("the pages may not be published as they are")}
}

// verdicts are the statuses of gates, in words.
var verdicts = map[string]string{"pass": "ok", "fail": "failed", "skipped": "skipped", "timeout": "too slow", "error": "crashed"}

func validateText(p *page, v validation) {
	v.Report.facts(p, v.State)
	if v.Changed {
		p.fact("Changed", "the run has come to another state by this")
	}
	p.heading("Gates")
	var rows [][]string
	for _, g := range v.Report.Gates {
		found := g.Reason
		if g.Issues > 0 {
			found = fmt.Sprintf("%s, at worst %s", several(g.Issues, "issue"), g.Worst)
		}
		how := cmp.Or(verdicts[g.Status], g.Status)
		if v.Report.OK && g.Status == "fail" { // its issues break nothing
			how = "warned"
		}
		rows = append(rows, []string{"  " + how, g.Name, found})
	}
	p.table(rows)
	issuesText(p, "Issues", v.Report.Issues, len(v.Report.Issues))
	p.next("see how the run is", "status", v.RunID)
}

// facts says what the gates say all in all.
func (r report) facts(p *page, state string) {
	verdict := "the pages may be published"
	if !r.OK {
		verdict = "the pages may not be published as they are"
	}
	p.fact("Verdict", "%s, by the rules of %s", verdict, r.Profile)
	p.fact("State", "%s, %s", state, cmp.Or(states[state], "unknown here"))
	if r.ManualEdits {
		p.fact("Edits", "somebody has edited the pages by hand")
	}
}
