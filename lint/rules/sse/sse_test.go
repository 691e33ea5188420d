package sse_test

import (
	"testing"

	"mcpworks/lint/linttest"
	"mcpworks/lint/rules/sse"
)

// C6: SSE-001 to SSE-010.
func TestRules(t *testing.T) {
	rules := sse.Rules()
	if len(rules) != 10 {
		t.Errorf("%d rules, want 10", len(rules))
	}
	linttest.Rules(t, rules)
}
