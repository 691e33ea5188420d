package gate_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"mcpworks/packs/launch/internal/gate"
	"mcpworks/packs/launch/internal/gate/gatetest"
)

// 6.1, R-8: lines are cited from files of the product up to 5 MiB, however large
// a page may be.
func TestCitationsInLargeFiles(t *testing.T) {
	for name, c := range map[string]struct {
		padding int
		proven  bool
	}{"small": {0, true}, "large": {2 << 20, true}, "too large": {6 << 20, false}} {
		r := gatetest.New(t, "ci")
		r.Also = append(r.Also, func(in *gate.Input) {
			padded := fstest.MapFS{}
			for name, file := range in.Repo.(fstest.MapFS) {
				padded[name] = &fstest.MapFile{Data: append(file.Data, strings.Repeat("x", c.padding)...)}
			}
			in.Repo = padded
		})
		report := validate(t, r.Input())
		proven := true
		for _, i := range report.Issues {
			proven = proven && i.Code != "GATE_TRUTHLOCK_EVIDENCE_MISSING"
		}
		if proven != c.proven {
			t.Errorf("%s: %+v", name, report.Issues)
		}
	}
}
