package manifest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"mcpworks/packs/launch/internal/fixtures"
	"mcpworks/packs/launch/internal/manifest"
)

// 6.2(7): what each manifest says, where, and how its package is installed.
func TestRead(t *testing.T) {
	field := func(value string, line int) manifest.Field { return manifest.Field{Value: value, Line: line} }
	for _, test := range []struct {
		files   map[string]string
		want    manifest.Manifest
		install string
	}{
		{fixtures.AcmeTool(), manifest.Manifest{
			Path: "pyproject.toml", Platform: "python", Name: field("acme-tool", 6), Version: field("1.4.0", 7),
			Description: field("Reads, checks and converts tables for Python programs.", 8), License: field("MIT", 10),
			Runtime: field(">=3.9", 9), RuntimeName: "Python", Dependencies: []string{"openpyxl", "typing-extensions"},
			Extras: []string{"dev", "fast"}, Scripts: []string{"acme"},
		}, "pip install acme-tool"},
		{fixtures.Contradictory(), manifest.Manifest{
			Path: "setup.py", Platform: "python", Name: field("mesh-box", 4), Version: field("0.3.0", 5),
			Description: field("Loads and saves three-dimensional scenes.", 6), License: field("MIT", 7),
			Runtime: field(">=3.8", 8), RuntimeName: "Python", Dependencies: []string{"numpy"},
		}, "pip install mesh-box"},
		{fixtures.NodeLib(), manifest.Manifest{
			Path: "package.json", Platform: "node", Name: field("@acme/colour-kit", 2), Version: field("2.0.1", 3),
			Description: field("Mixes, compares and prints colours.", 4), License: field("ISC", 5),
			Runtime: field(">=18", 9), RuntimeName: "Node", Dependencies: []string{"color-name"}, Scripts: []string{"test"}, Entry: "src/index.js",
		}, "npm install @acme/colour-kit"},
		{fixtures.GoCLI(), manifest.Manifest{
			Path: "go.mod", Platform: "go", Name: field("example.com/tidylog", 1), Runtime: field("1.22", 3), RuntimeName: "Go",
			Dependencies: []string{"github.com/klauspost/compress"},
		}, "go get example.com/tidylog"},
		{fixtures.Monorepo(), manifest.Manifest{
			Path: "rust/Cargo.toml", Platform: "rust", Name: field("parcel-core", 2), Version: field("3.1.0", 3),
			Description: field("Packs and unpacks archives.", 6), License: field("MIT", 5), Runtime: field("1.74", 7), RuntimeName: "Rust",
			Dependencies: []string{"crc32fast"},
		}, "cargo add parcel-core"},
		{fixtures.Monorepo(), manifest.Manifest{
			Path: "java/pom.xml", Platform: "java", Name: field("parcel", 5), Version: field("3.1.0", 6),
			Description: field("Reads archives.", 7), License: field("MIT", 9), Runtime: field("17", 12), RuntimeName: "Java",
			Dependencies: []string{"org.slf4j:slf4j-api"},
		}, "com.acme:parcel:3.1.0"},
		{fixtures.Monorepo(), manifest.Manifest{
			Path: "gradle/build.gradle", Platform: "java", Version: field("3.1.0", 4), RuntimeName: "Java", Dependencies: []string{"org.slf4j:slf4j-api"},
		}, ""},
		{fixtures.Monorepo(), manifest.Manifest{
			Path: "dotnet/Parcel.csproj", Platform: "dotnet", Name: field("Acme.Parcel", 4), Version: field("3.1.0", 5),
			Description: field("Writes archives.", 7), License: field("MIT", 6), Runtime: field("net8.0", 3), RuntimeName: ".NET",
			Dependencies: []string{"System.Text.Json"},
		}, "dotnet add package Acme.Parcel"},
		{fixtures.Monorepo(), manifest.Manifest{
			Path: "php/composer.json", Platform: "php", Name: field("acme/parcel", 2), Description: field("Lists the entries of archives.", 3),
			License: field("MIT", 4), Runtime: field(">=8.1", 5), RuntimeName: "PHP", Dependencies: []string{"psr/log"},
		}, "composer require acme/parcel"},
		{fixtures.Monorepo(), manifest.Manifest{
			Path: "web/package.json", Platform: "node", Name: field("parcel-web", 2), Version: field("3.1.0", 3), RuntimeName: "Node", Entry: "index.js", Private: true,
		}, ""},
	} {
		got, err := manifest.Read(test.want.Path, test.files[test.want.Path])
		if err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(test.want, got, cmpopts.IgnoreUnexported(manifest.Manifest{}), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %s", test.want.Path, diff)
		}
		if install, _ := got.Install(); install.Command != test.install {
			t.Errorf("%s: %q, want %q", test.want.Path, install.Command, test.install)
		}
	}
}

// a name that a shell would misread installs nothing, and a broken file is
// an error that does not repeat it.
func TestHostile(t *testing.T) {
	for name, content := range fixtures.Hostile() {
		if !manifest.Is(name) {
			continue
		}
		m, err := manifest.Read(name, content)
		if install, ok := m.Install(); ok {
			t.Errorf("%s: %+v", name, install)
		}
		if err != nil && strings.Contains(err.Error(), "[[") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, files := range fixtures.All() {
		for name, content := range files {
			if manifest.Is(name) {
				f.Add(name, content)
			}
		}
	}
	f.Fuzz(func(t *testing.T, name, content string) {
		m, err := manifest.Read(name, content)
		if err != nil {
			return
		}
		lines := strings.Split(strings.ToValidUTF8(content, "\uFFFD"), "\n")
		for _, field := range []manifest.Field{m.Name, m.Version, m.Description, m.License, m.Runtime} {
			if field.Line > len(lines) || field.Line > 0 && !strings.Contains(lines[field.Line-1], field.Value) {
				t.Errorf("%+v is not there", field)
			}
		}
	})
}
