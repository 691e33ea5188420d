package server

import (
	"bytes"
	"context"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
)

// maxClientInfo is the most bytes that a session remembers of its client.
const maxClientInfo = 4 << 10

// initialize opens the legacy session of a connection. A version that is not
// served is answered with the newest that is; the client decides.
func (srv *Server) initialize(_ context.Context, r *Request) (mcp.Result, error) {
	if rawjson.KindOf(r.params.protocolVersion) != rawjson.StringKind {
		return nil, invalidParams("protocolVersion must be a string")
	}
	if r.rev = srv.serves(r.params.protocolVersion); r.rev == nil || r.rev.Modern {
		r.rev = srv.legacy()
	}
	s := r.session
	s.mu.Lock()
	s.rev = r.rev
	s.client = mcp.ParseClientCapabilities(r.params.capabilities)
	if info := r.params.clientInfo; len(info) <= maxClientInfo && rawjson.KindOf(info) == rawjson.Object {
		s.clientInfo = bytes.Clone(info) // without the rest of the message
	}
	s.mu.Unlock()
	s.hearChanges()

	dst := append([]byte(`"protocolVersion":`), rawjson.AppendString(nil, r.rev.Version)...)
	dst = srv.appendCapabilities(append(dst, `,"capabilities":`...), r.rev)
	dst = srv.opts.Info.AppendJSON(append(dst, `,"serverInfo":`...), r.rev)
	return mcp.Members(srv.appendInstructions(dst, srv.opts.InitializeMembers)), nil
}

// discover is what a modern client may ask first.
func (srv *Server) discover(_ context.Context, r *Request) (mcp.Result, error) {
	o := rawjson.Begin(nil)
	o.Strings("supportedVersions", srv.versions)
	o.Set(srv.appendCapabilities(o.Name("capabilities"), r.rev))
	members := o.End()
	members = srv.appendInstructions(members[1:len(members)-1], nil)
	return cacheable{mcp.Members(members), srv.opts.Cache}, nil
}

func (srv *Server) appendInstructions(dst []byte, extra mcp.Members) []byte {
	if srv.opts.Instructions != "" {
		dst = rawjson.AppendString(append(dst, `,"instructions":`...), srv.opts.Instructions)
	}
	if len(extra) > 0 {
		dst = append(append(dst, ','), extra...)
	}
	return dst
}

func (srv *Server) ping(context.Context, *Request) (mcp.Result, error) { return mcp.Members(nil), nil }

const unknownLevel = "a level is one of debug, info, notice, warning, error, critical, alert, emergency"

// setLevel chooses which log messages the legacy session gets.
func (srv *Server) setLevel(_ context.Context, r *Request) (mcp.Result, error) {
	name, _ := rawjson.String(r.params.level)
	level, ok := mcp.ParseLevel(name)
	if !ok {
		return nil, invalidParams(unknownLevel)
	}
	r.session.mu.Lock()
	r.session.logLevel = level
	r.session.mu.Unlock()
	return mcp.Members(nil), nil
}
