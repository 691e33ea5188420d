package schemas

import (
	"mcpworks/internal/jsonschema"
	"mcpworks/lint"
)

var refKeywords = []string{"$ref", "$dynamicRef", "$recursiveRef"}

// eachReference visits all references of all tools, and says where they lead.
func eachReference(v *lint.View, visit func(n *node, keyword string, landing jsonschema.Landing)) {
	each(documents(v), func(n *node) {
		for _, keyword := range refKeywords {
			if ref, ok := lint.Text(n.member(keyword)); ok {
				_, _, landing := n.doc.names().Resolve(n.base(), ref)
				if landing == jsonschema.Unknown {
					v.NotVerified("a schema has too many references")
					continue
				}
				v.Saw()
				visit(n, keyword, landing)
			}
		}
	})
}

// base is what references in the node are relative to.
func (n *node) base() string {
	if !n.based {
		around := ""
		if n.parent != nil {
			around = n.parent.base()
		}
		n.baseURL, n.based = n.doc.names().Base(around, n.raw), true
	}
	return n.baseURL
}
