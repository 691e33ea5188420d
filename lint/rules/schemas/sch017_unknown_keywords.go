package schemas

import (
	"strings"

	"mcpworks/internal/rawjson"
	"mcpworks/lint"
)

var unknownKeywords = lint.Rule{
	ID: "SCH-017", Slug: "unknown-keywords",
	Title:    "no keyword is misspelt or of another language",
	Severity: lint.Info, Strength: lint.Quality,
	Revisions: lint.All, Level: lint.Static, Needs: "tools",
	What: "Looks for members of schemas that are no keyword of any dialect but differ from one by one or two letters, and for optional, nullable and example, which JSON Schema does not have.",
	Why:  "Unknown keywords are ignored without a word. What they were to say does not hold: the argument is not required, null is refused.",
	Bad:  `{"type":"object","properties":{"path":{"type":"string","nullable":true}},"requried":["path"]}`,
	Good: `{"type":"object","properties":{"path":{"type":["string","null"]}},"required":["path"]}`,
	Fix:  `Correct the spelling. Instead of optional leave the name out of required, instead of nullable add "null" to the type, instead of example write examples with an array.`,
	Check: func(v *lint.View) {
		each(documents(v), func(n *node) {
			v.Saw()
			for key := range rawjson.Members(n.raw) {
				name := string(key)
				if meant := nonKeywords[name]; meant != "" {
					n.failf("/"+name, "%s is no keyword; %s", name, meant)
				} else if meant, ok := misspelt(name); ok {
					n.failf("/"+name, "%s is no keyword; %s is one", name, meant)
				}
			}
		})
	},
}

// nonKeywords are of other languages, with what JSON Schema has.
var nonKeywords = map[string]string{
	"optional": "what is not in required is optional",
	"nullable": `"null" among the types allows null`,
	"example":  "examples has an array of them",
}

// keywords are those of all dialects.
var keywords = strings.Fields(`
	$schema $id id $ref $anchor $dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor $vocabulary $comment $defs definitions
	allOf anyOf oneOf not if then else dependentSchemas dependencies prefixItems items additionalItems contains properties
	patternProperties additionalProperties propertyNames unevaluatedItems unevaluatedProperties
	type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems
	uniqueItems maxContains minContains maxProperties minProperties required dependentRequired
	title description default deprecated readOnly writeOnly examples format contentEncoding contentMediaType contentSchema
	enumNames`)

var isKeyword = func() map[string]bool {
	set := map[string]bool{}
	for _, keyword := range keywords {
		set[keyword] = true
	}
	return set
}()

// misspelt returns the keyword that was probably meant by a name. Of short ones
// only one letter may be wrong, or every short name would be one.
func misspelt(name string) (meant string, ok bool) {
	if isKeyword[name] || strings.HasPrefix(name, "x-") || len(name) > 32 {
		return "", false
	}
	for _, keyword := range keywords {
		limit := 2
		switch {
		case len(keyword) < 4:
			continue
		case len(keyword) < 7:
			limit = 1
		}
		if distance(name, keyword) <= limit {
			return keyword, true
		}
	}
	return "", false
}

// distance counts the letters to change, add or drop to make one name of the
// other.
func distance(a, b string) int {
	if diff := len(a) - len(b); diff > 2 || diff < -2 {
		return 3
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}
