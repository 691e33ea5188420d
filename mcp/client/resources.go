package client

import (
	"context"
	"encoding/json"
	"errors"
	"iter"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
)

// A Resource is a definition as the server sent it.
type Resource struct {
	mcp.Resource
	Raw json.RawMessage
}

// A ResourceTemplate is a definition as the server sent it.
type ResourceTemplate struct {
	mcp.ResourceTemplate
	Raw json.RawMessage
}

// A ReadResult is what was read.
type ReadResult struct {
	mcp.ReadResourceResult
	Raw json.RawMessage
}

// ListResources walks the pages of the list of resources.
func (s *Session) ListResources(ctx context.Context) iter.Seq2[*Page[Resource], error] {
	return pages(ctx, s, listing[Resource]{method: mcp.MethodListResources, member: "resources", decode: decodeResource})
}

// AllResources returns the whole list of resources.
func (s *Session) AllResources(ctx context.Context) ([]Resource, error) {
	return all(s.ListResources(ctx))
}

// ListResourceTemplates walks the pages of the list of templates.
func (s *Session) ListResourceTemplates(ctx context.Context) iter.Seq2[*Page[ResourceTemplate], error] {
	return pages(ctx, s, listing[ResourceTemplate]{method: mcp.MethodListResourceTemplates, member: "resourceTemplates", decode: decodeTemplate})
}

// AllResourceTemplates returns the whole list of templates.
func (s *Session) AllResourceTemplates(ctx context.Context) ([]ResourceTemplate, error) {
	return all(s.ListResourceTemplates(ctx))
}

// ReadResource reads a resource. IsNotFound tells a resource that is not there.
func (s *Session) ReadResource(ctx context.Context, uri string) (*ReadResult, error) {
	result, err := s.do(ctx, mcp.MethodReadResource, uriParams(uri))
	if err != nil {
		return nil, err
	}
	r := &ReadResult{Raw: result}
	r.Cache = decodeCache(result)
	r.Meta = decodeMeta(rawjson.Member(result, "_meta"))
	for raw := range rawjson.Elements(rawjson.Member(result, "contents")) {
		r.Contents = append(r.Contents, decodeResourceContents(raw))
	}
	return r, nil
}

// Subscribe asks a legacy server to tell when a resource changes; see
// Options.On.
func (s *Session) Subscribe(ctx context.Context, uri string) error {
	_, err := s.do(ctx, mcp.MethodSubscribe, uriParams(uri))
	return err
}

// Unsubscribe ends what Subscribe began.
func (s *Session) Unsubscribe(ctx context.Context, uri string) error {
	_, err := s.do(ctx, mcp.MethodUnsubscribe, uriParams(uri))
	return err
}

// codeNotFound is how servers up to 2025-11-25 say that a resource is not there.
const codeNotFound = -32002

// IsNotFound says whether a server has answered that a resource is not there,
// in the way of either era. In the modern one the code says no more than that
// the params were wrong.
func IsNotFound(err error) bool {
	return hasCode(err, codeNotFound, jsonrpc.InvalidParams)
}

func isWire(err error) bool { return errors.As(err, new(*jsonrpc.Error)) }

func uriParams(uri string) []byte {
	o := rawjson.Begin(nil)
	o.String("uri", uri)
	return o.End()
}

func decodeResource(raw []byte) Resource {
	return Resource{Resource: resourceOf(raw), Raw: rawMessage(raw)}
}

func resourceOf(raw []byte) (r mcp.Resource) {
	for name, value := range rawjson.Members(raw) {
		switch string(name) {
		case "uri":
			r.URI = text(value)
		case "name":
			r.Name = text(value)
		case "title":
			r.Title = text(value)
		case "description":
			r.Description = text(value)
		case "mimeType":
			r.MIMEType = text(value)
		case "size":
			r.Size, _ = integer(value)
		case "annotations":
			r.Annotations = decodeAnnotations(value)
		case "icons":
			r.Icons = decodeIcons(value)
		case "_meta":
			r.Meta = decodeMeta(value)
		}
	}
	return r
}

func decodeTemplate(raw []byte) ResourceTemplate {
	r := resourceOf(raw) // all but one member are the same
	return ResourceTemplate{
		ResourceTemplate: mcp.ResourceTemplate{
			URITemplate: text(rawjson.Member(raw, "uriTemplate")),
			Name:        r.Name, Title: r.Title, Description: r.Description, MIMEType: r.MIMEType,
			Annotations: r.Annotations, Icons: r.Icons, Meta: r.Meta,
		},
		Raw: rawMessage(raw),
	}
}

func decodeResourceContents(raw []byte) (c mcp.ResourceContents) {
	for name, value := range rawjson.Members(raw) {
		switch string(name) {
		case "uri":
			c.URI = text(value)
		case "mimeType":
			c.MIMEType = text(value)
		case "text":
			c.Text = text(value)
		case "blob":
			c.Blob = blob(value)
		}
	}
	return c
}
