package streamable_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"mcpworks/mcp"
	"mcpworks/mcp/jsonrpc"
	"mcpworks/mcp/server"
	"mcpworks/mcp/transport/streamable"
)

// A fixture is the server that all tests of this package talk to.
type fixture struct {
	srv     *server.Server
	handler *streamable.Handler
	tools   []server.Tool
	events  chan string   // what tools say about themselves, in order
	hold    chan struct{} // what hold waits for; one value lets one call go on
}

// fixtureOptions are the options line of a transcript.
type fixtureOptions struct {
	server server.Options
	http   streamable.Options
}

// parseOptions reads words like stateless or serves=2026-07-28.
func parseOptions(text string) (o fixtureOptions, err error) {
	o.server = server.Options{Logging: true, ListChanged: true, Subscribe: true, Complete: complete, Prompts: prompts(), Resources: resources()}
	for word := range strings.FieldsSeq(text) {
		name, value, _ := strings.Cut(word, "=")
		number, _ := strconv.Atoi(value)
		switch name {
		case "serves":
			for version := range strings.SplitSeq(value, ",") {
				o.server.Revisions = append(o.server.Revisions, mcp.RevisionOf(version))
			}
		case "stateless":
			o.http.Stateless = true
		case "maxmessage":
			o.http.MaxMessage = int64(number)
		case "maxsessions":
			o.http.MaxSessions = number
		case "calls":
			o.http.SessionCalls = number
		case "streams":
			o.http.SessionStreams = number
		case "depth":
			o.server.Limits.Depth = number
		case "batch":
			o.server.Limits.Batch = number
		case "keepalive":
			o.http.KeepAlive, err = time.ParseDuration(value)
		case "without":
			for feature := range strings.SplitSeq(value, ",") {
				o.leaveOut(feature)
			}
		default:
			err = fmt.Errorf("unknown option %s", word)
		}
		if err != nil {
			return o, err
		}
	}
	return o, nil
}

func (o *fixtureOptions) leaveOut(feature string) {
	switch feature {
	case "prompts":
		o.server.Prompts = nil
	case "resources":
		o.server.Resources = nil
	case "completion":
		o.server.Complete = nil
	case "logging":
		o.server.Logging = false
	case "changes":
		o.server.ListChanged = false
	case "subscribe":
		o.server.Subscribe = false
	}
}

// newFixture makes a server and its handler; the principal of a request is its
// header Principal.
func newFixture(t testing.TB, o fixtureOptions) *fixture {
	t.Helper()
	f := &fixture{events: make(chan string, 10_000), hold: make(chan struct{}, 1000)}
	f.tools = f.allTools()
	o.server.Info = mcp.Implementation{Name: "fixture", Version: "1"}
	o.server.Tools = f.tools
	o.server.StateKey = []byte("a key that is the same in every run")
	var err error
	if f.srv, err = server.New(o.server); err != nil {
		t.Fatal(err)
	}
	if o.http.Principal == nil {
		o.http.Principal = principal
	}
	f.handler = streamable.New(f.srv, o.http)
	return f
}

type handler = func(context.Context, *server.ToolCall) (*mcp.CallToolResult, error)

func text(s string, err error) (*mcp.CallToolResult, error) {
	if err != nil {
		return nil, err
	}
	return mcp.TextResult(s), nil
}

var nameForm = mcp.ElicitForm("Your name?", json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`))

var sampling = mcp.CreateMessage(json.RawMessage(`{"messages":[{"role":"user","content":{"type":"text","text":"hi"}}],"maxTokens":10}`))

func elicited(raw json.RawMessage) string {
	form, ok := mcp.ParseElicitResult(raw)
	return fmt.Sprint(form.Action, " ", form.Content["name"], " ", ok)
}

func (f *fixture) allTools() []server.Tool {
	tool := func(name, properties string, run handler) server.Tool {
		return server.Tool{
			Tool:    mcp.Tool{Name: name, Description: "For tests.", InputSchema: json.RawMessage(`{"type":"object","properties":{` + properties + `}}`)},
			Handler: run,
		}
	}
	argument := func(call *server.ToolCall, name string) string {
		value, _ := call.Arguments[name].(string)
		return value
	}
	number := func(call *server.ToolCall, name string) int {
		value, _ := call.Arguments[name].(json.Number).Int64()
		return int(value)
	}
	return []server.Tool{
		tool("echo", `"text":{"type":"string"}`, func(_ context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
			return text(argument(call, "text"), nil)
		}),
		tool("big", `"size":{"type":"integer"}`, func(_ context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
			return text(strings.Repeat("x", number(call, "size")), nil)
		}),
		tool("fail", `"kind":{"type":"string"}`, func(_ context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
			switch argument(call, "kind") {
			case "domain":
				return nil, &server.Failure{Text: "no luck"}
			case "busy":
				return nil, &jsonrpc.Error{Code: jsonrpc.InternalError, Message: "too many calls", Cause: server.ErrBusy}
			case "code":
				return nil, &jsonrpc.Error{Code: 1234, Message: "own code"}
			case "panic":
				panic("on purpose")
			}
			return nil, errors.New("open /usr/lib/secret: permission denied")
		}),
		tool("report", `"steps":{"type":"integer"}`, func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
			call.Log(ctx, mcp.LevelDebug, "fixture", "quiet")
			call.Log(ctx, mcp.LevelWarning, "fixture", "loud")
			call.Progress(ctx, 1, 2, "half")
			call.Progress(ctx, 1, 2, "half again")
			call.Progress(ctx, 2, 2, "whole")
			return text("reported", nil)
		}),
		tool("stream", `"count":{"type":"integer"},"size":{"type":"integer"}`, f.stream),
		// hold says so, and waits to be released.
		tool("hold", `"text":{"type":"string"}`, func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
			call.Progress(ctx, 1, 0, "holding")
			f.events <- "holding"
			select {
			case <-f.hold:
				call.Progress(ctx, 2, 0, "released")
				f.events <- "released"
				return text("released "+argument(call, "text"), nil)
			case <-ctx.Done():
				call.Progress(ctx, 3, 0, "cancelled")
				f.events <- "cancelled"
				return nil, ctx.Err()
			}
		}),
		// later closes its stream, waits to be released and goes on.
		tool("later", `"text":{"type":"string"}`, func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
			call.CloseStream(250 * time.Millisecond)
			f.events <- "closed"
			select {
			case <-f.hold:
				call.Progress(ctx, 1, 0, "later")
				return text("late "+argument(call, "text"), nil)
			case <-ctx.Done():
				f.events <- "cancelled"
				return nil, ctx.Err()
			}
		}),
		tool("elicit", "", func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
			answers, err := call.Ask(ctx, map[string]mcp.InputRequest{"name": nameForm})
			return text(elicited(answers["name"]), err)
		}),
		tool("rounds", "", func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
			first, err := call.Ask(ctx, map[string]mcp.InputRequest{"first": nameForm})
			if err != nil {
				return nil, err
			}
			second, err := call.Ask(ctx, map[string]mcp.InputRequest{"second": sampling})
			return text(elicited(first["first"])+" "+string(second["second"]), err)
		}),
		tool("needs", "", func(_ context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
			if !call.ClientCapabilities().Sampling {
				return nil, mcp.MissingCapability(mcp.ClientCapabilities{Sampling: true})
			}
			return text("sampling", nil)
		}),
		tool("region", `"region":{"type":"string","x-mcp-header":"Region"},"level":{"type":"integer","x-mcp-header":"Level"},`+
			`"flag":{"type":"boolean","x-mcp-header":"Flag"},"deep":{"type":"object","properties":{"er":{"type":"string","x-mcp-header":"Deeper"}}}`,
			func(_ context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
				return text("region "+argument(call, "region"), nil)
			}),
		tool("client", "", func(_ context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
			have := call.ClientCapabilities()
			return text(fmt.Sprint(call.Revision().Version, " sampling ", have.Sampling, " elicitation ", have.Elicitation), nil)
		}),
	}
}

// stream reports count times, as fast as it is let.
func (f *fixture) stream(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
	count, _ := call.Arguments["count"].(json.Number).Int64()
	size, _ := call.Arguments["size"].(json.Number).Int64()
	for i := range count {
		if ctx.Err() != nil {
			f.events <- "cancelled"
			return nil, ctx.Err()
		}
		call.Log(ctx, mcp.LevelError, "", fmt.Sprint(i+1, " ", strings.Repeat("y", int(size))))
	}
	f.events <- "streamed"
	return text("streamed", nil)
}

func resources() []server.Resource {
	return []server.Resource{
		{
			Resource: mcp.Resource{URI: "test://text", Name: "text", Description: "A text."},
			Read: func(_ context.Context, call *server.ReadCall) (*mcp.ReadResourceResult, error) {
				return &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{{URI: call.URI, Text: "hello"}}}, nil
			},
		},
		{
			Resource: mcp.Resource{URI: "test://naïve", Name: "naïve", Description: "Its address is not ASCII."},
			Read: func(_ context.Context, call *server.ReadCall) (*mcp.ReadResourceResult, error) {
				return &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{{URI: call.URI, Text: "ï"}}}, nil
			},
		},
		{
			Resource: mcp.Resource{URI: "test://question", Name: "question", Description: "Asks."},
			Read: func(ctx context.Context, call *server.ReadCall) (*mcp.ReadResourceResult, error) {
				answers, err := call.Ask(ctx, map[string]mcp.InputRequest{"name": nameForm})
				if err != nil {
					return nil, err
				}
				return &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{{URI: call.URI, Text: elicited(answers["name"])}}}, nil
			},
		},
	}
}

func prompts() []server.Prompt {
	return []server.Prompt{
		{
			Prompt: mcp.Prompt{Name: "greet", Description: "Greets.", Arguments: []mcp.PromptArgument{{Name: "who", Required: true}}},
			Get: func(_ context.Context, call *server.PromptCall) (*mcp.GetPromptResult, error) {
				return &mcp.GetPromptResult{Messages: []mcp.PromptMessage{{Role: "user", Content: mcp.Text{Text: "hello " + call.Arguments["who"]}}}}, nil
			},
		},
		{
			Prompt: mcp.Prompt{Name: "question", Description: "Asks."},
			Get: func(ctx context.Context, call *server.PromptCall) (*mcp.GetPromptResult, error) {
				answers, err := call.Ask(ctx, map[string]mcp.InputRequest{"name": nameForm})
				if err != nil {
					return nil, err
				}
				return &mcp.GetPromptResult{Messages: []mcp.PromptMessage{{Role: "user", Content: mcp.Text{Text: elicited(answers["name"])}}}}, nil
			},
		},
	}
}

func complete(_ context.Context, call *server.CompleteCall) (*mcp.CompleteResult, error) {
	return &mcp.CompleteResult{Values: []string{call.Prompt, call.Argument, call.Value}}, nil
}

// act does what a transcript wants done behind the client's back.
func (f *fixture) act(verb, what string) error {
	switch verb {
	case "change":
		switch what {
		case "tools":
			return f.srv.SetTools(f.tools...)
		case "prompts":
			return f.srv.SetPrompts(prompts()...)
		case "resources":
			return f.srv.SetResources(resources()...)
		}
	case "update":
		f.srv.ResourceUpdated(what)
		return nil
	case "release":
		f.hold <- struct{}{}
		return nil
	case "shutdown":
		f.srv.EndSubscriptions(context.Background())
		return nil
	case "close":
		f.handler.Close()
		return nil
	}
	return fmt.Errorf("cannot %s %s", verb, what)
}
