package markdown

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite the want.md sections of testdata")

// TestStatement runs the cases in testdata. Each file is about one subject and holds any number of cases; a case is
// named by a folder with an input.html or input.md, a want.md, and a source when it is not leetcode.
func TestStatement(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases found: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { runCases(t, file) })
	}
}

func runCases(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	sections := map[string]string{}
	for _, section := range archive.Files {
		sections[section.Name] = string(section.Data)
	}
	for i, section := range archive.Files {
		name, isWant := strings.CutSuffix(section.Name, "/want.md")
		if !isWant {
			continue
		}
		source, given := sections[name+"/source"]
		if !given {
			source = "leetcode"
		}
		got := Statement(strings.TrimSpace(source), sections[name+"/input.html"]+sections[name+"/input.md"])
		if !strings.HasSuffix(got, "\n") {
			got += "\n"
		}
		archive.Files[i].Data = []byte(got)
		if diff := cmp.Diff(string(section.Data), got); diff != "" && !*update {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
