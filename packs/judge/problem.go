package judge

import (
	"context"
	"encoding/json"

	"mcpworks/mcp"
	"mcpworks/mcp/server"
)

const (
	errSourceAndID = badArgument("source and id must be non-empty")
	errDots        = badArgument("source and id must not be '.' or '..'")
)

func (j *judge) problem() server.Tool {
	return j.tool(mcp.Tool{
		Name:  "get_problem",
		Title: "Problem by id",
		Description: "Fetches one problem by platform and platform id, with its statement as Markdown. " +
			"For a URL, a slug or an unclear id use resolve_problem instead.",
		InputSchema: json.RawMessage(`{"type":"object","required":["source","id"],"properties":{` +
			`"source":{"type":"string","description":"Platform key: leetcode, codeforces, atcoder, luogu or spoj"},` +
			`"id":{"type":"string","description":"Id on that platform, e.g. 1 (leetcode), 1900A (codeforces), abc321_a (atcoder), P1001 (luogu), SP1 (spoj)"}}}`),
	}, j.findProblem)
}

func (j *judge) findProblem(ctx context.Context, args arguments) (string, error) {
	source, sourceOK := args.text("source")
	id, idOK := args.text("id")
	switch {
	case !sourceOK:
		return "", badArgument("source must be a string")
	case !idOK:
		return "", badArgument("id must be a string")
	case source == "" || id == "":
		return "", errSourceAndID
	case isDots(source) || isDots(id):
		return "", errDots
	}
	problem, err := j.api.Problem(ctx, source, id)
	if err != nil {
		return "", err
	}
	return j.show(ctx, problem)
}
