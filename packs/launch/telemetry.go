package launch

import (
	"context"
	"time"

	"mcpworks/packs/launch/internal/operate"
)

var telemetryOperation = &operation{
	name:  "telemetry",
	title: "Get the telemetry of a run",
	about: "Says what is known of a launch run after the fact: counts, records of its stages, its events, and who has called which tool about it.",
	input: `{"type":"object","additionalProperties":false,"required":["run_id"],"properties":{"run_id":` + runID + `,` +
		`"include":{"type":"array","uniqueItems":true,"items":{"enum":["summary","runs","events","tool_calls"]},"default":["summary","runs"]},` +
		`"page_size":{"type":"integer","minimum":1,"maximum":500,"default":100},"cursor":` + cursor + `}}`,
	output: `{"type":"object","required":["ok","run_id","summary"],"properties":{"ok":{"const":true},"run_id":{"$ref":"#/$defs/RunId"},` +
		`"summary":{"type":"object"},"runs":{"type":"array","items":{"type":"object"}},"events":{"type":"array","items":{"type":"object"}},` +
		`"tool_calls":{"type":"array","items":{"type":"object"}},"next_cursor":{"type":"string"}}}`,
	example:  `{"run_id":"` + exampleID + `","include":["summary","tool_calls"]}`,
	timeout:  30 * time.Second,
	readOnly: true, idempotent: true,
	do: func(ctx context.Context, l *Launcher, c *call) (any, error) {
		var given operate.TelemetryQuestion
		if err := c.decode(&given); err != nil {
			return nil, err
		}
		return l.engine.Telemetry(ctx, given)
	},
}
