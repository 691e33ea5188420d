package contextengine

import (
	"context"
	"encoding/json"

	"mcpworks/mcp"
	"mcpworks/packs/contextengine/internal/cache"
)

// Inspect describes the cache at dir, which is any path, as compact JSON. It
// verifies the cache in full (CLI-5 to CLI-7).
func Inspect(ctx context.Context, dir string) ([]byte, error) {
	inspection, err := cache.Inspect(ctx, dir)
	if err != nil {
		return nil, err
	}
	return inspection.AppendJSON(nil), nil
}

var inspectCacheTool = &tool{
	Tool: mcp.Tool{
		Name:        "context.inspect_cache",
		Title:       "Inspect a cache",
		Description: "Inspect cache structure, metadata, and validity",
		InputSchema: inspectInput,
		OutputSchema: json.RawMessage(`{"type":"object","required":["cache_version","document_count","total_bytes","valid"],"properties":{` +
			`"cache_version":{"type":"string","description":"Changes with every change of a document"},` +
			`"document_count":{"type":"integer","minimum":0},` +
			`"total_bytes":{"type":"integer","minimum":0,"description":"Of the files directly inside the cache"},` +
			`"valid":{"type":"boolean","description":"Whether the manifest can be read; no document is checked"}}}`),
		Annotations: hints,
	},
	inputV0: inspectInput,
	find:    (*Engine).inspectCache,
}

var inspectInput = json.RawMessage(`{"properties":{` + describeCache + `},"required":["cache"],"type":"object"}`)

// inspectCache looks at the manifest only (INS-1 to INS-9).
func (e *Engine) inspectCache(_ context.Context, args arguments, _ int) ([]byte, error) {
	name, err := args.cache()
	if err != nil {
		return nil, err
	}
	inspection, err := cache.InspectBelow(e.root, name)
	if err != nil {
		return nil, err
	}
	return inspection.AppendJSON(nil), nil
}
