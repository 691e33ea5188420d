package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"mcpworks/internal/cmdline"
	"mcpworks/internal/jsonschema"
	"mcpworks/internal/nearest"
	"mcpworks/internal/rawjson"
	"mcpworks/mcp"
	"mcpworks/mcp/client"
	"mcpworks/mcp/jsonrpc"
)

const callHelp = `Calls a tool and prints what it says.

Usage: mcplint call [OPTIONS] TOOL TARGET [ARGUMENTS]

Examples:
  mcplint call --arg a=2 --arg b=3 add npx -y @modelcontextprotocol/server-everything
  mcplint call --args '{"filter":{"state":"open"}}' search https://example.com/mcp
  mcplint call --args-file query.json --format json search https://example.com/mcp
  mcplint call --arg id=7 --expect-match structuredContent.user.name=Ada get_user ./server.py
  mcplint call --expect-error --arg path=/etc/passwd read_file ./server.py

The arguments come from one of --args, --args-file and --arg. The values of --arg are converted by the tool's input
schema: a number where it wants a number, JSON where it wants an array or an object, a string where it allows one.

Texts are printed as they are, other content in brackets; --format json prints the whole result.

      --args JSON            The arguments, a JSON object
      --args-file FILE       The same from a file; - is standard input
      --arg NAME=VALUE       One argument; repeatable
      --meta NAME=VALUE      A string to send in _meta; repeatable
      --expect-error         Success is that the tool, or the server, reports an error
      --expect-match PATH=VALUE
                             Success is also that the result has this value there; repeatable. A path is like
                             content[0].text or structuredContent.items[2]["first name"]
      --schema-check         Success is also that the structured content fits the tool's output schema
` + targetHelp

func callVerb() verb {
	v := verb{Verb: cmdline.Verb{
		Name: "call", Help: callHelp, Target: true, Operands: []string{"TOOL"},
		Options: []cmdline.Option{
			{Name: optArgs, Kind: cmdline.Path}, {Name: optArgsFile, Kind: cmdline.Path}, {Name: optArg, Kind: cmdline.Path, Many: true},
			{Name: optMeta, Kind: cmdline.Path, Many: true}, {Name: optExpectError}, {Name: optExpectMatch, Kind: cmdline.Path, Many: true},
			{Name: optSchemaCheck},
		},
	}}
	v.run = func(ctx context.Context, c *call) ([]byte, error) { return v.callTool(ctx, c) }
	return v
}

// A toolCall is what the command line says about a call.
type toolCall struct {
	name      string
	arguments json.RawMessage // nil if they depend on the schema
	pairs     [][2]string
	meta      mcp.Meta
	matches   []match
}

func (v verb) callTool(ctx context.Context, c *call) ([]byte, error) {
	want, err := v.toolCall(c)
	if err != nil {
		return nil, err
	}
	return v.talkTo(ctx, c, func(ctx context.Context, t *talk) ([]byte, error) {
		var tool *client.Tool
		if len(want.pairs) > 0 || c.Has(optSchemaCheck) {
			if tool, err = t.tool(ctx, want.name); err != nil {
				return nil, err
			}
		}
		if want.arguments == nil {
			if want.arguments, err = convertAll(c, tool, want.pairs); err != nil {
				return nil, err
			}
		}
		per := client.CallOptions{Meta: want.meta, Progress: t.progress}
		result, err := t.With(per).CallTool(ctx, want.name, want.arguments)
		var wire *jsonrpc.Error
		switch {
		case errors.As(err, &wire) && c.Has(optExpectError):
			return errorResult(c, wire), nil
		case errors.As(err, &wire):
			return nil, t.unknownName(ctx, err, "tool", want.name)
		case err != nil:
			return nil, err
		}
		if result.IsError && !c.Has(optExpectError) { // many servers say so of a tool that they do not have
			err = t.unknownName(ctx, nil, "tool", want.name)
		}
		if err == nil {
			err = judge(c, want, tool, result)
		}
		return c.toolResult(result), err
	})
}

// toolCall reads everything that does not need the server.
func (v verb) toolCall(c *call) (want toolCall, err error) {
	want.name = c.Operands[0]
	if isServer(want.name) {
		return want, cmdline.Mistaken(
			fmt.Sprintf("%q is a server, and the name of a tool stands before it", want.name), "mcplint call TOOL "+want.name)
	}
	given := 0
	for _, name := range []string{optArgs, optArgsFile, optArg} {
		if c.Has(name) {
			given++
		}
	}
	if given > 1 {
		return want, v.usage("%s, %s and %s exclude each other", optArgs, optArgsFile, optArg)
	}
	if want.pairs, err = v.pairs(c.Arguments, optArg); err != nil {
		return want, err
	}
	meta, err := v.pairs(c.Arguments, optMeta)
	if err != nil {
		return want, err
	}
	for _, pair := range meta {
		if want.meta == nil {
			want.meta = mcp.Meta{}
		}
		want.meta[pair[0]] = rawjson.AppendString(nil, pair[1])
	}
	for _, expected := range c.Values[optExpectMatch] {
		m, err := parseMatch(expected)
		if err != nil {
			return want, v.usage("the value of %s %v", optExpectMatch, err)
		}
		want.matches = append(want.matches, m)
	}
	if len(want.pairs) == 0 {
		want.arguments, err = v.wholeArguments(c)
	}
	return want, err
}

// isServer says whether a word can only be meant as a target.
func isServer(word string) bool {
	info, err := os.Stat(word)
	isFile := err == nil && info.Mode().IsRegular()
	return webAddress.MatchString(word) || isFile && (strings.ContainsRune(word, filepath.Separator) || interpreters[filepath.Ext(word)] != nil)
}

// wholeArguments are those of --args or --args-file.
func (v verb) wholeArguments(c *call) (json.RawMessage, error) {
	source, text := optArgs, []byte(c.Value(optArgs))
	if name := c.Value(optArgsFile); name != "" {
		var err error
		if name == "-" {
			text, err = readInput(optArgsFile, name, c.stdin)
		} else {
			text, err = readFile(optArgsFile, name)
		}
		if err != nil {
			return nil, err
		}
		source = optArgsFile
	} else if len(text) == 0 {
		return json.RawMessage(`{}`), nil
	}
	if err := rawjson.Check(text, rawjson.Limits{Depth: maxNesting}); err != nil {
		return nil, v.usage("the value of %s is not JSON: %v", source, err)
	}
	if rawjson.KindOf(text) != rawjson.Object {
		return nil, v.usage("the value of %s must be a JSON object", source)
	}
	return rawjson.Compact(nil, text), nil
}

// tool finds the definition of a tool.
func (t *talk) tool(ctx context.Context, name string) (*client.Tool, error) {
	tools, err := t.AllTools(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for i := range tools {
		if tools[i].Name == name {
			return &tools[i], nil
		}
		names = append(names, tools[i].Name)
	}
	return nil, absent("tool", name, names)
}

func absent(what, name string, names []string) error {
	hint := fmt.Sprintf("mcplint %ss lists those it has", what)
	if near, ok := nearest.Name(name, names); ok {
		hint = "did you mean " + near + "?"
	}
	return refused(fmt.Sprintf("the server has no %s %q", what, name), hint)
}

// unknownName explains an error answer by a name that does not exist, if that is
// what it is.
func (t *talk) unknownName(ctx context.Context, err error, what, name string) error {
	var names []string
	switch what {
	case "tool":
		tools, _ := t.AllTools(ctx)
		for i := range tools {
			names = append(names, tools[i].Name)
		}
	case "prompt":
		prompts, _ := t.AllPrompts(ctx)
		for i := range prompts {
			names = append(names, prompts[i].Name)
		}
	}
	for _, known := range names {
		if known == name {
			return err
		}
	}
	if len(names) == 0 {
		return err
	}
	return absent(what, name, names)
}

// convertAll makes the arguments of --arg, in the order they were given.
func convertAll(c *call, tool *client.Tool, pairs [][2]string) (json.RawMessage, error) {
	properties := rawjson.Member(tool.InputSchema, "properties")
	closed := string(rawjson.Member(tool.InputSchema, "additionalProperties")) == "false"
	o := rawjson.Begin(nil)
	for _, pair := range pairs {
		name, value := pair[0], pair[1]
		property := rawjson.Member(properties, name)
		if property == nil {
			var names []string
			for known := range rawjson.Members(properties) {
				names = append(names, string(known))
			}
			hint := "it is called as " + tool.Name + signature(tool.InputSchema)
			if near, ok := nearest.Name(name, names); ok {
				hint = "did you mean " + near + "?"
			}
			if closed {
				return nil, cmdline.Mistaken(fmt.Sprintf("%s has no argument %q", tool.Name, name), hint)
			}
			c.notice("the schema of %s does not name %q, which is sent as a string", tool.Name, name)
		}
		raw, err := convert(tool.InputSchema, property, value)
		if err != nil {
			return nil, cmdline.Mistaken(fmt.Sprintf("%s %s: %v", optArg, name, err), "it is called as "+tool.Name+signature(tool.InputSchema))
		}
		o.Raw(name, raw)
	}
	return o.End(), nil
}

func (t *talk) progress(p client.Progress) {
	if p.Total > 0 {
		t.detail("progress: %v of %v %s", p.Progress, p.Total, p.Message)
	} else {
		t.detail("progress: %v %s", p.Progress, p.Message)
	}
}

// toolResult is what is printed of a result.
func (c *call) toolResult(result *client.ToolResult) []byte {
	if c.json() {
		return pretty(result.Raw)
	}
	structured, _ := result.Structured.(json.RawMessage)
	if len(result.Content) == 0 && structured != nil {
		return pretty(structured)
	}
	var b strings.Builder
	for _, content := range result.Content {
		b.WriteString(line(shown(content)))
	}
	return []byte(b.String())
}

// errorResult is what is printed of an error that was expected.
func errorResult(c *call, wire *jsonrpc.Error) []byte {
	if !c.json() {
		return []byte(line(block(wire.Error())))
	}
	o := rawjson.Begin(nil)
	o.Set(wire.AppendJSON(o.Name("error")))
	return pretty(o.End())
}

// judge says whether a result is what was expected.
func judge(c *call, want toolCall, tool *client.Tool, result *client.ToolResult) error {
	switch {
	case result.IsError && !c.Has(optExpectError):
		return refused(fmt.Sprintf("the tool %s reports an error", want.name), "")
	case !result.IsError && c.Has(optExpectError):
		return refused(fmt.Sprintf("the tool %s was expected to report an error, and did not", want.name), "")
	}
	for _, m := range want.matches {
		if err := m.check(result.Raw); err != nil {
			return refused(err.Error(), "")
		}
	}
	if c.Has(optSchemaCheck) && !result.IsError {
		return checkSchema(tool, result)
	}
	return nil
}

// checkSchema holds the structured content to the tool's own output schema.
func checkSchema(tool *client.Tool, result *client.ToolResult) error {
	if tool.OutputSchema == nil {
		return refused(fmt.Sprintf("%s: %s has no output schema", optSchemaCheck, tool.Name), "")
	}
	schema, err := jsonschema.Compile(tool.OutputSchema)
	if err != nil {
		return refused(fmt.Sprintf("%s: the output schema of %s cannot be used: %v", optSchemaCheck, tool.Name, err), "")
	}
	structured, _ := result.Structured.(json.RawMessage)
	if structured == nil {
		return refused(fmt.Sprintf("%s: the result of %s has no structured content", optSchemaCheck, tool.Name), "")
	}
	value, err := rawjson.Decode(structured)
	if err != nil {
		return refused(fmt.Sprintf("%s: %v", optSchemaCheck, err), "")
	}
	violations := schema.Validate(value)
	if len(violations) == 0 {
		return nil
	}
	f := &failure{exit: exitNo, err: fmt.Errorf("the structured content of %s does not fit its output schema", tool.Name)}
	for _, violation := range violations {
		where := violation.Path
		if where == "" {
			where = "/"
		}
		f.lines = append(f.lines, where+" "+violation.Message)
	}
	return f
}
