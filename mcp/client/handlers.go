package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"mcpworks/internal/jsonschema"
	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
)

// codeRejected is how a legacy client says that its user refused sampling.
const codeRejected = -1

// offers says whether there is a handler for a question of the server.
func (c *core) offers(method string) bool {
	can := c.opts.capabilities()
	switch method {
	case mcp.MethodListRoots:
		return can.Roots
	case mcp.MethodCreateMessage:
		return can.Sampling
	case mcp.MethodElicit:
		return can.Elicitation || can.ElicitationURL
	}
	return false
}

func notOffered(method string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.MethodNotFound, Message: fmt.Sprintf("the client does not offer %.100q", method)}
}

// wireError is what the server is told of an error: no more than the handler
// meant it to know.
func wireError(err error) *jsonrpc.Error {
	var wire *jsonrpc.Error
	switch {
	case errors.As(err, &wire):
		return wire
	case errors.Is(err, ErrRejected):
		return &jsonrpc.Error{Code: codeRejected, Message: ErrRejected.Error(), Cause: err}
	}
	return &jsonrpc.Error{Code: jsonrpc.InternalError, Message: "the client could not answer", Cause: err}
}

// answer asks the handler for it, for a request of either era.
func (c *core) answer(ctx context.Context, method string, params []byte) (result []byte, err error) {
	if !c.offers(method) {
		return nil, notOffered(method)
	}
	switch method {
	case mcp.MethodListRoots:
		result, err = c.answerRoots(ctx)
	case mcp.MethodCreateMessage:
		result, err = c.answerSampling(ctx, params)
	default:
		result, err = c.answerElicitation(ctx, params)
	}
	if err != nil {
		c.opts.Log.Debug("a question of the server was not answered", "method", method, "error", err)
	}
	return result, err
}

// A Root is a folder the client works in.
type Root struct {
	URI  string // begins with file://
	Name string
}

func (c *core) answerRoots(ctx context.Context) ([]byte, error) {
	roots, err := c.opts.Roots(ctx)
	if err != nil {
		return nil, err
	}
	o := rawjson.Begin(nil)
	dst := append(o.Name("roots"), '[')
	for i, root := range roots {
		if !strings.HasPrefix(root.URI, "file://") {
			return nil, fmt.Errorf("the root %q is not a file: URI", root.URI)
		}
		if i > 0 {
			dst = append(dst, ',')
		}
		one := rawjson.Begin(dst)
		one.String("uri", root.URI)
		one.NonEmpty("name", root.Name)
		dst = one.End()
	}
	o.Set(append(dst, ']'))
	return o.End(), nil
}

func (c *core) answerSampling(ctx context.Context, params []byte) ([]byte, error) {
	if !c.opts.SamplingTools && (rawjson.Member(params, "tools") != nil || rawjson.Member(params, "toolChoice") != nil) {
		return nil, &jsonrpc.Error{Code: jsonrpc.InvalidParams, Message: "the client does not offer tools for sampling"}
	}
	result, err := c.opts.Sampling(ctx, rawMessage(params))
	if err != nil {
		return nil, err
	}
	if result, err = oneLine(result); err == nil && !mcp.CreateMessage([]byte("{}")).Accepts(result) {
		err = errors.New("the answer has no role or no content")
	}
	return result, err
}

// A Form is what a server wants the user to fill in.
type Form struct {
	Message string
	Schema  json.RawMessage // of one flat object
}

// A Visit is an address that a server wants the user to open.
type Visit struct {
	Message string
	URL     string
	ID      string // of revision 2025-11-25
}

func (c *core) answerElicitation(ctx context.Context, params []byte) ([]byte, error) {
	message := text(rawjson.Member(params, "message"))
	mode, hasMode := rawjson.String(rawjson.Member(params, "mode"))
	switch {
	case (mode == "form" || !hasMode) && c.opts.ElicitForm != nil:
		form := Form{message, rawMessage(rawjson.Member(params, "requestedSchema"))}
		result, err := c.opts.ElicitForm(ctx, form)
		if err != nil {
			return nil, err
		}
		return form.result(result)
	case mode == "url" && c.opts.ElicitURL != nil:
		visit := Visit{message, text(rawjson.Member(params, "url")), text(rawjson.Member(params, "elicitationId"))}
		result, err := c.opts.ElicitURL(ctx, visit)
		if err != nil {
			return nil, err
		}
		return elicitResult(mcp.ElicitResult{Action: result.Action})
	}
	return nil, &jsonrpc.Error{Code: jsonrpc.InvalidParams, Message: fmt.Sprintf("the client does not offer elicitation of mode %.40q", mode)}
}

// result writes what the user did with a form. What was accepted gets the
// defaults of the form and must then fit it.
func (f Form) result(r mcp.ElicitResult) ([]byte, error) {
	if r.Action != "accept" {
		return elicitResult(mcp.ElicitResult{Action: r.Action})
	}
	schema, err := jsonschema.Compile(f.Schema)
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.InvalidParams, Message: "requestedSchema is not a schema", Cause: err}
	}
	content := map[string]any{}
	for name, property := range rawjson.Members(rawjson.Member(f.Schema, "properties")) {
		if fallback := rawjson.Member(property, "default"); fallback != nil {
			content[string(name)] = rawMessage(fallback)
		}
	}
	for name, value := range r.Content {
		content[name] = value
	}
	written, err := rawjson.Append(nil, content)
	if err != nil {
		return nil, err
	}
	decoded, err := rawjson.Decode(written)
	if err != nil {
		return nil, err
	}
	if violations := schema.Validate(decoded); len(violations) > 0 {
		return nil, fmt.Errorf("the form is not filled in well: %v", violations[0])
	}
	r.Content, _ = decoded.(map[string]any)
	return elicitResult(r)
}

func elicitResult(r mcp.ElicitResult) ([]byte, error) {
	value := map[string]any{"action": r.Action}
	if r.Action == "accept" && r.Content != nil {
		value["content"] = r.Content
	}
	result, err := rawjson.Append(nil, value)
	if _, ok := mcp.ParseElicitResult(result); err == nil && !ok {
		err = fmt.Errorf("%q is not what a user can do: accept, decline or cancel", r.Action)
	}
	return result, err
}
