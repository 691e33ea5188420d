package lifecycle

import (
	"net/url"
	"strconv"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var implementationFields = lint.Rule{
	ID: "LIFE-020", Slug: "implementation-fields",
	Title:    "title, description, websiteUrl and icons of serverInfo have their types",
	Severity: lint.Warning, Strength: lint.Must,
	Revisions: lint.C | lint.D | lint.E, Level: lint.Passive,
	Rests: []lint.Clause{{Revisions: lint.C | lint.D | lint.E, Page: "schema#implementation", Demand: "A title is text; from 2025-11-25 on so is a description, the web site is a URI, and icons are objects with a source."}},
	What:  "Looks at serverInfo in every answer to initialize, or in the _meta of the answer to server/discover: title and description have to be strings, websiteUrl a URL with http or https, icons a list of objects whose src is a string. In 2025-06-18 only title is looked at.",
	Why:   "Clients show these to people. A wrong type breaks the page or the whole handshake, and another scheme in websiteUrl makes a link that does nothing, or something unwanted.",
	Bad:   `"serverInfo":{"name":"sample","version":"1.0.0","websiteUrl":"example.com","icons":"logo.png"}`,
	Good:  `"serverInfo":{"name":"sample","version":"1.0.0","websiteUrl":"https://example.com","icons":[{"src":"https://example.com/logo.png"}]}`,
	Fix:   "Give each member the type of the schema; leave out those that are unknown instead of sending null.",
	Check: func(v *lint.View) {
		for _, m := range introductions(v) {
			t := m.Talk()
			info := description{v, m, "/serverInfo"}
			if t.Modern {
				info.place = "/_meta/io.modelcontextprotocol~1serverInfo"
			}
			info.text(t.Server(), "title")
			if !lint.C.Has(t.Revision) {
				info.text(t.Server(), "description")
				info.webSite(t.Server())
				info.icons(t.Server())
			}
		}
		v.NotApplicable("the server describes itself by its name and version only")
	},
}

// A description is serverInfo, at its place in an answer.
type description struct {
	v     *lint.View
	m     *lint.Message
	place string
}

func (d description) fail(member, format string, args ...any) {
	failAt(d.v, lint.Warning, d.m, d.place+"/"+member, format, args...)
}

// text wants a member to be a string if it is there.
func (d description) text(object []byte, member string) bool {
	raw := lint.Member(object, member)
	if raw == nil {
		return false
	}
	d.v.Saw()
	kind := rawjson.KindOf(raw)
	if kind != rawjson.StringKind {
		d.fail(member, "serverInfo.%s is of type %v, not string", member, kind)
	}
	return kind == rawjson.StringKind
}

func (d description) webSite(info []byte) {
	if !d.text(info, "websiteUrl") {
		return
	}
	text, _ := lint.Text(lint.Member(info, "websiteUrl"))
	if u, err := url.Parse(text); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		d.fail("websiteUrl", "serverInfo.websiteUrl is no URL with http or https")
	}
}

func (d description) icons(info []byte) {
	icons := lint.Member(info, "icons")
	if icons == nil {
		return
	}
	d.v.Saw()
	if kind := rawjson.KindOf(icons); kind != rawjson.Array {
		d.fail("icons", "serverInfo.icons is of type %v, not array", kind)
	}
	n := 0
	for icon := range rawjson.Elements(icons) {
		if _, ok := lint.Text(lint.Member(icon, "src")); !ok {
			d.fail("icons/"+strconv.Itoa(n), "an icon of serverInfo has no src that is a string")
		}
		n++
	}
}
