// Package scout is the first stage of a run (W1, 6.1): it looks at the product
// repository and at the site, and writes down what is there.
//
// It reads files and nothing else. What the files say is a stranger's word: they
// are read up to a limit, parsed where a parser is at hand, and never executed.
package scout

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/gitrepo"
	"mcpworks/packs/launch/internal/issue"
)

// Stage is the name of the stage in issues.
const Stage = "repo_scout"

// Errors that end a run.
var (
	// ErrEmpty is a product repository without a file (REPO_EMPTY, C-22).
	ErrEmpty = errors.New("the repository has no files")
	// ErrTooLarge is a repository with more files than a run may have.
	ErrTooLarge = errors.New("the repository has too many files")
)

// The codes of issues.
const (
	CodeMissingInput = "REPO_SCOUT_MISSING_INPUT"
	CodePathSkipped  = "REPO_SCOUT_PATH_SKIPPED"
	CodeUnreadable   = "REPO_SCOUT_FILE_UNREADABLE"
	CodeNoHugoConfig = "REPO_SCOUT_HUGO_CONFIG_MISSING"
)

// A Source is a repository at a commit.
type Source struct {
	URL, RequestedRef, SHA string
	// Files is its tree; links in it are not followed.
	Files fs.FS
	// DefaultBranch and LatestTag are what the remote said; both may be empty.
	DefaultBranch, LatestTag string
	// Ignored are the files that its own .gitignore files name.
	Ignored []string
	// Skipped are entries of the tree that could not be written as files.
	Skipped []gitrepo.Skipped
}

// A Section is a part of the site, with the folder of its pages.
type Section struct{ ID, Root string }

// Config is what the run's configuration and the site profile say. The zero
// value has the defaults.
type Config struct {
	Sections []Section
	// Generator is what makes the site: hugo, none or a command.
	Generator string
	// HugoConfigDir is where its configuration is; empty means configs.
	HugoConfigDir string

	ScanDirectories    []string // empty means everything
	ExcludePatterns    []string
	GitignoreMode      string // respect, ignore or strict; empty means respect
	ExampleDirectories []string
	IgnoreBinaryFiles  bool // leaves binary_assets empty
	IgnorePhantomPaths bool

	// ProductType, PlatformFamily and RepoArchetype win over what is found.
	ProductType, PlatformFamily, RepoArchetype string
	SourceRoots, DocRoots, ExampleRoots        []string // come first
	TestCommands                               []string // come first

	Limits Limits
}

// Limits bound what is read; 0 means the default.
type Limits struct {
	Files     int   // 100 000
	ReadBytes int64 // of a file that is parsed: 5 MiB
}

// Inputs are all that the stage looks at.
type Inputs struct {
	Repo, Site Source
	Workflows  *Source // its files are not looked at
	Config     Config
}

// Outputs are the documents of the stage.
type Outputs struct {
	Inventory   artifact.RepoInventory
	Frontmatter artifact.FrontmatterContract
	Site        artifact.SiteContext
	Hugo        artifact.HugoFacts
}

// Run looks at both repositories. Equal inputs give equal outputs. Issues come
// with outputs; an error comes without.
func Run(ctx context.Context, in Inputs) (Outputs, []issue.Issue, error) {
	if missing := in.missing(); missing != "" {
		return Outputs{}, []issue.Issue{issue.New(Stage, issue.Blocker, CodeMissingInput, "", missing, "%s is missing", missing)},
			fmt.Errorf("%s is missing", missing)
	}
	s := &scout{in: in, limits: in.Config.Limits}
	if s.limits.Files == 0 {
		s.limits.Files = 100_000
	}
	if s.limits.ReadBytes == 0 {
		s.limits.ReadBytes = 5 << 20
	}
	inventory, err := s.inventory(ctx)
	if err != nil {
		return Outputs{}, nil, err
	}
	out := Outputs{Inventory: inventory}
	if out.Frontmatter, err = s.contract(ctx); err != nil {
		return Outputs{}, nil, err
	}
	if out.Site, out.Hugo, err = s.site(ctx); err != nil {
		return Outputs{}, nil, err
	}
	s.reportSkipped()
	issue.Sort(s.issues, nil)
	return out, s.issues, nil
}

func (in Inputs) missing() string {
	switch {
	case in.Repo.Files == nil || in.Repo.SHA == "":
		return "the product repository"
	case in.Site.Files == nil || in.Site.SHA == "":
		return "the site repository"
	}
	return ""
}

// A scout is the work on one run.
type scout struct {
	in     Inputs
	limits Limits
	paths  []string // all files of the product repository
	issues []issue.Issue
}

func (s *scout) report(severity issue.Severity, code, path, format string, args ...any) {
	s.issues = append(s.issues, issue.New(Stage, severity, code, path, "", format, args...))
}

// reportSkipped tells of entries that are in the commit and not in the tree.
func (s *scout) reportSkipped() {
	for _, skipped := range s.in.Repo.Skipped {
		s.report(issue.Info, CodePathSkipped, skipped.Path, "the entry was left out: %s", skipped.Reason)
	}
}
