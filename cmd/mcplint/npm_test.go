package main

import (
	"os"
	"path/filepath"
	"testing"

	"mcpworks/lint"
)

// LIFE-021: the package of a command is known by what npx is told, or by where
// the program is.
func TestNPMPackage(t *testing.T) {
	root := t.TempDir()
	installed := filepath.Join(root, "node_modules", "@scope", "server")
	bin := filepath.Join(root, "node_modules", ".bin", "server")
	for file, text := range map[string]string{
		filepath.Join(installed, "package.json"):   `{"name":"@scope/server","version":"1.2.3"}`,
		filepath.Join(installed, "dist", "run.js"): "",
	} {
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Dir(bin), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join("..", "@scope", "server", "dist", "run.js"), bin); err != nil {
		t.Fatal(err)
	}
	known := lint.Package{Name: "@scope/server", Version: "1.2.3"}
	for name, test := range map[string]struct {
		words []string
		want  lint.Package
	}{
		"npx":             {[]string{"npx", "-y", "@scope/server@1", "--flag"}, known},
		"npx, by package": {[]string{"npx", "--package=@scope/server", "server"}, known},
		"npx, a shell":    {[]string{"npx", "-c", "server"}, lint.Package{}},
		"link":            {[]string{bin, "stdio"}, known},
		"node":            {[]string{"node", filepath.Join(installed, "dist", "run.js")}, known},
		"elsewhere":       {[]string{filepath.Join(root, "nothing")}, lint.Package{}},
		"node alone":      {[]string{"node"}, lint.Package{}},
	} {
		if got := npmPackageOf(test.words, root).installed(); got != test.want {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
}
