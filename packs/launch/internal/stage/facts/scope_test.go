package facts_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpworks/packs/launch/internal/artifact"
)

// spoken are the claims for users that a file makes.
func spoken(claims []artifact.EvidenceClaim, path string) []string {
	var texts []string
	for _, claim := range claims {
		if claim.Audience == "user_facing" && len(claim.Citations) > 0 && claim.Citations[0].Path == path {
			texts = append(texts, claim.Text)
		}
	}
	slices.Sort(texts)
	return texts
}

const folderText = "# Fuzzer\n\nFuzzer compiles programs.\n\n## Usage\n\nStart the runner.\n\n```sh\nrunner\n```\n\n## Limitations\n\n- Loops are not supported.\n\n" +
	"## Install\n\n- Install it with npm.\n\n## Why so slow?\n\nBecause it compiles twice.\n\n## Run the fuzzer\n\nGive it a seed.\n\n```sh\nfuzzer --seed 1\n```\n"

// 6.2(9): a document of a folder speaks for its folder, and not for the product; a
// task that names the folder may be told.
func TestFolders(t *testing.T) {
	files := map[string]string{"README.md": "# Acme Tool\n\nAcme Tool sorts rows.\n", "cmd/fuzzer/README.md": folderText, "docs/limits.md": "# Limits\n\n- Trees are not supported.\n"}
	out, _ := run(t, inputs("acme-tool", files))
	if diff := cmp.Diff([]string{"Give it a seed."}, spoken(out.Evidence.Claims, "cmd/fuzzer/README.md")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"Trees are not supported."}, texts(out, out.Facts.Limitations)); diff != "" {
		t.Error(diff)
	}
	var tags []string
	for _, w := range out.Facts.Workflows {
		tags = append(tags, w.Tag)
	}
	if diff := cmp.Diff([]string{"run-the-fuzzer"}, tags); diff != "" {
		t.Error(diff)
	}
	delete(files, "README.md")
	out, _ = run(t, inputs("acme-tool", files))
	if !slices.Contains(texts(out, out.Facts.Limitations), "Loops are not supported.") {
		t.Error("without a README at the root nobody speaks for the product")
	}
}

// 6.2(6): what a folder cannot do is no contradiction to what the product can.
func TestContradictionsOfFolders(t *testing.T) {
	for path, want := range map[string]int{"cmd/fuzzer/README.md": 0, "docs/fuzzer.md": 1} {
		out, _ := run(t, inputs("acme-tool", map[string]string{"README.md": "# Acme Tool\n\n- Acme Tool supports FBX.\n", path: "# Fuzzer\n\n- FBX is not supported.\n"}))
		if got := len(out.Evidence.Contradictions); got != want {
			t.Errorf("%s: %d contradictions, want %d", path, got, want)
		}
	}
}

// 6.2(9): a proposal says what somebody wanted, and not how something is done.
func TestProposals(t *testing.T) {
	for path, title := range map[string]string{"docs/design/rows.md": "Rows", "docs/proposals/rows.md": "Rows", "docs/rows.md": "Design of rows", "docs/row-plan.md": "Proposal: rows"} {
		out, _ := run(t, inputs("acme-tool", map[string]string{
			"README.md": "# Acme Tool\n\nAcme Tool sorts rows.\n", path: "# " + title + "\n\n## Sort the rows\n\nUse a key.\n\n```sh\nacme sort\n```\n",
		}))
		if said := spoken(out.Evidence.Claims, path); len(said) > 0 || len(out.Facts.Workflows) > 0 {
			t.Errorf("%s: %q, %+v", path, said, out.Facts.Workflows)
		}
	}
}

// 6.2(9): a sentence that leans on one that is left out is left out with it, in
// first steps and in introductions.
func TestLeaningSentences(t *testing.T) {
	usage := "Acme Tool has strict calls. These calls never fail. It also has `sort_e(x)`. These return an error. Using these calls you can tell a zero from a failure. Please review the code for a complete set."
	out, _ := run(t, inputs("acme-tool", map[string]string{
		"README.md": "# Acme Tool\n\nAcme Tool sorts. Visit https://x.example/fast now. This makes it fast. Rows stay rows.\n\n## Usage\n\n" + usage + "\n",
	}))
	at := slices.IndexFunc(out.Facts.Workflows, func(w artifact.Workflow) bool { return w.Tag == "quickstart" })
	if at < 0 {
		t.Fatal("no first steps")
	}
	if diff := cmp.Diff([]string{"Acme Tool has strict calls.", "These calls never fail."}, texts(out, out.Facts.Workflows[at].ClaimIDs)); diff != "" {
		t.Error(diff)
	}
	if got := out.Facts.Positioning.ShortDescription; got != "Acme Tool sorts. Rows stay rows." {
		t.Errorf("%q", got)
	}
}

// 6.2(7): a name with an at sign is no format, and what is said about it speaks of
// none.
func TestNamesWithAtSigns(t *testing.T) {
	out, _ := run(t, inputs("acme-tool", map[string]string{"README.md": "# Acme Tool\n\n- `@pretty`: Makes JSON more readable.\n- Reads rows with @csv in them.\n"}))
	if len(out.Facts.SupportedFormats) != 0 || slices.ContainsFunc(out.Facts.Claims, func(c artifact.Claim) bool { return c.Kind == "format" }) {
		t.Errorf("%+v, %+v", out.Facts.SupportedFormats, out.Facts.Claims)
	}
}

// 6.2(7): what a package runs on is written one way.
func TestRuntimeOneWay(t *testing.T) {
	out, _ := run(t, inputs("acme-tool", map[string]string{"README.md": "# Acme Tool\n", "pyproject.toml": "[project]\nname = \"acme-tool\"\nrequires-python = \">=3.10\"\n"}))
	said := spoken(out.Evidence.Claims, "pyproject.toml")
	if len(out.Facts.RuntimeRequirements) != 1 || !slices.Contains(said, "Requires "+out.Facts.RuntimeRequirements[0]+".") || strings.Contains(strings.Join(said, " "), ">=") {
		t.Errorf("%q, %q", out.Facts.RuntimeRequirements, said)
	}
}
