package launch

import (
	"context"
	"time"
)

var fixNextOperation = &operation{
	name:  "fix_next",
	title: "Fix the next issue",
	about: "Puts the first fixable issue of a launch run right and validates it again; returns the patches and the issues that remain.",
	input: onlyRunID,
	output: `{"type":"object","required":["ok","run_id","fixed_issue_id","applied_patch_ids","remaining_issues","remaining_blockers","validation_report","state"],` +
		`"properties":{"ok":{"const":true},"run_id":{"$ref":"#/$defs/RunId"},"fixed_issue_id":{"type":"string"},` +
		`"applied_patch_ids":{"type":"array","items":{"type":"string"}},"remaining_issues":{"type":"array","items":{"$ref":"#/$defs/IssueSummary"}},` +
		`"remaining_blockers":{"type":"integer"},"validation_report":{"type":"object"},"state":{"$ref":"#/$defs/State"}}}`,
	example: `{"run_id":"` + exampleID + `"}`,
	timeout: 600 * time.Second,
	states:  []string{"VALIDATING"},
	do: func(ctx context.Context, l *Launcher, c *call) (any, error) {
		var given runArguments
		if err := c.decode(&given); err != nil {
			return nil, err
		}
		return l.engine.FixNext(c.followed(ctx, false), c.caller(), given.RunID)
	},
}
