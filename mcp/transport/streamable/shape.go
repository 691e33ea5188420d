package streamable

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp/transport"
)

// A shape is what the requests of an era show outside of their messages.
type shape struct {
	modern  bool
	version string
	session string
}

// shapeOf is the shape of a message, or of a request without one. Before
// anything was agreed, a message speaks for itself.
func (l *Line) shapeOf(frame []byte) shape {
	l.mu.Lock()
	rev, session := l.rev, l.session
	l.mu.Unlock()
	switch {
	case rev == nil:
		if version, ok := versionIn(frame); ok {
			return shape{modern: true, version: version}
		}
		return shape{session: session}
	case rev.Modern:
		return shape{modern: true, version: rev.Version}
	case !rev.VersionHeader:
		return shape{session: session}
	}
	return shape{version: rev.Version, session: session}
}

// versionIn returns the version that a modern message says it has.
func versionIn(frame []byte) (version string, ok bool) {
	if rawjson.Check(frame, rawjson.Limits{}) != nil {
		return "", false
	}
	raw := parseMirrored(rawjson.Member(frame, "params")).version
	version, _ = rawjson.String(raw)
	return version, raw != nil
}

func (s *shape) header() http.Header {
	header := http.Header{}
	if s.version != "" {
		header.Set(headerVersion, encodeHeader(s.version))
	}
	if s.session != "" {
		header.Set(headerSession, s.session)
	}
	return header
}

// post sends a message.
func (l *Line) post(ctx context.Context, s shape, out *transport.Outgoing) (*http.Response, error) {
	header := s.header()
	header["Content-Type"] = typeJSON
	header.Set("Accept", "application/json, text/event-stream")
	if s.modern {
		if err := mirror(header, out); err != nil {
			return nil, err
		}
	}
	return l.server.Do(ctx, http.MethodPost, l.server.URL, header, out.Frame)
}

// mirror repeats in headers what a modern message is about.
func mirror(header http.Header, out *transport.Outgoing) error {
	if out.Method != "" {
		header.Set(headerMethod, encodeHeader(out.Method))
	}
	if out.Name != "" {
		header.Set(headerName, encodeHeader(out.Name))
	}
	for _, param := range out.Params {
		if !isToken(param.Name) {
			return fmt.Errorf("an argument cannot be mirrored: %q is no name of a header", param.Name)
		}
		header.Set(headerParamPrefix+param.Name, encodeHeader(param.Value))
	}
	return nil
}

// encodeHeader is the reverse of decodeHeader.
func encodeHeader(value string) string {
	looksEncoded := strings.HasPrefix(value, "=?base64?") && strings.HasSuffix(value, "?=")
	if isPlain(value) && !looksEncoded && !strings.Contains(value, "\t") && strings.TrimSpace(value) == value {
		return value
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(value)) + "?="
}

func isToken(name string) bool {
	for _, c := range []byte(name) {
		if c <= ' ' || c > '~' || strings.IndexByte(`"(),/:;<=>?@[\]{}`, c) >= 0 {
			return false
		}
	}
	return name != ""
}
