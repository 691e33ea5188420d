package crooked

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"slices"
	"time"

	"mcpworks/mcp"
	"mcpworks/mcp/server"
)

// Version is what the server says of itself, and its package.
const Version = "1.0.0"

// Slow is the tool that takes longer than a second.
const Slow = "count_slowly"

// healthy declares a server with a little of everything.
func healthy() server.Options {
	return server.Options{
		Info: mcp.Implementation{
			Name: "crooked", Version: Version, Title: "Crooked", Description: "Has a little of everything.",
			WebsiteURL: "https://example.com/", Icons: []mcp.Icon{icon},
		},
		Instructions: "Ask for whatever you need.",
		Tools:        tools(), Resources: resources(), Templates: templates(), Prompts: prompts(),
		Complete: complete, Logging: true, ListChanged: true, Subscribe: true, PageSize: 3,
		Middleware: []func(server.Handler) server.Handler{logLists},
	}
}

// logLists has a list of tools come with a log message, for those who want it.
func logLists(next server.Handler) server.Handler {
	return func(ctx context.Context, r *server.Request) (mcp.Result, error) {
		if r.Method() == mcp.MethodListTools {
			r.Log(ctx, mcp.LevelInfo, "crooked", "the tools are listed")
		}
		return next(ctx, r)
	}
}

var pixel = decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==")

var icon = mcp.Icon{
	Src: "data:image/png;base64," + base64.StdEncoding.EncodeToString(pixel), MIMEType: "image/png", Sizes: []string{"1x1"},
}

func decode(text string) []byte {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		panic(err) // a constant of this file
	}
	return data
}

type handler = func(context.Context, *server.ToolCall) (*mcp.CallToolResult, error)

func tool(name, description, input string, handle handler) server.Tool {
	return server.Tool{
		Tool: mcp.Tool{
			Name: name, Description: description, InputSchema: json.RawMessage(input),
			Annotations: &mcp.ToolAnnotations{ReadOnly: true, Idempotent: true},
		},
		Handler: handle,
	}
}

const nothing = `{"type":"object","properties":{},"additionalProperties":false}`

// The schema of the first tool has a little of what schemas can have.
const sumInput = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{` +
	`"first":{"$ref":"#/$defs/term","description":"The first term"},` +
	`"second":{"$ref":"#/$defs/term","description":"The second term"},` +
	`"unit":{"type":"string","description":"What is added","enum":["apples","pears"],"default":"apples","examples":["pears"]},` +
	`"labels":{"type":"array","description":"Words for the sum","items":{"type":"string","pattern":"^[a-z]+$"},"maxItems":3},` +
	`"due":{"type":"string","description":"When","format":"date-time"}},` +
	`"required":["first","second"],"additionalProperties":false,` +
	`"$defs":{"term":{"type":"number","minimum":-1000,"maximum":1000}}}`

const sumOutput = `{"type":"object","properties":{"sum":{"type":"number","description":"The sum"}},"required":["sum"]}`

func tools() []server.Tool {
	sum := tool("add", "Adds two numbers.", sumInput, add)
	sum.Title, sum.OutputSchema, sum.Icons = "Add", json.RawMessage(sumOutput), []mcp.Icon{icon}
	sum.Meta = mcp.Meta{"example.com/kind": json.RawMessage(`"arithmetic"`)}
	store := tool("keep_note", "Keeps a note.", `{"type":"object","properties":{"text":{"type":"string","description":"What to keep"}},"required":["text"]}`, says(mcp.Text{Text: "kept"}))
	store.Annotations = &mcp.ToolAnnotations{Destructive: true}
	return []server.Tool{
		sum,
		tool("ask_name", "Asks for a name.", nothing, askName),
		tool("ask_model", "Asks the client's model.", nothing, askModel),
		tool(Slow, "Counts to six, and takes its time.", nothing, countSlowly),
		tool("fail", "Always fails.", nothing, func(context.Context, *server.ToolCall) (*mcp.CallToolResult, error) {
			return mcp.ErrorResult("this never works"), nil
		}),
		store,
		tool("show", "Shows one of each kind of content.", nothing, says(
			mcp.Text{Text: "a picture, a sound and a note"}, mcp.Image{Data: pixel, MIMEType: "image/png"}, mcp.Audio{Data: pixel, MIMEType: "audio/wav"},
			mcp.EmbeddedResource{Contents: mcp.ResourceContents{URI: "memo://first", MIMEType: "text/plain", Text: first}},
		)),
		tool("weather", "Tells the weather of a region.", `{"type":"object","properties":{"region":{"type":"string","description":"Where","x-mcp-header":"Region"}},"required":["region"]}`, forecast),
	}
}

// forecast answers with where it was in a trace.
func forecast(context.Context, *server.ToolCall) (*mcp.CallToolResult, error) {
	fair := mcp.TextResult("fair")
	fair.Meta = mcp.Meta{"traceparent": json.RawMessage(`"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"`)}
	return fair, nil
}

// says makes a handler that always gives the same blocks.
func says(blocks ...mcp.Content) handler {
	return func(context.Context, *server.ToolCall) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: blocks}, nil
	}
}

func add(_ context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
	sum := 0.0
	for _, name := range []string{"first", "second"} {
		if term, ok := call.Arguments[name].(json.Number); ok {
			n, err := term.Float64()
			if err != nil {
				return nil, err
			}
			sum += n
		}
	}
	return &mcp.CallToolResult{Structured: map[string]any{"sum": sum}}, nil
}

var form = json.RawMessage(`{"type":"object","properties":{"name":{"type":"string","description":"Your name"}},"required":["name"]}`)

func askName(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
	return ask(ctx, call, mcp.ElicitForm("What is your name?", form))
}

func askModel(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
	return ask(ctx, call, mcp.CreateMessage(json.RawMessage(`{"messages":[{"role":"user","content":{"type":"text","text":"Say a word"}}],"maxTokens":10}`)))
}

// ask asks the client. If that is not possible, the core says so.
func ask(ctx context.Context, call *server.ToolCall, question mcp.InputRequest) (*mcp.CallToolResult, error) {
	if _, err := call.Ask(ctx, map[string]mcp.InputRequest{"question": question}); err != nil {
		return nil, err
	}
	return mcp.TextResult("thank you"), nil
}

// countSlowly reports how far it is.
func countSlowly(ctx context.Context, call *server.ToolCall) (*mcp.CallToolResult, error) {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for i := range 6 {
		call.Progress(ctx, float64(i), 6, "counting")
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return mcp.TextResult("six"), nil
}

const first = "The first memo."

var weight = 0.5

func resources() []server.Resource {
	memo := func(uri, name, kind, text string, blob []byte) server.Resource {
		size := len(text) + len(blob)
		return server.Resource{
			Resource: mcp.Resource{
				URI: uri, Name: name, Description: "A memo.", MIMEType: kind, Size: int64(size),
				Annotations: &mcp.Annotations{Audience: []string{"user"}, Priority: &weight, LastModified: "2025-11-25T00:00:00Z"},
			},
			Read: contents(kind, text, blob),
		}
	}
	return []server.Resource{
		memo("memo://first", "first", "text/plain", first, nil),
		memo("memo://picture", "picture", "image/png", "", pixel),
		memo("memo://second", "second", "text/markdown", "# The second memo", nil),
		memo("memo://third", "third", "text/plain", "The third memo.", nil),
	}
}

func contents(kind, text string, blob []byte) func(context.Context, *server.ReadCall) (*mcp.ReadResourceResult, error) {
	return func(_ context.Context, call *server.ReadCall) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{{URI: call.URI, MIMEType: kind, Text: text, Blob: blob}}}, nil
	}
}

func templates() []server.ResourceTemplate {
	return []server.ResourceTemplate{{
		ResourceTemplate: mcp.ResourceTemplate{URITemplate: "memo://by-day/{day}", Name: "by-day", Description: "The memo of a day.", MIMEType: "text/plain"},
		Read: func(_ context.Context, call *server.ReadCall) (*mcp.ReadResourceResult, error) {
			if _, err := time.Parse(time.DateOnly, call.Variables["day"]); err != nil {
				return nil, server.ErrNotFound
			}
			return contents("text/plain", "Nothing happened.", nil)(nil, call)
		},
	}}
}

func prompts() []server.Prompt {
	prompt := func(name, description string, arguments ...mcp.PromptArgument) server.Prompt {
		return server.Prompt{
			Prompt: mcp.Prompt{Name: name, Description: description, Arguments: arguments},
			Get: func(context.Context, *server.PromptCall) (*mcp.GetPromptResult, error) {
				return &mcp.GetPromptResult{Messages: []mcp.PromptMessage{{Role: "user", Content: mcp.Text{Text: description}}}}, nil
			},
		}
	}
	return []server.Prompt{
		prompt("explain", "Explain a memo.", mcp.PromptArgument{Name: "memo", Description: "Which one", Required: true}),
		prompt("greet", "Greet the user."),
		prompt("summarize", "Summarize all memos.", mcp.PromptArgument{Name: "length", Description: "How many words"}),
		prompt("translate", "Translate a memo.", mcp.PromptArgument{Name: "language", Description: "Into which language", Required: true}),
	}
}

func complete(context.Context, *server.CompleteCall) (*mcp.CompleteResult, error) {
	return &mcp.CompleteResult{Values: []string{"first", "second"}, Total: 2}, nil
}

// ToolsOnly is a healthy server that has nothing else, and uses nothing that is
// deprecated.
var ToolsOnly = Fault{Shape: func(o *server.Options) {
	asksModel := func(t server.Tool) bool { return t.Name == "ask_model" }
	*o = server.Options{Info: o.Info, Tools: slices.DeleteFunc(o.Tools, asksModel)}
}}

// ModernOnly is a healthy server without legacy revisions, LegacyOnly one
// without the modern one.
var (
	ModernOnly = Fault{Shape: func(o *server.Options) { o.Revisions = []*mcp.Revision{mcp.V20260728} }}
	LegacyOnly = Fault{Shape: func(o *server.Options) {
		o.Revisions = []*mcp.Revision{mcp.V20251125, mcp.V20250618, mcp.V20250326, mcp.V20241105}
	}}
)
