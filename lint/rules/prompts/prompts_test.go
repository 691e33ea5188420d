package prompts_test

import (
	"testing"

	"mcpworks/lint/linttest"
	"mcpworks/lint/rules/prompts"
)

func TestRules(t *testing.T) { linttest.Rules(t, prompts.Rules()) }
