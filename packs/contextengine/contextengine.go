// Package contextengine says which documents of a cache, in which order, fit a
// query and a token budget: as functions over directories, and as an MCP server
// of three tools over the caches below one directory.
//
// Rule numbers such as SEL-10 refer to the engine's contract. Equal inputs give
// equal bytes, everywhere; nothing here asks the network.
package contextengine

import (
	"errors"
	"log/slog"
	"math"
	"time"

	"mcpworks/internal/version"
	"mcpworks/mcp"
	"mcpworks/mcp/server"
	"mcpworks/packs/contextengine/internal/canonical"
	"mcpworks/packs/contextengine/internal/resident"
)

// Name is what the server calls itself (MCP-5).
const Name = "mcp-context-server"

const (
	// defaultTimeout is that of a tool call (SRV-2).
	defaultTimeout = 30 * time.Second
	// defaultMemory is for indexes of caches that were asked before.
	defaultMemory = 512 << 20
	// maxCalls is how many calls are at work at once, abandoned ones included.
	maxCalls = 64
	// drainOnStop is how long calls may go on after a signal.
	drainOnStop = 4 * time.Second
)

// Config is what an operator decides.
type Config struct {
	// Root is the directory whose children are caches; required. It need not
	// exist yet.
	Root string
	// Timeout is for one tool call; 0 means 30 seconds.
	Timeout time.Duration
	// Memory is how many bytes may be kept of caches that were asked before;
	// 0 means 512 MiB. It changes no answer.
	Memory int64
	// Log gets what clients must not see: paths and causes. nil means nowhere.
	Log *slog.Logger
}

// Validate reports what cannot be used.
func (c *Config) Validate() error {
	switch {
	case c.Root == "":
		return errors.New("the cache root is not set")
	case c.Timeout < 0:
		return errors.New("the timeout of a tool call cannot be negative")
	case c.Memory < 0:
		return errors.New("the memory for caches cannot be negative")
	}
	return nil
}

// An Engine answers queries on the caches below a root. It keeps what it has
// learnt of them; that changes no answer.
type Engine struct {
	root    string
	timeout time.Duration
	store   *resident.Store
	log     *slog.Logger
	// places has one for each call at work. A call that was given up keeps its
	// place until it notices (LIM-7).
	places chan struct{}
}

// New returns an engine. It has to be closed once its servers have ended.
func New(cfg Config) (*Engine, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = defaultTimeout
	}
	if cfg.Memory == 0 {
		cfg.Memory = defaultMemory
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	return &Engine{
		root: cfg.Root, timeout: cfg.Timeout, log: cfg.Log,
		store: resident.New(cfg.Memory), places: make(chan struct{}, maxCalls),
	}, nil
}

// Close gives up what the engine keeps.
func (e *Engine) Close() { e.store.Close() }

// Server returns the server that speaks every protocol revision: with structured
// results, hints for clients, and a choice of rankings.
func (e *Engine) Server() (*server.Server, error) {
	opts := e.options()
	for _, t := range tools {
		opts.Tools = append(opts.Tools, e.offer(t, t.Tool, maxStructured))
	}
	return server.New(opts)
}

// Pretty lays out compact JSON with one member or element to a line (JSON-4),
// without a newline at its end.
func Pretty(compact []byte) []byte { return canonical.Pretty(compact) }

// options are those of both faces.
func (e *Engine) options() server.Options {
	return server.Options{
		Info:        mcp.Implementation{Name: Name, Title: "Context engine", Version: version.Number},
		KeepOrder:   true,
		Limits:      server.Limits{Calls: maxCalls},
		Drain:       min(e.timeout, math.MaxInt64-time.Second) + time.Second, // what is in flight at the end of input may finish
		DrainOnStop: drainOnStop,
		Log:         e.log,
	}
}
