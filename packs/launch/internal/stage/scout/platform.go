package scout

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// A manifest is a file that says what is built here, and for which platform.
type manifest struct {
	pattern  string // of path.Match, for the name of the file
	platform string
	short    string // in names of archetypes; empty for secondary manifests
	system   string // the build system it belongs to
}

// manifests are all that are known. Those with a short name are primary and
// weigh 3, the others 1 (6.1).
var manifests = []manifest{
	{"pyproject.toml", "python", "pyproject", "pip"}, {"setup.py", "python", "setup_py", "setuptools"}, {"package.json", "node", "package_json", "npm"},
	{"go.mod", "go", "go_mod", "go"}, {"Cargo.toml", "rust", "cargo_toml", "cargo"}, {"pom.xml", "java", "pom_xml", "maven"},
	{"build.gradle", "java", "build_gradle", "gradle"}, {"build.gradle.kts", "java", "build_gradle", "gradle"}, {"*.csproj", "dotnet", "csproj", "dotnet"},
	{"composer.json", "php", "composer_json", "composer"},
	{"requirements.txt", "python", "", "pip"}, {"poetry.lock", "python", "", "poetry"}, {"Pipfile.lock", "python", "", "pipenv"}, {"uv.lock", "python", "", "uv"},
	{"*.sln", "dotnet", "", "dotnet"}, {"packages.lock.json", "dotnet", "", "dotnet"}, {"package-lock.json", "node", "", "npm"},
	{"yarn.lock", "node", "", "yarn"}, {"pnpm-lock.yaml", "node", "", "pnpm"}, {"go.sum", "go", "", "go"}, {"Cargo.lock", "rust", "", "cargo"},
	{"composer.lock", "php", "", "composer"}, {"gradle.lockfile", "java", "", "gradle"},
}

// platforms in the order that breaks ties.
var platforms = []string{"python", "node", "dotnet", "java", "go", "rust", "php"}

const (
	primaryWeight   = 3
	secondaryWeight = 1
	enough          = 2 // what a platform needs to be recognised
)

// A foundManifest is a manifest of the product itself.
type foundManifest struct {
	manifest
	path string
}

// findManifests lists the manifests, without those of tests, examples and of
// code of others.
func (s *scout) findManifests(files []file) []foundManifest {
	var found []foundManifest
	for _, f := range files {
		if isVendored(f.Path) || dirNamed(testDirs, f.Path) != "" || s.exampleRoot(f.Path) != "" || s.docRoot(f.Path) != "" {
			continue
		}
		at := slices.IndexFunc(manifests, func(m manifest) bool { ok, _ := path.Match(m.pattern, path.Base(f.Path)); return ok })
		if at >= 0 {
			found = append(found, foundManifest{manifests[at], f.Path})
		}
	}
	return found
}

// platformFamily judges by the manifests: one platform, multi or unknown.
func platformFamily(found []foundManifest) string {
	scores := map[string]int{}
	for _, m := range found {
		if m.short != "" {
			scores[m.platform] += primaryWeight
		} else {
			scores[m.platform] += secondaryWeight
		}
	}
	best, strong := "unknown", 0
	for _, platform := range platforms {
		if scores[platform] >= primaryWeight {
			strong++
		}
		if scores[platform] >= enough && scores[platform] > scores[best] {
			best = platform
		}
	}
	if strong > 1 {
		return "multi"
	}
	return best
}

// platformLanguages are the languages of code for each platform.
var platformLanguages = map[string][]string{
	"python": {"python"}, "node": {"javascript", "typescript"}, "dotnet": {"csharp", "fsharp", "visualbasic"}, "java": {"java", "kotlin", "scala", "groovy"},
	"go": {"go"}, "rust": {"rust"}, "php": {"php"},
}

// archetype names how the repository is laid out.
func (s *scout) archetype(family string, found []foundManifest, files []file) string {
	var dirs, shorts []string
	for _, m := range found {
		if m.short != "" {
			dirs = append(dirs, path.Dir(m.path))
		}
		if m.short != "" && m.platform == family {
			shorts = append(shorts, m.short)
		}
	}
	switch {
	case len(set(dirs)) > 1:
		return "monorepo_multi_package"
	case len(shorts) > 0 && hasSrc(family, files):
		return family + "_src_" + firstShort(shorts)
	case len(shorts) > 0:
		return family + "_flat_" + firstShort(shorts)
	case len(found) == 0 && !slices.ContainsFunc(files, s.isSource) && slices.ContainsFunc(files, isDocument):
		return "docs_only"
	}
	return "mixed_unknown"
}

// firstShort is the one that comes first in the table of manifests.
func firstShort(shorts []string) string {
	return slices.MinFunc(shorts, func(a, b string) int {
		place := func(short string) int {
			return slices.IndexFunc(manifests, func(m manifest) bool { return m.short == short })
		}
		return cmp.Compare(place(a), place(b))
	})
}

// hasSrc says whether src holds code of the platform.
func hasSrc(family string, files []file) bool {
	return slices.ContainsFunc(files, func(f file) bool {
		return strings.HasPrefix(f.Path, "src/") && slices.Contains(platformLanguages[family], f.Language) && !isTest(f)
	})
}

// adapters are the readers of source code that exist, by name.
var adapters = []string{
	"python:python_src_pyproject", "python:python_flat_setup_py", "python:default", "node:default", "dotnet:default", "java:default", "go:default",
	"rust:default", "php:default", "universal:best_effort",
}

// adapterVersion changes when an adapter reads the same source differently.
const adapterVersion = "1.0"

// adapter chooses the most specific reader of source code.
func adapter(family, archetype string) string {
	for _, name := range []string{family + ":" + archetype, family + ":default"} {
		if slices.Contains(adapters, name) {
			return name
		}
	}
	return "universal:best_effort"
}
