package main

import (
	"context"
	"fmt"
	"strings"

	"mcpworks/internal/cmdline"
	"mcpworks/internal/rawjson"
	"mcpworks/mcp/client"
)

const discoverHelp = `Prints what a server is: its name, the protocol and the transport it speaks, and what it offers.

Usage: mcplint discover [OPTIONS] TARGET [ARGUMENTS]

Examples:
  mcplint discover https://example.com/mcp
  mcplint discover --protocol legacy ./server.py
  mcplint discover --format json npx -y @modelcontextprotocol/server-everything

With --verbose it also says what was tried to get there.
` + targetHelp

func discoverVerb() verb {
	v := verb{Verb: cmdline.Verb{Name: "discover", Help: discoverHelp, Target: true}}
	v.run = func(ctx context.Context, c *call) ([]byte, error) { return v.talkTo(ctx, c, discover) }
	return v
}

func discover(_ context.Context, t *talk) ([]byte, error) {
	for _, attempt := range t.Attempts() {
		t.detail("tried: %s", tried(attempt))
	}
	if t.json() {
		return discovered(t), nil
	}
	era := "legacy"
	if t.Revision().Modern {
		era = "modern"
	}
	info := t.ServerInfo()
	var b strings.Builder
	for _, row := range [][2]string{
		{"server", located(info.Name, info.Version, info.Title)},
		{"protocol", t.Version() + " (" + era + ")"},
		{"transport", t.transport()},
		{"offers", strings.Join(offers(t.Capabilities()), ", ")},
	} {
		if row[1] == "" {
			row[1] = "-"
		}
		fmt.Fprintf(&b, "%-11s%s\n", row[0], oneLine(row[1]))
	}
	if t.Instructions() != "" {
		entry{"instructions", t.Instructions()}.appendTo(&b)
	}
	return []byte(b.String()), nil
}

// offers lists the capabilities with what is switched on in them.
func offers(capabilities client.Capabilities) (all []string) {
	for name, value := range rawjson.Members(capabilities.Raw) {
		var details []string
		for detail, on := range rawjson.Members(value) {
			if string(on) != "false" {
				details = append(details, string(detail))
			}
		}
		offer := string(name)
		if len(details) > 0 {
			offer += " (" + strings.Join(details, ", ") + ")"
		}
		all = append(all, offer)
	}
	return all
}

func tried(a client.Attempt) string {
	what := located(a.Way, a.Method)
	if a.Err != nil {
		return what + ": " + strings.TrimPrefix(a.Err.Error(), a.Method+": ")
	}
	return what + ": ok"
}

func discovered(t *talk) []byte {
	o := rawjson.Begin(nil)
	o.String("protocolVersion", t.Version())
	o.Bool("modern", t.Revision().Modern)
	o.String("transport", t.transport())
	if opening := t.Opening(); opening != nil {
		o.Raw("result", opening)
	}
	return pretty(o.End())
}
