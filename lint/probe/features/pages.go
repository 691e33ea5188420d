package features

import (
	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

var lists = []string{mcp.MethodListTools, mcp.MethodListResources, mcp.MethodListResourceTemplates, mcp.MethodListPrompts}

// turnPages asks for every list that the main talk has read with a cursor that
// nobody gave, and for those in pages twice with one that the server gave.
func (p *script) turnPages() {
	for _, method := range lists {
		first := p.main.Step(step.List, method)
		if first == nil || first.Answer() == nil || !first.Answer().HasResult() {
			continue
		}
		p.Ask(step.ListMadeUp, method, method, object("cursor", "mcplint-made-up"))
		if _, more := lint.Text(lint.Member(first.Answer().Result, "nextCursor")); more {
			p.turnTwice(method)
		}
	}
}

func (p *script) turnTwice(method string) {
	reply := p.Ask(step.ListFirst, method, method, "")
	if cursor, more := lint.Text(lint.Member(reply.Result, "nextCursor")); more {
		p.Ask(step.ListNext, method, method, object("cursor", cursor))
		p.Ask(step.ListNextAgain, method, method, object("cursor", cursor))
	}
}
