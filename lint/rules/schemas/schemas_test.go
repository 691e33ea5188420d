package schemas

import (
	"testing"

	"mcpworks/lint/linttest"
)

func TestRules(t *testing.T) { linttest.Rules(t, Rules()) }
