package rules_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mcpworks/lint"
	"mcpworks/lint/rules"
)

// D2.68: what a rule is called, and when and how hard it judges, never changes
// by accident.
func TestCatalogue(t *testing.T) {
	var got []string
	for _, rule := range rules.All() {
		got = append(got, identity(t, rule))
	}
	if diff := cmp.Diff(table(t), got); diff != "" {
		t.Errorf("the rules are not those of the catalogue (-catalogue +rules):\n%s", diff)
	}
}

// C1 to C11: no id is missing, and none is there twice.
func TestCatalogueIsComplete(t *testing.T) {
	counts := map[string]int{
		"RPC": 28, "LIFE": 26, "STD": 13, "HTTP": 53, "AUTH": 7, "SSE": 10, "MOD": 32, "TOOL": 25, "SCH": 29, "RES": 16, "PRM": 6, "PAGE": 6, "UTIL": 16,
	}
	for _, category := range rules.Categories() {
		var want, got []string
		for n := range counts[category.ID] {
			want = append(want, fmt.Sprintf("%s-%03d", category.ID, n+1))
		}
		for _, rule := range category.Rules() {
			got = append(got, rule.ID)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s has other ids (-want +got):\n%s", category.ID, diff)
		}
		delete(counts, category.ID)
	}
	if len(counts) > 0 {
		t.Errorf("there are no rules of %v", counts)
	}
}

// table has the lines of the catalogue that are about rules.
func table(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "catalogue.txt"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool {
		return line == "" || strings.HasPrefix(line, "#")
	})
}

// identity writes a rule as its line of the catalogue.
func identity(t *testing.T, rule *lint.Rule) string {
	t.Helper()
	needs := rule.Needs
	if needs == "" {
		needs = "-"
	}
	words := []string{
		rule.ID, rule.Slug, severities(t, rule), rule.Strength.String(), letters(rule.Revisions), transports(rule.Transports), rule.Level.String(), needs,
	}
	if rule.SDKWide {
		words = append(words, "sdk")
	}
	return strings.Join(words, " ")
}

// severities are those that the rule's fixtures show, worst first. The worst has
// to be the rule's own, unless that is off.
func severities(t *testing.T, rule *lint.Rule) string {
	t.Helper()
	fixtures, err := filepath.Glob(filepath.Join("*", "testdata", rule.ID, "fires*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	shown := map[lint.Severity]bool{}
	for _, fixture := range fixtures {
		text, err := os.ReadFile(fixture)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if want, ok := strings.CutPrefix(line, "# want "); ok {
				word, _, _ := strings.Cut(want, " ")
				var severity lint.Severity
				if err := severity.UnmarshalText([]byte(word)); err != nil {
					t.Fatalf("%s: %v", fixture, err)
				}
				shown[severity] = true
			}
		}
	}
	if rule.Severity == lint.Off {
		return rule.Severity.String()
	}
	var words []string
	for severity := lint.Error; severity > lint.Off; severity-- {
		if shown[severity] {
			words = append(words, severity.String())
		}
	}
	if len(words) == 0 || words[0] != rule.Severity.String() {
		t.Errorf("%s is of severity %v, and its fixtures show %v", rule.ID, rule.Severity, words)
	}
	return strings.Join(words, ",")
}

// letters are those of the revisions in the catalogue.
func letters(revisions lint.Revisions) string {
	var text strings.Builder
	for i, letter := range "ABCDE" {
		if revisions&(lint.A<<i) != 0 {
			text.WriteRune(letter)
		}
	}
	return text.String()
}

func transports(set lint.Transports) string {
	if set == 0 {
		return "any"
	}
	return strings.ReplaceAll(strings.Join(set.Names(), ","), "streamable_http", "streamable")
}
