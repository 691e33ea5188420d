package launch

import (
	"context"
	"time"

	"mcpworks/packs/launch/internal/operate"
)

type taskcardArguments struct {
	ID            string  `json:"taskcard_id"`
	Path          string  `json:"path"`
	Content       *string `json:"content"`
	CheckEvidence bool    `json:"check_evidence"`
}

// problem is the schema of what is wrong with a card.
const problem = `{"type":"object","required":["code","message"],"properties":{"code":{"type":"string"},"message":{"type":"string"},` +
	`"section":{"type":"string"},"line":{"type":"integer","minimum":1}}}`

var validateTaskcardOperation = &operation{
	name:  "validate_taskcard",
	title: "Validate a taskcard",
	about: "Checks a taskcard, given by exactly one of taskcard_id, path and content, and lists all errors with their lines.",
	input: `{"type":"object","additionalProperties":false,"properties":{"taskcard_id":{"type":"string","pattern":"^TC-[0-9]{1,6}$"},` +
		`"path":{"type":"string","minLength":1,"maxLength":300,"description":"Relative to the folder of taskcards"},"content":{"type":"string","maxLength":262144},` +
		`"check_evidence":{"type":"boolean","default":false,"description":"Also look for the evidence that a finished card names"}}}`,
	output: `{"type":"object","required":["ok","valid","errors","warnings"],"properties":{"ok":{"const":true},"valid":{"type":"boolean"},` +
		`"id":{"type":["string","null"]},"errors":{"type":"array","items":` + problem + `},"warnings":{"type":"array","items":` + problem + `}}}`,
	example:  `{"taskcard_id":"TC-1"}`,
	timeout:  10 * time.Second,
	readOnly: true, idempotent: true,
	do: func(_ context.Context, l *Launcher, c *call) (any, error) {
		var given taskcardArguments
		if err := c.decode(&given); err != nil {
			return nil, err
		}
		if c.only("taskcard_id", "path", "content") == "" {
			return nil, c.violated("", "oneOf", "needs exactly one of taskcard_id, path and content")
		}
		question := operate.CardQuestion{ID: given.ID, Path: given.Path, CheckEvidence: given.CheckEvidence}
		if given.Path != "" {
			if err := c.checkName("/path", given.Path); err != nil {
				return nil, err
			}
		}
		if given.Content != nil {
			question.Content = *given.Content
		}
		return l.engine.ValidateTaskcard(question)
	},
}
