package scout

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
)

// profile says how the repository is built and where its public names are.
func (s *scout) profile(files []file, inventory artifact.RepoInventory) artifact.RepoProfile {
	found := s.findManifests(files)
	family := cmp.Or(s.in.Config.PlatformFamily, platformFamily(found))
	archetype := cmp.Or(s.in.Config.RepoArchetype, s.archetype(family, found, files))
	var paths, systems []string
	for _, m := range found {
		paths = append(paths, m.path)
		systems = append(systems, m.system)
	}
	for _, f := range files {
		if f.Path == "Makefile" || f.Path == "CMakeLists.txt" {
			systems = append(systems, map[string]string{"Makefile": "make", "CMakeLists.txt": "cmake"}[f.Path])
		}
	}
	entrypoints := s.entrypoints(family, files)
	return artifact.RepoProfile{
		PlatformFamily: family, PrimaryLanguages: inventory.Fingerprint.PrimaryLanguages, BuildSystems: set(systems), PackageManifests: set(paths),
		RecommendedTestCommands: s.testCommands(found, inventory.TestFileCount), ExampleLocator: s.exampleLocator(inventory), DocLocator: docLocator(inventory),
		SourceLayout: sourceLayout(archetype, inventory), RepoArchetype: archetype, AdapterID: adapter(family, archetype), AdapterVersion: adapterVersion,
		PublicAPIEntrypoints: entrypoints, PublicAPIScope: s.scope(family, entrypoints, inventory),
	}
}

// testCommand is how the tests of each build system are usually run.
var testCommand = map[string]string{
	"pyproject": "python -m pytest", "setup_py": "python -m pytest", "package_json": "npm test", "go_mod": "go test ./...", "cargo_toml": "cargo test",
	"pom_xml": "mvn test", "build_gradle": "gradle test", "csproj": "dotnet test", "composer_json": "composer test",
}

// testCommands are printed and never run. Without tests there are none but those
// of the configuration.
func (s *scout) testCommands(found []foundManifest, tests int) []string {
	commands := slices.Clone(s.in.Config.TestCommands)
	for _, m := range found {
		if command := testCommand[m.short]; tests > 0 && command != "" && !slices.Contains(commands, command) {
			commands = append(commands, command)
		}
	}
	if commands == nil {
		return []string{}
	}
	return commands
}

func (s *scout) exampleLocator(inventory artifact.RepoInventory) string {
	switch {
	case len(inventory.ExampleRoots) == 0 && len(inventory.ExamplePaths) > 0:
		return "tests"
	case len(inventory.ExampleRoots) == 0:
		return "none"
	case len(s.in.Config.ExampleRoots)+len(s.in.Config.ExampleDirectories) > 0:
		return "configured"
	}
	return "standard_dirs"
}

func docLocator(inventory artifact.RepoInventory) string {
	readme := slices.ContainsFunc(inventory.DocEntrypointDetails, func(d artifact.DocDetail) bool { return d.EvidencePriority == rootReadme })
	switch {
	case readme && len(inventory.DocRoots) > 0:
		return "readme_and_docs"
	case readme:
		return "readme"
	case len(inventory.DocEntrypoints) > 0:
		return "docs"
	}
	return "none"
}

func sourceLayout(archetype string, inventory artifact.RepoInventory) string {
	switch {
	case archetype == "monorepo_multi_package":
		return "multi_package"
	case slices.Contains(inventory.SourceRoots, "src"):
		return "src"
	case len(inventory.SourceRoots) > 0:
		return "flat"
	}
	return "none"
}

// entrypoints are the files through which programs use the product.
func (s *scout) entrypoints(family string, files []file) []string {
	var found []string
	for _, f := range files {
		if s.isSource(f) && isEntrypoint(family, f) {
			found = append(found, f.Path)
		}
	}
	return set(found)
}

func isEntrypoint(family string, f file) bool {
	base, dir := path.Base(f.Path), path.Dir(f.Path)
	inner := strings.TrimPrefix(dir, "src/")
	at := func(languages ...string) bool {
		return slices.Contains(languages, f.Language) && (family == "multi" || slices.Contains(platformLanguages[family], f.Language))
	}
	switch {
	case at("python"):
		return base == "__init__.py" && !strings.Contains(inner, "/") && !strings.HasPrefix(inner, "_")
	case at("javascript", "typescript"):
		return strings.HasPrefix(base, "index.") && (dir == "." || dir == "src" || dir == "lib" || family == "multi")
	case at("go"):
		return dir == "." || base == "doc.go" && !strings.Contains("/"+dir+"/", "/internal/")
	case at("rust"):
		return base == "lib.rs"
	}
	return false
}

// internalPrefixes are what private names begin with.
var internalPrefixes = map[string][]string{
	"python": {"_"}, "node": {"_"}, "go": {"internal/"}, "dotnet": {"Internal"}, "java": {"internal"}, "rust": {}, "php": {"Internal"},
}

// scope says how sure it is which names are public: explicit where the language
// itself marks them or an entry point lists them, heuristic where only folders
// speak.
func (s *scout) scope(family string, entrypoints []string, inventory artifact.RepoInventory) artifact.PublicAPIScope {
	scope := artifact.PublicAPIScope{PublicRoots: []string{}, InternalPrefixes: []string{}, Policy: "unknown"}
	prefixes, known := internalPrefixes[family]
	if !known || len(inventory.SourceRoots) == 0 {
		return scope
	}
	scope.InternalPrefixes = append(scope.InternalPrefixes, prefixes...)
	for _, root := range inventory.SourceRoots {
		if root != "internal" && !strings.HasPrefix(root, ".") || root == "." {
			scope.PublicRoots = append(scope.PublicRoots, root)
		}
	}
	scope.Policy = "heuristic"
	listed := slices.ContainsFunc(entrypoints, func(name string) bool {
		return path.Base(name) == "__init__.py" && strings.Contains(s.text(s.in.Repo.Files, name), "__all__")
	})
	if listed || slices.Contains([]string{"go", "rust", "java", "dotnet"}, family) {
		scope.Policy = "explicit"
	}
	return scope
}
