package nesting_test

import (
	"strings"
	"testing"

	"mcpworks/packs/launch/internal/patch/nesting"
)

func TestIsDeep(t *testing.T) {
	for line, want := range map[string]bool{
		strings.Repeat("> ", 32) + "x":      true,
		strings.Repeat(">", 40):             true,
		strings.Repeat("- ", 32) + "x":      true,
		strings.Repeat("1. > * ", 11) + "x": true,
		strings.Repeat("> ", 31) + "x":      false,
		strings.Repeat("-", 80):             false,
		strings.Repeat("- ", 40):            false,
		strings.Repeat("* ", 40):            false,
		strings.Repeat("+ ", 40):            true,
		"| " + strings.Repeat("- | ", 40):   false,
	} {
		if got := nesting.IsDeep(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
	if got := nesting.Without("a\n"+strings.Repeat("> ", 32)+"\nb\n", "…"); got != "a\n…\nb\n" {
		t.Errorf("%q", got)
	}
}
