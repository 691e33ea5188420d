package cachetest_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const (
	pack   = "mcpworks/packs/contextengine"
	engine = pack + "/internal"
)

// TestEngineHasNoClockDiceOrNetwork: SCOPE-1, SCOPE-3, DET-3.
func TestEngineHasNoClockDiceOrNetwork(t *testing.T) {
	forbidden := []string{"time", "math/rand", "math/rand/v2", "net", "os/exec"}
	seen := 0
	for _, p := range list(t, engine+"/...") {
		seen++
		for _, imported := range p.Imports {
			if slices.Contains(forbidden, imported) || strings.HasPrefix(imported, "net/") {
				t.Errorf("%s imports %s", p.ImportPath, imported)
			}
		}
	}
	if seen < 6 {
		t.Errorf("%d packages seen below %s", seen, engine)
	}
}

// TestOnlyTestsMakeCachesByHand keeps this package out of the product.
func TestOnlyTestsMakeCachesByHand(t *testing.T) {
	for _, p := range list(t, pack+"/...", "mcpworks/cmd/...") {
		if slices.Contains(p.Imports, engine+"/cachetest") {
			t.Errorf("%s imports cachetest outside of its tests", p.ImportPath)
		}
	}
}

type goPackage struct {
	ImportPath string
	Imports    []string // without those of tests
}

func list(t *testing.T, patterns ...string) (packages []goPackage) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", append([]string{"list", "-json=ImportPath,Imports"}, patterns...)...).Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}
