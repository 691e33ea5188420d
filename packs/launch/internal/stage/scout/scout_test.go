package scout_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/fixtures"
	"mcpworks/packs/launch/internal/gitrepo"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/stage/scout"
)

func inputs(repo, site map[string]string) scout.Inputs {
	return scout.Inputs{
		Repo: scout.Source{URL: "https://github.com/acme/acme-tool", RequestedRef: "main", SHA: fixtures.RepoSHA, Files: fixtures.FS(repo), DefaultBranch: "main"},
		Site: scout.Source{URL: "https://github.com/acme/site", SHA: fixtures.SiteSHA, Files: fixtures.FS(site)},
		Config: scout.Config{
			Generator: "hugo", Sections: []scout.Section{{ID: "docs", Root: "content/docs"}, {ID: "kb", Root: "content/kb"}},
		},
	}
}

// run runs the stage and holds its documents against their schemas.
func run(t *testing.T, in scout.Inputs) (scout.Outputs, []issue.Issue) {
	t.Helper()
	out, issues, err := scout.Run(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	encode(t, out)
	return out, issues
}

func encode(t *testing.T, out scout.Outputs) string {
	t.Helper()
	var all strings.Builder
	for name, document := range map[string]any{
		artifact.RepoInventoryName: out.Inventory, artifact.FrontmatterContractName: out.Frontmatter, artifact.SiteContextName: out.Site, artifact.HugoFactsName: out.Hugo,
	} {
		text, err := artifact.Encode(document)
		if err != nil {
			t.Fatal(err)
		}
		violations, err := artifact.Validate(name, text)
		if err != nil || len(violations) > 0 {
			t.Errorf("%s: %v %v", name, violations, err)
		}
	}
	for _, document := range []any{out.Inventory, out.Frontmatter, out.Site, out.Hugo} {
		text, _ := artifact.Encode(document)
		all.Write(text)
	}
	return all.String()
}

// 6.1, R-6: the vector of the fingerprint.
func TestFingerprint(t *testing.T) {
	out, _ := run(t, inputs(map[string]string{"README.md": "# Acme\n", "src/a.py": "x = 1\n"}, nil))
	if want := "6a4c95a9bc48d9faa0d6a7cfcaf148738e94d20293942be002921419f15ef960"; out.Inventory.RepoFingerprint != want {
		t.Errorf("fingerprint %s, want %s", out.Inventory.RepoFingerprint, want)
	}
}

// 6.1, C-22: nothing comes of a repository without files.
func TestEmpty(t *testing.T) {
	for name, files := range map[string]map[string]string{"empty": fixtures.Empty(), "only git": {".git/config": "x"}} {
		if out, _, err := scout.Run(t.Context(), inputs(files, nil)); !errors.Is(err, scout.ErrEmpty) || out.Inventory.FileCount != 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMissingInput(t *testing.T) {
	in := inputs(fixtures.Sparse(), nil)
	in.Site.SHA = ""
	_, issues, err := scout.Run(t.Context(), in)
	if err == nil || len(issues) != 1 || issues[0].Code != scout.CodeMissingInput || issues[0].Severity != issue.Blocker {
		t.Errorf("%v, %v", issues, err)
	}
}

// 6.1: what each fixture is.
func TestProfiles(t *testing.T) {
	for name, want := range map[string][]string{
		"acme-tool":     {"python", "python_src_pyproject", "python:python_src_pyproject", "src", "explicit", "python", "library", "standard_dirs", "readme_and_docs"},
		"go-cli":        {"go", "go_flat_go_mod", "go:default", "flat", "explicit", "go", "cli", "tests", "readme_and_docs"},
		"node-lib":      {"node", "node_src_package_json", "node:default", "src", "heuristic", "javascript", "library", "standard_dirs", "readme"},
		"sparse":        {"unknown", "mixed_unknown", "universal:best_effort", "flat", "unknown", "python", "tool", "none", "readme"},
		"contradictory": {"python", "python_flat_setup_py", "python:python_flat_setup_py", "flat", "heuristic", "python", "library", "standard_dirs", "readme"},
		"monorepo":      {"multi", "monorepo_multi_package", "universal:best_effort", "multi_package", "unknown", "csharp", "library", "none", "readme"},
	} {
		out, _ := run(t, inputs(fixtures.All()[name], nil))
		p := out.Inventory.RepoProfile
		got := []string{p.PlatformFamily, p.RepoArchetype, p.AdapterID, p.SourceLayout, p.PublicAPIScope.Policy, p.PrimaryLanguages[0],
			out.Inventory.InferredProductType, p.ExampleLocator, p.DocLocator}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// 6.1: the whole inventory of the reference fixture.
func TestInventory(t *testing.T) {
	in := inputs(fixtures.AcmeTool(), nil)
	in.Repo.LatestTag, in.Repo.Ignored = "v1.2.0", []string{"docs/api.rst"}
	out, _ := run(t, in)
	got := out.Inventory
	if got.FileCount != 33 || len(got.Files) != 33 || !slices.IsSorted(got.Paths) || got.TestFileCount != 12 || got.ProductNameGuess != "Acme Tool" {
		t.Errorf("%d files, %d tests, name %q", got.FileCount, got.TestFileCount, got.ProductNameGuess)
	}
	for what, pair := range map[string][2][]string{
		"doc roots":     {got.DocRoots, {"docs"}},
		"documents":     {got.DocEntrypoints, {"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/api.rst", "docs/architecture.md", "docs/converting.md", "docs/getting-started.md", "examples/README.md"}},
		"examples":      {got.ExamplePaths, {"examples/README.md", "examples/convert_csv_to_json.py", "examples/merge_two_tables.py"}},
		"example roots": {got.ExampleRoots, {"examples"}},
		"source roots":  {got.SourceRoots, {"src"}},
		"test roots":    {got.TestRoots, {"tests"}},
		"CI":            {got.CIPaths, {".github/workflows/test.yml"}},
		"manifests":     {got.RepoProfile.PackageManifests, {"pyproject.toml"}},
		"entry points":  {got.RepoProfile.PublicAPIEntrypoints, {"src/acme_tool/__init__.py"}},
		"test commands": {got.RepoProfile.RecommendedTestCommands, {"python -m pytest"}},
		"internal":      {got.RepoProfile.PublicAPIScope.InternalPrefixes, {"_"}},
	} {
		if diff := cmp.Diff(pair[1], pair[0]); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
	want := artifact.Fingerprint{DefaultBranch: "main", LatestReleaseTag: "v1.2.0", LicensePath: "LICENSE", LicenseSPDX: "MIT", PrimaryLanguages: []string{"python"}}
	if diff := cmp.Diff(want, got.Fingerprint); diff != "" {
		t.Error(diff)
	}
	if api := fileOf(got, "docs/api.rst"); !api.GitIgnored || api.Language != "rst" || api.Binary {
		t.Errorf("docs/api.rst: %+v", api)
	}
}

func fileOf(inventory artifact.RepoInventory, path string) artifact.RepoFile {
	at := slices.IndexFunc(inventory.Files, func(f artifact.RepoFile) bool { return f.Path == path })
	if at < 0 {
		return artifact.RepoFile{}
	}
	return inventory.Files[at]
}

// 6.1: manifests, scores and ties.
func TestPlatformFamily(t *testing.T) {
	for name, tc := range map[string]struct {
		files             []string
		family, archetype string
	}{
		"one secondary":        {[]string{"requirements.txt", "a.py"}, "unknown", "mixed_unknown"},
		"two secondary":        {[]string{"requirements.txt", "poetry.lock", "a.py"}, "python", "mixed_unknown"},
		"tie of secondary":     {[]string{"yarn.lock", "package-lock.json", "requirements.txt", "poetry.lock"}, "python", "mixed_unknown"},
		"two platforms":        {[]string{"package.json", "pyproject.toml", "a.py", "b.js"}, "multi", "mixed_unknown"},
		"secondary of another": {[]string{"package.json", "requirements.txt", "b.js"}, "node", "node_flat_package_json"},
		"only in examples":     {[]string{"go.mod", "main.go", "examples/web/package.json", "node_modules/x/package.json", "test/fixture/pom.xml"}, "go", "go_flat_go_mod"},
		"levels":               {[]string{"package.json", "packages/a/package.json", "packages/a/index.js"}, "node", "monorepo_multi_package"},
		"dotnet":               {[]string{"App.sln", "App.csproj", "Program.cs"}, "dotnet", "dotnet_flat_csproj"},
		"both of python":       {[]string{"setup.py", "pyproject.toml", "src/a/__init__.py"}, "python", "python_src_pyproject"},
		"documents":            {[]string{"README.md", "docs/a.md"}, "unknown", "docs_only"},
	} {
		files := map[string]string{}
		for _, path := range tc.files {
			files[path] = "x"
		}
		out, _ := run(t, inputs(files, nil))
		if p := out.Inventory.RepoProfile; p.PlatformFamily != tc.family || p.RepoArchetype != tc.archetype {
			t.Errorf("%s: %s %s, want %s %s", name, p.PlatformFamily, p.RepoArchetype, tc.family, tc.archetype)
		}
	}
	in := inputs(fixtures.Sparse(), nil)
	in.Config.PlatformFamily, in.Config.RepoArchetype, in.Config.ProductType = "python", "python_flat_setup_py", "cli"
	out, _ := run(t, in)
	if p := out.Inventory.RepoProfile; p.AdapterID != "python:python_flat_setup_py" || out.Inventory.InferredProductType != "cli" {
		t.Errorf("hints: %+v", p)
	}
}

// 6.1: languages by weight, ties by name, unknown without code.
func TestLanguages(t *testing.T) {
	for _, tc := range []struct {
		files []string
		want  []string
	}{
		{[]string{"a.go", "b.py", "c.py", "d.md", "e.md", "f.md", "g.md", "h.md", "i.md", "j.md"}, []string{"python", "go"}},
		{[]string{"b.rs", "a.go"}, []string{"go", "rust"}},
		{[]string{"a.md", "b.yml", "Makefile"}, []string{"unknown"}},
		{[]string{"a.go", "vendor/b.c", "vendor/c.c"}, []string{"go"}},
	} {
		files := map[string]string{}
		for _, path := range tc.files {
			files[path] = ""
		}
		out, _ := run(t, inputs(files, nil))
		if diff := cmp.Diff(tc.want, out.Inventory.Fingerprint.PrimaryLanguages); diff != "" {
			t.Errorf("%v: %s", tc.files, diff)
		}
	}
}

// 6.1: which documents there are, and their order.
func TestDocuments(t *testing.T) {
	out, _ := run(t, inputs(map[string]string{
		"README.md": "x", "NOTES.md": "x", "MY_IMPLEMENTATION_2.md": "x", "misc.md": "# Misc\n\n## Known Issues\n", "plain.md": "# Nothing\n",
		"late.md": strings.Repeat("\n", 60) + "# Usage\n", "docs/z.md": "x", "docs/a/b.md": "x", "documentation/x.rst": "x", "lib/README.md": "x",
		"lib/x.py": "x", "node_modules/a/README.md": "x", "docs/logo.png": "x", "ROADMAP.md": "x",
	}, nil))
	want := []artifact.DocDetail{
		{Path: "README.md", DocType: "readme", EvidencePriority: 100}, {Path: "MY_IMPLEMENTATION_2.md", DocType: "implementation_notes", EvidencePriority: 90},
		{Path: "NOTES.md", DocType: "implementation_notes", EvidencePriority: 90}, {Path: "ROADMAP.md", DocType: "roadmap", EvidencePriority: 90},
		{Path: "misc.md", DocType: "guide", EvidencePriority: 90}, {Path: "docs/z.md", DocType: "guide", EvidencePriority: 80},
		{Path: "documentation/x.rst", DocType: "guide", EvidencePriority: 80}, {Path: "docs/a/b.md", DocType: "guide", EvidencePriority: 50},
		{Path: "lib/README.md", DocType: "readme", EvidencePriority: 30},
	}
	if diff := cmp.Diff(want, out.Inventory.DocEntrypointDetails); diff != "" {
		t.Error(diff)
	}
}

// 6.1: paths that are spoken of and not there.
func TestPhantomPaths(t *testing.T) {
	files := map[string]string{
		"README.md": "See examples/gone.py and examples/here.py.\n[guide](docs/guide.md#top) [lost](docs/lost.md \"title\") [up](../x.md)\n" +
			"https://site.example/docs/elsewhere and [web](https://a.example/docs/x) and [mail](mailto:a@b.example) [frag](#here)\nmydocs/not and xdocs/no, see docs/.\n",
		"docs/guide.md":    "[other](other) [abs](/examples/here.py) `demo/run.sh`\n",
		"docs/other.md":    "x",
		"examples/here.py": "# docs/only-in-code.md\n",
	}
	out, _ := run(t, inputs(files, nil))
	want := []artifact.PhantomPath{
		{ClaimedPath: "examples/gone.py", SourceFile: "README.md", SourceLine: 1, DetectionPattern: "path_mention"},
		{ClaimedPath: "../x.md", SourceFile: "README.md", SourceLine: 2, DetectionPattern: "link_target"},
		{ClaimedPath: "docs/lost.md", SourceFile: "README.md", SourceLine: 2, DetectionPattern: "link_target"},
		{ClaimedPath: "demo/run.sh", SourceFile: "docs/guide.md", SourceLine: 1, DetectionPattern: "path_mention"},
	}
	if diff := cmp.Diff(want, out.Inventory.PhantomPaths); diff != "" {
		t.Error(diff)
	}
	in := inputs(files, nil)
	in.Config.IgnorePhantomPaths = true
	if out, _ := run(t, in); len(out.Inventory.PhantomPaths) != 0 {
		t.Error("phantom paths although they are not wanted")
	}
}

// 4.1, 6.1: what the configuration leaves out.
func TestIngestion(t *testing.T) {
	files := map[string]string{"a.py": "x", "lib/b.py": "x", "lib/gen/c.py": "x", "lib/d.log": "x", "img.png": "x", "data": "a\x00b", "how/to.py": "x"}
	for name, tc := range map[string]struct {
		change func(*scout.Config)
		want   []string
	}{
		"all":       {func(*scout.Config) {}, []string{"a.py", "data", "how/to.py", "img.png", "lib/b.py", "lib/d.log", "lib/gen/c.py"}},
		"directory": {func(c *scout.Config) { c.ScanDirectories = []string{"./lib/"} }, []string{"lib/b.py", "lib/d.log", "lib/gen/c.py"}},
		"exclude":   {func(c *scout.Config) { c.ExcludePatterns = []string{"gen", "*.png", "how/**", "/data"} }, []string{"a.py", "lib/b.py", "lib/d.log"}},
		"strict":    {func(c *scout.Config) { c.GitignoreMode = "strict" }, []string{"a.py", "data", "how/to.py", "img.png", "lib/b.py", "lib/gen/c.py"}},
	} {
		in := inputs(files, nil)
		in.Repo.Ignored = []string{"lib/d.log"}
		tc.change(&in.Config)
		out, _ := run(t, in)
		if diff := cmp.Diff(tc.want, out.Inventory.Paths); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	in := inputs(files, nil)
	in.Repo.Ignored = []string{"lib/d.log"}
	in.Config.GitignoreMode, in.Config.ExampleDirectories, in.Config.IgnoreBinaryFiles = "ignore", []string{"how"}, true
	out, _ := run(t, in)
	if fileOf(out.Inventory, "lib/d.log").GitIgnored || !slices.Equal(out.Inventory.ExamplePaths, []string{"how/to.py"}) || len(out.Inventory.BinaryAssets) != 0 {
		t.Errorf("%+v", out.Inventory)
	}
	if out, _ := run(t, inputs(files, nil)); !slices.Equal(out.Inventory.BinaryAssets, []string{"data", "img.png"}) {
		t.Errorf("binary: %v", out.Inventory.BinaryAssets)
	}
}

// 6.1: limits.
func TestLimits(t *testing.T) {
	in := inputs(map[string]string{"a": "a", "b": "b", "c": "c"}, nil)
	in.Config.Limits.Files = 2
	if _, _, err := scout.Run(t.Context(), in); !errors.Is(err, scout.ErrTooLarge) {
		t.Errorf("three files of two: %v", err)
	}
	in = inputs(map[string]string{"README.md": "# A name\n" + strings.Repeat("x", 100)}, nil)
	in.Config.Limits.ReadBytes = 50
	out, _ := run(t, in)
	if got := fileOf(out.Inventory, "README.md"); got.Size != 109 || out.Inventory.ProductNameGuess != "acme-tool" {
		t.Errorf("a file that is too large to be parsed: %+v, name %q", got, out.Inventory.ProductNameGuess)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := scout.Run(ctx, in); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// 6.10: equal inputs, equal bytes.
func TestDeterminism(t *testing.T) {
	for name, files := range fixtures.All() {
		first, issues := run(t, inputs(files, hugoSite))
		for range 3 {
			again, same := run(t, inputs(maps.Clone(files), maps.Clone(hugoSite)))
			if diff := cmp.Diff(encode(t, first), encode(t, again)); diff != "" || !slices.EqualFunc(issues, same, func(a, b issue.Issue) bool { return a.ID == b.ID }) {
				t.Errorf("%s: %s", name, diff)
			}
		}
	}
}

// R-10, 18.20: a hostile repository is fetched, checked out and described like
// any other; nothing of it runs, nothing leads out of it.
func TestHostileRepository(t *testing.T) {
	origin, work := t.TempDir(), t.TempDir()
	sha := fixtures.Git(t, origin, fixtures.Hostile(), fixtures.HostileLinks()...)
	git, err := gitrepo.New(t.Context(), gitrepo.Options{AllowLocal: true})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(work, "repo")
	t.Cleanup(func() { gitrepo.Remove(dir) })
	in := inputs(nil, nil)
	in.Repo, err = scout.Fetch(t.Context(), gitrepo.NewCache(git, filepath.Join(work, "cache")), "file://"+origin, "main", dir, true)
	if err != nil || in.Repo.SHA != sha || in.Repo.DefaultBranch != "main" {
		t.Fatal(in.Repo, err)
	}
	in.Repo.Skipped = []gitrepo.Skipped{{Path: "..", Reason: "the name leads elsewhere"}}
	out, issues := run(t, in)
	if got := out.Inventory; got.FileCount != len(fixtures.Hostile())+len(fixtures.HostileLinks()) || got.ProductNameGuess != "Trapdoor" {
		t.Errorf("%d files, name %q", got.FileCount, got.ProductNameGuess)
	}
	if link := fileOf(out.Inventory, "docs/passwd.md"); link.Size != int64(len("/etc/passwd")) {
		t.Errorf("a link was followed: %+v", link)
	}
	if !fileOf(out.Inventory, "docs/binary.md").Binary {
		t.Error("docs/binary.md is text")
	}
	if !slices.ContainsFunc(issues, func(i issue.Issue) bool { return i.Code == scout.CodePathSkipped && i.Severity == issue.Info }) {
		t.Errorf("issues: %v", issues)
	}
	err = filepath.WalkDir(work, func(path string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.Name() == "executed" {
			t.Errorf("%s exists", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// 3.6: what errors are called.
func TestErrorCode(t *testing.T) {
	for want, err := range map[string]error{
		"REPO_EMPTY false": scout.ErrEmpty, "REPO_SCOUT_CLONE_FAILED false": scout.ErrTooLarge, "REPO_NOT_FOUND false": &gitrepo.Error{Kind: gitrepo.NotFound},
		"REPO_SCOUT_CLONE_FAILED true": &gitrepo.Error{Kind: gitrepo.Network}, "REPO_URL_POLICY_VIOLATION false": &gitrepo.Error{Kind: gitrepo.Refused},
		"ORCHESTRATOR_CANCELLED false": &gitrepo.Error{Kind: gitrepo.Cancelled}, "VALIDATOR_TOOL_MISSING false": &gitrepo.Error{Kind: gitrepo.Missing},
	} {
		code, retryable := scout.ErrorCode(err)
		if got := fmt.Sprint(code, " ", retryable); got != want {
			t.Errorf("%v: %s, want %s", err, got, want)
		}
	}
}

// secrets in names do not get into the inventory.
func TestSecretsInNames(t *testing.T) {
	token := fixtures.Secrets()[0]
	out, _ := run(t, inputs(map[string]string{"README.md": "# " + token + "\n\nSee docs/" + token + " and [x](" + token + ".md).\n"}, nil))
	if text := encode(t, out); strings.Contains(text, token) {
		t.Error("the inventory has the secret")
	}
}

// Links in a tree that was not checked out by us are not followed either.
func TestLinksAreNotFollowed(t *testing.T) {
	files := fixtures.FS(map[string]string{"README.md": "# A\n"})
	files["link.md"] = &fstest.MapFile{Data: []byte("README.md"), Mode: fs.ModeSymlink | 0o777}
	in := inputs(nil, nil)
	in.Repo.Files = files
	if out, _ := run(t, in); out.Inventory.FileCount != 1 {
		t.Errorf("files: %v", out.Inventory.Paths)
	}
}
