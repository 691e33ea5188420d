package lifecycle

import (
	"strings"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var initializeFields = lint.Rule{
	ID: "LIFE-002", Slug: "initialize-fields",
	Title:    "the result of initialize has protocolVersion, capabilities and serverInfo with a name and a version",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.Legacy, Level: lint.Passive,
	Rests: []lint.Clause{{Revisions: lint.Legacy, Page: "basic/lifecycle#initialization", Demand: "The answer to initialize holds the version, the capabilities and a description of the server."}},
	What:  "Looks at every result of initialize: protocolVersion has to be a string, capabilities an object, serverInfo.name and serverInfo.version strings that are not empty.",
	Why:   "Clients check this result against its schema. One missing member makes them give up the connection, whatever else works.",
	Bad:   `{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"sample"}}`,
	Good:  `{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"sample","version":"1.0.0"}}`,
	Fix:   "Give the server a name and a version when it is made, and send all three members; an SDK does the rest.",
	Check: func(v *lint.View) {
		for _, m := range introductions(v) {
			v.Saw()
			wantKind(v, m, rawjson.StringKind, "protocolVersion")
			wantKind(v, m, rawjson.Object, "capabilities")
			if wantKind(v, m, rawjson.Object, "serverInfo") {
				wantText(v, m, "serverInfo", "name")
				wantText(v, m, "serverInfo", "version")
			}
		}
	},
}

// wantKind reports a member of a result that is absent or something else.
func wantKind(v *lint.View, m *lint.Message, want rawjson.Kind, path ...string) bool {
	switch got := rawjson.KindOf(lint.Member(m.Result, path...)); got {
	case want:
		return true
	case rawjson.Invalid:
		failAt(v, lint.Error, m, pointer(path), "the result of initialize lacks %s", strings.Join(path, "."))
	default:
		failAt(v, lint.Error, m, pointer(path), "%s in the result of initialize is of type %v, not %v", strings.Join(path, "."), got, want)
	}
	return false
}

// wantText is wantKind for a string that says something.
func wantText(v *lint.View, m *lint.Message, path ...string) {
	if !wantKind(v, m, rawjson.StringKind, path...) {
		return
	}
	if text, _ := lint.Text(lint.Member(m.Result, path...)); strings.TrimSpace(text) == "" {
		failAt(v, lint.Error, m, pointer(path), "%s in the result of initialize is empty", strings.Join(path, "."))
	}
}

func pointer(path []string) string { return "/" + strings.Join(path, "/") }
