package schemas

import (
	"strings"

	"mcpworks/internal/bounded"
	"mcpworks/lint"
)

var format = lint.Rule{
	ID: "SCH-025", Slug: "format",
	Title:    "formats are registered ones",
	Severity: lint.Info, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Static, Needs: "tools",
	What: "Compares the values of format with those of JSON Schema in all its drafts and with the format registry of OpenAPI.",
	Why:  "Validators ignore an unknown format or refuse the schema, and a model can only guess what it means.",
	Bad:  `{"type":"string","format":"datetime"}`,
	Good: `{"type":"string","format":"date-time"}`,
	Fix:  "Use the registered name, or say it in the description or with a pattern.",
	Check: func(v *lint.View) {
		v.NotApplicable("no schema has a format")
		each(documents(v), func(n *node) {
			name, ok := lint.Text(n.member("format"))
			if !ok {
				return
			}
			v.Saw()
			if !registered[name] {
				n.failf("/format", "the format %q is not registered", bounded.Runes(name, 64))
			}
		})
	},
}

var registered = func() map[string]bool {
	set := map[string]bool{}
	for _, name := range strings.Fields(`
		date-time date time duration email idn-email hostname idn-hostname ipv4 ipv6 uri uri-reference iri iri-reference uuid
		uri-template json-pointer relative-json-pointer regex
		color host-name ip-address phone style utc-millisec
		base64url binary byte char commonmark date-time-local decimal decimal128 double double-int float html http-date int16 int32
		int64 int8 media-range password sf-binary sf-boolean sf-decimal sf-integer sf-string sf-token time-local uint16 uint32 uint64
		uint8`) {
		set[name] = true
	}
	return set
}()
