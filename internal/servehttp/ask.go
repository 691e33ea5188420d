package servehttp

import (
	"context"
	"encoding/json"
	"errors"

	"mcpworks/internal/httpguard"
	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
)

// assumed is the revision in which programs of this house ask services: the
// newest that has a session, which Assume stands for.
var assumed = mcp.V20251125

// A Tool is a definition as a service lists it.
type Tool struct {
	Name        string          `json:"name"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
}

// maxPages ends the listing of a service whose pages never do.
const maxPages = 1000

// ListTools asks a service for its tools, all pages of them. A service without
// tools has none.
func ListTools(ctx context.Context, service transport.Service) ([]Tool, error) {
	var all []Tool
	for cursor, pages := "", 0; pages < maxPages; pages++ {
		params := rawjson.Begin(nil)
		params.NonEmpty("cursor", cursor)
		result, err := ask(ctx, service, mcp.MethodListTools, params.End())
		if errors.Is(err, &jsonrpc.Error{Code: jsonrpc.MethodNotFound}) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		var page struct {
			Tools      []Tool `json:"tools"`
			NextCursor string `json:"nextCursor"`
		}
		if err := json.Unmarshal(result, &page); err != nil {
			return nil, err
		}
		all = append(all, page.Tools...)
		if cursor = page.NextCursor; cursor == "" {
			return all, nil
		}
	}
	return nil, errors.New("the list of tools has no end")
}

// errNoAnswer is what ask says about a request that was cancelled.
var errNoAnswer = errors.New("the request was not answered")

// ask sends one request in a session of its own and returns its result. The
// service's own no is a *jsonrpc.Error.
func ask(ctx context.Context, service transport.Service, method string, params []byte) (json.RawMessage, error) {
	principal, _ := httpguard.PrincipalFrom(ctx)
	answer := transport.Ask(ctx, service, assumed, transport.Incoming{
		Message: jsonrpc.Message{Method: method, Params: params}, Size: len(params), Principal: principal.Name,
	})
	if answer == nil {
		return nil, errNoAnswer
	}
	m, bad := jsonrpc.Parse(answer)
	switch {
	case bad != nil:
		return nil, bad
	case m.Error != nil:
		return nil, parseError(m.Error)
	}
	return m.Result, nil
}

func parseError(raw []byte) error {
	var wire struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(raw, &wire); err != nil {
		return err
	}
	said := &jsonrpc.Error{Code: wire.Code, Message: wire.Message}
	if wire.Data != nil {
		said.Data = wire.Data
	}
	return said
}
