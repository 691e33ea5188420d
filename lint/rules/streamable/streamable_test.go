package streamable_test

import (
	"testing"

	"mcpworks/lint/linttest"
	"mcpworks/lint/rules/streamable"
)

func TestRules(t *testing.T) { linttest.Rules(t, streamable.Rules()) }
