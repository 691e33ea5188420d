package judge

import (
	"context"
	"encoding/json"
	"unicode/utf8"

	"mcpworks/mcp"
	"mcpworks/mcp/server"
	"mcpworks/packs/judge/internal/ojapi"
)

// The bounds of 6.3; the schema below repeats them for the model.
const (
	minLimit, maxLimit, defaultLimit = 1, 50, 10
	minQuery, maxQuery               = 3, 2000 // scalars
)

const (
	errLimit     = badArgument("limit must be between 1 and 50")
	errThreshold = badArgument("threshold must be between 0.0 and 1.0")
	errQuery     = badArgument("query must be between 3 and 2000 characters")
	errReference = badArgument("either 'query' or both 'source' and 'id' must be provided")
)

func (j *judge) similar() server.Tool {
	return j.tool(mcp.Tool{
		Name:  "find_similar_problems",
		Title: "Similar problems",
		Description: "Ranks problems of all platforms by how similar they are to a given problem (source and id) " +
			"or to a free-text query, each with a score. When there is a query, source and id are ignored.",
		InputSchema: json.RawMessage(`{"type":"object","properties":{` +
			`"source":{"type":"string","description":"Platform key of the reference problem (with id)"},` +
			`"id":{"type":"string","description":"Id of the reference problem (with source)"},` +
			`"query":{"type":"string","description":"Free text, 3 to 2000 characters; used instead of source and id when present"},` +
			`"limit":{"type":"integer","minimum":1,"maximum":50,"default":10,"description":"Maximum number of results"},` +
			`"threshold":{"type":"number","minimum":0,"maximum":1,"default":0,"description":"Lowest similarity to include"},` +
			`"source_filter":{"type":"string","description":"Comma-separated platform keys to keep, e.g. leetcode,codeforces"}}}`),
	}, j.findSimilar)
}

// findSimilar checks in the order of 6.3: the first failure is the answer.
func (j *judge) findSimilar(ctx context.Context, args arguments) (string, error) {
	limit, ok := args.number("limit", defaultLimit)
	if !ok || !isWhole(limit) || limit < minLimit || limit > maxLimit {
		return "", errLimit
	}
	threshold, ok := args.number("threshold", 0)
	if !ok || threshold < 0 || threshold > 1 {
		return "", errThreshold
	}
	query, ok := args.text("query")
	if !ok {
		return "", badArgument("query must be a string")
	}
	if n := utf8.RuneCountInString(query); query != "" && (n < minQuery || n > maxQuery) {
		return "", errQuery
	}
	source, _ := args.text("source")
	id, _ := args.text("id")
	if query == "" && (source == "" || id == "" || isDots(source) || isDots(id)) {
		return "", errReference
	}
	filter, ok := args.text("source_filter")
	if !ok {
		return "", badArgument("source_filter must be a string")
	}
	var found *ojapi.Similar
	var err error
	if query != "" {
		found, err = j.api.SimilarByText(ctx, query, int(limit), threshold, filter)
	} else {
		found, err = j.api.SimilarByProblem(ctx, source, id, int(limit), threshold, filter)
	}
	if err != nil {
		return "", err
	}
	return showSimilar(found), nil
}
