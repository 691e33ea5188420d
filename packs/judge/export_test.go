package judge

import (
	"net/http"

	"mcpworks/mcp/server"
)

// NewOver is New with another way to the backend than the network.
func NewOver(cfg Config, way http.RoundTripper) (*server.Server, error) {
	cfg.Transport = way
	return New(cfg)
}
