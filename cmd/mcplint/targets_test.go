package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"mcpworks/lint"
)

func TestSplitWords(t *testing.T) {
	for line, want := range map[string][]string{
		"":                                     nil,
		"  # all of it":                        nil,
		"npx -y some-server # one":             {"npx", "-y", "some-server"},
		`sh -c 'echo "a b"; exit'` + "\r\n":    {"sh", "-c", `echo "a b"; exit`},
		`a "b 'c' \" d" e\ f ''`:               {"a", `b 'c' " d`, "e f", ""},
		"https://example.com/mcp#part x#y":     {"https://example.com/mcp#part", "x#y"},
		"\ttabs\tand  blanks ":                 {"tabs", "and", "blanks"},
		`C:\\bin\\server.exe 'single \ stays'`: {`C:\bin\server.exe`, `single \ stays`},
	} {
		got, err := splitWords(line)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%q is %q, %v", line, got, err)
		}
	}
	for _, line := range []string{"'open", `"open`, `end\`} {
		if words, err := splitWords(line); err == nil {
			t.Errorf("%q is %q", line, words)
		}
	}
}

// LIFE-021: the package that npx runs, where that is known.
func TestNpmPackage(t *testing.T) {
	home, project := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("npm_config_cache", "")
	write := func(age time.Duration, text string, elements ...string) {
		t.Helper()
		file := filepath.Join(elements...)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		when := time.Now().Add(-age)
		if err := os.Chtimes(file, when, when); err != nil {
			t.Fatal(err)
		}
	}
	cache := filepath.Join(home, ".npm", "_npx")
	install := func(folder string, age time.Duration, spec, name, version string) {
		write(age, `{"_npx":{"packages":["`+spec+`"]}}`, cache, folder, "package.json")
		write(age, `{"version":"`+version+`"}`, cache, folder, "node_modules", name, "package.json")
	}
	install("a", 2*time.Hour, "@scope/server", "@scope/server", "1.0.0")
	install("b", time.Hour, "@scope/server", "@scope/server", "2.0.0")
	install("c", time.Minute, "@scope/server@0.9", "@scope/server", "0.9.1")
	install("d", time.Minute, "plain", "plain", "3.0.0")
	write(0, `{"version":"4.0.0"}`, project, "node_modules", "plain", "package.json")
	write(0, `not json`, cache, "e", "package.json")
	write(0, strings.Repeat(" ", 2<<20)+`{"_npx":{"packages":["@scope/server"]}}`, cache, "f", "package.json")

	for words, want := range map[string]lint.Package{
		"npx -y @scope/server --flag":           {Name: "@scope/server", Version: "2.0.0"},
		"/usr/bin/npx @scope/server@0.9":        {Name: "@scope/server", Version: "0.9.1"},
		"npx --yes --package plain tool plain2": {Name: "plain", Version: "3.0.0"},
		"npx -p=plain tool":                     {Name: "plain", Version: "3.0.0"},
		"npx -y unheard-of":                     {},
		"npx -y ../plain":                       {},
		"npx -c plain":                          {},
		"npx":                                   {},
		"node plain":                            {},
	} {
		if got := npmPackageOf(strings.Fields(words), t.TempDir()).installed(); got != want {
			t.Errorf("%q runs %v, want %v", words, got, want)
		}
	}
	if got := npmPackageOf([]string{"npx", "plain"}, project).installed(); got.Version != "4.0.0" {
		t.Errorf("the package of the directory is %v", got)
	}
}
