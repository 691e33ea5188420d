package contextengine

import (
	"context"
	"encoding/json"

	"mcpworks/mcp"
	"mcpworks/packs/contextengine/internal/cache"
)

// List returns the caches of a root as compact JSON (LIST-4).
func List(root string) ([]byte, error) {
	list, err := cache.List(root)
	if err != nil {
		return nil, err
	}
	return cache.AppendList(nil, list), nil
}

var listCachesTool = &tool{
	Tool: mcp.Tool{
		Name:        "context.list_caches",
		Title:       "List caches",
		Description: "List available context caches under the server's cache root",
		InputSchema: noArguments,
		OutputSchema: json.RawMessage(`{"type":"object","required":["caches"],"properties":{"caches":{"type":"array",` +
			`"items":{"type":"object","required":["path","has_manifest"],"properties":{` +
			`"path":{"type":"string","description":"Name of the cache, as the other tools take it"},` +
			`"has_manifest":{"type":"boolean"}}}}}}`),
		Annotations: hints,
	},
	inputV0: noArguments,
	find:    func(e *Engine, _ context.Context, _ arguments, _ int) ([]byte, error) { return List(e.root) },
}

// A root, should a client send one, is ignored like every unknown argument.
var noArguments = json.RawMessage(`{"properties":{},"type":"object"}`)
