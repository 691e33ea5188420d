package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
	"mcpworks/mcp/transport/sse"
	"mcpworks/mcp/transport/streamable"
)

// A URL is a server to dial over HTTP.
type URL string

func (u URL) dial(ctx context.Context, way Way, opts *Options, rec *recording) (line transport.Line, err error) {
	client, idle := rec.observed(opts.HTTPClient)
	if way == SSE {
		line, err = sse.Dial(ctx, string(u), sse.LineOptions{
			Client: client, Header: opts.Header, Authorize: opts.Authorize, MaxMessage: int64(opts.Limits.Message), Log: opts.Log,
		})
	} else {
		line, err = streamable.Dial(string(u), streamable.LineOptions{
			Client: client, Header: opts.Header, Authorize: opts.Authorize, MaxMessage: int64(opts.Limits.Message), Log: opts.Log,
		})
	}
	if err != nil {
		idle()
		return nil, err
	}
	return &urlLine{line, idle}, nil
}

// A urlLine closes the connections that are its own, too.
type urlLine struct {
	transport.Line
	idle func()
}

func (l *urlLine) Close(ctx context.Context) error {
	defer l.idle()
	return l.Line.Close(ctx)
}

func (URL) again() bool { return true }

// openURL opens a session over HTTP. An origin that is known to be legacy is
// spoken to like that, and asked what it is only if that fails.
func (c *core) openURL(ctx context.Context, url URL) error {
	guesses := c.opts.Era == Auto && c.opts.Way == AnyWay
	if way, old := c.opts.Eras.recall(url); old && guesses && c.openOld(ctx, way) == nil {
		return nil
	}
	err := c.detect(ctx)
	if err == nil && guesses {
		c.opts.Eras.learn(url, c.server().rev.Modern, c.way)
	}
	return err
}

// openOld opens a session in the legacy era and leaves nothing if it cannot.
func (c *core) openOld(ctx context.Context, way Way) error {
	if way == SSE {
		return c.openSSE(ctx)
	}
	c.way = Streamable
	l, err := c.begin(ctx, Streamable)
	if err != nil {
		return err
	}
	if err = c.openLegacy(ctx, l); err != nil {
		_ = l.line.Close(ctx)
	}
	return err
}

// detect tries Streamable HTTP in the modern way, then in the legacy way, then
// HTTP+SSE. Only a refusal that an old server could have meant leads on; an
// outage, and a server that wants credentials, say nothing about the era.
func (c *core) detect(ctx context.Context) error {
	if c.opts.Way == SSE {
		if c.opts.Era == Modern {
			return errors.New("HTTP+SSE is not for the modern era")
		}
		return c.openSSE(ctx)
	}
	c.way = Streamable
	l, err := c.begin(ctx, Streamable)
	if err != nil {
		return err
	}
	if c.opts.Era == Modern {
		return c.openModern(ctx, l)
	}
	missing := false // the server has answered as modern ones do to what they lack
	if c.opts.Era == Auto {
		d, err := c.discover(ctx, l)
		c.try(Streamable, mcp.MethodDiscover, err)
		if d != nil || isModernError(err) || !mayBeOld(err) {
			return c.decide(ctx, l, d, err)
		}
		missing = isMissing(err)
	}
	err = c.openLegacy(ctx, l)
	switch {
	case missing && isMissing(err):
		return c.settleModern(l, mcp.V20260728, nil)
	case err == nil, c.opts.Way == Streamable, !isRefusal(err):
		return err
	}
	return c.fallBack(ctx, l, err)
}

// fallBack gives HTTP+SSE a try. If that fails too, the first error counts.
func (c *core) fallBack(ctx context.Context, l *link, first error) error {
	_ = l.line.Close(ctx)
	if err := c.openSSE(ctx); err != nil {
		return fmt.Errorf("%w (HTTP+SSE: %w)", first, err)
	}
	return nil
}

func (c *core) openSSE(ctx context.Context) error {
	c.way = SSE
	l, err := c.begin(ctx, SSE)
	if err != nil {
		return c.refused(err)
	}
	err = c.handshake(ctx, l, c.legacyRevision())
	c.try(SSE, mcp.MethodInitialize, err)
	if err != nil {
		_ = l.line.Close(ctx)
	}
	return err
}

// mayBeOld says whether a legacy server could have answered the first modern
// request like that. Some say that the error is theirs.
func mayBeOld(err error) bool {
	var status *transport.StatusError
	if errors.As(err, &status) {
		return isRefusal(err) || status.Status < 300 || status.Status == http.StatusInternalServerError || status.Status == http.StatusNotImplemented
	}
	return isWire(err) || errors.As(err, new(*transport.ContentError)) || errors.As(err, new(*ProtocolError))
}

// isRefusal says whether an error is an HTTP status by which a server can mean
// that it does not know what to do with such a request here.
func isRefusal(err error) bool {
	var status *transport.StatusError
	if !errors.As(err, &status) || status.Status/100 != 4 {
		return false
	}
	switch status.Status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusProxyAuthRequired, http.StatusRequestTimeout, http.StatusTooManyRequests:
		return false
	}
	return true
}

// isMissing says whether a server has answered as a modern one does to a method
// that it does not have.
func isMissing(err error) bool {
	var status *transport.StatusError
	return errors.As(err, &status) && status.Status == http.StatusNotFound && hasCode(err, jsonrpc.MethodNotFound)
}
