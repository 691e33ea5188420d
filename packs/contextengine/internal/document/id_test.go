package document_test

import (
	"strings"
	"testing"

	"mcpworks/packs/contextengine/internal/document"

	"pgregory.net/rapid"
)

// DOC-5: slashes, then leading ./, then case, in this order.
func TestID(t *testing.T) {
	for path, want := range map[string]string{
		"Docs/Deployment.md": "docs/deployment.md",
		"a.md":               "a.md",
		"./a.md":             "a.md",
		"././././a.md":       "a.md",
		`.\a.md`:             "a.md",
		`.\./.\A.md`:         "a.md",
		`Docs\Sub\A.md`:      "docs/sub/a.md",
		"docs/./a.md":        "docs/./a.md",
		".hidden/a.md":       ".hidden/a.md",
		"../a.md":            "../a.md",
		".//a.md":            "/a.md",
		"ΟΔΟΣ.md":            "οδοσ.md",
		"ΟΔΟΣ/A.md":          "οδος/a.md",
		"İ.md":               "i\u0307.md",
		"日本.md":              "日本.md",
		" A .md":             " a .md",
		"":                   "",
	} {
		if got, err := document.ID(path); got != want || err != nil {
			t.Errorf("ID(%q) = %q, %v, want %q", path, got, err, want)
		}
	}
}

// DOC-7
func TestPathsThatAreNotUTF8HaveNoID(t *testing.T) {
	for _, path := range []string{"\xff.md", "a/\xc3.md", "\xed\xa0\x80.md", "\xc0\xae/a.md", "a\x80"} {
		if got, err := document.ID(path); got != "" || err == nil {
			t.Errorf("ID(%q) = %q, %v", path, got, err)
		}
	}
}

// DOC-8: an id is its own id, and a backslash or a capital makes no difference.
func TestIDsAreStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		elements := rapid.SliceOfN(rapid.StringMatching(`[a-zA-Zé.]{1,6}`), 1, 5).Draw(t, "elements")
		path := strings.Join(elements, "/")
		id, err := document.ID(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, same := range []string{id, "./" + path, `.\` + strings.Join(elements, `\`), strings.ToUpper(path)} {
			if again, err := document.ID(same); again != id || err != nil {
				t.Fatalf("ID(%q) = %q, ID(%q) = %q, %v", path, id, same, again, err)
			}
		}
	})
}
