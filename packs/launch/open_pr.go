package launch

import (
	"context"
	"time"

	"mcpworks/packs/launch/internal/operate"
)

type openPRArguments struct {
	RunID    string            `json:"run_id"`
	Draft    bool              `json:"draft"`
	Approval *operate.Approval `json:"approval"`
}

var openPROperation = &operation{
	name:  "open_pr",
	title: "Open the pull request",
	about: "Opens the pull request of a launch run that is READY_FOR_PR, through the commit service, and ends the run. Called again it returns the same pull request.",
	input: `{"type":"object","additionalProperties":false,"required":["run_id"],"properties":{"run_id":` + runID + `,"draft":{"type":"boolean","default":false},` +
		`"approval":{"type":"object","additionalProperties":false,"required":["approved","approval_source"],"description":"A person's yes, where one is needed",` +
		`"properties":{"approved":{"type":"boolean"},"approval_source":{"enum":["interactive-dialog","manual-marker","config-override"]},` +
		`"approver":{"type":"string","maxLength":200}}}}}`,
	output: `{"type":"object","required":["ok","run_id","pr_url","branch"],"properties":{"ok":{"const":true},"run_id":{"$ref":"#/$defs/RunId"},` +
		`"pr_url":{"type":["string","null"]},"branch":{"type":["string","null"]},"commit_sha":{"type":["string","null"]},` +
		`"pr_number":{"type":["integer","null"]},"no_changes":{"type":"boolean"}}}`,
	example:    `{"run_id":"` + exampleID + `"}`,
	timeout:    180 * time.Second,
	idempotent: true, openWorld: true,
	states: []string{"READY_FOR_PR", "PR_OPENED", "DONE"},
	do: func(ctx context.Context, l *Launcher, c *call) (any, error) {
		var given openPRArguments
		if err := c.decode(&given); err != nil {
			return nil, err
		}
		c.report(ctx, 0, 1, "asking the commit service")
		defer c.report(ctx, 1, 1, "done")
		return l.engine.OpenPR(ctx, c.caller(), given.RunID, given.Draft, given.Approval)
	},
}
