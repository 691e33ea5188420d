package resources_test

import (
	"testing"

	"mcpworks/lint/linttest"
	"mcpworks/lint/rules/resources"
)

func TestRules(t *testing.T) { linttest.Rules(t, resources.Rules()) }
