// Command everything-client is the client that the official conformance suite
// drives: it does with the server it is given what the scenario of that name
// wants to see. It is for loopback and for tests, and is never installed.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"mcpworks/mcp"
	"mcpworks/mcp/client"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Getenv); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// A task is a scenario with the server that was started for it.
type task struct {
	server  client.URL
	options client.Options
	given   given
}

// given is what a scenario says beforehand, in MCP_CONFORMANCE_CONTEXT.
type given struct {
	ToolCalls []struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"toolCalls"`
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret"`
	Issuer       string `json:"issuer"`
}

// run takes the URL of the server as its last argument, and the rest from the
// environment, as the suite gives it.
func run(ctx context.Context, args []string, getenv func(string) string) error {
	if len(args) == 0 {
		return errors.New("usage: MCP_CONFORMANCE_SCENARIO=NAME everything-client URL")
	}
	name := getenv("MCP_CONFORMANCE_SCENARIO")
	play := scenarios[name]
	if play == nil {
		return fmt.Errorf("there is no scenario %q; there are: %s", name, strings.Join(slices.Sorted(maps.Keys(scenarios)), ", "))
	}
	t := task{server: client.URL(args[len(args)-1]), options: client.Options{
		Info:     mcp.Implementation{Name: "everything-client", Version: "1.0.0"},
		Way:      client.Streamable,
		Log:      slog.New(slog.NewTextHandler(os.Stderr, nil)),
		Timeouts: client.Timeouts{Open: 15 * time.Second, Request: 15 * time.Second},
	}}
	if version := getenv("MCP_CONFORMANCE_PROTOCOL_VERSION"); version != "" {
		if t.options.Revision = mcp.RevisionOf(version); t.options.Revision == nil {
			return fmt.Errorf("there is no revision %q", version)
		}
	}
	if text := getenv("MCP_CONFORMANCE_CONTEXT"); text != "" {
		if err := json.Unmarshal([]byte(text), &t.given); err != nil {
			return fmt.Errorf("MCP_CONFORMANCE_CONTEXT: %w", err)
		}
	}
	return play(ctx, &t)
}

// session opens a session for as long as do takes.
func (t *task) session(ctx context.Context, do func(*client.Session) error) error {
	s, err := client.Connect(ctx, t.server, t.options)
	if err != nil {
		return fmt.Errorf("connecting: %w", err)
	}
	err = do(s)
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	// Not every server of the suite knows how a session ends.
	if closed := s.Close(closing); closed != nil {
		t.options.Log.Info("closing the session", "error", closed)
	}
	return err
}
