package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"mcpworks/mcp"
	"mcpworks/mcp/server"
	"mcpworks/mcp/transport/stdio"
)

// wireOptions are the options line of a transcript.
type wireOptions struct {
	server    server.Options
	stdio     stdio.Options
	deaf      bool
	tools     []string // empty means all
	resources []string // likewise
}

// parseWireOptions reads words like pagesize=2.
func parseWireOptions(text string) (o wireOptions, err error) {
	o.server = server.Options{
		Logging: true, ListChanged: true, Subscribe: true,
		Complete: complete,
		Limits:   server.Limits{},
	}
	numbers := map[string]*int{
		"pagesize": &o.server.PageSize, "depth": &o.server.Limits.Depth, "strings": &o.server.Limits.StringBytes,
		"calls": &o.server.Limits.Calls, "waiting": &o.server.Limits.Waiting, "batch": &o.server.Limits.Batch,
		"waitingbytes": &o.server.Limits.WaitingBytes, "subscriptions": &o.server.Limits.Subscriptions, "uris": &o.server.Limits.URIs,
		"maxmessage": &o.stdio.MaxMessage, "maxunsent": &o.stdio.MaxUnsent,
	}
	without := ""
	for word := range strings.FieldsSeq(text) {
		name, value, _ := strings.Cut(word, "=")
		if number := numbers[name]; number != nil {
			if *number, err = strconv.Atoi(value); err != nil {
				return o, err
			}
			continue
		}
		switch name {
		case "serve":
			o.server.Revisions, err = parseRevisions(strings.ReplaceAll(value, ",", " "))
		case "drain":
			o.server.Drain, err = time.ParseDuration(value)
		case "tools":
			o.tools = strings.Split(value, ",")
		case "resources":
			o.resources = strings.Split(value, ",")
		case "without":
			without += "," + value
		case "keeporder":
			o.server.KeepOrder = true
		case "instructions":
			o.server.Instructions = strings.ReplaceAll(value, "_", " ")
		case "cache":
			ttl, isPublic := strings.CutPrefix(value, "public:")
			o.server.Cache.Public = isPublic
			o.server.Cache.TTLMillis, err = strconv.ParseInt(ttl, 10, 64)
		case "deaf":
			o.deaf = true
		default:
			err = fmt.Errorf("unknown option %s", word)
		}
		if err != nil {
			return o, err
		}
	}
	o.leaveOut(strings.Split(without, ","))
	return o, nil
}

// noneOf in a list of names leaves out the whole list.
const noneOf = "-"

func (o *wireOptions) leaveOut(features []string) {
	for _, feature := range features {
		switch feature {
		case "tools":
			o.tools = []string{noneOf}
		case "resources":
			o.resources = []string{noneOf}
		case "prompts":
			o.server.Prompts = []server.Prompt{}
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
}

// A fixture is the one server all transcripts talk to.
type fixture struct {
	srv   *server.Server
	tools []server.Tool

	mu      sync.Mutex
	now     time.Time
	extra   bool            // the lists have one more entry
	hold    chan struct{}   // what hold waits for; release closes it
	blocked chan struct{}   // closed when a call of block has returned
	earlier *server.Request // of a progress call that is over
}

func newFixture(o wireOptions) (*fixture, error) {
	f := &fixture{
		now:     time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC),
		hold:    make(chan struct{}),
		blocked: make(chan struct{}),
	}
	opts := o.server
	opts.Info = mcp.Implementation{Name: "wire", Version: "1.0"}
	opts.StateKey = []byte("a key that is the same in every run")
	opts.Now = f.clock
	for _, tool := range f.allTools() {
		if len(o.tools) == 0 || slices.Contains(o.tools, tool.Name) {
			f.tools = append(f.tools, tool)
		}
	}
	opts.Tools = f.tools
	for _, resource := range allResources() {
		if len(o.resources) == 0 || slices.Contains(o.resources, resource.Name) {
			opts.Resources = append(opts.Resources, resource)
		}
	}
	if !slices.Contains(o.resources, noneOf) {
		opts.Templates = allTemplates()
	}
	if opts.Prompts == nil {
		opts.Prompts = allPrompts()
	}
	var err error
	f.srv, err = server.New(opts)
	return f, err
}

func (f *fixture) clock() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now
}

func (f *fixture) advance(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now = f.now.Add(d)
}

// change adds an entry to a list, or takes it away again.
func (f *fixture) change(list string) error {
	f.mu.Lock()
	f.extra = !f.extra
	extra := f.extra
	f.mu.Unlock()
	switch list {
	case "tools":
		tools := slices.Clone(f.tools)
		if extra {
			tools = append(tools, server.Tool{
				Tool:    mcp.Tool{Name: "extra", Description: "Comes and goes.", InputSchema: json.RawMessage(`{"type":"object"}`)},
				Handler: echo,
			})
		}
		return f.srv.SetTools(tools...)
	case "prompts":
		return f.srv.SetPrompts(allPrompts()...)
	case "resources":
		return f.srv.SetResources(allResources()...)
	}
	return fmt.Errorf("no list %s", list)
}

// picture and sound are short stand-ins for media.
var picture, sound = []byte("\x89PNG"), []byte("RIFF")

func priority(p float64) *float64 { return &p }

func allResources() []server.Resource {
	read := func(contents ...mcp.ResourceContents) func(context.Context, *server.ReadCall) (*mcp.ReadResourceResult, error) {
		return func(context.Context, *server.ReadCall) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: contents}, nil
		}
	}
	resource := func(name, mimeType string, read func(context.Context, *server.ReadCall) (*mcp.ReadResourceResult, error)) server.Resource {
		return server.Resource{
			Resource: mcp.Resource{URI: "test://" + name, Name: name, Description: "The resource " + name + ".", MIMEType: mimeType},
			Read:     read,
		}
	}
	text := resource("text", "text/plain", read(mcp.ResourceContents{URI: "test://text", MIMEType: "text/plain", Text: "hello"}))
	text.Title, text.Size = "Text", 5
	text.Annotations = &mcp.Annotations{Audience: []string{"user"}, Priority: priority(0.5), LastModified: "2030-01-01T00:00:00Z"}
	return []server.Resource{
		text,
		resource("blob", "image/png", read(mcp.ResourceContents{URI: "test://blob", MIMEType: "image/png", Blob: picture})),
		resource("folder", "", read(
			mcp.ResourceContents{URI: "test://folder/a", MIMEType: "text/plain", Text: "a"},
			mcp.ResourceContents{URI: "test://folder/b", MIMEType: "text/plain", Text: ""},
		)),
		resource("empty", "", read()),
		resource("gone", "", func(context.Context, *server.ReadCall) (*mcp.ReadResourceResult, error) {
			return nil, fmt.Errorf("stat: %w", server.ErrNotFound)
		}),
		resource("cached", "", func(context.Context, *server.ReadCall) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{
				Contents: []mcp.ResourceContents{{URI: "test://cached", Text: "the same for all"}},
				Cache:    &mcp.Cache{TTLMillis: 5000, Public: true},
			}, nil
		}),
		resource("broken", "", func(context.Context, *server.ReadCall) (*mcp.ReadResourceResult, error) {
			return nil, fmt.Errorf("open /usr/lib/secret: permission denied")
		}),
		resource("refused", "", func(context.Context, *server.ReadCall) (*mcp.ReadResourceResult, error) {
			return nil, &server.Failure{Text: "not today", Cause: fmt.Errorf("token 123 expired")}
		}),
		resource("nothing", "", func(context.Context, *server.ReadCall) (*mcp.ReadResourceResult, error) { return nil, nil }),
		resource("question", "", func(ctx context.Context, call *server.ReadCall) (*mcp.ReadResourceResult, error) {
			answers, err := call.Ask(ctx, map[string]mcp.InputRequest{"name": nameForm})
			if err != nil {
				return nil, err
			}
			return &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{{URI: call.URI, Text: elicited(answers["name"], "name")}}}, nil
		}),
	}
}

func allTemplates() []server.ResourceTemplate {
	read := func(variable string) func(context.Context, *server.ReadCall) (*mcp.ReadResourceResult, error) {
		return func(_ context.Context, call *server.ReadCall) (*mcp.ReadResourceResult, error) {
			if call.Variables[variable] == "none" {
				return nil, server.ErrNotFound
			}
			text := variable + "=" + call.Variables[variable]
			return &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{{URI: call.URI, MIMEType: "text/plain", Text: text}}}, nil
		}
	}
	return []server.ResourceTemplate{
		{ResourceTemplate: mcp.ResourceTemplate{URITemplate: "test://item/{id}", Name: "item", Description: "An item.", MIMEType: "text/plain"}, Read: read("id")},
		{ResourceTemplate: mcp.ResourceTemplate{URITemplate: "test://file/{+path}", Name: "file", Title: "File", Description: "A file."}, Read: read("path")},
	}
}

func allPrompts() []server.Prompt {
	say := func(text string) []mcp.PromptMessage {
		return []mcp.PromptMessage{{Role: "user", Content: mcp.Text{Text: text}}}
	}
	return []server.Prompt{
		{
			Prompt: mcp.Prompt{Name: "plain", Title: "Plain", Description: "Says hello."},
			Get: func(context.Context, *server.PromptCall) (*mcp.GetPromptResult, error) {
				return &mcp.GetPromptResult{Description: "Says hello.", Messages: say("hello")}, nil
			},
		},
		{
			Prompt: mcp.Prompt{Name: "greet", Description: "Greets somebody.", Arguments: []mcp.PromptArgument{
				{Name: "name", Title: "Name", Description: "Who.", Required: true}, {Name: "style"},
			}},
			Get: func(_ context.Context, call *server.PromptCall) (*mcp.GetPromptResult, error) {
				return &mcp.GetPromptResult{Messages: say(fmt.Sprintf("greet %q, style %q", call.Arguments["name"], call.Arguments["style"]))}, nil
			},
		},
		{
			Prompt: mcp.Prompt{Name: "media", Description: "One message of each kind."},
			Get: func(context.Context, *server.PromptCall) (*mcp.GetPromptResult, error) {
				var messages []mcp.PromptMessage
				for _, block := range allContent() {
					messages = append(messages, mcp.PromptMessage{Role: "assistant", Content: block})
				}
				return &mcp.GetPromptResult{Messages: messages}, nil
			},
		},
		{
			Prompt: mcp.Prompt{Name: "question", Description: "Asks back.", Arguments: []mcp.PromptArgument{{Name: "topic"}}},
			Get: func(ctx context.Context, call *server.PromptCall) (*mcp.GetPromptResult, error) {
				answers, err := call.Ask(ctx, map[string]mcp.InputRequest{"name": nameForm})
				if err != nil {
					return nil, err
				}
				return &mcp.GetPromptResult{Messages: say(elicited(answers["name"], "name"))}, nil
			},
		},
		{
			Prompt: mcp.Prompt{Name: "nothing", Description: "Has nothing to say."},
			Get:    func(context.Context, *server.PromptCall) (*mcp.GetPromptResult, error) { return nil, nil },
		},
		{
			Prompt: mcp.Prompt{Name: "broken", Description: "Fails."},
			Get: func(context.Context, *server.PromptCall) (*mcp.GetPromptResult, error) {
				return nil, fmt.Errorf("open /usr/lib/secret: permission denied")
			},
		},
	}
}

// complete knows 150 names, one style for each name, and fails for styles of
// nobody.
func complete(_ context.Context, call *server.CompleteCall) (*mcp.CompleteResult, error) {
	switch {
	case call.Argument == "style" && call.Others["name"] == "nobody":
		return nil, fmt.Errorf("open /usr/lib/secret: permission denied")
	case call.Argument == "style":
		return &mcp.CompleteResult{Values: []string{"as " + call.Others["name"]}}, nil
	case call.Argument == "none":
		return &mcp.CompleteResult{}, nil
	case call.Template != "":
		return &mcp.CompleteResult{Values: []string{call.Template + " " + call.Argument + " " + call.Value}, Total: 1}, nil
	}
	var values []string
	for i := range 150 {
		if name := fmt.Sprintf("n%03d", i); strings.HasPrefix(name, call.Value) {
			values = append(values, name)
		}
	}
	return &mcp.CompleteResult{Values: values, Total: len(values)}, nil
}
