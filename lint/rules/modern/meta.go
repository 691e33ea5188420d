package modern

import (
	"regexp"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/mcp"
)

// meta is what a request says in _meta under a key.
func meta(request *lint.Message, key string) []byte {
	return lint.Member(request.Params, "_meta", key)
}

// isModern says whether a request names this revision.
func isModern(request *lint.Message) bool {
	version, _ := lint.Text(meta(request, mcp.MetaProtocolVersion))
	return lint.E.Has(version)
}

// logLevel is the level of log messages that a request wants; ok is false if it
// wants none.
func logLevel(request *lint.Message) (level mcp.Level, ok bool) {
	name, _ := lint.Text(meta(request, mcp.MetaLogLevel))
	return mcp.ParseLevel(name)
}

// texts are the strings of an array. ok is false if it is none, or has something
// else in it.
func texts(list []byte) (all []string, ok bool) {
	if rawjson.KindOf(list) != rawjson.Array {
		return nil, false
	}
	for element := range rawjson.Elements(list) {
		text, ok := lint.Text(element)
		if !ok {
			return nil, false
		}
		all = append(all, text)
	}
	return all, true
}

// date is the form of versions.
var date = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)
