package modern

import (
	"maps"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

// The members that hold the items of lists.
var listMember = map[string]string{
	"tools/list": "tools", "prompts/list": "prompts", "resources/list": "resources", "resources/templates/list": "resourceTemplates",
}

// sameItems says whether two results of a list have the same items, in any order.
func sameItems(method string, a, b *lint.Message) bool {
	return maps.Equal(items(method, a), items(method, b))
}

// items counts the items of a list by their text.
func items(method string, m *lint.Message) map[string]int {
	counts := map[string]int{}
	for raw := range rawjson.Elements(lint.Member(m.Result, listMember[method])) {
		counts[string(rawjson.Compact(nil, raw))]++
	}
	return counts
}
