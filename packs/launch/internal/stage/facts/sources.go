package facts

import (
	"cmp"
	"context"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/document"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/manifest"
	"mcpworks/packs/launch/internal/redact"
	"mcpworks/packs/launch/internal/sourcecode"
)

// Bounds of what is read. Larger files are listed in the inventory and not read
// (6.1); beyond the total, documents are left out with an issue.
const (
	maxFile          = 5 << 20
	maxTotal         = 256 << 20
	maxManifest      = 1 << 20
	maxPerLanguage   = 100
	maxExampleFiles  = 500
	maxSupportTokens = 2000 // of one example
)

// sources are the files of a repository that say something about the product.
type sources struct {
	documents []documentFile
	manifests []manifest.Manifest
	code      []codeFile
	examples  []exampleFile
	tested    []exampleFile     // examples of Go, which are tests
	text      map[string]string // of everything read, by path
	total     int
}

type documentFile struct {
	path string
	document.Document
	origin origin
}

type codeFile struct {
	path string
	sourcecode.File
}

type exampleFile struct {
	path   string
	pieces []sourcecode.Piece // none if the file holds secrets
}

// read reads all files that matter, in the order of their paths, except that
// source files near the root come first, where only some are read.
func (b *builder) read(ctx context.Context) error {
	b.sources.text = map[string]string{}
	files := slices.Clone(b.in.Inventory.Files)
	slices.SortFunc(files, func(a, c artifact.RepoFile) int { return cmp.Compare(a.Path, c.Path) })
	var code []string
	for _, file := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if file.Binary || file.GitIgnored || sourcecode.IsForeign(file.Path) || testData.MatchString(file.Path) || !fs.ValidPath(file.Path) {
			continue
		}
		switch {
		case manifest.Is(file.Path) && !b.isAside(file.Path):
			b.readManifest(file)
		case strings.HasSuffix(file.Path, "_test.go") && exampleTest.MatchString(file.Path) && !internalFolder.MatchString(file.Path):
			b.readExampleTest(file)
		case slices.Contains(b.in.Inventory.ExamplePaths, file.Path) && !document.Is(file.Path):
			b.readExample(file)
		case b.isDocument(file.Path):
			b.readDocument(file)
		case sourcecode.CanScan(sourcecode.Language(file.Path)) && b.isPublic(file.Path) && file.Size <= sourcecode.MaxSize:
			code = append(code, file.Path)
		}
	}
	return b.readCode(ctx, code)
}

// testData are folders of texts that tests and measurements read: they say
// nothing about the product.
var testData = regexp.MustCompile(`(?:^|/)(?:testdata|fixtures|_?bench(?:mark)?s?|_tests?)/`)

// aside are folders whose packages are not the product.
var aside = regexp.MustCompile(`(?:^|/)(?:tests?|__tests__|specs?|testdata|fixtures|examples?|samples?|demos?|docs?|benchmarks?|\.[^/]+)/`)

func (b *builder) isAside(name string) bool {
	return aside.MatchString(name) || sourcecode.Below(name, b.in.Inventory.ExampleRoots) || sourcecode.Below(name, b.in.Inventory.TestRoots)
}

// license is a text about rights and not about the product.
var license = regexp.MustCompile(`(?i)^(?:licen[cs]e|copying|notice|authors|patents|third[-_]party)`)

// plainDocument is a text that is named for what it is.
var plainDocument = regexp.MustCompile(`(?i)^(?:readme|features|usage|install|changelog|changes|history|news|notes|faq|manual|roadmap|todo)(?:\.txt)?$`)

// isDocument: files of other endings are documents if they have a telling name or
// place.
func (b *builder) isDocument(name string) bool {
	base := path.Base(name)
	if license.MatchString(base) {
		return false
	}
	if document.Is(name) || plainDocument.MatchString(base) {
		return true
	}
	listed := slices.Contains(b.in.Inventory.DocEntrypoints, name) || sourcecode.Below(name, b.in.Inventory.DocRoots)
	return path.Ext(base) == ".txt" && listed
}

var internalFolder = regexp.MustCompile(`(?:^|/)(?:internal|scripts?|migrations|(?:oss)?fuzz)/|(?:^|/)_[^_/][^/]*(?:/|\.py$)`)

var notProduct = regexp.MustCompile(`(?:^|/)(?:setup|conftest|noxfile|conf|manage)\.py$|\.config\.[cm]?[jt]sx?$`)

// isPublic says whether a source file may have names for users.
func (b *builder) isPublic(name string) bool {
	scope := b.in.Inventory.RepoProfile.PublicAPIScope
	return !b.isAside(name) && !sourcecode.IsTest(name) && !internalFolder.MatchString(name) && !notProduct.MatchString(name) && !sourcecode.Below(name, scope.InternalPrefixes)
}

// content reads a file within the bounds; ok is false if it is not to be had.
func (b *builder) content(file artifact.RepoFile, limit int) (text string, ok bool) {
	if file.Size > int64(limit) {
		b.report(issue.Info, "FACTS_BUILDER_FILE_SKIPPED", file.Path, "size", "the file is too large to be read")
		return "", false
	}
	if b.sources.total > maxTotal {
		b.report(issue.Warn, "FACTS_BUILDER_FILE_SKIPPED", file.Path, "total", "the repository has more text than is read")
		return "", false
	}
	raw, err := sourcecode.ReadFile(b.in.Repo, file.Path, limit)
	if err != nil {
		b.report(issue.Info, "FACTS_BUILDER_FILE_SKIPPED", file.Path, "unreadable", "the file cannot be read")
		return "", false
	}
	b.sources.total += len(raw)
	text = strings.ToValidUTF8(strings.ReplaceAll(string(raw), "\r\n", "\n"), "\uFFFD")
	b.sources.text[file.Path] = text
	return text, true
}

func (b *builder) readManifest(file artifact.RepoFile) {
	text, ok := b.content(file, maxManifest)
	if !ok {
		return
	}
	read, err := manifest.Read(file.Path, text)
	if err != nil {
		b.report(issue.Info, "FACTS_BUILDER_MANIFEST_SKIPPED", file.Path, "form", "the manifest %v", err)
		return
	}
	b.sources.manifests = append(b.sources.manifests, read)
}

func (b *builder) readDocument(file artifact.RepoFile) {
	if text, ok := b.content(file, maxFile); ok {
		read := documentFile{file.Path, document.Parse(file.Path, text), originOf(file.Path)}
		if title, _ := read.First(); designTitle.MatchString(title) && read.origin.audience == "" && !read.origin.readme && read.origin.priority != fromNotes {
			read.origin.audience = internalDetail
		}
		b.sources.documents = append(b.sources.documents, read)
	}
}

func (b *builder) readExample(file artifact.RepoFile) {
	isTest := sourcecode.IsTest(file.Path) || sourcecode.Below(file.Path, b.in.Inventory.TestRoots)
	if len(b.sources.examples) >= maxExampleFiles || !sourcecode.IsProgram(sourcecode.Language(file.Path)) || isTest {
		return
	}
	text, ok := b.content(file, sourcecode.MaxSize)
	if !ok {
		return
	}
	example := exampleFile{path: file.Path}
	if len(redact.Find(text)) == 0 {
		example.pieces = sourcecode.FromFile(file.Path, text)
	}
	b.sources.examples = append(b.sources.examples, example)
}

// exampleTest is the name of a file with examples of Go.
var exampleTest = regexp.MustCompile(`(?:^|/)[^/]*example[^/]*_test\.go$`)

// readExampleTest reads the examples of Go for the names of a package: they are
// compiled with it, so that they hold.
func (b *builder) readExampleTest(file artifact.RepoFile) {
	if len(b.sources.tested) >= maxExampleFiles || sourcecode.IsForeign(file.Path) || aside.MatchString(file.Path) {
		return
	}
	text, ok := b.content(file, sourcecode.MaxSize)
	if !ok || len(redact.Find(text)) > 0 || sourcecode.NeedsHelpers(text) {
		return
	}
	pieces := slices.DeleteFunc(sourcecode.Functions("go", text), func(p sourcecode.Piece) bool {
		return !strings.HasPrefix(p.Name, "Example") || !p.Shown()
	})
	b.sources.tested = append(b.sources.tested, exampleFile{path: file.Path, pieces: pieces})
}

func (b *builder) readCode(ctx context.Context, names []string) error {
	if slices.ContainsFunc(names, func(name string) bool { return sourcecode.Language(name) == "javascript" }) {
		names = slices.DeleteFunc(names, func(name string) bool { return strings.HasSuffix(name, ".d.ts") }) // the same again
	}
	slices.SortStableFunc(names, func(a, c string) int { return strings.Count(a, "/") - strings.Count(c, "/") })
	count := map[string]int{}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		language := sourcecode.Language(name)
		if count[language]++; count[language] > maxPerLanguage {
			continue
		}
		text, ok := b.content(artifact.RepoFile{Path: name}, sourcecode.MaxSize)
		if !ok {
			continue
		}
		file, err := sourcecode.Scan(name, text)
		if err != nil {
			b.report(issue.Info, "FACTS_BUILDER_SOURCE_SKIPPED", name, "form", "the source file %v", err)
			continue
		}
		b.sources.code = append(b.sources.code, codeFile{name, file})
	}
	slices.SortFunc(b.sources.code, func(a, c codeFile) int { return cmp.Compare(a.path, c.path) })
	b.keepPublic()
	return nil
}
