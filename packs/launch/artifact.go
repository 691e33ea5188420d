package launch

import (
	"context"
	"time"
)

type artifactArguments struct {
	RunID    string `json:"run_id"`
	Name     string `json:"artifact_name"`
	Offset   int64  `json:"offset"`
	MaxBytes int    `json:"max_bytes"`
}

var artifactOperation = &operation{
	name:  "artifact",
	title: "Get an artifact",
	about: "Reads a file of a launch run by its name, such as page_plan.json, validation_report.json, snapshot.json, reports/diff_report.md or a draft. " +
		"Files above 1 MiB come in pieces: ask again with next_offset until complete is true.",
	input: `{"type":"object","additionalProperties":false,"required":["run_id","artifact_name"],"properties":{"run_id":` + runID + `,` +
		`"artifact_name":{"type":"string","minLength":1,"maxLength":200,"description":"Name as get_run_status lists it"},` +
		`"offset":{"type":"integer","minimum":0,"default":0},"max_bytes":{"type":"integer","minimum":1024,"maximum":4194304,"default":1048576}}}`,
	output: `{"type":"object","required":["ok","run_id","content","content_type","sha256","encoding","size_bytes","offset","length","complete","artifact"],` +
		`"properties":{"ok":{"const":true},"run_id":{"$ref":"#/$defs/RunId"},"content":{"type":"string"},"content_type":{"type":"string"},` +
		`"sha256":{"$ref":"#/$defs/Sha256"},"encoding":{"enum":["utf-8","base64"]},"size_bytes":{"type":"integer"},"offset":{"type":"integer"},` +
		`"length":{"type":"integer"},"complete":{"type":"boolean"},"next_offset":{"type":"integer"},"artifact":{"$ref":"#/$defs/ArtifactRef"},"resource":{"type":"string"}}}`,
	example:  `{"run_id":"` + exampleID + `","artifact_name":"page_plan.json"}`,
	timeout:  30 * time.Second,
	readOnly: true, idempotent: true,
	do: func(ctx context.Context, l *Launcher, c *call) (any, error) {
		var given artifactArguments
		if err := c.decode(&given); err != nil {
			return nil, err
		}
		if err := c.checkName("/artifact_name", given.Name); err != nil {
			return nil, err
		}
		return l.engine.Artifact(ctx, given.RunID, given.Name, given.Offset, given.MaxBytes)
	},
}
