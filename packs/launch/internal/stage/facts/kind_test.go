package facts_test

import (
	"testing"
)

// 6.2(1), 6.2(2): kinds and audiences by words and headings.
func TestKindsAndAudiences(t *testing.T) {
	for _, test := range []struct{ heading, text, kind, audience string }{
		{"Features", "Sorts rows by any column.", "feature", "user_facing"},
		{"Features", "Sorting is not yet implemented.", "limitation", "user_facing"},
		{"Limitations", "Formulas are left alone.", "limitation", "user_facing"},
		{"Features", "Run pip install acme-tool to get it.", "install", "user_facing"},
		{"Features", "Install it with npm.", "install", "user_facing"},
		{"Usage", "Load a table.", "workflow", "user_facing"},
		{"Usage", "Tables are kept in memory.", "feature", "user_facing"},
		{"Features", "The `Table` class holds rows.", "api", "user_facing"},
		{"Features", "Exports CSV and JSON.", "format", "user_facing"},
		{"Supported formats", "CSV with any separator", "format", "user_facing"},
		{"Features", "One call converts a table.", "feature", "user_facing"},
		{"Features", "TODO: sort rows by column.", "feature", "developer_instruction"},
		{"Features", "The magic number is 0x504B0304 here.", "feature", "internal_detail"},
		{"Features", "As section 2.3 says, rows come last.", "feature", "internal_detail"},
		{"Features", "Calls sort_rows() on my.table here.", "feature", "internal_detail"},
		{"Features", "Works with Node.js and version 1.4.0 of the format.", "feature", "user_facing"},
		{"Features", "More is told at https://example.com in the manual.", "feature", "developer_instruction"},
	} {
		out, _ := run(t, inputs("acme-tool", map[string]string{"README.md": "# Acme Tool\n\n## " + test.heading + "\n\n- " + test.text + "\n"}))
		if len(out.Evidence.Claims) != 1 {
			t.Errorf("%q: %d claims", test.text, len(out.Evidence.Claims))
			continue
		}
		if claim := out.Evidence.Claims[0]; claim.Kind != test.kind || claim.Audience != test.audience {
			t.Errorf("%q: %s, %s; want %s, %s", test.text, claim.Kind, claim.Audience, test.kind, test.audience)
		}
	}
}

// 6.2(4), 6.2(10): ranks and what follows from them.
func TestPrioritiesAndEnrichment(t *testing.T) {
	for _, test := range []struct {
		path, text string
		priority   int
		confidence string
		level      string
		complexity string
	}{
		{"README.md", "Sorts rows by column.", 6, "low", "intermediate", "simple"},
		{"README.md", "The most powerful sorting of rows by any column you like.", 7, "low", "intermediate", "medium"},
		{"docs/guide.md", "Custom orders of rows are made of functions that compare two rows at a time.", 5, "medium", "advanced", "medium"},
		{"docs/setup.md", "Installed programs are found on the path.", 5, "medium", "beginner", "simple"},
		{"ARCHITECTURE.md", "Sorts rows by column.", 4, "medium", "intermediate", "simple"},
	} {
		out, _ := run(t, inputs("acme-tool", map[string]string{test.path: "# Title\n\n" + test.text + "\n"}))
		if len(out.Evidence.Claims) != 1 {
			t.Fatalf("%s: %+v", test.path, out.Evidence.Claims)
		}
		c := out.Evidence.Claims[0]
		if c.SourcePriority != test.priority || c.Confidence != test.confidence || c.Enrichment.AudienceLevel != test.level || c.Enrichment.Complexity != test.complexity || c.Enrichment.TargetPersona != "Acme Tool developers" {
			t.Errorf("%s: %+v, %+v", test.path, c, c.Enrichment)
		}
	}
}

// 6.2(3): the same statement in two places is one claim with two citations, and
// the better source comes first.
func TestDuplicates(t *testing.T) {
	out, _ := run(t, inputs("acme-tool", map[string]string{
		"README.md": "# Acme Tool\n\nAcme Tool  sorts rows.\n", "docs/guide.md": "# Guide\n\nacme tool sorts\nrows.\n",
	}))
	if len(out.Evidence.Claims) != 1 || len(out.Evidence.Claims[0].Citations) != 2 {
		t.Fatalf("%+v", out.Evidence.Claims)
	}
	c := out.Evidence.Claims[0]
	if c.Citations[0].Path != "docs/guide.md" || c.Citations[0].EndLine != 4 || c.SourcePriority != 5 || c.Text != "acme tool sorts rows." {
		t.Errorf("%+v", c)
	}
}
