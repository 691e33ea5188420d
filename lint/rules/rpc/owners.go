package rpc

import (
	"path"
	"strings"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/mcp"
)

// An owner is a rule that looks at places in messages itself, so that the
// general rule about the schema has nothing to say about them.
type owner struct {
	rule      string
	level     lint.Level     // below it, the rule does not run
	revisions lint.Revisions // in which it holds
	method    string         // empty for all
	pointers  string         // separated by blanks; * is one name, /** everything from there on
}

const capabilityPlaces = "/result/capabilities/* /result/capabilities/tools/* /result/capabilities/resources/* /result/capabilities/prompts/* /result/capabilities/experimental/* /result/capabilities/extensions/*"

// blockPlaces are those of a content block that its rules look at.
func blockPlaces(block string) string {
	places := block
	for _, name := range []string{"type", "text", "data", "mimeType", "uri", "name", "resource", "resource/uri", "resource/text", "resource/blob"} {
		places += " " + block + "/" + name
	}
	return places
}

// owners has every place that belongs to another rule of the catalogue.
var owners = []owner{
	{"RPC-001", lint.Passive, lint.All, "", "/jsonrpc"},
	{"RPC-005", lint.Passive, lint.All, "", "/error /error/code /error/message"},
	{"RPC-020", lint.Passive, lint.All, "", "/result"},
	{"RPC-021", lint.Passive, lint.E, "", "/result/resultType"},
	{"MOD-004", lint.Probe, lint.E, "", "/error/data/supported/** /error/data/requested"},
	{"MOD-009", lint.Passive, lint.E, "", "/result/ttlMs /result/cacheScope"},
	{"MOD-017", lint.Call, lint.E, "", "/error/data/requiredCapabilities/**"},
	{"MOD-019", lint.Call, lint.E, "", "/result/inputRequests/** /result/requestState"},
	{"PAGE-001", lint.Passive, lint.All, "", "/result/nextCursor"},

	{"LIFE-002", lint.Passive, lint.Legacy, mcp.MethodInitialize, "/result/protocolVersion /result/capabilities /result/serverInfo /result/serverInfo/name /result/serverInfo/version"},
	{"LIFE-008", lint.Passive, lint.Legacy, mcp.MethodInitialize, capabilityPlaces},
	{"LIFE-019", lint.Passive, lint.Legacy, mcp.MethodInitialize, "/result/instructions"},
	{"LIFE-020", lint.Passive, lint.C | lint.D, mcp.MethodInitialize, "/result/serverInfo/title /result/serverInfo/description /result/serverInfo/websiteUrl /result/serverInfo/icons /result/serverInfo/icons/* /result/serverInfo/icons/*/src"},
	{"MOD-002", lint.Passive, lint.E, mcp.MethodDiscover, "/result/supportedVersions/** /result/capabilities"},
	{"LIFE-008", lint.Passive, lint.E, mcp.MethodDiscover, capabilityPlaces},
	{"LIFE-019", lint.Passive, lint.E, mcp.MethodDiscover, "/result/instructions"},
	{"LIFE-026", lint.Passive, lint.All, mcp.NotifyMessage, "/params/level /params/data /params/logger"},

	{"TOOL-001", lint.Passive, lint.All, mcp.MethodListTools, "/result/tools /result/tools/* /result/tools/*/name"},
	{"TOOL-002", lint.Static, lint.All, mcp.MethodListTools, "/result/tools/*/inputSchema /result/tools/*/inputSchema/type"},
	{"TOOL-014", lint.Static, lint.C | lint.D, mcp.MethodListTools, "/result/tools/*/outputSchema /result/tools/*/outputSchema/type"},
	{"SCH-001", lint.Static, lint.All, mcp.MethodListTools, "/result/tools/*/inputSchema/*/** /result/tools/*/outputSchema/*/**"},
	{"TOOL-016", lint.Static, lint.All &^ lint.A, mcp.MethodListTools, "/result/tools/*/annotations/**"},
	{"TOOL-021", lint.Static, lint.D | lint.E, mcp.MethodListTools, "/result/tools/*/icons /result/tools/*/icons/* /result/tools/*/icons/*/src /result/tools/*/icons/*/theme /result/tools/*/icons/*/sizes/**"},
	{"TOOL-022", lint.Static, lint.D, mcp.MethodListTools, "/result/tools/*/execution/taskSupport"},
	{"TOOL-010", lint.Call, lint.All, mcp.MethodCallTool, "/result/isError /result/content " + blockPlaces("/result/content/*")},
	{"TOOL-013", lint.Call, lint.C | lint.D, mcp.MethodCallTool, "/result/structuredContent"},

	{"RES-001", lint.Passive, lint.All, mcp.MethodListResources, "/result/resources /result/resources/* /result/resources/*/uri /result/resources/*/name"},
	{"RES-010", lint.Static, lint.All, mcp.MethodListResources, "/result/resources/*/mimeType"},
	{"RES-014", lint.Static, lint.All, mcp.MethodListResources, "/result/resources/*/annotations/**"},
	{"RES-001", lint.Passive, lint.All, mcp.MethodListResourceTemplates, "/result/resourceTemplates /result/resourceTemplates/* /result/resourceTemplates/*/uriTemplate /result/resourceTemplates/*/name"},
	{"RES-010", lint.Static, lint.All, mcp.MethodListResourceTemplates, "/result/resourceTemplates/*/mimeType"},
	{"RES-014", lint.Static, lint.All, mcp.MethodListResourceTemplates, "/result/resourceTemplates/*/annotations/**"},
	{"RES-005", lint.Probe, lint.All, mcp.MethodReadResource, "/result/contents /result/contents/* /result/contents/*/uri /result/contents/*/text /result/contents/*/blob"},

	{"PRM-001", lint.Passive, lint.All, mcp.MethodListPrompts, "/result/prompts /result/prompts/* /result/prompts/*/name /result/prompts/*/arguments /result/prompts/*/arguments/* /result/prompts/*/arguments/*/name /result/prompts/*/arguments/*/required"},
	{"PRM-003", lint.Probe, lint.All, mcp.MethodGetPrompt, "/result/messages /result/messages/* /result/messages/*/role " + blockPlaces("/result/messages/*/content")},

	{"UTIL-004", lint.Probe, lint.All, mcp.MethodComplete, "/result/completion/**"},
	{"UTIL-006", lint.Call, lint.All, mcp.NotifyProgress, "/params/progressToken"},
	{"MOD-024", lint.Probe, lint.E, mcp.NotifyAcknowledged, "/params/_meta/**"},
	{"SCH-029", lint.Passive, lint.C | lint.D, mcp.MethodElicit, "/params/requestedSchema/**"},
	{"UTIL-014", lint.Call, lint.C | lint.D, mcp.MethodElicit, "/params/**"},
	{"UTIL-015", lint.Call, lint.Legacy, mcp.MethodCreateMessage, "/params/messages/** /params/maxTokens"},
}

// owned says whether another rule looks at a place in a message. Which version
// it is in, and what may be sent, decides whether that rule runs.
func owned(m *lint.Message, version, pointer string, level lint.Level) bool {
	switch pointer {
	case "/id": // RPC-006, RPC-007 and RPC-009; of requests RPC-024
		return m.Kind == lint.Response || rawjson.KindOf(m.ID) == rawjson.Null
	case "/method": // RPC-003
		return rawjson.KindOf(m.Method) != rawjson.StringKind
	}
	for _, o := range owners {
		if level >= o.level && o.revisions.Has(version) && (o.method == "" || o.method == m.MethodName()) && o.covers(pointer) {
			return true
		}
	}
	return false
}

func (o owner) covers(pointer string) bool {
	for pattern := range strings.FieldsSeq(o.pointers) {
		trunk, all := strings.CutSuffix(pattern, "/**")
		at := pointer
		if names := strings.Split(pointer, "/"); all {
			at = strings.Join(names[:min(len(names), strings.Count(trunk, "/")+1)], "/")
		}
		if ok, _ := path.Match(trunk, at); ok {
			return true
		}
	}
	return false
}
