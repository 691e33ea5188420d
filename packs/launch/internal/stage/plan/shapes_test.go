package plan_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/stage/plan/plantest"
)

// grain is a library in Go with two short tasks, no features, many functions, and a
// type whose methods do not fit beside them.
func grain() map[string]string {
	var source strings.Builder
	source.WriteString("// Package grain mills.\npackage grain\n\n// Mill turns.\ntype Mill struct{}\n")
	for i := range 50 {
		fmt.Fprintf(&source, "\n// Mill%d turns a stone %d times.\nfunc Mill%d() {}\n", i, i, i)
	}
	for i := range 20 {
		fmt.Fprintf(&source, "\n// Turn%d turns the mill %d times.\nfunc (m *Mill) Turn%d() {}\n", i, i, i)
	}
	code := "```go\npackage main\n\nimport \"tally.example/grain\"\n\nfunc main() {\n\tgrain.Mill%d()\n}\n```\n\n"
	return map[string]string{
		"README.md": "# tally\n\nA mill for grain.\n\n## Grind the flour\n\nFlour is ground once. The stone turns slowly. Nothing gets hot.\n\n" + fmt.Sprintf(code, 1) +
			"## Sort the grain\n\nGrain is sorted by size.\n\n" + fmt.Sprintf(code, 2),
		"go.mod": "module tally.example/grain\n\ngo 1.24\n", "grain.go": source.String(), "grain_test.go": "package grain\n",
	}
}

// 6.4(5), 6.4(7): a task of a few sentences is told in the guide and has no page;
// the product's page leads to it where there are no features to list. The methods
// of a type are together: on the overview, or on a page of their own.
func TestShapes(t *testing.T) {
	p := run(t, plantest.InputsOf(t, "go-lib", grain()))
	at := map[string]artifact.Page{}
	for _, page := range p.Pages {
		at[page.ID] = page
	}
	if _, own := at["docs/grind-the-flour"]; own {
		t.Error("a short task has a page")
	}
	guide := at["docs/developer-guide"]
	if len(guide.SnippetIDs) != 2 {
		t.Errorf("the guide shows %d pieces of code", len(guide.SnippetIDs))
	}
	for _, anchor := range []string{"#grind-the-flour", "#sort-the-grain"} {
		if !slices.ContainsFunc(at["products/overview"].CrossLinks, func(l artifact.CrossLink) bool { return strings.HasSuffix(l.URL, guide.URLPath+anchor) }) {
			t.Errorf("the product's page does not lead to %s: %+v", anchor, at["products/overview"].CrossLinks)
		}
	}
	mill, overview := at["reference/mill"], at["reference/api-overview"]
	if len(mill.RequiredClaimIDs) != 20 {
		t.Errorf("the page of the type has %d claims", len(mill.RequiredClaimIDs))
	}
	if !slices.ContainsFunc(overview.CrossLinks, func(l artifact.CrossLink) bool { return l.URL == mill.URLPath }) {
		t.Errorf("the overview does not lead to the type: %+v", overview.CrossLinks)
	}
}
