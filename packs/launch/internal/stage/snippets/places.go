package snippets

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
	"mcpworks/packs/launch/internal/redact"
	"mcpworks/packs/launch/internal/sourcecode"
)

// Relevance by where code was found (6.3).
const (
	fromExample   = 100
	fromReadme    = 90
	fromDocs      = 80
	fromTest      = 60
	fromDocstring = 50
	generated     = 40
)

// Bounds of what is read.
const (
	maxDocument = 5 << 20
	maxTotal    = 256 << 20
	maxFiles    = 5000
)

var (
	aboutOthers = regexp.MustCompile(`(?i)(?:^|/)(?:CONTRIBUTING|CODE_OF_CONDUCT|SECURITY|CHANGELOG|HISTORY|RELEASING|DEVELOPMENT|HACKING)[^/]*$|^\.`)
)

// read looks for code in all files, in the order of their paths.
func (c *curator) read(ctx context.Context) error {
	files := slices.Clone(c.in.Inventory.Files)
	slices.SortFunc(files, func(a, b artifact.RepoFile) int { return cmp.Compare(a.Path, b.Path) })
	count := 0
	for _, file := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if file.Binary || file.GitIgnored || sourcecode.IsForeign(file.Path) || !fs.ValidPath(file.Path) {
			continue
		}
		read := c.reader(file.Path)
		if read == nil {
			continue
		}
		if count++; count > maxFiles {
			c.report(issue.Warn, "SNIPPET_CURATOR_FILE_SKIPPED", file.Path, "count", "the repository has more files with code than are read")
			break
		}
		if text, ok := c.content(file); ok {
			read(file.Path, text)
		}
	}
	return nil
}

// reader is how code is found in a file; nil if there is none to find.
func (c *curator) reader(name string) func(name, text string) {
	language := sourcecode.Language(name)
	isTest := sourcecode.IsTest(name) || sourcecode.Below(name, c.in.Inventory.TestRoots)
	switch {
	case document.Is(name):
		if aboutOthers.MatchString(name) || isTest {
			return nil
		}
		return c.fromDocument
	case !sourcecode.IsProgram(language):
		return nil
	case isTest:
		return c.fromTest
	case slices.Contains(c.in.Inventory.ExamplePaths, name):
		return c.fromExample
	case language == "python":
		return c.fromDocstrings
	}
	return nil
}

// content reads a file within the bounds; ok is false if it is not to be had or
// holds secrets.
func (c *curator) content(file artifact.RepoFile) (text string, ok bool) {
	limit := sourcecode.MaxSize
	if document.Is(file.Path) {
		limit = maxDocument
	}
	if file.Size > int64(limit) || c.total > maxTotal {
		c.report(issue.Info, "SNIPPET_CURATOR_FILE_SKIPPED", file.Path, "size", "the file is too large to be read")
		return "", false
	}
	raw, err := sourcecode.ReadFile(c.in.Repo, file.Path, limit)
	if err != nil {
		c.report(issue.Info, "SNIPPET_CURATOR_FILE_SKIPPED", file.Path, "unreadable", "the file cannot be read")
		return "", false
	}
	c.total += len(raw)
	if text = string(raw); len(redact.Find(text)) > 0 {
		c.report(issue.Warn, "SNIPPET_CURATOR_SECRET_WITHHELD", file.Path, "secret", "the file looks as if it held secrets; no code is taken from it")
		return "", false
	}
	return text, true
}

func (c *curator) report(severity issue.Severity, code, path, subject, format string, args ...any) {
	c.issues = append(c.issues, issue.New(Stage, severity, code, path, subject, format, args...))
}

func (c *curator) fromExample(name, text string) {
	for _, piece := range sourcecode.FromFile(name, text) {
		c.add(piece, name, fromExample, "")
	}
}

func (c *curator) fromDocument(name, text string) {
	relevance := fromDocs
	if strings.HasPrefix(strings.ToUpper(path.Base(name)), "README") {
		relevance = fromReadme
	}
	for _, fence := range document.Parse(name, text).Fences {
		if piece, ok := sourcecode.FromFence(fence); ok {
			c.add(piece, name, relevance, fence.Heading)
		}
	}
}

var (
	usageWord = regexp.MustCompile(`(?i)usage|example|how[_ ]to|demo`)
	goExample = regexp.MustCompile(`^Example`)
)

// fromTest takes the tests that read like usage: those that say so, or all where
// the repository has no other examples (6.1). In Go those that say so are
// functions with a name of their own.
func (c *curator) fromTest(name, text string) {
	language, listed := sourcecode.Language(name), slices.Contains(c.in.Inventory.ExamplePaths, name)
	if language == "go" && sourcecode.NeedsHelpers(text) {
		return // nobody else can run it
	}
	for _, piece := range sourcecode.Functions(language, text) {
		isUsage := listed || usageWord.MatchString(piece.Name) || usageWord.MatchString(firstLines(piece.Code, 3))
		if language == "go" { // which tells examples from what helps them
			isUsage = goExample.MatchString(piece.Name)
		}
		if isUsage && piece.Shown() {
			c.add(piece, name, fromTest, "")
		}
	}
}

func firstLines(code string, n int) string {
	lines := strings.SplitN(code, "\n", n+1)
	return strings.Join(lines[:min(n, len(lines))], "\n")
}

var prompt = regexp.MustCompile(`^\s*(?:>>>|\.\.\.)(?: (.*)|$)`)

// fromDocstrings takes the dialogues in doc strings of Python: what stands after
// the prompts.
func (c *curator) fromDocstrings(name, text string) {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		if !strings.HasPrefix(strings.TrimSpace(lines[i]), ">>>") {
			continue
		}
		var code []string
		start, end := i+1, i+1
		for ; i < len(lines) && strings.TrimSpace(lines[i]) != "" && !strings.Contains(lines[i], `"""`); i++ {
			if line := prompt.FindStringSubmatch(lines[i]); line != nil { // others are answers
				code, end = append(code, line[1]), i+1
			}
		}
		fence := document.Fence{Language: "python", Code: strings.Join(code, "\n"), Start: start, End: end}
		if piece, ok := sourcecode.FromFence(fence); ok {
			c.add(piece, name, fromDocstring, "")
		}
	}
}
