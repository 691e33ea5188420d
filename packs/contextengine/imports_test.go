package contextengine_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// goList runs go list and returns the lines it prints.
func goList(t *testing.T, args ...string) []string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", append([]string{"list"}, args...)...).Output()
	if err != nil {
		t.Fatalf("go list %q: %v", args, err)
	}
	return strings.Fields(string(out))
}

// SCOPE-1, SEC-9: a program that links no network cannot use one, and one that
// cannot start processes does not.
func TestSCOPE1SEC9ProgramsLinkNeitherNetworkNorProcesses(t *testing.T) {
	for _, program := range []string{"mcp-context-server", "context"} {
		deps := goList(t, "-deps", "../../cmd/"+program)
		for _, forbidden := range []string{"net", "net/http", "os/exec", "plugin"} {
			if slices.Contains(deps, forbidden) {
				t.Errorf("%s links %s", program, forbidden)
			}
		}
	}
}

// SCOPE-3, DET-3: the engine has neither clock nor dice, and does not know who
// asks.
func TestSCOPE3EngineHasNoClockAndNoDice(t *testing.T) {
	packages := goList(t, "./internal/...")
	if len(packages) < 5 {
		t.Fatalf("the engine is %q", packages)
	}
	for _, name := range packages {
		for _, imported := range goList(t, "-f", `{{join .Imports "\n"}}`, name) {
			switch {
			case imported == "time", strings.HasPrefix(imported, "math/rand"),
				strings.HasPrefix(imported, "mcpworks/mcp"), strings.HasPrefix(imported, "net"):
				t.Errorf("%s imports %s", name, imported)
			}
		}
	}
}
