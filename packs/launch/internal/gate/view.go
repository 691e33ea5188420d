package gate

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/config"
	"mcpworks/packs/launch/internal/gate/page"
	"mcpworks/packs/launch/internal/rulesets"
	"mcpworks/packs/launch/internal/siteprofile"
	"mcpworks/packs/launch/internal/stage/facts"
	"mcpworks/packs/launch/internal/taskcard"
	"mcpworks/packs/launch/internal/templates"
)

// An Input is everything that gates may look at. They only read it.
type Input struct {
	Base, Site fs.FS    // the site at site_sha, and as it is now
	Changed    []string // the files that differ between them
	Links      []string // paths that are symbolic links or submodules at site_sha, and plain files or nothing in both
	Repo       fs.FS    // the product repository; nil leaves cited lines unread

	Config    *config.Config
	Profile   *siteprofile.Profile // with the layout of the run
	Product   siteprofile.Product  // its platform is empty in layout v1
	Rules     *rulesets.Ruleset
	Templates *templates.Set
	// Taskcard is the card that the run names; nil if it could not be loaded.
	Taskcard *taskcard.Report

	Documents    map[string][]byte // the run's artifacts by their names
	Logs         map[string][]byte // other texts that the run leaves behind
	Usage        Usage
	AllowedHosts []string // that the operator lets runs talk to, besides those of the profile

	InputsHash, TreeHash string

	// Watch is told when each gate begins and when it has ended; an error of it
	// ends the validation. Nil: nobody watches.
	Watch func(Moment) error
}

// Usage is what a run has cost so far.
type Usage struct {
	RuntimeS, LLMCalls, LLMTokens, FileWrites, PatchAttempts int
}

// A View is an input with its documents decoded. It keeps what was read, and is
// for one goroutine.
type View struct {
	Input
	Inventory artifact.RepoInventory
	Contract  artifact.FrontmatterContract
	Context   artifact.SiteContext
	Hugo      artifact.HugoFacts
	Facts     artifact.ProductFacts
	Evidence  artifact.EvidenceMap
	Catalog   artifact.SnippetCatalog
	Plan      artifact.PagePlan
	Bundle    artifact.PatchBundle
	Conflicts artifact.PatchConflicts
	PR        artifact.PullRequest

	have    map[string]bool // documents that could be decoded
	pages   map[string]*readPage
	planned map[string]*artifact.Page
	claims  map[string]artifact.EvidenceClaim
	places  *places

	cited     map[artifact.Citation]facts.Cited // lines of the product, by their places
	repoLines map[string][]string               // files of the product, by their paths
}

type readPage struct {
	page *page.Page
	err  error
}

// NewView decodes the documents of an input. Those that cannot be decoded count
// as missing here; the gate schema reports them.
func NewView(in Input) *View {
	v := &View{
		Input: in, have: map[string]bool{}, pages: map[string]*readPage{}, planned: map[string]*artifact.Page{}, claims: map[string]artifact.EvidenceClaim{},
		cited: map[artifact.Citation]facts.Cited{}, repoLines: map[string][]string{},
	}
	v.Changed = slices.Compact(slices.Sorted(slices.Values(in.Changed)))
	for name, into := range map[string]any{
		artifact.RepoInventoryName: &v.Inventory, artifact.FrontmatterContractName: &v.Contract, artifact.SiteContextName: &v.Context,
		artifact.HugoFactsName: &v.Hugo, artifact.ProductFactsName: &v.Facts, artifact.EvidenceMapName: &v.Evidence, artifact.SnippetCatalogName: &v.Catalog,
		artifact.PagePlanName: &v.Plan, artifact.PatchBundleName: &v.Bundle, artifact.PatchConflictsName: &v.Conflicts, artifact.PullRequestName: &v.PR,
	} {
		if text, given := in.Documents[name]; given && artifact.Decode(text, into) == nil {
			v.have[name] = true
		}
	}
	for i := range v.Plan.Pages {
		v.planned[v.Plan.Pages[i].OutputPath] = &v.Plan.Pages[i]
	}
	for _, claim := range v.Evidence.Claims {
		v.claims[claim.ID] = claim
	}
	return v
}

// Claim returns a claim of the evidence.
func (v *View) Claim(id string) (artifact.EvidenceClaim, bool) {
	claim, known := v.claims[id]
	return claim, known
}

// Planned returns the page that is planned at a path, or nil.
func (v *View) Planned(file string) *artifact.Page { return v.planned[file] }

// Page returns a page of the site, with its lines compared to the base. The
// error is an fs.ErrNotExist if there is none.
func (v *View) Page(file string) (*page.Page, error) {
	if known := v.pages[file]; known != nil {
		return known.page, known.err
	}
	known := &readPage{}
	v.pages[file] = known
	content, err := read(v.Site, file)
	if err != nil {
		known.err = err
		return nil, err
	}
	if known.page, known.err = page.Read(content); known.err != nil {
		return nil, known.err
	}
	if older, err := read(v.Base, file); err == nil {
		known.page.Since(older)
	}
	return known.page, nil
}

// read returns a file, or an error if it is too large for a page.
func read(tree fs.FS, file string) ([]byte, error) { return readUpTo(tree, file, page.MaxSize) }

func readUpTo(tree fs.FS, file string, limit int) ([]byte, error) {
	if tree == nil {
		return nil, fs.ErrNotExist
	}
	opened, err := tree.Open(file)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	if info, err := opened.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, fs.ErrNotExist)
	}
	content, err := io.ReadAll(io.LimitReader(opened, int64(limit)+1))
	if len(content) > limit {
		return nil, page.ErrTooLarge
	}
	return content, err
}

// inBase says whether the site had a file before the run.
func (v *View) inBase(file string) bool { return exists(v.Base, file) }

func exists(tree fs.FS, file string) bool {
	if tree == nil {
		return false
	}
	info, err := fs.Stat(tree, file)
	return err == nil && info.Mode().IsRegular()
}

// A sitePage is a page that a gate looks at.
type sitePage struct {
	*page.Page
	Path string
	Plan *artifact.Page // nil if it is not planned
}

// changedPages are all pages that the run has changed and that can be read.
func (v *View) changedPages(yield func(sitePage) bool) {
	for _, file := range v.Changed {
		if !isPage(file) {
			continue
		}
		if p, err := v.Page(file); err == nil && !yield(sitePage{p, file, v.planned[file]}) {
			return
		}
	}
}

// plannedPages are all pages of the plan that exist and can be read.
func (v *View) plannedPages(yield func(sitePage) bool) {
	for i := range v.Plan.Pages {
		plan := &v.Plan.Pages[i]
		if p, err := v.Page(plan.OutputPath); err == nil && !yield(sitePage{p, plan.OutputPath, plan}) {
			return
		}
	}
}

func isPage(file string) bool { return path.Ext(file) == ".md" }

// isText says whether a file can be looked at line by line.
func isText(content []byte) bool { return bytes.IndexByte(content[:min(len(content), 8<<10)], 0) < 0 }

// sectionOf is the section in which a page stands.
func (v *View) sectionOf(p sitePage) string {
	if p.Plan != nil {
		return p.Plan.Section
	}
	best, length := "", -1
	for _, s := range v.Profile.Sections {
		if strings.HasPrefix(p.Path, s.Root+"/") && len(s.Root) > length {
			best, length = s.ID, len(s.Root)
		}
	}
	return best
}
