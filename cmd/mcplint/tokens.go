package main

import (
	"fmt"
	"math"

	"mcpworks/internal/rawjson"
	"mcpworks/mcp/client"
)

// bytesPerToken is how many bytes a token is, roughly (C13).
const bytesPerToken = 3.6

// A bill is what tools cost a model, in tokens, by estimate (B12).
type bill struct {
	bytes int
	items []byte // of JSON
}

// add puts a tool on the bill and returns its cost.
func (b *bill) add(tool *client.Tool) int {
	size := len("{}")
	for _, name := range []string{"name", "description", "inputSchema", "outputSchema", "annotations"} { // what a model sees
		if value := rawjson.Member(tool.Raw, name); value != nil {
			size += len(name) + len(`"":,`) + len(rawjson.Compact(nil, value))
		}
	}
	b.bytes += size
	if b.items != nil {
		b.items = append(b.items, ',')
	}
	o := rawjson.Begin(b.items)
	o.String("name", tool.Name)
	o.Int("tokens", int64(tokens(size)))
	b.items = o.End()
	return tokens(size)
}

func tokens(bytes int) int { return int(math.Round(float64(bytes) / bytesPerToken)) }

// sum is the last line of the text.
func (b *bill) sum() string {
	return fmt.Sprintf("\nabout %d tokens in all, an estimate: %d bytes / %v\n", tokens(b.bytes), b.bytes, bytesPerToken)
}

// appendTo adds the bill to the list of tools.
func (b *bill) appendTo(list *rawjson.ObjectWriter) {
	o := rawjson.Begin(list.Name("estimatedTokens"))
	o.Raw("tools", fmt.Appendf(nil, "[%s]", b.items))
	o.Int("total", int64(tokens(b.bytes)))
	list.Set(o.End())
}
