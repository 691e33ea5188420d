package judge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"mcpworks/mcp"
	"mcpworks/mcp/server"
	"mcpworks/packs/judge/internal/ojapi"
)

func (j *judge) resolve() server.Tool {
	return j.tool(mcp.Tool{
		Name:  "resolve_problem",
		Title: "Problem by URL, slug or id",
		Description: "Finds the problem that a URL, slug, prefixed id or bare id stands for: detects the platform " +
			"and returns the full problem. The first choice whenever the platform is not certain.",
		InputSchema: json.RawMessage(`{"type":"object","required":["query"],"properties":{` +
			`"query":{"type":"string","description":"Problem URL, slug, prefixed id or bare id, e.g. https://leetcode.com/problems/two-sum/, leetcode:two-sum, CF1900A, abc321_a, P1001"}}}`),
	}, j.findResolved)
}

func (j *judge) findResolved(ctx context.Context, args arguments) (string, error) {
	query, ok := args.text("query")
	switch {
	case !ok:
		return "", badArgument("query must be a string")
	case query == "":
		return "", badArgument("query must be non-empty")
	case isDots(query):
		return "", badArgument("query must not be '.' or '..'")
	}
	problem, err := j.api.Resolve(ctx, query)
	var unresolved *ojapi.Unresolved
	switch {
	case errors.As(err, &unresolved):
		return "", notResolved(query, unresolved)
	case err != nil:
		return "", err
	}
	return j.show(ctx, problem)
}

// notResolved is the sentence of 6.4 step 4.
func notResolved(query string, u *ojapi.Unresolved) error {
	query = oneLine(query)
	if isBlank(u.Source) && isBlank(u.ID) {
		return badArgument(fmt.Sprintf("No problem found for '%s'.", query))
	}
	return badArgument(fmt.Sprintf("No problem found for '%s' (resolved to %s/%s).", query, orNA(u.Source), orNA(u.ID)))
}
