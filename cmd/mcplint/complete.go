package main

import (
	"context"
	"strings"

	"mcpworks/internal/cmdline"
	"mcpworks/internal/rawjson"
	"mcpworks/mcp/client"
)

const completeHelp = `Asks a server to complete the value of an argument, and prints what it suggests.

Usage: mcplint complete --prompt NAME|--template URI [OPTIONS] ARGUMENT=BEGINNING TARGET [ARGUMENTS]

Examples:
  mcplint complete --prompt review language=p ./server.py
  mcplint complete --template 'repo://{owner}/{name}' --arg owner=ada name= https://example.com/mcp

      --prompt NAME          The prompt that the argument is of
      --template URI         The resource template that the variable is of
      --arg NAME=VALUE       Another argument, which is filled in already; repeatable
` + targetHelp

func completeVerb() verb {
	v := verb{Verb: cmdline.Verb{
		Name: "complete", Help: completeHelp, Target: true, Operands: []string{"ARGUMENT=BEGINNING"},
		Options: []cmdline.Option{{Name: optPrompt, Kind: cmdline.Path}, {Name: optTemplate, Kind: cmdline.Path}, {Name: optArg, Kind: cmdline.Path, Many: true}},
	}}
	v.run = func(ctx context.Context, c *call) ([]byte, error) {
		others, err := v.pairs(c.Arguments, optArg)
		if err != nil {
			return nil, err
		}
		name, beginning, ok := strings.Cut(c.Operands[0], "=")
		switch {
		case !ok || name == "":
			return nil, v.usage("the argument must be ARGUMENT=BEGINNING, not %q", c.Operands[0])
		case c.Has(optPrompt) == c.Has(optTemplate):
			return nil, v.usage("one of %s and %s is needed", optPrompt, optTemplate)
		}
		return v.talkTo(ctx, c, func(ctx context.Context, t *talk) ([]byte, error) {
			return completed(ctx, t, client.Completion{
				Prompt: c.Value(optPrompt), Template: c.Value(optTemplate), Argument: name, Value: beginning, Others: table(others),
			})
		})
	}
	return v
}

func completed(ctx context.Context, t *talk, wanted client.Completion) ([]byte, error) {
	result, err := t.Complete(ctx, wanted)
	if err != nil {
		return nil, err
	}
	if t.json() {
		o := rawjson.Begin(nil)
		o.Strings("values", result.Values)
		if result.Total > 0 {
			o.Int("total", int64(result.Total))
		}
		o.Bool("hasMore", result.HasMore)
		return pretty(o.End()), nil
	}
	var b strings.Builder
	for _, value := range result.Values {
		b.WriteString(line(oneLine(value)))
	}
	if result.HasMore {
		t.notice("the server has more values")
	}
	return []byte(b.String()), nil
}
