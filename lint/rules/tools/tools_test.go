package tools_test

import (
	"testing"

	"mcpworks/lint/linttest"
	"mcpworks/lint/rules/tools"
)

func TestRules(t *testing.T) { linttest.Rules(t, tools.Rules()) }
