package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
)

// A Discovery is what a modern server says about itself.
type Discovery struct {
	Versions     []string
	Info         mcp.Implementation
	Capabilities Capabilities
	Instructions string
	Cache        *mcp.Cache
	Raw          json.RawMessage
}

func decodeDiscovery(result []byte) *Discovery {
	return &Discovery{
		Versions:     texts(rawjson.Member(result, "supportedVersions")),
		Info:         decodeInfo(rawjson.Member(rawjson.Member(result, "_meta"), mcp.MetaServerInfo)),
		Capabilities: decodeCapabilities(rawjson.Member(result, "capabilities")),
		Instructions: text(rawjson.Member(result, "instructions")),
		Cache:        decodeCache(result),
		Raw:          rawMessage(result),
	}
}

func decodeInfo(raw []byte) (info mcp.Implementation) {
	for name, value := range rawjson.Members(raw) {
		switch string(name) {
		case "name":
			info.Name = text(value)
		case "version":
			info.Version = text(value)
		case "title":
			info.Title = text(value)
		case "description":
			info.Description = text(value)
		case "websiteUrl":
			info.WebsiteURL = text(value)
		case "icons":
			info.Icons = decodeIcons(value)
		}
	}
	return info
}

// discover asks a server what it is, in the modern way.
func (c *core) discover(ctx context.Context, l *link) (*Discovery, error) {
	rq := &request{method: mcp.MethodDiscover, endless: true} // opening has its own limit
	result, err := c.exchange(ctx, l, mcp.V20260728, rq)
	if err != nil {
		return nil, explain(rq.method, err)
	}
	d := decodeDiscovery(result)
	if len(d.Versions) == 0 {
		return nil, &ProtocolError{Reason: "server/discover without supportedVersions", Message: result}
	}
	return d, nil
}

// initialize sends the first request of the legacy era.
func (c *core) initialize(ctx context.Context, l *link, rev *mcp.Revision) (json.RawMessage, error) {
	o := rawjson.Begin(nil)
	o.String("protocolVersion", rev.Version)
	o.Set(c.opts.capabilities().AppendJSON(o.Name("capabilities")))
	o.Set(c.opts.Info.AppendJSON(o.Name("clientInfo"), rev))
	rq := &request{method: mcp.MethodInitialize, params: o.End(), endless: true}
	result, err := c.exchange(ctx, l, nil, rq)
	if err != nil {
		return nil, explain(rq.method, err)
	}
	if rawjson.KindOf(result) != rawjson.Object {
		return nil, &ProtocolError{Reason: "the result of initialize is not an object", Message: result}
	}
	return result, nil
}

// handshake opens the legacy era on a link. A server that refuses the version
// but names others is asked once more.
func (c *core) handshake(ctx context.Context, l *link, rev *mcp.Revision) error {
	result, err := c.initialize(ctx, l, rev)
	if named := supported(err); named != nil {
		other := c.choose(named)
		if other == nil || other == rev {
			return c.noVersion(named, err)
		}
		if other.Modern {
			return c.settleModern(l, other, nil)
		}
		result, err = c.initialize(ctx, l, other)
	}
	if err != nil {
		return err
	}
	return c.greet(ctx, l, result)
}

// greet finishes the handshake: the server has said what it is.
func (c *core) greet(ctx context.Context, l *link, result []byte) error {
	version := text(rawjson.Member(result, "protocolVersion"))
	rev := mcp.RevisionOf(version)
	if rev == nil && c.opts.AcceptUnknown && version != "" {
		rev = newest(func(rev *mcp.Revision) bool { return !rev.Modern })
		c.rec.note("the server speaks a version that is not known")
	}
	if rev == nil || rev.Modern || !c.accepts(rev) {
		return &VersionError{Ours: c.versions(), Theirs: []string{version}}
	}
	l.line.Assume(rev)
	if err := c.notify(ctx, l, mcp.NotifyInitialized, nil); err != nil {
		return fmt.Errorf("%s: %w", mcp.NotifyInitialized, c.refused(err))
	}
	return c.settle(l, peer{
		rev: rev, version: version, known: true,
		info:         decodeInfo(rawjson.Member(result, "serverInfo")),
		capabilities: decodeCapabilities(rawjson.Member(result, "capabilities")),
		instructions: text(rawjson.Member(result, "instructions")),
		opening:      result,
	})
}

// settleModern makes a link ready without a handshake. Without a discovery
// nothing is known of the server.
func (c *core) settleModern(l *link, rev *mcp.Revision, d *Discovery) error {
	l.line.Assume(rev)
	server := peer{rev: rev, version: rev.Version}
	if d != nil {
		server.known, server.opening = true, d.Raw
		server.info, server.capabilities, server.instructions = d.Info, d.Capabilities, d.Instructions
	}
	return c.settle(l, server)
}

// accepts says whether the options allow a revision.
func (c *core) accepts(rev *mcp.Revision) bool {
	switch {
	case c.opts.Revision != nil:
		return rev == c.opts.Revision
	case c.opts.Era == Legacy:
		return !rev.Modern
	case c.opts.Era == Modern:
		return rev.Modern
	}
	return true
}

// choose returns the newest revision that both sides have, or nil.
func (c *core) choose(theirs []string) *mcp.Revision {
	return newest(func(rev *mcp.Revision) bool {
		for _, version := range theirs {
			if version == rev.Version {
				return c.accepts(rev)
			}
		}
		return false
	})
}

// newest returns the newest revision that fits, or nil.
func newest(fits func(*mcp.Revision) bool) *mcp.Revision {
	for _, rev := range mcp.Revisions() {
		if fits(rev) {
			return rev
		}
	}
	return nil
}

// versions are those that the options allow, newest first.
func (c *core) versions() (all []string) {
	for _, rev := range mcp.Revisions() {
		if c.accepts(rev) {
			all = append(all, rev.Version)
		}
	}
	return all
}

// noVersion reports that nothing is in common with a server that has named its
// versions. If one of ours is among them, the server contradicts itself.
func (c *core) noVersion(theirs []string, err error) error {
	if c.choose(theirs) != nil && err != nil {
		return err
	}
	return &VersionError{Ours: c.versions(), Theirs: theirs}
}

// supported lists the versions that an error names, nil if it names none.
func supported(err error) []string {
	var wire *jsonrpc.Error
	if !errors.As(err, &wire) {
		return nil
	}
	data, _ := wire.Data.(json.RawMessage)
	return texts(rawjson.Member(data, "supported"))
}
