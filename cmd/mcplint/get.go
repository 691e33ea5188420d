package main

import (
	"context"
	"errors"
	"strings"

	"mcpworks/internal/cmdline"
	"mcpworks/mcp/jsonrpc"
)

const getHelp = `Fills in a prompt and prints its messages.

Usage: mcplint get [OPTIONS] PROMPT TARGET [ARGUMENTS]

Examples:
  mcplint get --arg language=Go review ./server.py
  mcplint get --format json review https://example.com/mcp

      --arg NAME=VALUE       An argument of the prompt; repeatable
` + targetHelp

func getVerb() verb {
	v := verb{Verb: cmdline.Verb{
		Name: "get", Help: getHelp, Target: true, Operands: []string{"PROMPT"},
		Options: []cmdline.Option{{Name: optArg, Kind: cmdline.Path, Many: true}},
	}}
	v.run = func(ctx context.Context, c *call) ([]byte, error) {
		pairs, err := v.pairs(c.Arguments, optArg)
		if err != nil {
			return nil, err
		}
		return v.talkTo(ctx, c, func(ctx context.Context, t *talk) ([]byte, error) {
			return getPrompt(ctx, t, c.Operands[0], table(pairs))
		})
	}
	return v
}

func getPrompt(ctx context.Context, t *talk, name string, arguments map[string]string) ([]byte, error) {
	result, err := t.GetPrompt(ctx, name, arguments)
	if wire := new(jsonrpc.Error); errors.As(err, &wire) {
		return nil, t.unknownName(ctx, err, "prompt", name)
	}
	if err != nil {
		return nil, err
	}
	if t.json() {
		return pretty(result.Raw), nil
	}
	var b strings.Builder
	for _, message := range result.Messages {
		b.WriteString(oneLine(message.Role) + ": " + line(shown(message.Content)))
	}
	return []byte(b.String()), nil
}

func table(pairs [][2]string) map[string]string {
	values := map[string]string{}
	for _, pair := range pairs {
		values[pair[0]] = pair[1]
	}
	return values
}
