package facts_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/fixtures"
)

// 6.2(1): an answer is one statement with its question, and none without it; a
// limit stays one of its own, and an answer that speaks for people is none.
func TestQuestions(t *testing.T) {
	out, _ := run(t, inputs("js-lib", fixtures.JSLib()))
	before, _, _ := strings.Cut(fixtures.JSLib()["README.md"], "## FAQ")
	got := map[string]string{}
	for _, claim := range out.Evidence.Claims {
		if claim.Audience == "user_facing" && claim.Citations[0].StartLine > strings.Count(before, "\n") && claim.Citations[0].Path == "README.md" {
			got[claim.Text] = claim.Kind
		}
	}
	want := map[string]string{
		"Why are quotes removed? Because `quotes: \"strip\"` is the default. Another value keeps them.": "feature",
		"Can I use it in a browser? Yes, Petal Kit runs in every browser with modules.":                 "feature",
		"Petal Kit does not support drawing.":                                                           "limitation",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// 6.2(8): the public names of a package for Node are those of the file that users
// import, wherever they are declared.
func TestNamesOfNode(t *testing.T) {
	out, _ := run(t, inputs("js-lib", fixtures.JSLib()))
	want := artifact.APISurface{Classes: []string{"Delta"}, Functions: []string{"alpha", "beta", "gammaRay"}, Modules: []string{"petal-kit"}}
	if diff := cmp.Diff(want, out.Facts.APISurface); diff != "" {
		t.Error(diff)
	}
}

// what is said about a method cites its own lines, and those from its type on
// where they do not say enough.
func TestMethods(t *testing.T) {
	for text, want := range map[string]artifact.Citation{
		"`Counter.add`: Adds one.":                             {Path: "tally.py", StartLine: 1, EndLine: 5, SourceType: "docstring"},
		"`Counter.total`: Returns how many entries there are.": {Path: "tally.py", StartLine: 7, EndLine: 8, SourceType: "docstring"},
	} {
		out, _ := run(t, inputs("py-readme", map[string]string{
			"README.md": "# Tally\n",
			"tally.py":  "class Counter:\n    \"\"\"Counts.\"\"\"\n\n    def add(self):\n        \"\"\"Adds one.\"\"\"\n\n    def total(self):\n        \"\"\"Returns how many entries there are.\"\"\"\n",
		}))
		at := slices.IndexFunc(out.Evidence.Claims, func(c artifact.EvidenceClaim) bool { return c.Text == text })
		if at < 0 {
			t.Fatalf("no claim %q", text)
		}
		if claim := out.Evidence.Claims[at]; claim.TruthStatus != "fact" || claim.Citations[0] != want {
			t.Errorf("%+v", claim)
		}
	}
}
