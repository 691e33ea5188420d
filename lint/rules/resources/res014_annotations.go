package resources

import (
	"strconv"
	"time"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var annotations = lint.Rule{
	ID: "RES-014", Slug: "annotations",
	Title:    "annotations have the values that are defined for them",
	Severity: lint.Warning, Strength: lint.Must,
	Revisions: lint.All, Level: lint.Static, Needs: "resources",
	Rests: []lint.Clause{
		{Revisions: lint.C | lint.D | lint.E, Page: "server/resources#annotations", Demand: "The audience is made of user and assistant, the priority lies between 0 and 1, and lastModified is an ISO 8601 time."},
		{Revisions: lint.A | lint.B, Page: "server/resources#data-types", Demand: "The audience is made of user and assistant, and the priority lies between 0 and 1."},
	},
	What: "Looks at the annotations of every listed resource and template: audience is an array of user and assistant, priority a number from 0 to 1, and lastModified, from 2025-06-18 on, a date or time in the form of ISO 8601.",
	Why:  "Clients sort and filter by annotations. Values outside of their range are dropped, or make a typed client refuse the list.",
	Bad:  `"annotations":{"audience":"human","priority":10,"lastModified":"yesterday"}`,
	Good: `"annotations":{"audience":["user"],"priority":0.8,"lastModified":"2025-01-12T15:00:58Z"}`,
	Fix:  "Use an array of user and assistant, a number from 0 to 1, and a time as RFC 3339 writes it.",
	Check: func(v *lint.View) {
		items := listed(v)
		for _, item := range items {
			if raw := lint.Member(item.Raw, "annotations"); raw != nil {
				v.Saw()
				checkAnnotations(v, item, raw)
			}
		}
		if len(items) > 0 {
			v.NotApplicable("no resource has annotations")
		}
		noneListed(v)
	},
}

func checkAnnotations(v *lint.View, item lint.Item, raw []byte) {
	if rawjson.KindOf(raw) != rawjson.Object {
		failAt(v, lint.Off, item, "/annotations", "annotations is no object")
		return
	}
	if audience := lint.Member(raw, "audience"); audience != nil && !isAudience(audience) {
		failAt(v, lint.Off, item, "/annotations/audience", "the audience is not an array of user and assistant")
	}
	if priority := lint.Member(raw, "priority"); priority != nil && !isPriority(priority) {
		failAt(v, lint.Off, item, "/annotations/priority", "the priority is not a number from 0 to 1")
	}
	since := lint.C | lint.D | lint.E
	if modified := lint.Member(raw, "lastModified"); modified != nil && since.Has(item.Message.Talk().Revision) && !isTime(modified) {
		failAt(v, lint.Off, item, "/annotations/lastModified", "lastModified is not a time of ISO 8601")
	}
}

func isAudience(raw []byte) bool {
	if rawjson.KindOf(raw) != rawjson.Array {
		return false
	}
	for role := range rawjson.Elements(raw) {
		if !rawjson.IsString(role, "user") && !rawjson.IsString(role, "assistant") {
			return false
		}
	}
	return true
}

func isPriority(raw []byte) bool {
	number, err := strconv.ParseFloat(string(raw), 64)
	return rawjson.KindOf(raw) == rawjson.Number && err == nil && number >= 0 && number <= 1
}

// isoForms are the common forms of ISO 8601; a fraction of a second is allowed
// after any that ends in seconds.
var isoForms = []string{
	time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07", "2006-01-02T15:04:05",
	"2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02", "2006-01", "2006",
	"20060102T150405Z0700", "20060102T150405", "20060102",
}

func isTime(raw []byte) bool {
	text, _ := lint.Text(raw)
	for _, form := range isoForms {
		if _, err := time.Parse(form, text); err == nil {
			return true
		}
	}
	return false
}
