package utilities_test

import (
	"testing"

	"mcpworks/lint/linttest"
	"mcpworks/lint/rules/utilities"
)

func TestRules(t *testing.T) { linttest.Rules(t, utilities.Rules()) }
