// Package judge gives language models read access to programming problems:
// five tools over the HTTP interface of an online-judge backend.
//
// Section and invariant numbers refer to the judge's contract.
package judge

import (
	"context"
	"log/slog"
	"net/http"
	"runtime"
	"time"

	"mcpworks/internal/bounded"
	"mcpworks/internal/secret"
	"mcpworks/internal/version"
	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/server"
	"mcpworks/packs/judge/internal/ojapi"
)

// Name is what the server calls itself (section 1).
const Name = "oj-mcp-rs"

// calls is how many run at once: they wait for the backend, and a slow one must
// not delay another (section 1). It is also how many connections the client
// keeps.
const calls = ojapi.MaxConnections

// drainOnStop is how long calls may go on after a signal: whoever sends one
// does not wait for a backend that hangs.
const drainOnStop = 4 * time.Second

// Config is what an operator decides.
type Config struct {
	// BaseURL is the origin of the backend; required.
	BaseURL string
	// Token is sent to the backend as bearer token; zero sends none.
	Token secret.String
	// Log gets what happens; nil means nowhere.
	Log *slog.Logger
	// Now is the clock that tells today's date; nil means time.Now.
	Now func() time.Time
	// Timeout is for one request to the backend; 0 means 30 seconds.
	Timeout time.Duration
	// Transport is the way to the backend; nil means the network.
	Transport http.RoundTripper
}

// ParseToken reads a token as an operator gives it: blank is none. The error
// does not repeat the value.
func ParseToken(text string) (secret.String, error) { return ojapi.ParseToken(text) }

// Validate reports what cannot be used, in a sentence that holds no secret.
func (c *Config) Validate() error {
	if _, err := ojapi.ParseOrigin(c.BaseURL); err != nil {
		return err
	}
	_, err := ojapi.ParseToken(c.Token.Reveal())
	return err
}

// New returns the server.
func New(cfg Config) (*server.Server, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = ojapi.DefaultTimeout
	}
	origin, _ := ojapi.ParseOrigin(cfg.BaseURL)
	token, _ := ojapi.ParseToken(cfg.Token.Reveal())
	cfg.Log.Info("base_url: " + origin.String())
	if token.IsZero() {
		cfg.Log.Info("token: not configured")
	} else {
		cfg.Log.Info("token: configured")
	}
	j := &judge{now: cfg.Now, converting: make(chan struct{}, runtime.GOMAXPROCS(0)), api: ojapi.New(ojapi.Config{
		Origin: origin, Token: token, Log: cfg.Log, Version: version.Number,
		Timeout: cfg.Timeout, Transport: cfg.Transport,
	})}
	return server.New(server.Options{
		Info:      mcp.Implementation{Name: Name, Version: version.Number},
		Tools:     []server.Tool{j.daily(), j.problem(), j.similar(), j.resolve(), j.status()},
		KeepOrder: true,
		Limits:    server.Limits{Calls: calls},
		Drain:     cfg.Timeout + time.Second, // what is in flight at the end of input may finish (section 1)

		DrainOnStop: drainOnStop,
		UnknownTool: j.unknownTool,
		Log:         cfg.Log,
	})
}

// A judge is the five tools and what they share.
type judge struct {
	api *ojapi.Client
	now func() time.Time
	// converting has a place for each statement that is being converted, which
	// takes thirty times its memory: as many as there are processors.
	converting chan struct{}
}

// show renders a problem when it is its turn.
func (j *judge) show(ctx context.Context, problem *ojapi.Problem) (string, error) {
	select {
	case j.converting <- struct{}{}:
		defer func() { <-j.converting }()
		return showProblem(problem), nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// unknownTool names the tool, unless that is where somebody put the token.
func (j *judge) unknownTool(name string) error {
	return &jsonrpc.Error{Code: jsonrpc.InvalidParams, Message: "Unknown tool: " + j.api.Redact(bounded.Runes(name, 100))}
}

// tool makes a tool from the function that finds its text. Every tool checks
// its own arguments: the contract gives each mistake its own sentence and
// order, and lets null stand for absent.
func (j *judge) tool(definition mcp.Tool, find func(context.Context, arguments) (string, error)) server.Tool {
	definition.Annotations = &mcp.ToolAnnotations{ReadOnly: true, Idempotent: true, OpenWorld: true}
	return server.Tool{
		Tool:            definition,
		ChecksArguments: true,
		Handler: func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
			text, err := find(ctx, call.Arguments)
			if err != nil {
				return j.failed(err)
			}
			return mcp.TextResult(j.finished(text)), nil
		},
	}
}
