package streamable

import (
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/transport"
)

// postModern answers one message of the modern era. It belongs to no session,
// and its stream is its life: when the client closes it, the request is
// cancelled.
func (h *Handler) postModern(w http.ResponseWriter, r *http.Request, in transport.Incoming) {
	if in.IsResponse() {
		h.refuse(w, http.StatusBadRequest, jsonrpc.ID{}, invalidRequest("responses are not taken in this protocol revision"))
		return
	}
	if !in.IsRequest() {
		w.WriteHeader(http.StatusAccepted) // there are none this transport acts on
		return
	}
	p := parseMirrored(in.Params)
	if err := p.check(in.Method, r.Header); err != nil {
		h.refuse(w, http.StatusBadRequest, in.ID, err)
		return
	}
	if in.Method == mcp.MethodCallTool {
		in.Verify = func() *jsonrpc.Error { return h.checkParams(p, r.Header) }
	}
	if in.Method == mcp.MethodListen {
		if !h.listens.enter(in.Principal) {
			w.Header().Set("Retry-After", "60")
			h.refuse(w, http.StatusTooManyRequests, in.ID, invalidRequest("too many subscriptions"))
			return
		}
		defer h.listens.leave(in.Principal)
	}
	out := newOutlet(w, &h.opts)
	defer out.close()
	out.status = modernStatus
	session := h.service.Open(func(msg []byte) error { return out.Notify(r.Context(), msg) })
	defer session.Close()
	session.Handle(r.Context(), in, out)
}

// modernStatus is the HTTP status of an answer that is not part of a stream.
func modernStatus(outcome transport.Outcome) int {
	switch {
	case outcome.Busy:
		return http.StatusTooManyRequests
	case outcome.Code == mcp.CodeMissingCapability:
		return http.StatusBadRequest
	case !outcome.Refused:
		return http.StatusOK
	case outcome.Code == jsonrpc.MethodNotFound:
		return http.StatusNotFound
	case outcome.Code == jsonrpc.InternalError:
		return http.StatusServiceUnavailable
	}
	return http.StatusBadRequest
}

// mirrored is what a body says that headers repeat, as raw text.
type mirrored struct {
	version, name, uri, arguments []byte
}

func parseMirrored(params []byte) (p mirrored) {
	for member, value := range rawjson.Members(params) {
		switch string(member) {
		case "name":
			p.name = value
		case "uri":
			p.uri = value
		case "arguments":
			p.arguments = value
		case "_meta":
			for key, value := range rawjson.Members(value) {
				if string(key) == mcp.MetaProtocolVersion {
					p.version = value
				}
			}
		}
	}
	return p
}

// check compares the headers with the body. What the body lacks is left to
// whoever reads the body.
func (p *mirrored) check(method string, header http.Header) *jsonrpc.Error {
	if err := compareHeader(header, headerVersion, p.version, false); err != nil {
		return err
	}
	if header.Get(headerMethod) == "" || len(header.Values(headerMethod)) > 1 {
		return mismatch(headerMethod)
	}
	if strings.TrimSpace(header.Get(headerMethod)) != method {
		return mismatch(headerMethod)
	}
	switch method {
	case mcp.MethodCallTool, mcp.MethodGetPrompt:
		return compareHeader(header, headerName, p.name, true)
	case mcp.MethodReadResource:
		return compareHeader(header, headerName, p.uri, true)
	}
	return nil
}

// compareHeader holds a header to the string that the body has.
func compareHeader(header http.Header, name string, raw []byte, encoded bool) *jsonrpc.Error {
	values := header.Values(name)
	if len(values) != 1 {
		return mismatch(name)
	}
	value, ok := strings.TrimSpace(values[0]), true
	if encoded {
		value, ok = decodeHeader(value)
	}
	if absent := !encoded && rawjson.KindOf(raw) != rawjson.StringKind; !ok || !absent && !rawjson.IsString(raw, value) {
		return mismatch(name) // a version that the body lacks is judged there
	}
	return nil
}

func mismatch(name string) *jsonrpc.Error {
	return &jsonrpc.Error{
		Code:    mcp.CodeHeaderMismatch,
		Message: "the header " + name + " is missing, malformed or differs from the body",
	}
}

// decodeHeader undoes the form =?base64?…?= that carries what a header cannot.
// A prefix without suffix, or the reverse, is meant as it stands.
func decodeHeader(value string) (string, bool) {
	inner, prefixed := strings.CutPrefix(value, "=?base64?")
	inner, suffixed := strings.CutSuffix(inner, "?=")
	if !prefixed || !suffixed {
		return value, isPlain(value)
	}
	decoded, err := base64.StdEncoding.Strict().DecodeString(inner)
	return string(decoded), err == nil
}

// isPlain says whether a header value is visible ASCII with inner spaces.
func isPlain(value string) bool {
	for _, c := range []byte(value) {
		if c < ' ' && c != '\t' || c > '~' {
			return false
		}
	}
	return true
}

// checkParams holds the Mcp-Param headers to the arguments of a tool call.
func (h *Handler) checkParams(p mirrored, header http.Header) *jsonrpc.Error {
	tool, _ := rawjson.String(p.name)
	for _, param := range h.service.HeaderParams(tool) {
		name := http.CanonicalHeaderKey(headerParamPrefix + param.Name)
		values := header.Values(name)
		argument := argumentAt(p.arguments, param.Path)
		if absent := argument == nil || rawjson.KindOf(argument) == rawjson.Null; absent {
			if len(values) > 0 {
				return mismatch(name)
			}
			continue
		}
		if len(values) != 1 {
			return mismatch(name)
		}
		value, ok := decodeHeader(strings.TrimSpace(values[0]))
		if !ok || !sameValue(argument, value) {
			return mismatch(name)
		}
	}
	return nil
}

// maxInteger is more than the longest integer that is mirrored has characters:
// they lie within 53 bits.
const maxInteger = 24

func argumentAt(raw []byte, path []string) []byte {
	for _, step := range path {
		var next []byte
		for name, value := range rawjson.Members(raw) {
			if string(name) == step {
				next = value
			}
		}
		raw = next
	}
	return raw
}

// sameValue compares an argument with its header: integers by their value, the
// rest by their text.
func sameValue(argument []byte, value string) bool {
	switch rawjson.KindOf(argument) {
	case rawjson.StringKind:
		text, _ := rawjson.String(argument)
		return text == value
	case rawjson.Bool:
		want, err := strconv.ParseBool(string(argument))
		return err == nil && value == strconv.FormatBool(want)
	case rawjson.Number:
		if len(argument) > maxInteger || len(value) > maxInteger {
			return false
		}
		want, err := strconv.ParseFloat(string(argument), 64)
		got, bad := strconv.ParseInt(value, 10, 64)
		return err == nil && bad == nil && want == float64(got) && got > -1<<53 && got < 1<<53
	}
	return false
}
