package rpc

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/mcp"
)

// results are the results, as far as they are objects, of requests that were
// made in the manner of an era: modern ones name their version in _meta.
func results(v *lint.View, modern bool) []*lint.Message {
	var found []*lint.Message
	for _, m := range responses(v) {
		if rawjson.KindOf(m.Result) == rawjson.Object && m.Asked != nil && isModern(m.Asked) == modern {
			found = append(found, m)
		}
	}
	return found
}

// isModern says whether a request names a modern version. What a server makes of
// a version that nobody knows is for other rules to say.
func isModern(request *lint.Message) bool {
	version, _ := lint.Text(lint.Member(request.Params, "_meta", mcp.MetaProtocolVersion))
	rev := mcp.RevisionOf(version)
	return rev != nil && rev.Modern
}
