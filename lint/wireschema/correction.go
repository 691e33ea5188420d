package wireschema

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A correction replaces a value in the published schema of some revisions, which
// refuses what their prose allows.
type correction struct {
	revisions []string
	pointer   string // into the schema
	published string // the value that is there, as JSON
	corrected string
	reason    string
}

const (
	nullID      = "JSON-RPC 2.0, section 5, answers with a null id where the request's could not be read"
	noID        = "an error about a message whose id could not be read has no id to repeat"
	realNumbers = "the member is a number in schema.ts and in the prose; the generator wrote integer"
)

// corrections are all the places where the published schema does not hold. A
// result that stands for a task, and one of an extension, are allowed by the
// choice of the definition: see [revision.result].
var corrections = []correction{
	{[]string{"2024-11-05", "2025-03-26", "2025-06-18"}, "/$defs/JSONRPCError/required",
		`["error","id","jsonrpc"]`, `["error","jsonrpc"]`, noID},
	{[]string{"2024-11-05", "2025-03-26", "2025-06-18"}, "/$defs/JSONRPCError/properties/id",
		requestID, requestIDOrNull, nullID},
	{[]string{"2025-11-25", "2026-07-28"}, "/$defs/JSONRPCErrorResponse/properties/id",
		requestID, requestIDOrNull, nullID},
	{[]string{"2025-11-25"}, "/$defs/URLElicitationRequiredError/properties/id",
		requestID, requestIDOrNull, nullID},
	{[]string{"2026-07-28"}, "/$defs/HeaderMismatchError/properties/id",
		requestID, requestIDOrNull, nullID},
	{[]string{"2026-07-28"}, "/$defs/MissingRequiredClientCapabilityError/properties/id",
		requestID, requestIDOrNull, nullID},
	{[]string{"2026-07-28"}, "/$defs/UnsupportedProtocolVersionError/properties/id",
		requestID, requestIDOrNull, nullID},

	{[]string{"2025-06-18"}, "/$defs/ElicitResult/properties/content/additionalProperties/type",
		`["string","integer","boolean"]`, `["string","number","boolean"]`, realNumbers},
	{[]string{"2025-11-25", "2026-07-28"}, "/$defs/ElicitResult/properties/content/additionalProperties/anyOf/1/type",
		`["string","integer","boolean"]`, `["string","number","boolean"]`, realNumbers},
	{[]string{"2025-06-18", "2025-11-25"}, "/$defs/NumberSchema/properties/minimum/type", `"integer"`, `"number"`, realNumbers},
	{[]string{"2025-06-18", "2025-11-25"}, "/$defs/NumberSchema/properties/maximum/type", `"integer"`, `"number"`, realNumbers},
	{[]string{"2025-11-25"}, "/$defs/NumberSchema/properties/default/type", `"integer"`, `"number"`, realNumbers},
	{[]string{"2026-07-28"}, "/$defs/JSONValue/anyOf/2/type",
		`["string","integer","boolean"]`, `["string","number","boolean","null"]`,
		"any JSON value is meant, which schema.ts says; the generator lost null and fractions"},
}

const (
	requestID       = `{"$ref":"#/$defs/RequestId"}`
	requestIDOrNull = `{"type":["string","integer","null"]}`
)

// correct applies the corrections of a revision to its published schema.
func correct(version string, published []byte) ([]byte, error) {
	var doc any
	if err := json.Unmarshal(published, &doc); err != nil {
		return nil, err
	}
	for _, c := range corrections {
		if slices.Contains(c.revisions, version) {
			if err := c.apply(doc); err != nil {
				return nil, fmt.Errorf("correct %s: %w", c.pointer, err)
			}
		}
	}
	return json.Marshal(doc)
}

func (c correction) apply(doc any) error {
	var published, corrected any
	if err := json.Unmarshal([]byte(c.published), &published); err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(c.corrected), &corrected); err != nil {
		return err
	}
	tokens := strings.Split(c.pointer[1:], "/")
	last := len(tokens) - 1
	for _, token := range tokens[:last] {
		doc = child(doc, token)
	}
	parent, ok := doc.(map[string]any)
	if !ok || !reflect.DeepEqual(parent[tokens[last]], published) {
		return fmt.Errorf("the schema does not have %s there", c.published)
	}
	parent[tokens[last]] = corrected
	return nil
}

func child(v any, token string) any {
	switch v := v.(type) {
	case map[string]any:
		return v[token]
	case []any:
		if i, err := strconv.Atoi(token); err == nil && i < len(v) {
			return v[i]
		}
	}
	return nil
}
