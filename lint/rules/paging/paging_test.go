package paging_test

import (
	"testing"

	"mcpworks/lint/linttest"
	"mcpworks/lint/rules/paging"
)

func TestRules(t *testing.T) { linttest.Rules(t, paging.Rules()) }
