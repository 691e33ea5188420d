package features

import (
	"strconv"

	"mcpworks/lint"
	"mcpworks/lint/step"
	"mcpworks/mcp"
)

// What is read at most (B2).
const (
	mostRead  = 3
	mostBytes = 1 << 20
)

func (p *script) readResources() {
	p.Ask(step.ReadUnknown, "", mcp.MethodReadResource, object("uri", step.UnknownURI))
	left := mostRead
	for _, item := range p.items(mcp.MethodListResources) {
		if left == 0 {
			return
		}
		if item.Name != "" && !isLarge(item) {
			p.Ask(step.Read, item.Name, mcp.MethodReadResource, object("uri", item.Name))
			left--
		}
	}
}

// isLarge says whether a resource is listed with too large a size.
func isLarge(item lint.Item) bool {
	size, err := strconv.ParseFloat(string(lint.Member(item.Raw, "size")), 64)
	return err == nil && size > mostBytes
}

func (p *script) subscribe() {
	listed := p.items(mcp.MethodListResources)
	if p.main.Modern || !p.main.Declares("resources.subscribe") || len(listed) == 0 {
		return
	}
	uri := listed[0].Name
	p.Ask(step.Subscribe, uri, mcp.MethodSubscribe, object("uri", uri))
	p.Ask(step.Unsubscribe, uri, mcp.MethodUnsubscribe, object("uri", uri))
}
