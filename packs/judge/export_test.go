package judge

import (
	"net/http"

	"mcpworks/internal/version"
	"mcpworks/mcp"
	"mcpworks/mcp/server"
	"mcpworks/packs/judge/internal/ojapi"
)

// Drain is how long calls may go on after the end of input.
const Drain = drain

// NewOver is New with another way to the backend than the network.
func NewOver(cfg Config, way http.RoundTripper) (*server.Server, error) {
	origin, err := ojapi.ParseOrigin(cfg.BaseURL)
	if err != nil {
		return nil, err
	}
	j := &judge{now: cfg.Now, api: ojapi.New(ojapi.Config{
		Origin: origin, Token: cfg.Token, Log: cfg.Log, Timeout: cfg.Timeout, Transport: way,
	})}
	return server.New(server.Options{
		Info:  mcp.Implementation{Name: Name, Version: version.Number},
		Tools: []server.Tool{j.daily(), j.problem(), j.similar(), j.resolve(), j.status()},
		Drain: drain,
		Log:   cfg.Log,
	})
}
