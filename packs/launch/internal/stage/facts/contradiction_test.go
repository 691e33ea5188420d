package facts_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/stage/facts"
)

// 6.2(6): what denies what.
func TestContradictions(t *testing.T) {
	for _, test := range []struct {
		promise, denial string
		want            int
	}{
		{"Acme Tool supports FBX.", "FBX is not implemented.", 1},
		{"Acme Tool supports FBX.", "Acme Tool does not support FBX.", 1},
		{"Acme Tool supports FBX.", "There is no support for FBX files.", 1},
		{"Reads and writes FBX.", "FBX export is not yet implemented.", 1},
		{"Acme Tool supports FBX import.", "FBX export is not supported.", 0}, // another direction
		{"Acme Tool supports FBX.", "FBX animations are not supported.", 0},   // a part of it
		{"Acme Tool supports FBX.", "OBJ is not supported.", 0},
		{"Acme Tool supports skeleton animation.", "Skeleton animation is not available.", 1},
		{"Writes archives.", "Encrypted archives are not supported.", 0},
		{"Converts CSV with one call.", "ONE is not supported.", 0}, // a word, not the format
		{"FBX is planned.", "FBX is not supported.", 0},
		{"You can also add custom modifiers.", "Custom modifiers are not yet available in the Rust version.", 0}, // another product
		{"You can also add custom modifiers.", "Custom modifiers are not implemented in Rust.", 0},
		{"You can also add custom modifiers.", "Custom modifiers are not yet available in the Python version.", 1}, // this one
	} {
		out, _ := run(t, inputs("acme-tool", map[string]string{"README.md": "# Acme Tool\n\n- " + test.promise + "\n- " + test.denial + "\n", "acme.py": "def act():\n    pass\n"}))
		if got := len(out.Evidence.Contradictions); got != test.want {
			t.Errorf("%q, %q: %d contradictions, want %d", test.promise, test.denial, got, test.want)
		}
	}
}

// C-23: whoever reads of a contradiction is told what says what, where, and what
// comes of it.
func TestContradictionIssue(t *testing.T) {
	long := "Acme Tool supports FBX" + strings.Repeat(" and more", 20) + "."
	_, issues := run(t, inputs("acme-tool", map[string]string{"README.md": "# Acme Tool\n\n- " + long + "\n- FBX is not implemented.\n"}))
	at := slices.IndexFunc(issues, func(i issue.Issue) bool { return i.Code == "FACTS_BUILDER_CONTRADICTION_UNRESOLVED" })
	if at < 0 {
		t.Fatal(issues)
	}
	for _, part := range []string{"\u201cFBX is not implemented.\u201d (README.md:4)", "\u201cAcme Tool supports FBX and more", "\u2026\u201d (README.md:3)", "lowered to minimal"} {
		if !strings.Contains(issues[at].Message, part) {
			t.Errorf("%q is not in %q", part, issues[at].Message)
		}
	}
	if len(issues[at].Message) > 400 {
		t.Errorf("the message has %d bytes", len(issues[at].Message))
	}
}

// a repository that contradicts itself without end is read to the end.
func TestManyContradictions(t *testing.T) {
	text := &strings.Builder{}
	for i := range 400 {
		short := fmt.Sprintf("%c%c", 'a'+i/26, 'a'+i%26)
		fmt.Fprintf(text, "- %s CSV is not supported.\n- Supports CSV %s.\n", short, short)
	}
	out, issues := run(t, inputs("acme-tool", map[string]string{"README.md": text.String()}))
	if len(out.Evidence.Contradictions) != 10_000 || len(issues) == 0 {
		t.Errorf("%d contradictions, %d issues", len(out.Evidence.Contradictions), len(issues))
	}
	if len(out.Facts.SupportedFormats) != 0 && len(out.TruthLock.UnresolvedClaimIDs) == 0 {
		t.Error("nothing is withheld")
	}
}

// 18.13: at least 80 % of the words of three letters or more.
func TestVerified(t *testing.T) {
	for _, test := range []struct {
		claim, lines string
		want         bool
	}{
		{"one two three four five", "one two three four", true},
		{"one two three four five", "one two three", false},
		{"Supported formats: csv.", `SUPPORTED_FORMATS = ["csv"]`, true},
		{"C# is in it", "in C# it is", true},
		{"Reads tables.", "Reads\n  tables", true},
		{"Reads tables.", "", false},
		{"", "anything", false},
	} {
		if got := facts.Verified(test.claim, test.lines); got != test.want {
			t.Errorf("%q, %q: %v", test.claim, test.lines, got)
		}
	}
}
