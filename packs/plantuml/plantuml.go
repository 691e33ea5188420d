package plantuml

import (
	"log/slog"
	"net/http"
	"time"

	"mcpworks/internal/version"
	"mcpworks/mcp"
	"mcpworks/mcp/server"
)

// Section and invariant numbers refer to the encoder's contract.

// Name is what the MCP server calls itself.
const Name = "plantuml-mcp"

// Config is what an operator decides.
type Config struct {
	// Log gets each discovery and each failure, never the text of a diagram;
	// nil means nowhere.
	Log *slog.Logger
	// Now is the clock of those lines; nil means time.Now.
	Now func() time.Time
}

// New returns the service as an MCP server (section 11).
func New(cfg Config) (*server.Server, error) {
	s := newService(cfg)
	return server.New(server.Options{
		Info:      mcp.Implementation{Name: Name, Title: "PlantUML encoder", Version: version.Number},
		Tools:     s.tools(),
		KeepOrder: true,
		Log:       s.log,
	})
}

// Handler returns the service as plain HTTP: everything under /api/ (sections 1
// to 6), the legacy route, the page at / and /healthz. It answers every path by
// itself and must not stand behind an [http.ServeMux], which redirects unclean
// paths; the MCP endpoint, where there is one, is the program's to put before
// it. To serve it below another path, wrap it in [http.StripPrefix].
func Handler(cfg Config) http.Handler { return newService(cfg) }

// A service is what the two faces share.
type service struct {
	log    *slog.Logger
	now    func() time.Time
	encode func(text string) string
}

func newService(cfg Config) *service {
	s := &service{log: cfg.Log, now: cfg.Now, encode: Encode}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.now == nil {
		s.now = time.Now
	}
	return s
}
