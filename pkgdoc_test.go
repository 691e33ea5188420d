package mcpworks

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// TestEveryPackageHasOneComment keeps the first line of a room's door readable.
func TestEveryPackageHasOneComment(t *testing.T) {
	comments := map[string]int{}
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "node_modules" || strings.HasPrefix(entry.Name(), ".") && file != "."):
			return filepath.SkipDir
		case entry.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		source, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		folder := filepath.Dir(file)
		comments[folder] += 0
		if source.Doc == nil {
			return nil
		}
		comments[folder]++
		first := "Package " + source.Name.Name + " "
		if source.Name.Name == "main" {
			first = "Command " + filepath.Base(folder) + " "
		}
		if !strings.HasPrefix(source.Doc.Text(), first) {
			t.Errorf("%s: the package comment must begin with %q", file, first)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for folder, n := range comments {
		if n != 1 {
			t.Errorf("%s has %d package comments, want 1", folder, n)
		}
	}
}
