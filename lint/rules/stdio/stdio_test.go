package stdio_test

import (
	"testing"

	"mcpworks/lint/linttest"
	"mcpworks/lint/rules/stdio"
)

func TestRules(t *testing.T) { linttest.Rules(t, stdio.Rules()) }
