package tools

import (
	"regexp"
	"strings"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var icons = lint.Rule{
	ID: "TOOL-021", Slug: "icons",
	Title:    "icons can be shown",
	Severity: lint.Warning, Strength: lint.Must,
	Revisions: lint.D | lint.E, Level: lint.Static, Needs: "tools",
	Rests: []lint.Clause{{Revisions: lint.D | lint.E, Page: "basic#icons", Demand: "An icon has a src with https: or data:; sizes are like 48x48 or any, and theme is light or dark."}},
	What:  "Looks at the icons of every tool: an array of objects, src with the scheme https or data, sizes an array of texts like 48x48 or any, theme light or dark.",
	Why:   "Clients must not load icons from other schemes, and show none instead.",
	Bad:   `{"icons":[{"src":"file:///icon.png","sizes":"48"}]}`,
	Good:  `{"icons":[{"src":"https://example.com/icon.png","sizes":["48x48"]}]}`,
	Fix:   "Serve icons over https, or put small ones into a data: URI.",
	Check: func(v *lint.View) {
		v.NotApplicable("no tool has icons")
		for _, item := range listed(v) {
			raw := lint.Member(item.Raw, "icons")
			if raw == nil {
				continue
			}
			v.Saw()
			if rawjson.KindOf(raw) != rawjson.Array {
				failItem(v, item, "/icons", "icons is not an array")
				continue
			}
			faults := 0
			for icon := range rawjson.Elements(raw) {
				if fault := iconFault(icon); fault != "" && faults < maxFaults {
					failItem(v, item, "/icons", "%s", fault)
					faults++
				}
			}
		}
	},
}

var iconSize = regexp.MustCompile(`^([1-9]\d*x[1-9]\d*|any)$`)

func iconFault(icon []byte) string {
	src, _ := lint.Text(lint.Member(icon, "src"))
	theme := lint.Member(icon, "theme")
	scheme, _, _ := strings.Cut(src, ":")
	switch scheme = strings.ToLower(scheme); {
	case src == "":
		return "an icon has no src"
	case scheme != "https" && scheme != "data":
		return "the src of an icon is neither https: nor data:"
	case theme != nil && !rawjson.IsString(theme, "light") && !rawjson.IsString(theme, "dark"):
		return "the theme of an icon is neither light nor dark"
	}
	sizes := lint.Member(icon, "sizes")
	if sizes != nil && rawjson.KindOf(sizes) != rawjson.Array {
		return "the sizes of an icon are not an array"
	}
	for size := range rawjson.Elements(sizes) {
		if text, _ := lint.Text(size); !iconSize.MatchString(text) {
			return "a size of an icon is neither like 48x48 nor any"
		}
	}
	return ""
}
