package facts_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/fixtures"
)

// 6.2(1): what is said to those who work on a product, about other products, or
// to send a reader elsewhere is not for its pages.
func TestOffTopic(t *testing.T) {
	for _, test := range []struct{ heading, text, audience string }{
		{"Contributing", "Run the tests before you send anything.", "developer_instruction"},
		{"Acknowledgements", "The parser was written by a friend.", "developer_instruction"},
		{"Alternatives", "Countbook cannot read more than one file.", "internal_detail"},
		{"Motivation", "Other parsers do not support nesting.", "internal_detail"},
		{"Migrating from v1", "Version 1 wrote commas.", "internal_detail"},
		{"Community plugins", "Glow adds JSON export.", "internal_detail"},
		{"Features", "The full list of functions is available in the reference.", "developer_instruction"},
		{"Features", "See the manual for all options.", "developer_instruction"},
		{"Features", "Check out the other tool if you need a spreadsheet.", "developer_instruction"},
		{"Features", "Lets you see how rows change and look at columns.", "user_facing"},
		{"Features", "Finds documentation in source files.", "user_facing"},
	} {
		out, _ := run(t, inputs("acme-tool", map[string]string{"README.md": "# Acme Tool\n\n## " + test.heading + "\n\n### Part\n\n- " + test.text + "\n"}))
		if len(out.Evidence.Claims) != 1 || out.Evidence.Claims[0].Audience != test.audience {
			t.Errorf("%q below %q: %+v, want %s", test.text, test.heading, out.Evidence.Claims, test.audience)
		}
	}
}

// 6.2(9): features are what the repository lists as such, by name or by heading,
// or a sentence that says what the product does.
func TestKeyFeatures(t *testing.T) {
	for text, want := range map[string][]string{
		"The features are:\n\n- Sorts rows.\n- Merges tables.\n  - with a flag for keys\n- Fills gaps.\n\nAcme Tool keeps rows in memory.": {
			"Sorts rows.", "Merges tables.", "Fills gaps."},
		"## Features\n\n### Strict rows\n\nA row can be strict. It then refuses text.\n\n### Speed\n\nMost calls should not be shockingly slow.\n\n### Small\n\nSee [the figures](#x).": {
			"Strict rows: A row can be strict."},
		"Acme Tool sorts what it reads. If you like it, tell us. It can do more.\n\n## Rows\n\nTo support this, Acme Tool can sort.\n\nRows can be long.": {
			"Acme Tool sorts what it reads."},
	} {
		out, _ := run(t, inputs("acme-tool", map[string]string{"README.md": "# Acme Tool\n\n" + text + "\n"}))
		if diff := cmp.Diff(want, texts(out, out.Facts.ClaimGroups.KeyFeatures)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

// 6.2(11): a product is introduced by its README, wherever that does it, or by the
// comment of its package.
func TestIntroduction(t *testing.T) {
	for name, want := range map[string]string{
		"go-lib":    "Package tally keeps books of amounts and adds them up.",
		"py-readme": "Pebble is a Python library for reading settings out of small text files. It has no dependencies and runs wherever Python does. Older versions read INI files only.",
	} {
		out, _ := run(t, inputs(name, fixtures.All()[name]))
		if got := out.Facts.Positioning.ShortDescription; got != want {
			t.Errorf("%s: %q", name, got)
		}
		introduced := slices.ContainsFunc(out.Evidence.Claims, func(c artifact.EvidenceClaim) bool {
			return strings.HasPrefix(want, c.Text) && c.TruthStatus == "fact" && len(c.Citations) > 0
		})
		if !introduced {
			t.Errorf("%s: no fact says how it is introduced", name)
		}
	}
}

// 6.2(7): a module of Go is imported, its programs are installed; those that no
// document names are not for users.
func TestGoPrograms(t *testing.T) {
	module, program := "module x.example/grain\n\ngo 1.24\n", "package main\n\nfunc main() {}\n"
	for want, files := range map[string]map[string]string{
		"go get tally.example/tally/v2, go install tally.example/tally/v2/cmd/tallyfmt@latest": fixtures.GoLib(),
		"go install example.com/tidylog/cmd/tidylog@latest, go get example.com/tidylog":        fixtures.GoCLI(),
		"go get x.example/grain, go install x.example/grain/cmd/mill@latest": {
			"README.md": "# Grain\n\n## Tools\n\n`mill` grinds:\n\n```sh\ngo install x.example/grain/cmd/mill@latest\n```\n", "go.mod": module, "cmd/mill/main.go": program,
			"grain.go": "package grain\n\n// Mill grinds.\nfunc Mill() {}\n"},
		"go install x.example/grain@latest":          {"README.md": "# Grain\n", "go.mod": module, "main.go": program},
		"go install x.example/grain/cmd/mill@latest": {"README.md": "# Grain\n\nRun `mill`.\n", "go.mod": module, "cmd/mill/main.go": program, "cmd/soak/main.go": program},
		"go get x.example/grain":                     {"README.md": "# Grain\n", "go.mod": module, "gen.go": "//go:build ignore\n\n" + program, "grain.go": "package grain\n\n// Mill grinds.\nfunc Mill() {}\n"},
	} {
		out, _ := run(t, inputs("go-lib", files))
		if got := strings.Join(out.Facts.Distribution[0].InstallCommands, ", "); got != want {
			t.Errorf("%s; want %s", got, want)
		}
	}
}

// 6.2(9): first steps are a text with code in its order, also below the headings
// within them; sentences that lean on missing ones are not there, and examples
// that need what users cannot import are no tasks.
func TestTexts(t *testing.T) {
	out, _ := run(t, inputs("go-lib", fixtures.GoLib()))
	type step struct {
		Name, Text string
		Code       bool
	}
	got := map[string][]step{}
	for _, w := range out.Facts.Workflows {
		for _, s := range w.Steps {
			text := ""
			if s.ClaimID != "" {
				text = texts(out, []string{s.ClaimID})[0]
			}
			got[w.Title] = append(got[w.Title], step{s.Name, text, s.SnippetID != ""})
		}
	}
	want := map[string][]step{
		"Installation": {{"Run `go get tally.example/tally/v2`", "", false}},
		"Getting started": {
			{"Getting started", "Given the following type, let's see how to put it into a book and read it back.", true},
			{"Adding entries", "`Add` puts an entry into a book.", false},
			{"Adding entries", "It returns the number of the entry.", false},
			{"Adding entries", "For example.", true},
			{"Reading sums", "`Sum` adds all entries of one account.", false},
		},
		"Book: refunds":       {{"Book: refunds", "Negative amounts are entries like all others, so that a refund needs no account of its own.", true}},
		"Percent: round NaNs": {{"Percent: round NaNs", "The example shows that shares are cut and never rounded up.", true}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// 6.2(1): texts that tests and measurements read are no documents.
func TestTestData(t *testing.T) {
	out, _ := run(t, inputs("go-lib", fixtures.GoLib()))
	for _, claim := range out.Evidence.Claims {
		if strings.Contains(claim.Text, "Bread") {
			t.Errorf("%q", claim.Text)
		}
	}
	if slices.Contains(out.Facts.APISurface.Functions, "FuzzBook") {
		t.Error("a fuzz target is a public name")
	}
}
