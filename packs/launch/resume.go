package launch

import (
	"context"
	"slices"
)

type resumeArguments struct {
	RunID     string `json:"run_id"`
	Until     string `json:"until"`
	ForceFrom string `json:"force_from"`
}

// unfinished are the states in which a run goes on or can go on.
var unfinished = []string{
	"CREATED", "CLONED_INPUTS", "INGESTED", "FACTS_READY", "PLAN_READY", "DRAFTING", "DRAFT_READY", "LINKING", "VALIDATING", "FIXING", "READY_FOR_PR", "PR_OPENED",
}

var resumeOperation = &operation{
	name:  "resume",
	title: "Resume a run",
	about: "Lets a paused, interrupted or failed launch run go on from where its work is still good, and returns when that is queued.",
	input: `{"type":"object","additionalProperties":false,"required":["run_id"],"properties":{"run_id":` + runID + `,` +
		`"until":{"enum":["next_stable","READY_FOR_PR","DONE"],"description":"How far to go; default: as far as the run was to go"},` +
		`"force_from":{"enum":["CREATED","FACTS_READY","PLAN_READY","DRAFT_READY"],"description":"Do all work again from this state"}}}`,
	output: `{"type":"object","required":["ok","run_id","state","enqueued","status"],"properties":{"ok":{"const":true},"run_id":{"$ref":"#/$defs/RunId"},` +
		`"state":{"$ref":"#/$defs/State"},"resumed_from":{"$ref":"#/$defs/State"},"rewound_to":{"$ref":"#/$defs/State"},"enqueued":{"type":"boolean"},` +
		`"status":{"$ref":"#/$defs/RunStatus"}}}`,
	example:    `{"run_id":"` + exampleID + `"}`,
	timeout:    timeoutOfStart,
	idempotent: true, openWorld: true, continues: true,
	states:     slices.Concat(unfinished, []string{"FAILED"}),
	unforeseen: ResumeFailed,
	do: func(ctx context.Context, l *Launcher, c *call) (any, error) {
		var given resumeArguments
		if err := c.decode(&given); err != nil {
			return nil, err
		}
		c.report(ctx, 0, 1, "looking at what is there")
		defer c.report(ctx, 1, 1, "queued")
		return l.engine.Resume(ctx, c.caller(), given.RunID, given.Until, given.ForceFrom)
	},
}
