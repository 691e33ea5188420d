package facts_test

import (
	"fmt"
	"strings"
	"testing"

	"mcpworks/packs/launch/internal/stage/facts"
)

// a line that holds very many statements is read once, and not once for
// each of them. (If it were, this test would not end.)
func TestStatementsInOneLine(t *testing.T) {
	const statements = 5_000
	var line strings.Builder
	for i := range statements {
		fmt.Fprintf(&line, "Acme Tool supports tables of kind number%d. ", i)
	}
	in := inputs("acme-tool", map[string]string{"README.md": "# Acme Tool\n\n" + line.String() + "\n"})
	out, _, err := facts.Run(t.Context(), in)
	if err != nil || len(out.Evidence.Claims) < statements {
		t.Errorf("%d claims, %v", len(out.Evidence.Claims), err)
	}
}
