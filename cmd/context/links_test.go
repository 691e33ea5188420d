package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// SCOPE-1: a program that links neither the network nor the starting of
// processes can do neither.
func TestSCOPE1LinksNoNetworkAndNoProcesses(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	linked := strings.Fields(string(out))
	if !slices.Contains(linked, "mcpworks/packs/contextengine") {
		t.Fatalf("the list is not that of this program: %q", linked)
	}
	for _, unwanted := range []string{"net", "net/http", "os/exec", "crypto/tls"} {
		if slices.Contains(linked, unwanted) {
			t.Errorf("the program links %s", unwanted)
		}
	}
}
