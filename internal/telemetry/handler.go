package telemetry

import (
	"net/http"

	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
)

// Handler records the POST requests of a tool that has a REST contract of its
// own, and so is not called through a service.
func (p *Pack) Handler(tool string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			next.ServeHTTP(w, r)
			return
		}
		none := func(string) []byte { return nil }
		ctx, o := p.begin(r.Context(), request{method: mcp.MethodCallTool, name: tool, size: int(max(0, r.ContentLength)), meta: none})
		seen := &status{ResponseWriter: w}
		e := ending{outcome: OutcomeError, code: jsonrpc.InternalError} // if it panics
		defer func() { o.end(ctx, e) }()
		next.ServeHTTP(seen, r.WithContext(ctx))
		e = ending{outcome: OutcomeOK, size: seen.size}
		if seen.code >= http.StatusBadRequest {
			e.outcome = OutcomeToolError
		}
	})
}

// A status notes what an answer was.
type status struct {
	http.ResponseWriter
	code, size int
}

func (s *status) WriteHeader(code int) {
	s.code = code
	s.ResponseWriter.WriteHeader(code)
}

func (s *status) Write(b []byte) (int, error) {
	n, err := s.ResponseWriter.Write(b)
	s.size += n
	return n, err
}

// Unwrap is for http.ResponseController.
func (s *status) Unwrap() http.ResponseWriter { return s.ResponseWriter }
