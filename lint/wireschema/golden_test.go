package wireschema_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"mcpworks/lint/wireschema"
	"mcpworks/mcp"
)

// goldenKinds says what the values in the golden files of package mcp are part of.
// LIST stands for the caching hints of a modern result.
var goldenKinds = map[string]struct{ kind, method, body string }{
	"tool":            {"result", "tools/list", `{LIST"tools":[VALUE]}`},
	"resource":        {"result", "resources/list", `{LIST"resources":[VALUE]}`},
	"template":        {"result", "resources/templates/list", `{LIST"resourceTemplates":[VALUE]}`},
	"prompt":          {"result", "prompts/list", `{LIST"prompts":[VALUE]}`},
	"implementation":  {"result", "initialize", `{LIST"protocolVersion":"v","capabilities":{},"serverInfo":VALUE}`},
	"content":         {"result", "tools/call", `VALUE`},
	"tool result":     {"result", "tools/call", `VALUE`},
	"prompt result":   {"result", "prompts/get", `VALUE`},
	"completion":      {"result", "completion/complete", `VALUE`},
	"not found":       {"error", "resources/read", `VALUE`},
	"roots":           {"request", "roots/list", `VALUE`},
	"elicit form":     {"request", "elicitation/create", `VALUE`},
	"elicit url":      {"request", "elicitation/create", `VALUE`},
	"sampling":        {"request", "sampling/createMessage", `VALUE`},
	"resource result": {"result", "resources/read", `VALUE`},
}

// goldenProblems are those that the golden files have on purpose: they hold what
// a caller made up, which the vocabulary passes on.
var goldenProblems = map[string][]string{
	"elicit form": {"/params/requestedSchema/properties"},
	"sampling":    {"/params/messages"},
}

// What our own vocabulary writes fits the schema of every revision.
func TestGoldenFiles(t *testing.T) {
	for _, r := range mcp.Revisions() {
		text, err := os.ReadFile("../../mcp/testdata/" + r.Version + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			label, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			label, _, _ = strings.Cut(label, ",")
			kind, ok := goldenKinds[label]
			if !ok {
				t.Errorf("%s: unknown label %q", r.Version, label)
				continue
			}
			checkGolden(t, r, label, wrap(kind.kind, kind.method, goldenBody(r, kind.kind, kind.method, kind.body, value)), kind.method)
		}
	}
}

// goldenBody completes a value. The server adds to a modern result what package
// mcp leaves to it.
func goldenBody(r *mcp.Revision, kind, method, body, value string) string {
	hints := ""
	if r.Modern && kind == "result" {
		hints = kept + ","
		if method != "resources/read" && body == "VALUE" {
			hints = done + ","
		}
	}
	if body == "VALUE" && kind == "result" {
		return "{" + hints + value[1:]
	}
	return strings.NewReplacer("VALUE", value, "LIST", hints).Replace(body)
}

func checkGolden(t *testing.T, r *mcp.Revision, label, message, method string) {
	t.Helper()
	problems, err := wireschema.Validate(r.Version, wireschema.Server, method, []byte(message))
	if err != nil {
		t.Fatalf("%s: %v", message, err)
	}
	want := goldenProblems[label]
	switch {
	case strings.Contains(message, `"method":`) && r.Modern: // as requests of their own
		want = []string{"/method"}
	case label == "elicit form" && !r.Elicitation:
		want = nil
	case label == "elicit url" && r.Elicitation && !r.ElicitationURL:
		want = []string{"/params/requestedSchema"}
	}
	var got []string
	for _, p := range problems {
		got = append(got, p.Pointer)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s: %s: problems %v, want %v", r.Version, message, problems, want)
	}
}
