package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"time"

	"mcpworks/internal/serve"
	"mcpworks/mcp"
	"mcpworks/mcp/server"
	"mcpworks/mcp/transport/sse"
	"mcpworks/mcp/transport/stdio"
	"mcpworks/mcp/transport/streamable"
)

// sampleMain is the program sample-server: a server of this module with tools
// made for these tests, over standard input and output.
func sampleMain() {
	shout := flag.String("shout", "", "say this on standard error first")
	flag.Parse()
	if *shout != "" {
		fmt.Fprintln(os.Stderr, *shout)
	}
	srv, err := newSample()
	if err == nil {
		err = serve.Stdio(context.Background(), srv, stdio.Options{})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// webSample is the same server over HTTP: /mcp and /sse are open, /locked wants
// a token, /repeats refuses everybody and says why, /page is a web page, /slow
// never answers.
func webSample() (*httptest.Server, func(), error) {
	srv, err := newSample()
	if err != nil {
		return nil, nil, err
	}
	log := slog.New(slog.DiscardHandler)
	endpoint, events := streamable.New(srv, streamable.Options{Log: log}), sse.New(srv, sse.Options{Log: log})
	mux := http.NewServeMux()
	mux.Handle("/mcp", endpoint)
	mux.Handle("/sse", events)
	mux.HandleFunc("/locked", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+token && r.Header.Get("X-Api-Key") != token {
			w.Header().Set("WWW-Authenticate", `Bearer realm="sample"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		endpoint.ServeHTTP(w, r)
	})
	mux.HandleFunc("/repeats", func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, "you sent "+r.Header.Get("Authorization"))
	})
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<html>")
	})
	mux.HandleFunc("/slow", func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	})
	web := httptest.NewServer(mux)
	return web, func() {
		srv.EndSubscriptions(context.Background())
		endpoint.Close()
		events.Close()
		web.CloseClientConnections()
		web.Close()
	}, nil
}

// freeAddress is one where nobody listens.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// token opens /locked.
const token = "5f0c1b2e-sEcReT"

const (
	noArguments = `{"type":"object","properties":{}}`
	manyTypes   = `{"type":"object","additionalProperties":false,"required":["text"],"$defs":{"n":{"type":"integer"}},"properties":{` +
		`"text":{"type":"string"},"whole":{"$ref":"#/$defs/n"},"ratio":{"type":"number"},"on":{"type":"boolean"},` +
		`"tags":{"type":"array","items":{"type":"string"}},"filter":{"type":"object"},"maybe":{"type":["string","null"]},` +
		`"level":{"enum":[1,2,3]},"either":{"anyOf":[{"type":"integer"},{"type":"boolean"}]},"free":{}}}`
	sumSchema = `{"type":"object","properties":{"sum":{"type":"number"}},"required":["sum"]}`
)

type reply = func(context.Context, *server.ToolCall) (*mcp.CallToolResult, error)

func sampleTool(name, description, schema string, answer reply) server.Tool {
	return server.Tool{
		Tool:    mcp.Tool{Name: name, Description: description, InputSchema: json.RawMessage(schema)},
		Handler: answer,
	}
}

func newSample() (srv *server.Server, err error) {
	add := sampleTool("add", "Adds two numbers.\n\nThe sum is structured.",
		`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a","b"]}`, addNumbers)
	add.OutputSchema = json.RawMessage(sumSchema)
	srv, err = server.New(server.Options{
		Info:         mcp.Implementation{Name: "sample", Version: "1.2.3"},
		Instructions: "Be kind.",
		KeepOrder:    true, PageSize: 3,
		ListChanged: true, Subscribe: true, Logging: true,
		Tools: []server.Tool{
			add,
			sampleTool("echo", "Repeats its arguments as JSON.", manyTypes, echo),
			sampleTool("evil", "Moves \x1b[2J the cursor\u202e and hides.", noArguments, says("\x1b]0;owned\x07 \u009b31m done\r\nsecond line\tend")),
			sampleTool("fail", "Always fails.", noArguments, func(context.Context, *server.ToolCall) (*mcp.CallToolResult, error) {
				return mcp.ErrorResult("it did not work"), nil
			}),
			sampleTool("slow", "Takes longer than anybody waits.", noArguments, slow),
			sampleTool("variable", "Tells a variable of the environment.",
				`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`, variable),
			sampleTool("where", "Tells the directory.", noArguments, where),
			sampleTool("touch", "Changes the resource.", noArguments, func(context.Context, *server.ToolCall) (*mcp.CallToolResult, error) {
				srv.ResourceUpdated("note://one")
				return mcp.TextResult("touched"), nil
			}),
			sampleTool("media", "Has all kinds of content.", noArguments, everyKind),
			sampleTool("meta", "Tells a member of _meta.", noArguments, func(_ context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
				return mcp.TextResult(string(call.Meta("example.com/trace"))), nil
			}),
			sampleTool("log", "Logs.", noArguments, func(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
				call.Log(ctx, mcp.LevelWarning, "sample", "from the \x1b log")
				call.Progress(ctx, 1, 2, "half way")
				return mcp.TextResult("logged"), nil
			}),
		},
		Resources: []server.Resource{
			{
				Resource: mcp.Resource{URI: "note://one", Name: "one", MIMEType: "text/plain", Size: 5, Description: "A note."},
				Read:     contents(mcp.ResourceContents{MIMEType: "text/plain", Text: "hello"}),
			},
			{
				Resource: mcp.Resource{URI: "note://pixel", Name: "pixel", MIMEType: "image/png"},
				Read:     contents(mcp.ResourceContents{MIMEType: "image/png", Blob: []byte("\x00\x01PNG\xff")}),
			},
		},
		Templates: []server.ResourceTemplate{{
			ResourceTemplate: mcp.ResourceTemplate{URITemplate: "note://{name}/text", Name: "notes", Description: "Any note."},
			Read:             contents(mcp.ResourceContents{Text: "any"}),
		}},
		Prompts: []server.Prompt{{
			Prompt: mcp.Prompt{Name: "review", Description: "Reviews code.", Arguments: []mcp.PromptArgument{
				{Name: "language", Required: true}, {Name: "style"},
			}},
			Get: func(_ context.Context, call *server.PromptCall) (*mcp.GetPromptResult, error) {
				text := "Review this " + call.Arguments["language"] + "."
				return &mcp.GetPromptResult{Messages: []mcp.PromptMessage{
					{Role: "user", Content: mcp.Text{Text: text}}, {Role: "assistant", Content: mcp.Text{Text: "Show it."}},
				}}, nil
			},
		}},
		Complete: func(_ context.Context, call *server.CompleteCall) (*mcp.CompleteResult, error) {
			result := &mcp.CompleteResult{}
			for _, value := range []string{"go", "gleam", "rust"} {
				if strings.HasPrefix(value, call.Value) {
					result.Values = append(result.Values, value)
				}
			}
			return result, nil
		},
	})
	return srv, err
}

func says(text string) reply {
	return func(context.Context, *server.ToolCall) (*mcp.CallToolResult, error) { return mcp.TextResult(text), nil }
}

func contents(c mcp.ResourceContents) func(context.Context, *server.ReadCall) (*mcp.ReadResourceResult, error) {
	return func(_ context.Context, call *server.ReadCall) (*mcp.ReadResourceResult, error) {
		c.URI = call.URI
		return &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{c}}, nil
	}
}

func addNumbers(_ context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
	a, errA := call.Arguments["a"].(json.Number).Int64()
	b, errB := call.Arguments["b"].(json.Number).Int64()
	if err := errors.Join(errA, errB); err != nil {
		return nil, err
	}
	return &mcp.CallToolResult{Structured: map[string]any{"sum": a + b}}, nil
}

func echo(_ context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
	text, err := json.Marshal(call.Arguments)
	return mcp.TextResult(string(text)), err
}

func variable(_ context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
	value, ok := os.LookupEnv(call.Arguments["name"].(string))
	return mcp.TextResult(fmt.Sprintf("%q %v", value, ok)), nil
}

func where(context.Context, *server.ToolCall) (*mcp.CallToolResult, error) {
	dir, err := os.Getwd()
	return mcp.TextResult(dir), err
}

func slow(ctx context.Context, _ *server.ToolCall) (*mcp.CallToolResult, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(time.Minute):
		return mcp.TextResult("late"), nil
	}
}

func everyKind(context.Context, *server.ToolCall) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{Content: []mcp.Content{
		mcp.Text{Text: "one"},
		mcp.Image{Data: []byte("123"), MIMEType: "image/png"},
		mcp.ResourceLink{Resource: mcp.Resource{URI: "note://one", Name: "one"}},
		mcp.EmbeddedResource{Contents: mcp.ResourceContents{URI: "note://two", MIMEType: "text/plain", Text: "two"}},
	}}, nil
}
