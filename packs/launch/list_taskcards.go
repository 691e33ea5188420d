package launch

import (
	"context"
	"time"

	"mcpworks/packs/launch/internal/operate"
)

var listTaskcardsOperation = &operation{
	name:  "list_taskcards",
	title: "List taskcards",
	about: "Lists the work authorisations (taskcards) of this server by number, with their status and whether they are valid.",
	input: `{"type":"object","additionalProperties":false,"properties":{"status":{"enum":["Draft","Ready","In-Progress","Blocked","Done","Cancelled"]},` +
		`"tag":{"type":"string","maxLength":100},"active":{"type":"boolean","description":"Only those that runs may rely on, or only the others"},` +
		`"page_size":{"type":"integer","minimum":1,"maximum":200,"default":50},"cursor":` + cursor + `}}`,
	output: `{"type":"object","required":["ok","taskcards"],"properties":{"ok":{"const":true},"taskcards":{"type":"array","items":{"type":"object",` +
		`"required":["id","title","status","path","valid"],"properties":{"id":{"type":"string"},"title":{"type":"string"},"status":{"type":"string"},` +
		`"owner":{"type":"string"},"updated":{"type":"string"},"path":{"type":"string"},` +
		`"depends_on":{"type":"array","items":{"type":"string"}},"allowed_paths":{"type":"array","items":{"type":"string"}},` +
		`"active":{"type":"boolean"},"valid":{"type":"boolean"}}}},"next_cursor":{"type":"string"}}}`,
	example:  `{"status":"Ready"}`,
	timeout:  10 * time.Second,
	readOnly: true, idempotent: true,
	do: func(_ context.Context, l *Launcher, c *call) (any, error) {
		var given struct {
			Status   string `json:"status"`
			Tag      string `json:"tag"`
			Active   *bool  `json:"active"`
			PageSize int    `json:"page_size"`
			Cursor   string `json:"cursor"`
		}
		if err := c.decode(&given); err != nil {
			return nil, err
		}
		return l.engine.ListTaskcards(operate.CardListing(given))
	},
}
