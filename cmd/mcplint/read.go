package main

import (
	"context"
	"strings"

	"mcpworks/internal/cmdline"
	"mcpworks/mcp/client"
)

const readHelp = `Reads a resource and prints it.

Usage: mcplint read [OPTIONS] URI TARGET [ARGUMENTS]

Examples:
  mcplint read file:///notes.md ./server.py
  mcplint read --output logo.png res://logo https://example.com/mcp
  mcplint read --format json res://logo https://example.com/mcp

Texts are printed, and what is no text is named in brackets. With --output the contents are written byte for byte.
` + targetHelp

func readVerb() verb {
	v := verb{Verb: cmdline.Verb{Name: "read", Help: readHelp, Target: true, Operands: []string{"URI"}}}
	v.run = func(ctx context.Context, c *call) ([]byte, error) {
		return v.talkTo(ctx, c, func(ctx context.Context, t *talk) ([]byte, error) {
			result, err := t.ReadResource(ctx, c.Operands[0])
			if err != nil {
				return nil, err
			}
			return c.contents(result), nil
		})
	}
	return v
}

// contents is what is printed of a resource. A file gets it as it is.
func (c *call) contents(result *client.ReadResult) []byte {
	if c.json() {
		return pretty(result.Raw)
	}
	var exact []byte
	var b strings.Builder
	for _, part := range result.Contents {
		if part.Blob == nil {
			exact = append(exact, part.Text...)
			b.WriteString(line(block(part.Text)))
		} else {
			exact = append(exact, part.Blob...)
			b.WriteString(line(media("binary", part.MIMEType, len(part.Blob))))
		}
	}
	if c.Has(optOutput) {
		return exact
	}
	return []byte(b.String())
}
