package launch

import (
	"context"
	"encoding/json"
	"time"

	"mcpworks/internal/rawjson"
	"mcpworks/packs/launch/internal/operate"
)

type listArguments struct {
	Filter struct {
		ProductSlug   string          `json:"product_slug"`
		Family        string          `json:"family"`
		Platform      string          `json:"platform"`
		State         json.RawMessage `json:"state"` // one or a list
		StartedAfter  string          `json:"started_after"`
		StartedBefore string          `json:"started_before"`
	} `json:"filter"`
	PageSize int    `json:"page_size"`
	Cursor   string `json:"cursor"`
}

var listOperation = &operation{
	name:  "list",
	title: "List runs",
	about: "Lists launch runs, the latest first, 50 at a time; a filter chooses by product, family, platform, state and time.",
	input: `{"type":"object","additionalProperties":false,"properties":{"filter":{"type":"object","additionalProperties":false,"properties":{` +
		`"product_slug":{"type":"string","maxLength":128},"family":{"type":"string","maxLength":128},"platform":{"type":"string","maxLength":128},` +
		`"state":{"oneOf":[` + state + `,{"type":"array","items":` + state + `,"minItems":1,"maxItems":15}]},` +
		`"started_after":{"type":"string","maxLength":64,"description":"A time such as 2026-01-01T00:00:00Z"},"started_before":{"type":"string","maxLength":64}}},` +
		`"page_size":{"type":"integer","minimum":1,"maximum":200,"default":50},"cursor":` + cursor + `}}`,
	output: `{"type":"object","required":["ok","runs"],"properties":{"ok":{"const":true},"runs":{"type":"array","items":{"$ref":"#/$defs/RunRow"}},` +
		`"next_cursor":{"type":"string"},"page_size":{"type":"integer"}}}`,
	example:  `{"filter":{"state":"READY_FOR_PR"}}`,
	timeout:  10 * time.Second,
	readOnly: true, idempotent: true,
	do: func(ctx context.Context, l *Launcher, c *call) (any, error) {
		var given listArguments
		if err := c.decode(&given); err != nil {
			return nil, err
		}
		listing := operate.Listing{
			ProductSlug: given.Filter.ProductSlug, Family: given.Filter.Family, Platform: given.Filter.Platform,
			StartedAfter: given.Filter.StartedAfter, StartedBefore: given.Filter.StartedBefore, PageSize: given.PageSize, Cursor: given.Cursor,
		}
		if one, ok := rawjson.String(given.Filter.State); ok {
			listing.States = []string{one}
		} else {
			for element := range rawjson.Elements(given.Filter.State) {
				one, _ := rawjson.String(element)
				listing.States = append(listing.States, one)
			}
		}
		return l.engine.List(ctx, listing)
	},
}
