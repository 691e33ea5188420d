package scout

import (
	"context"
	"path"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
)

// inventory lists the product repository and says what is where.
func (s *scout) inventory(ctx context.Context) (artifact.RepoInventory, error) {
	files, err := s.files(ctx)
	if err != nil {
		return artifact.RepoInventory{}, err
	}
	if len(files) == 0 {
		return artifact.RepoInventory{}, ErrEmpty
	}
	repo := s.in.Repo
	inventory := artifact.RepoInventory{
		SchemaVersion: artifact.Version, RepoURL: repo.URL, RepoSHA: repo.SHA, SiteSHA: s.in.Site.SHA,
		RepoFingerprint: fingerprint(files), FileCount: len(files), ProductNameGuess: s.productName(files),
		Fingerprint: artifact.Fingerprint{
			DefaultBranch: repo.DefaultBranch, LatestReleaseTag: repo.LatestTag, PrimaryLanguages: primaryLanguages(files),
		},
	}
	inventory.Fingerprint.LicensePath, inventory.Fingerprint.LicenseSPDX = s.license(files)
	s.place(&inventory, files)
	details := s.documents(files)
	inventory.DocEntrypointDetails = details
	inventory.DocEntrypoints = []string{}
	for _, detail := range details {
		inventory.DocEntrypoints = append(inventory.DocEntrypoints, detail.Path)
	}
	inventory.RepoProfile = s.profile(files, inventory)
	inventory.InferredProductType = s.productType(files, inventory.RepoProfile)
	inventory.PhantomPaths = []artifact.PhantomPath{}
	if !s.in.Config.IgnorePhantomPaths {
		inventory.PhantomPaths = s.phantoms(files)
	}
	return inventory, ctx.Err()
}

// files reads all files that the configuration wants, sorted by path.
func (s *scout) files(ctx context.Context) ([]file, error) {
	config := s.in.Config
	paths, err := s.walk(ctx, s.in.Repo.Files, ".")
	if err != nil {
		return nil, err
	}
	s.paths = paths
	ignored := map[string]bool{}
	for _, name := range s.in.Repo.Ignored {
		ignored[name] = true
	}
	var files []file
	for _, name := range paths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		unwanted := len(config.ScanDirectories) > 0 && !below(config.ScanDirectories, name) || matchesAny(config.ExcludePatterns, name) ||
			config.GitignoreMode == "strict" && ignored[name]
		if unwanted {
			continue
		}
		f, err := s.read(name)
		if err != nil {
			return nil, err
		}
		f.GitIgnored = ignored[name] && config.GitignoreMode != "ignore"
		files = append(files, f)
	}
	return files, nil
}

// place puts each file into the lists that it belongs to.
func (s *scout) place(inventory *artifact.RepoInventory, files []file) {
	var docRoots, exampleRoots, examples, tests, sources, testRoots, ci, binaries []string
	inventory.Files, inventory.Paths = []artifact.RepoFile{}, []string{}
	for _, f := range files {
		inventory.Files = append(inventory.Files, f.RepoFile)
		inventory.Paths = append(inventory.Paths, f.Path)
		example := s.exampleRoot(f.Path)
		if root := s.docRoot(f.Path); root != "" {
			docRoots = append(docRoots, root)
		}
		if example != "" {
			exampleRoots = append(exampleRoots, example)
			examples = append(examples, f.Path)
		}
		if isTest(f) && example == "" {
			tests = append(tests, f.Path)
			testRoots = append(testRoots, dirNamed(testDirs, f.Path))
		}
		if s.isSource(f) {
			sources = append(sources, sourceRoot(f.Path))
		}
		if isCI(f.Path) {
			ci = append(ci, f.Path)
		}
		if f.Binary && !s.in.Config.IgnoreBinaryFiles {
			binaries = append(binaries, f.Path)
		}
	}
	inventory.DocRoots, inventory.ExampleRoots, inventory.TestRoots = set(docRoots), set(exampleRoots), set(testRoots)
	inventory.SourceRoots = preferred(s.in.Config.SourceRoots, set(sources), inventory.Paths)
	inventory.TestFileCount = len(tests)
	inventory.CIPaths, inventory.BinaryAssets = set(ci), set(binaries)
	if len(examples) == 0 {
		examples = tests // they show how the product is used, if nothing else does
	}
	inventory.ExamplePaths = set(examples)
}

// sourceRoot is the folder that a file of code belongs to: src, the folder at the
// root, or the root itself.
func sourceRoot(file string) string {
	top, _, nested := strings.Cut(file, "/")
	if !nested {
		return "."
	}
	return top
}

// preferred puts those of the wanted folders first that exist.
func preferred(wanted, found, paths []string) []string {
	list := []string{}
	for _, dir := range wanted {
		dir = path.Clean(strings.Trim(dir, "/"))
		if exists := slices.ContainsFunc(paths, func(p string) bool { return below([]string{dir}, p) }); exists && !slices.Contains(list, dir) {
			list = append(list, dir)
		}
	}
	for _, dir := range found {
		if !slices.Contains(list, dir) {
			list = append(list, dir)
		}
	}
	return list
}

// set sorts texts and keeps one of each; it is never nil, and has nothing empty.
func set(list []string) []string {
	sorted := slices.Compact(slices.Sorted(slices.Values(list)))
	if len(sorted) > 0 && sorted[0] == "" {
		sorted = sorted[1:]
	}
	if sorted == nil {
		return []string{}
	}
	return sorted
}
