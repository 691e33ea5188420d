package server

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
)

// A Prompt is a definition with the code that fills it in.
type Prompt struct {
	mcp.Prompt
	// Get answers with the messages. Arguments are data: they must stand in
	// the text so that nobody can take them for instructions.
	Get func(context.Context, *PromptCall) (*mcp.GetPromptResult, error)
}

// A PromptCall is one use of a prompt. Arguments has all required ones and no
// unknown ones.
type PromptCall struct {
	*Request
	Arguments map[string]string
}

func (p *Prompt) key() string { return p.Name }

func (srv *Server) storePrompts(prompts []Prompt) error {
	items := make([]*Prompt, len(prompts))
	for i := range prompts {
		item := prompts[i]
		if item.Name == "" || item.Get == nil {
			return declared("prompt", item.Name, errors.New("needs a name and a Get function"))
		}
		items[i] = &item
	}
	c, err := newCatalog(srv, "prompt", "prompts", items, srv.opts.Revisions...)
	if err == nil {
		srv.prompts.Store(c)
	}
	return err
}

func (srv *Server) listPrompts(_ context.Context, r *Request) (mcp.Result, error) {
	return srv.prompts.Load().page(r)
}

func (srv *Server) getPrompt(ctx context.Context, r *Request) (mcp.Result, error) {
	name, ok := rawjson.String(r.params.name)
	if !ok {
		return nil, invalidParams("name must be a string")
	}
	prompt, ok := srv.prompts.Load().find(name)
	if !ok {
		return nil, invalidParams("Unknown prompt: " + shorten(name))
	}
	arguments, err := stringMembers(r.params.arguments, "arguments")
	if err != nil {
		return nil, err
	}
	if err := prompt.check(arguments); err != nil {
		return nil, err
	}
	if err := r.takeAnswers(); err != nil {
		return nil, err
	}
	result, err := prompt.Get(ctx, &PromptCall{r, arguments})
	if err != nil {
		return nil, err
	}
	for _, message := range result.Messages {
		if message.Role != "user" && message.Role != "assistant" {
			return nil, fmt.Errorf("prompt %s: a role is user or assistant, not %q", name, message.Role)
		}
	}
	return result, nil
}

// check holds the arguments of a call to the prompt's declaration.
func (p *Prompt) check(arguments map[string]string) error {
	known := map[string]bool{}
	for _, argument := range p.Arguments {
		known[argument.Name] = true
		if _, given := arguments[argument.Name]; argument.Required && !given {
			return invalidParams("missing argument: " + argument.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(arguments)) {
		if !known[name] {
			return invalidParams("unknown argument: " + shorten(name))
		}
	}
	return nil
}

// stringMembers reads an object whose members are all strings.
func stringMembers(raw []byte, what string) (map[string]string, error) {
	members := map[string]string{}
	switch rawjson.KindOf(raw) {
	case rawjson.Invalid, rawjson.Null, rawjson.Object:
	default:
		return nil, invalidParams(what + " must be an object")
	}
	for name, value := range rawjson.Members(raw) {
		text, ok := rawjson.String(value)
		if !ok {
			return nil, invalidParams("the values of " + what + " must be strings")
		}
		if _, twice := members[string(name)]; twice {
			return nil, invalidParams("the member " + shorten(string(name)) + " is there twice")
		}
		members[string(name)] = text
	}
	return members, nil
}

// member returns a string member of an object, empty if it has none.
func member(object []byte, name string) string {
	for key, value := range rawjson.Members(object) {
		if string(key) == name {
			text, _ := rawjson.String(value)
			return text
		}
	}
	return ""
}

// A CompleteCall asks for values that could stand where the user is typing.
type CompleteCall struct {
	*Request
	// Prompt is the prompt's name, or Template the resource template.
	Prompt, Template string
	// Argument is the name of what is being typed, Value what is there so far.
	Argument, Value string
	// Others are the arguments already chosen.
	Others map[string]string
}

func (srv *Server) complete(ctx context.Context, r *Request) (mcp.Result, error) {
	call := &CompleteCall{Request: r}
	if err := call.parse(srv); err != nil {
		return nil, err
	}
	result, err := srv.opts.Complete(ctx, call)
	if err != nil {
		return nil, err
	}
	return result, nil
}

func (c *CompleteCall) parse(srv *Server) error {
	known := false
	switch member(c.params.ref, "type") {
	case "ref/prompt":
		c.Prompt = member(c.params.ref, "name")
		_, known = srv.prompts.Load().find(c.Prompt)
	case "ref/resource":
		c.Template = member(c.params.ref, "uri")
		_, known = srv.templates.Load().find(c.Template)
		if !known {
			_, known = srv.resources.Load().find(c.Template)
		}
	default:
		return invalidParams("ref must be a ref/prompt or a ref/resource")
	}
	if !known {
		return invalidParams("ref names nothing that is here")
	}
	if c.Argument, c.Value = member(c.params.argument, "name"), member(c.params.argument, "value"); c.Argument == "" {
		return invalidParams("argument needs a name")
	}
	var err error
	for name, value := range rawjson.Members(c.params.context) {
		if string(name) == "arguments" {
			if c.Others, err = stringMembers(value, "context.arguments"); err != nil {
				return err
			}
		}
	}
	return nil
}
