package utilities

import (
	"regexp"
	"slices"
	"strings"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/mcp"
)

// metas are the _meta objects of a message: its own, and those of what it
// lists. What a server passes on, such as schemas and structured content, may
// have members of that name that mean something else.
func metas(m *lint.Message) [][]byte {
	var found [][]byte
	add := func(holder []byte) {
		if meta := lint.Member(holder, "_meta"); rawjson.KindOf(meta) == rawjson.Object {
			found = append(found, meta)
		}
	}
	add(m.Result)
	add(m.Params)
	for _, name := range []string{"tools", "resources", "resourceTemplates", "prompts", "contents", "content", "messages"} {
		list := lint.Member(m.Result, name)
		if rawjson.KindOf(list) != rawjson.Array {
			continue
		}
		for element := range rawjson.Elements(list) {
			add(element)
			add(lint.Member(element, "resource"))
			add(lint.Member(element, "content"))
		}
	}
	return found
}

var (
	metaPrefix = regexp.MustCompile(`^[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*$`)
	metaName   = regexp.MustCompile(`^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?$`)
)

// keyFlaw says what is wrong with a key of _meta; empty if nothing is.
func keyFlaw(key string, t *lint.Talk) string {
	prefix, name, hasPrefix := strings.Cut(key, "/")
	if !hasPrefix {
		prefix, name = "", key
	}
	switch {
	case hasPrefix && !metaPrefix.MatchString(prefix):
		return "a key of _meta has a malformed prefix"
	case !metaName.MatchString(name):
		return "a key of _meta has a malformed name"
	case hasPrefix && isReserved(prefix, t.Revision) && !isDefined(key, t):
		return "a key of _meta has a prefix that is reserved for the protocol"
	}
	return ""
}

// isReserved says whether a prefix is kept for the protocol: by its second
// label, or in 2025-06-18 by the last but one.
func isReserved(prefix, version string) bool {
	labels := strings.Split(prefix, ".")
	if len(labels) < 2 {
		return false
	}
	label := labels[1]
	if lint.C.Has(version) {
		label = labels[len(labels)-2]
	}
	return label == "modelcontextprotocol" || label == "mcp"
}

// definedKeys are those that revisions and official extensions give a meaning.
var definedKeys = []string{
	mcp.MetaProtocolVersion, mcp.MetaClientCapabilities, mcp.MetaClientInfo, mcp.MetaServerInfo, mcp.MetaLogLevel, mcp.MetaSubscriptionID,
	mcp.MetaPrefix + "related-task", mcp.MetaPrefix + "model-immediate-response",
}

// isDefined says whether a reserved key has a meaning: by the protocol, or by an
// extension that the server declares.
func isDefined(key string, t *lint.Talk) bool {
	return slices.Contains(definedKeys, key) || lint.Member(t.Capabilities(), "extensions", key) != nil
}
