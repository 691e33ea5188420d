package judge

import (
	"context"
	"encoding/json"

	"mcpworks/mcp"
	"mcpworks/mcp/server"
)

const errNoToken = badArgument("Authentication required: --token must be provided to use get_platform_status")

func (j *judge) status() server.Tool {
	return j.tool(mcp.Tool{
		Name:  "get_platform_status",
		Title: "Platform status",
		Description: "Tells per platform how many problems the backend holds and how many of them lack a statement " +
			"or are not indexed for similarity. Needs a token.",
		InputSchema: json.RawMessage(`{"type":"object","properties":{}}`),
	}, j.findStatus)
}

func (j *judge) findStatus(ctx context.Context, _ arguments) (string, error) {
	if !j.api.HasToken() {
		return "", errNoToken
	}
	status, err := j.api.Status(ctx)
	if err != nil {
		return "", err
	}
	return showStatus(status), nil
}
