package main

import (
	"testing"

	"mcpworks/internal/scripttest"
)

func TestMain(m *testing.M) {
	scripttest.Main(m, map[string]func(){"plantuml-mcp": main})
}

// TestScripts runs testdata/script.
func TestScripts(t *testing.T) {
	scripttest.Run(t, nil, nil)
}
