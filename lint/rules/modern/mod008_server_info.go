package modern

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/mcp"
)

var serverInfo = lint.Rule{
	ID: "MOD-008", Slug: "server-info",
	Title:    "results say which server they are from",
	Severity: lint.Warning, Strength: lint.Should,
	Revisions: lint.E, Level: lint.Passive,
	Rests: []lint.Clause{{Revisions: lint.E, Page: "basic#meta", Demand: "A server should put its name and version into _meta of every result, unless it was configured not to."}},
	What:  "Looks at _meta of every result in this revision: io.modelcontextprotocol/serverInfo has to be an object that has a name and a version.",
	Why:   "There is no handshake in which a server could introduce itself. Logs and reports of problems cannot say which program, in which version, has answered.",
	Bad:   `{"resultType":"complete","tools":[]}`,
	Good:  `{"resultType":"complete","tools":[],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"sample","version":"1.2.0"}}}`,
	Fix:   "Add io.modelcontextprotocol/serverInfo to _meta of every result, at the place where all results are written.",
	Check: func(v *lint.View) {
		for _, m := range results(v) {
			v.Saw()
			info := lint.Member(m.Result, "_meta", mcp.MetaServerInfo)
			name, _ := lint.Text(lint.Member(info, "name"))
			version, _ := lint.Text(lint.Member(info, "version"))
			switch {
			case rawjson.KindOf(info) != rawjson.Object:
				v.Failf(m, about(m.MethodName()), "results lack serverInfo in _meta")
			case name == "" || version == "":
				v.Failf(m, about(m.MethodName()), "serverInfo in _meta of results lacks a name or a version")
			}
		}
	},
}
