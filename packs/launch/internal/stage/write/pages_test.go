package write_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the pages in testdata anew")

// 6.5, R-7: the pages of repositories of the shapes that real ones have, as a
// maintainer reads them, with <> for each marker. What went wrong with real
// modules is in the fixtures: sentences that point elsewhere, speak of other
// products or lean on what is missing, types without use, helpers of tests.
func TestPages(t *testing.T) {
	for _, name := range []string{"go-lib", "py-readme", "js-lib"} {
		in := inputs(t, name)
		out, _ := run(t, in)
		var all strings.Builder
		for _, draft := range out.Manifest.Drafts {
			all.WriteString("-- " + draft.OutputPath + " --\n" + marker.ReplaceAllString(string(out.Files[draft.DraftPath]), "<>"))
		}
		file := filepath.Join("testdata", name+".txtar")
		if *update {
			if err := os.WriteFile(file, []byte(all.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), all.String()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
