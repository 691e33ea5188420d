package launch

import (
	"context"
	"time"
)

type validateArguments struct {
	RunID string   `json:"run_id"`
	Gates []string `json:"gates"`
}

var validateOperation = &operation{
	name:  "validate",
	title: "Validate a run",
	about: "Has the gates judge the pages of a launch run again and returns the validation report; the verdict is validation_report.ok. " +
		"With gates only these run, and nothing is changed.",
	input: `{"type":"object","additionalProperties":false,"required":["run_id"],"properties":{"run_id":` + runID +
		`,"gates":{"type":"array","items":{"type":"string","maxLength":64},"maxItems":64}}}`,
	output: `{"type":"object","required":["ok","run_id","validation_report","state","state_changed"],"properties":{"ok":{"const":true},` +
		`"run_id":{"$ref":"#/$defs/RunId"},"validation_report":{"type":"object"},"state":{"$ref":"#/$defs/State"},"state_changed":{"type":"boolean"}}}`,
	example:    `{"run_id":"` + exampleID + `"}`,
	timeout:    600 * time.Second,
	idempotent: true,
	states:     []string{"LINKING", "VALIDATING", "FIXING", "READY_FOR_PR", "PR_OPENED", "DONE", "FAILED", "CANCELLED"},
	unforeseen: GateExecutionFailed,
	do: func(ctx context.Context, l *Launcher, c *call) (any, error) {
		var given validateArguments
		if err := c.decode(&given); err != nil {
			return nil, err
		}
		return l.engine.Validate(c.followed(ctx, true), c.caller(), given.RunID, given.Gates)
	},
}
