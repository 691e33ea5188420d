package main

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"mcpworks/internal/cmdline"
	"mcpworks/internal/rawjson"
	"mcpworks/mcp/client"
)

// listed is a list verb: what it asks for, and how one item is shown.
type listed[T any] struct {
	member string
	pages  func(*client.Session, context.Context) iter.Seq2[*client.Page[T], error]
	show   func(*T) entry
	bill   *bill // nil unless one is asked for
}

// An entry is an item of a list as text: a line, and further lines below it.
type entry struct{ head, body string }

// list prints all items of all pages.
func list[T any](ctx context.Context, v verb, c *call, l listed[T]) ([]byte, error) {
	return v.talkTo(ctx, c, func(ctx context.Context, t *talk) ([]byte, error) {
		var raw []json.RawMessage
		var shown strings.Builder
		for page, err := range l.pages(t.Session, ctx) {
			if err != nil {
				return nil, err
			}
			for item := range rawjson.Elements(rawjson.Member(page.Raw, l.member)) {
				raw = append(raw, item)
			}
			for i := range page.Items {
				l.show(&page.Items[i]).appendTo(&shown)
			}
			for _, dropped := range page.Dropped {
				name, _ := rawjson.String(rawjson.Member(dropped.Raw, "name"))
				c.notice("%s cannot be used: %s", name, dropped.Reason)
			}
		}
		if c.json() {
			return prettyList(l.member, raw, l.bill), nil
		}
		if shown.Len() == 0 {
			c.notice("the list is empty")
		}
		if l.bill != nil {
			shown.WriteString(l.bill.sum())
		}
		return []byte(shown.String()), nil
	})
}

// prettyList writes raw items as a server does that has one page, and below
// them the bill, if there is one.
func prettyList(member string, items []json.RawMessage, bill *bill) []byte {
	o := rawjson.Begin(nil)
	text := append(o.Name(member), '[')
	for i, item := range items {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, item...)
	}
	o.Set(append(text, ']'))
	if bill != nil {
		bill.appendTo(&o)
	}
	return pretty(o.End())
}

func (e entry) appendTo(b *strings.Builder) {
	fmt.Fprintln(b, oneLine(e.head))
	for line := range strings.Lines(strings.TrimSpace(block(e.body))) {
		fmt.Fprintln(b, strings.TrimRight("    "+strings.TrimRight(line, "\n"), " \t"))
	}
}

const toolsHelp = `Lists the tools of a server: what each is called with, and its description.

Usage: mcplint tools [OPTIONS] TARGET [ARGUMENTS]

Examples:
  mcplint tools npx -y @modelcontextprotocol/server-everything
  mcplint tools ./server.py --root data
  mcplint tools --format json https://example.com/mcp > tools.json

A tool is shown as name(required:type, [optional:type]).

      --tokens               Estimate what each tool costs a model, and all of them: a token is about 3.6 bytes
` + targetHelp

func toolsVerb() verb {
	v := verb{Verb: cmdline.Verb{Name: "tools", Help: toolsHelp, Target: true, Options: []cmdline.Option{{Name: optTokens}}}}
	v.run = func(ctx context.Context, c *call) ([]byte, error) {
		l := listed[client.Tool]{member: "tools", pages: (*client.Session).ListTools}
		if c.Has(optTokens) {
			l.bill = new(bill)
		}
		l.show = func(tool *client.Tool) entry {
			head := tool.Name + signature(tool.InputSchema)
			if l.bill != nil {
				head += fmt.Sprintf("  about %d tokens", l.bill.add(tool))
			}
			return entry{head, tool.Description}
		}
		return list(ctx, v, c, l)
	}
	return v
}

const resourcesHelp = `Lists the resources of a server.

Usage: mcplint resources [OPTIONS] TARGET [ARGUMENTS]

Examples:
  mcplint resources ./server.py
  mcplint resources --format json https://example.com/mcp

A resource is shown as its URI, its name, and where the server says so its type and size. mcplint read prints one.
` + targetHelp

func resourcesVerb() verb {
	v := verb{Verb: cmdline.Verb{Name: "resources", Help: resourcesHelp, Target: true}}
	v.run = func(ctx context.Context, c *call) ([]byte, error) {
		return list(ctx, v, c, listed[client.Resource]{
			member: "resources",
			pages:  (*client.Session).ListResources,
			show: func(r *client.Resource) entry {
				size := ""
				if r.Size > 0 {
					size = strconv.FormatInt(r.Size, 10) + " bytes"
				}
				return entry{located(r.URI, r.Name, r.MIMEType, size), r.Description}
			},
		})
	}
	return v
}

const templatesHelp = `Lists the resource templates of a server: URIs with variables to fill in.

Usage: mcplint templates [OPTIONS] TARGET [ARGUMENTS]

Examples:
  mcplint templates ./server.py
  mcplint templates --format json https://example.com/mcp

mcplint complete --template asks for values of a variable, mcplint read reads what a filled in URI names.
` + targetHelp

func templatesVerb() verb {
	v := verb{Verb: cmdline.Verb{Name: "templates", Help: templatesHelp, Target: true}}
	v.run = func(ctx context.Context, c *call) ([]byte, error) {
		return list(ctx, v, c, listed[client.ResourceTemplate]{
			member: "resourceTemplates",
			pages:  (*client.Session).ListResourceTemplates,
			show: func(r *client.ResourceTemplate) entry {
				return entry{located(r.URITemplate, r.Name, r.MIMEType, ""), r.Description}
			},
		})
	}
	return v
}

// located joins what is known of a resource.
func located(parts ...string) string {
	var known []string
	for _, part := range parts {
		if part != "" {
			known = append(known, part)
		}
	}
	return strings.Join(known, "  ")
}

const promptsHelp = `Lists the prompts of a server.

Usage: mcplint prompts [OPTIONS] TARGET [ARGUMENTS]

Examples:
  mcplint prompts ./server.py
  mcplint prompts --format json https://example.com/mcp

A prompt is shown as name(required, [optional]). mcplint get fills one in.
` + targetHelp

func promptsVerb() verb {
	v := verb{Verb: cmdline.Verb{Name: "prompts", Help: promptsHelp, Target: true}}
	v.run = func(ctx context.Context, c *call) ([]byte, error) {
		return list(ctx, v, c, listed[client.Prompt]{
			member: "prompts",
			pages:  (*client.Session).ListPrompts,
			show: func(p *client.Prompt) entry {
				var required, optional []string
				for _, argument := range p.Arguments {
					if argument.Required {
						required = append(required, argument.Name)
					} else {
						optional = append(optional, "["+argument.Name+"]")
					}
				}
				return entry{p.Name + "(" + strings.Join(append(required, optional...), ", ") + ")", p.Description}
			},
		})
	}
	return v
}
