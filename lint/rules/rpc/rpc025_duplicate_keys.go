package rpc

import (
	"strconv"
	"strings"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var duplicateKeys = lint.Rule{
	ID: "RPC-025", Slug: "duplicate-keys",
	Title:    "no object has a key twice",
	Severity: lint.Warning, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Passive,
	Rests: []lint.Clause{{Page: "RFC 8259 4", Demand: "The names within an object should be unique; what becomes of the others is not predictable."}},
	What:  "Scans the text of every message for objects that have the same key more than once, to a depth of 64.",
	Why:   "Some clients take the first value, some the last, some refuse the message. A reviewer may see one description of a tool, and the model another.",
	Bad:   `{"jsonrpc":"2.0","id":2,"result":{"tools":[],"tools":[{"name":"a"}]}}`,
	Good:  `{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a"}]}}`,
	Fix:   "Build messages with a JSON library instead of joining texts, and merge what comes from several places before it is encoded.",
	Check: func(v *lint.View) {
		known := seenBefore{}
		for _, m := range messages(v) {
			v.Saw()
			if known.has(m) {
				continue
			}
			d := duplicates{}
			d.scan(m.Raw, "", 64)
			for _, pointer := range d.found {
				subject, pointer := place(m, pointer)
				v.Fail(lint.Finding{Subject: subject, Pointer: pointer, Message: "a key is there more than once", Evidence: m.Evidence(), Revision: m.Talk().Revision})
			}
		}
	},
}

// duplicates collects pointers to keys that are there more than once, at most
// maxDuplicates of them.
type duplicates struct{ found []string }

const maxDuplicates = 20

func (d *duplicates) scan(raw []byte, at string, depth int) {
	if depth == 0 || len(d.found) >= maxDuplicates {
		return
	}
	switch rawjson.KindOf(raw) {
	case rawjson.Array:
		i := 0
		for element := range rawjson.Elements(raw) {
			if hasMembers(element) {
				d.scan(element, at+"/"+strconv.Itoa(i), depth-1)
			}
			i++
		}
	case rawjson.Object:
		keys := map[string]int{}
		for key, value := range rawjson.Members(raw) {
			keys[string(key)]++
			if keys[string(key)] == 2 && len(d.found) < maxDuplicates {
				d.found = append(d.found, at+"/"+pointerName.Replace(string(key)))
			}
			if hasMembers(value) {
				d.scan(value, at+"/"+pointerName.Replace(string(key)), depth-1)
			}
		}
	}
}

// hasMembers says whether a value can have an object in it.
func hasMembers(raw []byte) bool {
	kind := rawjson.KindOf(raw)
	return kind == rawjson.Object || kind == rawjson.Array
}

// pointerName writes a name as RFC 6901 has it.
var pointerName = strings.NewReplacer("~", "~0", "/", "~1")
