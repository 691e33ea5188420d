package schemas

import (
	"slices"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
	"mcpworks/mcp"
)

var elicitation = lint.Rule{
	ID: "SCH-029", Slug: "elicitation",
	Title:    "what a user is asked for is a flat form",
	Severity: lint.Error, Strength: lint.Must,
	Revisions: lint.C | lint.D | lint.E, Level: lint.Passive,
	Rests: []lint.Clause{
		{Revisions: lint.D | lint.E, Page: "client/elicitation#requested-schema", Demand: "The requested schema is an object of primitive properties: strings with a few formats, numbers, booleans, choices and lists of choices."},
		{Revisions: lint.C, Page: "client/elicitation#request-schema", Demand: "The requested schema is an object of primitive properties: strings with a few formats, numbers, booleans and choices."},
	},
	What: "Looks at requestedSchema of every elicitation/create the server has sent, as a request or in an input_required result: type object, and each property a string (with format email, uri, date or date-time if any), number, integer, boolean or choice. Lists of choices and titled choices are allowed from 2025-11-25 on.",
	Why:  "Clients build a form from the schema. They refuse what they have no field for, and the user is never asked.",
	Bad:  `{"type":"object","properties":{"address":{"type":"object","properties":{"city":{"type":"string"}}}}}`,
	Good: `{"type":"object","properties":{"city":{"type":"string"}}}`,
	Fix:  "Ask for the parts as properties of their own, or one after the other.",
	Check: func(v *lint.View) {
		v.NotApplicable("the server asked the user for nothing")
		for _, m := range v.Received() {
			for _, params := range elicitations(m) {
				mode, _ := lint.Text(lint.Member(params, "mode"))
				if mode == "url" {
					continue
				}
				v.Saw()
				checkForm(v, m, lint.Member(params, "requestedSchema"))
			}
		}
	},
}

// elicitations are the params of those that a message asks for.
func elicitations(m *lint.Message) [][]byte {
	if m.Kind == lint.Request && m.MethodName() == mcp.MethodElicit {
		return [][]byte{m.Params}
	}
	var all [][]byte
	requests := lint.Member(m.Result, "inputRequests")
	if rawjson.KindOf(requests) != rawjson.Object || !m.HasResult() {
		return nil
	}
	for _, request := range rawjson.Members(requests) {
		if rawjson.IsString(lint.Member(request, "method"), mcp.MethodElicit) {
			all = append(all, lint.Member(request, "params"))
		}
	}
	return all
}

func checkForm(v *lint.View, m *lint.Message, schema []byte) {
	left := maxRead
	d := &document{
		view: v, message: m, subject: lint.Subject{Kind: "method", Name: mcp.MethodElicit}, pointer: "/requestedSchema", raw: schema,
		input: true, left: &left,
	}
	properties := lint.Member(schema, "properties")
	if !rawjson.IsString(lint.Member(schema, "type"), "object") || rawjson.KindOf(properties) != rawjson.Object {
		d.root().failf("", "requestedSchema is not an object with properties")
		return
	}
	d.walk(func(n *node) {
		if n.parent != nil && n.parent.parent == nil && n.isProperty() {
			if fault := fieldFault(n); fault != "" {
				n.failf("", "%s", fault)
			}
		}
	})
	for name, property := range rawjson.Members(properties) {
		if rawjson.KindOf(property) != rawjson.Object {
			d.failAt("/properties/"+string(name), "is no schema of a field")
		}
	}
}

var fieldFormats = []string{"email", "uri", "date", "date-time"}

// fieldFault says why a form has no field for a property; nothing if it has.
func fieldFault(n *node) string {
	kind, _ := lint.Text(n.member("type"))
	newer := (lint.D | lint.E).Has(n.doc.revision())
	switch {
	case rawjson.KindOf(n.raw) != rawjson.Object:
		return "" // reported by checkForm
	case n.hasAny("$ref", "allOf", "anyOf", "not", "if", "properties", "prefixItems"), n.hasAny("oneOf") && !(newer && kind == "string"):
		return "is not a primitive type"
	case kind == "string":
		format := n.member("format")
		if name, ok := lint.Text(format); format != nil && (!ok || !slices.Contains(fieldFormats, name)) {
			return "has a format other than email, uri, date and date-time"
		}
		return ""
	case kind == "number", kind == "integer", kind == "boolean":
		return ""
	case kind == "array" && newer && isChoice(n.member("items")):
		return ""
	case n.member("type") == nil && n.hasAny("enum"):
		return "has no type"
	}
	return "is not a primitive type"
}

// isChoice says whether the items of a list are chosen from given ones.
func isChoice(items []byte) bool {
	return lint.Member(items, "enum") != nil || lint.Member(items, "anyOf") != nil || lint.Member(items, "oneOf") != nil
}
