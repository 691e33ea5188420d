// Package plan is the fourth stage of a run: it decides which pages there will
// be, what each of them says and where it stands (6.4).
package plan

import (
	"context"
	"errors"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/config"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/rulesets"
	"mcpworks/packs/launch/internal/siteprofile"
	"mcpworks/packs/launch/internal/stage/write/body"
	"mcpworks/packs/launch/internal/templates"
)

// Stage is the name that issues of this stage carry.
const Stage = "ia_planner"

// The codes of issues.
const (
	CodeMissingInput    = "IA_PLANNER_MISSING_INPUT"
	CodePlanIncomplete  = "IA_PLANNER_PLAN_INCOMPLETE"
	CodeURLCollision    = "IA_PLANNER_URL_COLLISION"
	CodePathInvalid     = "IA_PLANNER_PATH_INVALID"
	CodeTemplateMissing = "PAGE_PLANNER_TEMPLATE_MISSING"
	CodeReplanned       = "IA_PLANNER_REPLANNED_MINIMAL"
)

// ErrBlocked is returned with at least one blocker: the plan must not be used.
var ErrBlocked = errors.New("plan: the pages cannot be planned")

// Inputs are all that the stage looks at.
type Inputs struct {
	Config  config.Config
	Profile *siteprofile.Profile
	// Product says where the pages go; its platform is empty in layout v1.
	Product siteprofile.Product
	// Styles are those that the site's own pages have, by section; a section
	// that is not there has the style of the profile.
	Styles map[string]siteprofile.Style
	// DefaultInSubdir says that URLs name the default language, too.
	DefaultInSubdir bool

	Inventory artifact.RepoInventory
	Facts     artifact.ProductFacts
	Evidence  artifact.EvidenceMap
	Snippets  artifact.SnippetCatalog

	Ruleset   *rulesets.Ruleset
	Templates *templates.Set
}

// Outputs are the documents of the stage.
type Outputs struct{ Plan artifact.PagePlan }

// Run makes the plan. It is a pure function of its inputs.
func Run(ctx context.Context, in Inputs) (Outputs, []issue.Issue, error) {
	if missing := in.missing(); missing != "" {
		return Outputs{}, []issue.Issue{issue.New(Stage, issue.Blocker, CodeMissingInput, "", missing, "%s is missing", missing)}, ErrBlocked
	}
	tier, steps := tierOf(signalsOf(in))
	p := newPlanner(in, tier)
	p.build()
	if section := p.short(); tier != minimal && section != "" {
		steps = append(steps, artifact.TierAdjustment{
			Adjustment: "replanned", FromTier: tier, ToTier: minimal, Signal: "section_minimum",
			Reason: "there is not enough evidence for the pages that section " + section + " needs at least",
		})
		p = newPlanner(in, minimal)
		p.report(issue.Info, CodeReplanned, "", section, "section %s cannot reach its minimum of pages, so that every section gets one page", section)
		p.build()
	}
	if err := ctx.Err(); err != nil {
		return Outputs{}, nil, err
	}
	out := Outputs{Plan: p.document(steps)}
	issue.Sort(p.issues, []string{Stage})
	if len(p.issues) > 0 && p.issues[0].Severity == issue.Blocker {
		return out, p.issues, ErrBlocked
	}
	return out, p.issues, nil
}

func (in Inputs) missing() string {
	switch {
	case in.Profile == nil:
		return "the site profile"
	case in.Ruleset == nil:
		return "the ruleset"
	case in.Templates == nil:
		return "the templates"
	case in.Facts.SchemaVersion == "":
		return artifact.ProductFactsName
	case in.Evidence.SchemaVersion == "":
		return artifact.EvidenceMapName
	case in.Snippets.SchemaVersion == "":
		return artifact.SnippetCatalogName
	case in.Inventory.SchemaVersion == "":
		return artifact.RepoInventoryName
	}
	return ""
}

// A planner is the work on one plan.
type planner struct {
	in       Inputs
	tier     string
	library  *body.Library
	volume   artifact.EvidenceVolume
	sections []*section
	words    map[string][]string // of claims and snippets, by their ids
	listed   int                 // features that the README lists
	given    map[string]bool     // claims that a page has
	methods  map[string]int      // claims without a page about methods, by type
	shown    map[string]bool     // snippets that a page has
	stands   map[string]int      // of snippets, see standing
	rejected []artifact.RejectedCandidate
	skipped  []artifact.SkippedSection
	issues   []issue.Issue

	usableCode []artifact.Snippet // see catalog
}

// A section is one of the site with its pages.
type section struct {
	rulesets.Section
	quota artifact.Quota
	pages []*page
}

// A page is one in the making.
type page struct {
	artifact.Page
	template *templates.Template
	task     string // the workflow that it is about
	url      string // with the host
	// ifEvidence is a page that need not be there.
	ifEvidence bool
}

func newPlanner(in Inputs, tier string) *planner {
	p := &planner{
		in: in, tier: tier, given: map[string]bool{}, methods: map[string]int{}, shown: map[string]bool{}, stands: map[string]int{}, volume: volumeOf(in), words: map[string][]string{},
		library: body.NewLibrary(in.Facts, in.Evidence, in.Snippets, in.Config.AllowInference),
	}
	for _, claim := range p.library.Claims() {
		p.words[claim.ID] = body.Words(claim.Text)
		if claim.Category == body.Method {
			p.methods[body.Owner(claim.Text)]++
		}
		if isFeature(claim.Category) && claim.InReadme() && !claim.IsRow() {
			p.listed++
		}
	}
	for _, snippet := range in.Snippets.Snippets {
		p.words[snippet.ID] = body.Words(splitNames(snippet.Code) + " " + splitNames(snippet.Source.Path))
	}
	return p
}

func (p *planner) report(severity issue.Severity, code, path, subject, format string, args ...any) {
	p.issues = append(p.issues, issue.New(Stage, severity, code, path, subject, format, args...))
}

// build makes all pages for the default language.
func (p *planner) build() {
	p.chooseSections()
	p.allocate()
	p.dropThin()
	p.strategies()
	for _, s := range p.sections {
		for _, page := range s.pages {
			p.place(page, p.locales()[0])
		}
	}
	p.link()
	p.headings()
}

// short names the first section that has fewer pages than it needs.
func (p *planner) short() string {
	for _, s := range p.sections {
		if len(s.pages) < s.MinPages {
			return s.ID
		}
	}
	return ""
}
