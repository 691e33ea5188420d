package plantuml

import "net/http"

// legacy is the route of the first public implementation, for clients that
// stored its address (section 11). Its replies are flat.
var legacy = &route{path: "/mcp/v1/encode-plantuml", method: http.MethodPost, methods: "POST, OPTIONS",
	run: (*service).invokeLegacy, dress: flatFailure}

func (s *service) invokeLegacy(r *http.Request, _ string) ([]byte, *problem) {
	encoded, bad := s.encodeBody(r)
	switch {
	case bad == nil:
		return flatSuccess(encoded), nil
	case bad.code == internalError.code: // this route blames the text for bad JSON
		return nil, encodingFailed.because(bad.cause)
	}
	return nil, bad
}
