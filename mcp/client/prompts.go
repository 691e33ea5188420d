package client

import (
	"context"
	"encoding/json"
	"iter"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
)

// A Prompt is a definition as the server sent it.
type Prompt struct {
	mcp.Prompt
	Raw json.RawMessage
}

// A PromptResult is a prompt filled in.
type PromptResult struct {
	mcp.GetPromptResult
	Raw json.RawMessage
}

// ListPrompts walks the pages of the list of prompts.
func (s *Session) ListPrompts(ctx context.Context) iter.Seq2[*Page[Prompt], error] {
	return pages(ctx, s, listing[Prompt]{method: mcp.MethodListPrompts, member: "prompts", decode: decodePrompt})
}

// AllPrompts returns the whole list of prompts.
func (s *Session) AllPrompts(ctx context.Context) ([]Prompt, error) { return all(s.ListPrompts(ctx)) }

// GetPrompt fills in a prompt.
func (s *Session) GetPrompt(ctx context.Context, name string, arguments map[string]string) (*PromptResult, error) {
	o := rawjson.Begin(nil)
	o.String("name", name)
	if len(arguments) > 0 {
		appendStrings(&o, "arguments", arguments)
	}
	result, err := s.do(ctx, mcp.MethodGetPrompt, o.End())
	if err != nil {
		return nil, err
	}
	r := &PromptResult{Raw: result}
	r.Description = text(rawjson.Member(result, "description"))
	r.Meta = decodeMeta(rawjson.Member(result, "_meta"))
	for raw := range rawjson.Elements(rawjson.Member(result, "messages")) {
		r.Messages = append(r.Messages, mcp.PromptMessage{
			Role:    text(rawjson.Member(raw, "role")),
			Content: decodeContent(rawjson.Member(raw, "content")),
		})
	}
	return r, nil
}

// A Completion asks for values of an argument of a prompt, or of a variable of
// a resource template.
type Completion struct {
	Prompt   string // one of the two
	Template string
	Argument string
	Value    string            // what there is of it
	Others   map[string]string // arguments that are filled in; since 2025-06-18
}

// A CompleteResult is what a server suggests.
type CompleteResult struct {
	mcp.CompleteResult
	Raw json.RawMessage
}

// Complete asks a server to complete a value.
func (s *Session) Complete(ctx context.Context, c Completion) (*CompleteResult, error) {
	o := rawjson.Begin(nil)
	ref := rawjson.Begin(o.Name("ref"))
	if c.Template != "" {
		ref.String("type", "ref/resource")
		ref.String("uri", c.Template)
	} else {
		ref.String("type", "ref/prompt")
		ref.String("name", c.Prompt)
	}
	o.Set(ref.End())
	argument := rawjson.Begin(o.Name("argument"))
	argument.String("name", c.Argument)
	argument.String("value", c.Value)
	o.Set(argument.End())
	if len(c.Others) > 0 && s.Revision().Structured {
		others := rawjson.Begin(o.Name("context"))
		appendStrings(&others, "arguments", c.Others)
		o.Set(others.End())
	}
	result, err := s.do(ctx, mcp.MethodComplete, o.End())
	if err != nil {
		return nil, err
	}
	completion := rawjson.Member(result, "completion")
	total, _ := integer(rawjson.Member(completion, "total"))
	return &CompleteResult{
		CompleteResult: mcp.CompleteResult{
			Values:  texts(rawjson.Member(completion, "values")),
			Total:   int(total),
			HasMore: boolean(rawjson.Member(completion, "hasMore"), false),
		},
		Raw: result,
	}, nil
}

func decodePrompt(raw []byte) Prompt {
	p := Prompt{Raw: rawMessage(raw)}
	for name, value := range rawjson.Members(raw) {
		switch string(name) {
		case "name":
			p.Name = text(value)
		case "title":
			p.Title = text(value)
		case "description":
			p.Description = text(value)
		case "arguments":
			p.Arguments = decodeArguments(value)
		case "icons":
			p.Icons = decodeIcons(value)
		case "_meta":
			p.Meta = decodeMeta(value)
		}
	}
	return p
}

func decodeArguments(raw []byte) (all []mcp.PromptArgument) {
	for element := range rawjson.Elements(raw) {
		all = append(all, mcp.PromptArgument{
			Name:        text(rawjson.Member(element, "name")),
			Title:       text(rawjson.Member(element, "title")),
			Description: text(rawjson.Member(element, "description")),
			Required:    boolean(rawjson.Member(element, "required"), false),
		})
	}
	return all
}
