package launch

import (
	"context"
	"time"
)

// runArguments are those of operations that need no more than a run.
type runArguments struct {
	RunID string `json:"run_id"`
}

var statusOperation = &operation{
	name:  "status",
	title: "Get the status of a run",
	about: "Says how a launch run is: its state, the states of its sections, open issues, artifacts, progress, and why it has stopped if it has.",
	input: onlyRunID,
	output: `{"type":"object","required":["ok","run_id","state","section_states","open_issues","artifacts","status"],"properties":{"ok":{"const":true},` +
		`"run_id":{"$ref":"#/$defs/RunId"},"state":{"$ref":"#/$defs/State"},"section_states":{"type":"object"},` +
		`"open_issues":{"type":"array","items":{"$ref":"#/$defs/IssueSummary"}},"artifacts":{"type":"array","items":{"$ref":"#/$defs/ArtifactRef"}},` +
		`"status":{"$ref":"#/$defs/RunStatus"}}}`,
	example:  `{"run_id":"` + exampleID + `"}`,
	timeout:  5 * time.Second,
	readOnly: true, idempotent: true,
	do: func(ctx context.Context, l *Launcher, c *call) (any, error) {
		var given runArguments
		if err := c.decode(&given); err != nil {
			return nil, err
		}
		return l.engine.Status(ctx, given.RunID)
	},
}
