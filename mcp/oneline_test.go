package mcp_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"mcpworks/mcp"
)

// STD-1: a question is written into a message as it stands, so a schema or
// sampling params with line breaks, as every schema in a source file has them,
// tear the message apart on stdio.
func TestSTD1QuestionsAreOneLine(t *testing.T) {
	pretty := json.RawMessage("{\n  \"type\": \"object\"\n}")
	for _, question := range []mcp.InputRequest{mcp.ElicitForm("m", pretty), mcp.CreateMessage(pretty)} {
		for _, rev := range mcp.Revisions() {
			if text := string(question.Params(rev)); strings.Contains(text, "\n") {
				t.Errorf("%s %s: %q", rev.Version, question.Method(), text)
			}
		}
	}
}

// STD-1, for those who encode a definition without a server.
func TestSTD1ToolSchemasAreOneLine(t *testing.T) {
	tool := mcp.Tool{Name: "t", InputSchema: json.RawMessage("{\n\"type\":\"object\"}")}
	if text := string(tool.AppendJSON(nil, mcp.V20251125)); strings.Contains(text, "\n") {
		t.Errorf("%q", text)
	}
}

// BASE-1: what cannot be written must not be written as something else than JSON.
func TestBASE1PriorityIsJSON(t *testing.T) {
	for _, priority := range []float64{math.NaN(), math.Inf(1)} {
		resource := mcp.Resource{URI: "x:y", Name: "y", Annotations: &mcp.Annotations{Priority: &priority}}
		if text := resource.AppendJSON(nil, mcp.V20251125); !json.Valid(text) {
			t.Errorf("not JSON: %s", text)
		}
	}
}

// BASE-1: a _meta value that is not JSON must not spoil the message around it.
func TestBASE1MetaIsJSON(t *testing.T) {
	if text := (mcp.Meta{"a": json.RawMessage("{")}).AppendJSON(nil); !json.Valid(text) {
		t.Errorf("not JSON: %s", text)
	}
}
