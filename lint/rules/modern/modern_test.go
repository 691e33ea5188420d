package modern_test

import (
	"testing"

	"mcpworks/lint/linttest"
	"mcpworks/lint/rules/modern"
)

// C7: MOD-001 to MOD-032.
func TestRules(t *testing.T) { linttest.Rules(t, modern.Rules()) }

func TestAllAreListed(t *testing.T) {
	rules := modern.Rules()
	if len(rules) != 32 {
		t.Errorf("%d rules, want 32", len(rules))
	}
	for i, rule := range rules[1:] {
		if rules[i].ID >= rule.ID {
			t.Errorf("%s comes before %s", rules[i].ID, rule.ID)
		}
	}
}
