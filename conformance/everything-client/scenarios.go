package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/client"
)

// scenarios says what is done in each scenario of the suite. Those of its
// extensions are left out: DPoP, workload identity, enterprise-managed
// authorization, client credentials, skills.
var scenarios = map[string]func(context.Context, *task) error{
	"initialize":                          opening,
	"tools_call":                          addNumbers,
	"elicitation-sep1034-client-defaults": formDefaults,
	"sse-retry":                           reconnecting,
	"request-metadata":                    describingItself,
	"sep-2322-client-request-state":       rounds,
	"http-standard-headers":               everyMethod,
	"http-custom-headers":                 givenCalls,
	"http-invalid-tool-headers":           everyTool,
	"json-schema-ref-no-deref":            listing,
	"json-schema-2020-12-preservation":    echoSchema,

	"auth/metadata-default":                     authorized,
	"auth/metadata-var1":                        authorized,
	"auth/metadata-var2":                        authorized,
	"auth/metadata-var3":                        authorized,
	"auth/basic-cimd":                           authorized,
	"auth/scope-from-www-authenticate":          authorized,
	"auth/scope-from-scopes-supported":          authorized,
	"auth/scope-omitted-when-undefined":         authorized,
	"auth/scope-step-up":                        authorized,
	"auth/scope-retry-limit":                    authorized,
	"auth/token-endpoint-auth-basic":            authorized,
	"auth/token-endpoint-auth-post":             authorized,
	"auth/token-endpoint-auth-none":             authorized,
	"auth/pre-registration":                     authorized,
	"auth/2025-03-26-oauth-endpoint-fallback":   authorized,
	"auth/2025-03-26-oauth-metadata-backcompat": authorized,
	"auth/resource-mismatch":                    authorized,
	"auth/offline-access-scope":                 authorized,
	"auth/offline-access-not-supported":         authorized,
	"auth/authorization-server-migration":       authorized,
	"auth/iss-supported":                        authorized,
	"auth/iss-not-advertised":                   authorized,
	"auth/iss-supported-missing":                authorized,
	"auth/iss-wrong-issuer":                     authorized,
	"auth/iss-unexpected":                       authorized,
	"auth/iss-normalized":                       authorized,
	"auth/metadata-issuer-mismatch":             authorized,
}

// opening opens a session and does nothing with it.
func opening(ctx context.Context, t *task) error {
	return t.session(ctx, func(*client.Session) error { return nil })
}

func listing(ctx context.Context, t *task) error {
	return t.session(ctx, func(s *client.Session) error {
		_, err := s.AllTools(ctx)
		return err
	})
}

func addNumbers(ctx context.Context, t *task) error {
	return t.session(ctx, func(s *client.Session) error {
		return call(ctx, s, "add_numbers", map[string]any{"a": 5, "b": 3})
	})
}

// formDefaults accepts a form without filling in anything.
func formDefaults(ctx context.Context, t *task) error {
	t.options.ElicitForm = func(context.Context, client.Form) (mcp.ElicitResult, error) {
		return mcp.ElicitResult{Action: "accept"}, nil
	}
	return t.session(ctx, func(s *client.Session) error {
		return call(ctx, s, "test_client_elicitation_defaults", nil)
	})
}

func reconnecting(ctx context.Context, t *task) error {
	return t.session(ctx, func(s *client.Session) error {
		return call(ctx, s, "test_reconnection", nil)
	})
}

// describingItself declares all that a client can, and asks a server that
// offers nothing.
func describingItself(ctx context.Context, t *task) error {
	t.options.Roots = func(context.Context) ([]client.Root, error) { return nil, nil }
	t.options.Sampling = func(context.Context, json.RawMessage) (json.RawMessage, error) { return nil, client.ErrRejected }
	t.options.ElicitForm = confirm
	return t.session(ctx, func(s *client.Session) error {
		_, err := s.With(client.CallOptions{Force: true}).AllTools(ctx)
		return err
	})
}

func confirm(context.Context, client.Form) (mcp.ElicitResult, error) {
	return mcp.ElicitResult{Action: "accept", Content: map[string]any{"confirmed": true}}, nil
}

// rounds calls tools that ask back, and one that does not while a question of
// another is open.
func rounds(ctx context.Context, t *task) error {
	var between func() error
	t.options.ElicitForm = func(ctx context.Context, form client.Form) (mcp.ElicitResult, error) {
		if err := between(); err != nil {
			return mcp.ElicitResult{}, err
		}
		return confirm(ctx, form)
	}
	return t.session(ctx, func(s *client.Session) error {
		between = func() error { return call(ctx, s, "test_mrtr_unrelated", nil) }
		return errors.Join(
			call(ctx, s, "test_mrtr_echo_state", nil),
			call(ctx, s, "test_mrtr_no_state", nil),
			call(ctx, s, "test_mrtr_no_result_type", nil))
	})
}

// everyMethod lists what there is and asks for all of it.
func everyMethod(ctx context.Context, t *task) error {
	return t.session(ctx, func(s *client.Session) error {
		err := callAll(ctx, s)
		resources, listed := s.AllResources(ctx)
		err = errors.Join(err, listed)
		for _, resource := range resources {
			_, read := s.ReadResource(ctx, resource.URI)
			err = errors.Join(err, read)
		}
		prompts, listed := s.AllPrompts(ctx)
		err = errors.Join(err, listed)
		for _, prompt := range prompts {
			_, got := s.GetPrompt(ctx, prompt.Name, nil)
			err = errors.Join(err, got)
		}
		return err
	})
}

// everyTool calls whatever the client thinks can be called.
func everyTool(ctx context.Context, t *task) error {
	return t.session(ctx, func(s *client.Session) error { return callAll(ctx, s) })
}

func callAll(ctx context.Context, s *client.Session) error {
	tools, err := s.AllTools(ctx)
	for _, tool := range tools {
		err = errors.Join(err, call(ctx, s, tool.Name, nil))
	}
	return err
}

// givenCalls makes the calls that the scenario has written down.
func givenCalls(ctx context.Context, t *task) error {
	return t.session(ctx, func(s *client.Session) error {
		_, err := s.AllTools(ctx)
		for _, c := range t.given.ToolCalls {
			err = errors.Join(err, call(ctx, s, c.Name, c.Arguments))
		}
		return err
	})
}

// echoSchema sends a tool's schema back as it arrived.
func echoSchema(ctx context.Context, t *task) error {
	return t.session(ctx, func(s *client.Session) error {
		tools, err := s.AllTools(ctx)
		if err != nil {
			return err
		}
		for _, tool := range tools {
			if tool.Name == "json_schema_2020_12_tool" {
				schema := json.RawMessage(rawjson.Member(tool.Raw, "inputSchema"))
				return call(ctx, s, "json_schema_echo", map[string]any{"schema": schema})
			}
		}
		return errors.New("the tool with the schema is not in the list")
	})
}

// call calls a tool that is expected to work.
func call(ctx context.Context, s *client.Session, name string, arguments any) error {
	result, err := s.CallTool(ctx, name, arguments)
	switch {
	case err != nil:
		return fmt.Errorf("calling %s: %w", name, err)
	case result.IsError:
		return fmt.Errorf("the tool %s has failed: %s", name, result.Raw)
	}
	return nil
}
