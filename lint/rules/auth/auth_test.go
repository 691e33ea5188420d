package auth_test

import (
	"testing"

	"mcpworks/lint/linttest"
	"mcpworks/lint/rules/auth"
)

// C5: AUTH-001 to AUTH-007.
func TestRules(t *testing.T) {
	rules := auth.Rules()
	if len(rules) != 7 {
		t.Errorf("%d rules, want 7", len(rules))
	}
	linttest.Rules(t, rules)
}
