package contextengine

import (
	"context"

	"mcpworks/internal/rawjson"
	"mcpworks/packs/contextengine/internal/cache"
)

// Verify checks the cache at dir in full and returns every problem, one line
// each, with a summary as compact JSON: what Inspect says, and how many problems
// there are. It fails only where nothing can be verified.
func Verify(ctx context.Context, dir string) (problems []string, summary []byte, err error) {
	problems, inspection, err := cache.Verify(ctx, dir)
	if err != nil {
		return nil, nil, err
	}
	o := rawjson.Begin(nil)
	for name, value := range rawjson.Members(inspection.AppendJSON(nil)) {
		o.Raw(string(name), value)
	}
	o.Int("problems", int64(len(problems)))
	return problems, o.End(), nil
}
