// Package link is the sixth stage of a run: it turns drafts into patches of the
// site, with links that lead to them (W6, 6.7).
package link

import (
	"context"
	"errors"
	"path"
	"slices"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/fence"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/patch"
	"mcpworks/packs/launch/internal/patch/frontmatter"
	"mcpworks/packs/launch/internal/rulesets"
	"mcpworks/packs/launch/internal/siteprofile"
)

// Stage is the name that issues of this stage carry.
const Stage = "linker"

// The codes of issues, beside those of package patch.
const (
	CodeMissingInput = "LINKER_MISSING_INPUT"
	CodeNoDrafts     = "LINKER_NO_DRAFTS"
	CodeFormatting   = "LINKER_FORMATTING_ONLY"
)

// ErrBlocked is returned with at least one blocker. Errors of package patch are
// returned as they are, with blockers that say the same.
var ErrBlocked = errors.New("link: there is nothing that could be patched into the site")

// Inputs are all that the stage looks at.
type Inputs struct {
	// Tree is the site at its base, behind the fence of the run.
	Tree    patch.Tree
	BaseSHA string

	Plan     artifact.PagePlan
	Manifest artifact.DraftManifest
	Files    map[string][]byte // the drafts by their paths

	Profile *siteprofile.Profile
	Product siteprofile.Product // its platform is empty in layout v1
	Editing rulesets.Editing
	Rules   patch.Rules
}

// Outputs are the documents of the stage. The result is what the bundle does to
// the site.
type Outputs struct {
	Bundle artifact.PatchBundle
	Result *patch.Result
	Report string // reports/diff_report.md
	Patch  string // reports/site.patch
}

// Run makes the bundle. It is a pure function of its inputs and changes nothing.
func Run(ctx context.Context, in Inputs) (Outputs, []issue.Issue, error) {
	if found := in.blocker(); found != nil {
		return Outputs{}, []issue.Issue{*found}, ErrBlocked
	}
	patches, issues, err := patch.Build(in.Tree, in.drafts(), patch.Options{
		Sections: in.Profile.SectionIDs(), Indexes: in.indexes(), FullRewrite: !in.Editing.ForbidFullRewrite, Weights: true, Stamp: true,
	})
	if err != nil {
		return Outputs{}, append(issues, blockers(err)...), err
	}
	if err := ctx.Err(); err != nil {
		return Outputs{}, nil, err
	}
	in.Rules.AllowDelete = !in.Editing.ForbidDeleting
	bundle, result, err := patch.Seal(in.Tree, in.BaseSHA, patches, in.Rules)
	out := Outputs{Bundle: bundle}
	if err != nil {
		issues = append(issues, blockers(err)...)
		issue.Sort(issues, []string{Stage})
		return out, issues, err
	}
	if result.MostlyFormatting {
		issues = append(issues, issue.New(Stage, issue.Warn, CodeFormatting, "", "", "most of the changed lines differ in white space alone"))
	}
	issue.Sort(issues, []string{Stage})
	out.Result, out.Report, out.Patch = result, Report(bundle, result), result.Diff()
	return out, issues, nil
}

func (in Inputs) blocker() *issue.Issue {
	missing := ""
	switch {
	case in.Tree == nil || in.BaseSHA == "":
		missing = "the site"
	case in.Profile == nil:
		missing = "the site profile"
	case in.Plan.SchemaVersion == "":
		missing = artifact.PagePlanName
	case in.Manifest.SchemaVersion == "":
		missing = artifact.DraftManifestName
	case len(in.Manifest.Drafts) == 0:
		found := issue.New(Stage, issue.Blocker, CodeNoDrafts, "", "", "there is no draft")
		return &found
	}
	for _, draft := range in.Manifest.Drafts {
		if in.Files[draft.DraftPath] == nil {
			missing = draft.DraftPath
		}
	}
	if missing == "" {
		return nil
	}
	found := issue.New(Stage, issue.Blocker, CodeMissingInput, "", missing, "%s is missing", missing)
	return &found
}

// drafts are those of the manifest, with what the plan says about their pages.
func (in Inputs) drafts() []patch.Draft {
	pages := map[string]artifact.Page{}
	for _, page := range in.Plan.Pages {
		pages[page.ID] = page
	}
	var drafts []patch.Draft
	for _, draft := range in.Manifest.Drafts {
		drafts = append(drafts, patch.Draft{
			Section: draft.Section, PageID: draft.PageID, Path: draft.OutputPath, Content: in.weighed(draft.OutputPath, string(in.Files[draft.DraftPath])),
			Title: draft.Title, URL: pages[draft.PageID].URLPath, Slug: draft.Slug,
		})
	}
	return drafts
}

// weighed is a draft with the weight that its page got in an earlier launch: it
// keeps its place among its siblings.
func (in Inputs) weighed(file, content string) string {
	if in.Tree.Decide(file) != nil {
		return content // Build says so
	}
	there, err := in.Tree.Read(file, patch.MaxFile)
	if err != nil || !patch.Stamped(string(there)) {
		return content
	}
	before, err := frontmatter.Values(string(there))
	now, err2 := frontmatter.Values(content)
	if err != nil || err2 != nil || before["weight"] == nil || now["weight"] != nil {
		return content
	}
	if kept, err := frontmatter.Edit(content, map[string]any{"weight": before["weight"]}); err == nil {
		return kept
	}
	return content
}

// indexes are the folders of the product in all sections and languages of the
// plan (9.4).
func (in Inputs) indexes() []patch.Index {
	var indexes []patch.Index
	for _, page := range in.Plan.Pages {
		dir, err := in.Profile.Root(page.Section, in.Product, page.Locale)
		if err != nil {
			continue // the planner has told of it
		}
		index := patch.Index{Section: page.Section, Dir: dir, Names: indexNames(in.Profile, page)}
		same := func(other patch.Index) bool {
			return other.Section == index.Section && other.Dir == index.Dir && slices.Equal(other.Names, index.Names)
		}
		if !slices.ContainsFunc(indexes, same) {
			indexes = append(indexes, index)
		}
	}
	return indexes
}

// indexNames are the names of index pages in the language of a page, where file
// names have it; none means the usual ones.
func indexNames(profile *siteprofile.Profile, page artifact.Page) []string {
	section, _ := profile.Section(page.Section)
	if section.Localization != "filename" || page.Locale == profile.DefaultLocale {
		return nil
	}
	return []string{"_index." + page.Locale + path.Ext(page.OutputPath), "index." + page.Locale + path.Ext(page.OutputPath)}
}

// blockers say what an error of package patch means for the run.
func blockers(err error) []issue.Issue {
	blocker := func(code, file, subject, message string) issue.Issue {
		return issue.New(Stage, issue.Blocker, code, file, subject, "%s", message)
	}
	if conflict, ok := errors.AsType[*patch.ConflictError](err); ok {
		var all []issue.Issue
		for _, c := range conflict.Conflicts {
			all = append(all, blocker(patch.ConflictCode, c.Path, c.PatchID, "a patch does not fit the site: "+c.Reason))
		}
		return all
	}
	if budget, ok := errors.AsType[*patch.BudgetError](err); ok {
		return []issue.Issue{blocker(budget.Code, "", budget.What, "the change is larger than the run may make: "+budget.What)}
	}
	if refusal, refused := fence.Refused(err); refused {
		return []issue.Issue{blocker(string(refusal.Code), refusal.Path, "", "the run must not change this file: it "+refusal.Reason)}
	}
	return nil
}
