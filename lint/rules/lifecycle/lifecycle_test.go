package lifecycle_test

import (
	"testing"

	"mcpworks/lint/linttest"
	"mcpworks/lint/rules/lifecycle"
)

func TestRules(t *testing.T) { linttest.Rules(t, lifecycle.Rules()) }
