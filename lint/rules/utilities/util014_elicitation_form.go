package utilities

import (
	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/mcp"
)

var elicitationForm = lint.Rule{
	ID: "UTIL-014", Slug: "elicitation-form",
	Title:    "what is asked of people has a message, and what its mode needs",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.C | lint.D | lint.E, Level: lint.Call,
	Rests: []lint.Clause{{Revisions: lint.C | lint.D | lint.E, Page: "client/elicitation", Demand: "A request for input has a message; a form has a schema, a URL request its address; only modes that the client declared are used."}},
	What:  "Calls read-only tools and looks at every elicitation/create that comes of it. It has a string message; a form has requestedSchema with type object and properties; from 2025-11-25 on the mode url has a url, in that revision also an elicitationId, and is only used if the client declared it. An elicitation that was not declared at all is the matter of LIFE-022 and MOD-020.",
	Why:   "The client makes a dialog of it. Without a message people do not know what they are asked, and without a schema there is nothing to fill in.",
	Bad:   `{"method":"elicitation/create","params":{"mode":"url","message":"Sign in"}}`,
	Good:  `{"method":"elicitation/create","params":{"message":"Which branch?","requestedSchema":{"type":"object","properties":{"branch":{"type":"string"}}}}}`,
	Fix:   "Fill in message and requestedSchema, or for the mode url message, url and elicitationId, and look at the client's capabilities first.",
	Check: func(v *lint.View) {
		for _, q := range questions(v, mcp.MethodElicit) {
			v.Saw()
			if flaw := elicitationFlaw(q); flaw != "" {
				v.Failf(q.in, tool(q.in.Asked), "%s", flaw)
			}
		}
	},
}

// elicitationFlaw says what is wrong with a request for input; empty if nothing
// is.
func elicitationFlaw(q question) string {
	mode, isText := lint.Text(lint.Member(q.params, "mode"))
	version := q.in.Talk().Revision
	switch {
	case !q.hasText("message"):
		return "an elicitation has no string message"
	case lint.Member(q.params, "mode") == nil || lint.C.Has(version) || isText && mode == "form":
		return formFlaw(q)
	case mode != "url":
		return "an elicitation has a mode that does not exist"
	case !q.hasText("url"):
		return "an elicitation in mode url has no string url"
	case lint.D.Has(version) && !q.hasText("elicitationId"):
		return "an elicitation in mode url has no string elicitationId"
	case declaresMode(q.client, "form") && !declaresMode(q.client, "url"):
		return "an elicitation uses the mode url, which the client did not declare"
	}
	return ""
}

func formFlaw(q question) string {
	schema := lint.Member(q.params, "requestedSchema")
	switch {
	case !rawjson.IsString(lint.Member(schema, "type"), "object") || rawjson.KindOf(lint.Member(schema, "properties")) != rawjson.Object:
		return "the form of an elicitation has no requestedSchema of type object with properties"
	case declaresMode(q.client, "url") && !declaresMode(q.client, "form"):
		return "an elicitation uses the mode form, which the client did not declare"
	}
	return ""
}

// declaresMode says whether a client declares a mode of elicitation. One that
// names no mode has forms.
func declaresMode(client []byte, mode string) bool {
	elicitation := lint.Member(client, "elicitation")
	if lint.Member(elicitation, "form") == nil && lint.Member(elicitation, "url") == nil {
		return elicitation != nil && mode == "form"
	}
	return lint.Member(elicitation, mode) != nil
}
