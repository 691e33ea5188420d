package client

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
)

// A request is what a call wants to send; it gets its id when it is sent.
type request struct {
	method string
	params []byte // an object, or nil
	opts   CallOptions
	// endless requests have no time limit but that of their context.
	endless bool
	stream  *Subscription // nil unless it is a subscription's
	acts    bool          // it must not be sent twice
}

// meta is the _meta of a request: what a modern one must carry, the token that
// asks for progress, and what the caller adds.
func (c *core) meta(rev *mcp.Revision, rq *request, id jsonrpc.ID) mcp.Meta {
	meta := mcp.Meta{}
	if rev != nil && rev.Modern {
		meta[mcp.MetaProtocolVersion] = rawjson.AppendString(nil, rev.Version)
		meta[mcp.MetaClientCapabilities] = c.opts.capabilities().AppendJSON(nil)
		meta[mcp.MetaClientInfo] = c.opts.Info.AppendJSON(nil, rev)
		if level := c.logLevel(); level != nil {
			meta[mcp.MetaLogLevel] = rawjson.AppendString(nil, level.String())
		}
	}
	if rq.opts.Progress != nil {
		meta["progressToken"] = id.AppendJSON(nil)
	}
	maps.Copy(meta, rq.opts.Meta)
	return meta
}

// appendParams appends an object with _meta added to its members. Where it has
// a _meta of its own, that one wins.
func appendParams(dst, params []byte, meta mcp.Meta) []byte {
	o := rawjson.Begin(dst)
	for name, value := range rawjson.Members(params) {
		switch {
		case string(name) != "_meta":
			o.Raw(string(name), value)
		case rawjson.KindOf(value) == rawjson.Object:
			maps.Copy(meta, decodeMeta(value))
		default: // the caller wants it so
			o.Raw("_meta", value)
			meta = mcp.Meta{}
		}
	}
	if len(meta) > 0 {
		o.Set(meta.AppendJSON(o.Name("_meta")))
	}
	return o.End()
}

// outgoing writes a request down in a revision, nil for none agreed yet.
func (c *core) outgoing(rev *mcp.Revision, rq *request, id jsonrpc.ID) transport.Outgoing {
	params := rq.params
	if meta := c.meta(rev, rq, id); len(meta) > 0 && (params == nil || rawjson.KindOf(params) == rawjson.Object) {
		params = appendParams(nil, params, meta)
	}
	out := transport.Outgoing{ID: id, Method: rq.method, Frame: jsonrpc.AppendCall(nil, id, rq.method, params)}
	if rev != nil && rev.Modern {
		out.Name = subject(rq.method, params)
		out.Params = c.mirrored(rq.method, out.Name, params)
	}
	return out
}

// subject is what a modern request is about, as HTTP shows it.
func subject(method string, params []byte) string {
	switch method {
	case mcp.MethodCallTool, mcp.MethodGetPrompt:
		return text(rawjson.Member(params, "name"))
	case mcp.MethodReadResource:
		return text(rawjson.Member(params, "uri"))
	}
	return ""
}

// oneLine checks JSON from outside and takes the white space out of it.
func oneLine(raw []byte) ([]byte, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	if err := rawjson.Check(raw, rawjson.Limits{}); err != nil {
		return nil, fmt.Errorf("params: %w", err)
	}
	return rawjson.Compact(nil, raw), nil
}

// object writes a value that has to be an object; nil is an empty one.
func object(value any) ([]byte, error) {
	if value == nil {
		return []byte("{}"), nil
	}
	raw, err := rawjson.Append(nil, value)
	if err == nil && rawjson.KindOf(raw) != rawjson.Object {
		err = errors.New("not an object")
	}
	return raw, err
}

// appendStrings appends a member that maps names to strings, in byte order.
func appendStrings(o *rawjson.ObjectWriter, name string, values map[string]string) {
	inner := rawjson.Begin(o.Name(name))
	for _, key := range slices.Sorted(maps.Keys(values)) {
		inner.String(key, values[key])
	}
	o.Set(inner.End())
}
