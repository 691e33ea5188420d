package schemas

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

// eachPattern visits all regular expressions of all tools.
func eachPattern(v *lint.View, visit func(n *node, at, text string)) {
	v.NotApplicable("no schema has a pattern")
	each(documents(v), func(n *node) {
		if text, ok := lint.Text(n.member("pattern")); ok {
			visit(n, "/pattern", text)
		}
		for name := range rawjson.Members(n.member("patternProperties")) {
			visit(n, "/patternProperties", string(name))
		}
	})
}
