package launch

import (
	"context"
	"slices"
	"time"
)

type cancelArguments struct {
	RunID  string `json:"run_id"`
	Reason string `json:"reason"`
}

var cancelOperation = &operation{
	name:  "cancel",
	title: "Cancel a run",
	about: "Ends a launch run for good, also while it is at work. A pull request that it has opened stays open.",
	input: `{"type":"object","additionalProperties":false,"required":["run_id"],"properties":{"run_id":` + runID +
		`,"reason":{"type":"string","maxLength":200}}}`,
	output: `{"type":"object","required":["ok","run_id","cancelled","state"],"properties":{"ok":{"const":true},"run_id":{"$ref":"#/$defs/RunId"},` +
		`"cancelled":{"const":true},"state":{"const":"CANCELLED"},"already":{"type":"boolean"},"pr_stays_open":{"type":"boolean"}}}`,
	example: `{"run_id":"` + exampleID + `"}`,
	// The engine waits nine seconds for a stage to stop, and then says so.
	timeout:    10 * time.Second,
	idempotent: true, destructive: true, continues: true,
	states:     slices.Concat(unfinished, []string{"CANCELLED"}),
	unforeseen: CancellationFailed,
	do: func(ctx context.Context, l *Launcher, c *call) (any, error) {
		var given cancelArguments
		if err := c.decode(&given); err != nil {
			return nil, err
		}
		return l.engine.Cancel(ctx, c.caller(), given.RunID, given.Reason)
	},
}
