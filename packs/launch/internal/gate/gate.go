// Package gate judges what a run has made before anybody is asked to merge it
// (10). A gate looks at one thing, in a file of its own, and changes nothing.
//
// Validate runs the gates and writes the report. What can be put right again is
// the business of package fix.
package gate

import (
	"context"
	"time"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/issue"
)

// A Gate is one check. Gates are known by their names; they have no numbers
// (C-13).
type Gate struct {
	Name string
	// Severity is that of its issues in the profiles local, ci and prod. An
	// empty one means that the gate does not run there.
	Severity [3]issue.Severity
	// Timeout is for local and for the other two.
	Timeout [2]time.Duration
	// Needs are documents without which there is nothing to look at. That they
	// are missing is for the gate schema to say.
	Needs []string
	check func(ctx context.Context, v *View, r *report)
	// apart means that the gate is not part of a validation.
	apart bool
}

// The names of the gates, in the order in which they run (10.1).
const (
	PinnedRefs          = "pinned_refs"
	Budgets             = "budgets"
	Schema              = "schema"
	WriteScope          = "write_scope"
	PatchConflicts      = "patch_conflicts"
	TemplateTokens      = "template_tokens"
	Frontmatter         = "frontmatter"
	MarkdownLint        = "markdown_lint"
	Layout              = "layout"
	Navigation          = "navigation"
	InternalLinks       = "internal_links"
	Truthlock           = "truthlock"
	ClaimCoverage       = "claim_coverage"
	Snippets            = "snippets"
	Consistency         = "consistency"
	Universality        = "universality"
	ContentDistribution = "content_distribution"
	SensitiveData       = "sensitive_data"
	XSS                 = "xss"
	Rollback            = "rollback"
	Taskcard            = "taskcard"
	NetworkAllowlist    = "network_allowlist"
)

const (
	none    = issue.Severity("")
	blocker = issue.Blocker
	fault   = issue.Error
	warning = issue.Warn
)

// Times that gates may take (10.1).
var (
	brief    = [2]time.Duration{30 * time.Second, 60 * time.Second}
	short    = [2]time.Duration{10 * time.Second, 20 * time.Second}
	ordinary = [2]time.Duration{60 * time.Second, 120 * time.Second}
	long     = [2]time.Duration{120 * time.Second, 180 * time.Second}
)

// gates are all gates in their order.
var gates = []Gate{
	{Name: PinnedRefs, Severity: [3]issue.Severity{warning, fault, blocker}, Timeout: brief, check: pinnedRefs, Needs: []string{artifact.RepoInventoryName, artifact.SiteContextName}},
	{Name: Budgets, Severity: [3]issue.Severity{warning, fault, blocker}, Timeout: brief, check: budgets},
	{Name: Schema, Severity: [3]issue.Severity{blocker, blocker, blocker}, Timeout: brief, check: schema},
	{Name: WriteScope, Severity: [3]issue.Severity{blocker, blocker, blocker}, Timeout: brief, check: writeScope, Needs: []string{artifact.PatchBundleName}},
	{Name: PatchConflicts, Severity: [3]issue.Severity{blocker, blocker, blocker}, Timeout: brief, check: patchConflicts},
	{Name: TemplateTokens, Severity: [3]issue.Severity{blocker, blocker, blocker}, Timeout: brief, check: templateTokens},
	{Name: Frontmatter, Severity: [3]issue.Severity{fault, blocker, blocker}, Timeout: ordinary, check: frontmatterGate, Needs: []string{artifact.FrontmatterContractName}},
	{Name: MarkdownLint, Severity: [3]issue.Severity{warning, fault, fault}, Timeout: ordinary, check: markdownLint},
	{Name: Layout, Severity: [3]issue.Severity{fault, blocker, blocker}, Timeout: short, check: layout, Needs: []string{artifact.PagePlanName}},
	{Name: Navigation, Severity: [3]issue.Severity{fault, fault, blocker}, Timeout: brief, check: navigation, Needs: []string{artifact.PagePlanName}},
	{Name: InternalLinks, Severity: [3]issue.Severity{fault, fault, blocker}, Timeout: long, check: internalLinks, Needs: []string{artifact.PagePlanName}},
	{Name: Truthlock, Severity: [3]issue.Severity{fault, blocker, blocker}, Timeout: ordinary, check: truthlock, Needs: []string{artifact.EvidenceMapName, artifact.ProductFactsName}},
	{Name: ClaimCoverage, Severity: [3]issue.Severity{warning, warning, fault}, Timeout: brief, check: claimCoverage, Needs: []string{artifact.PagePlanName}},
	{Name: Snippets, Severity: [3]issue.Severity{warning, fault, blocker}, Timeout: ordinary, check: snippets, Needs: []string{artifact.SnippetCatalogName, artifact.ProductFactsName}},
	{Name: Consistency, Severity: [3]issue.Severity{fault, fault, blocker}, Timeout: brief, check: consistency, Needs: []string{artifact.PagePlanName, artifact.ProductFactsName}},
	{Name: Universality, Severity: [3]issue.Severity{warning, fault, blocker}, Timeout: ordinary, check: universality, Needs: []string{artifact.PagePlanName, artifact.ProductFactsName, artifact.EvidenceMapName}},
	{Name: ContentDistribution, Severity: [3]issue.Severity{warning, fault, blocker}, Timeout: ordinary, check: contentDistribution, Needs: []string{artifact.PagePlanName, artifact.ProductFactsName}},
	{Name: SensitiveData, Severity: [3]issue.Severity{blocker, blocker, blocker}, Timeout: brief, check: sensitiveData},
	{Name: XSS, Severity: [3]issue.Severity{blocker, blocker, blocker}, Timeout: brief, check: xss},
	{Name: Rollback, Severity: [3]issue.Severity{none, warning, blocker}, Timeout: brief, check: rollback, apart: true},
	{Name: Taskcard, Severity: [3]issue.Severity{none, fault, blocker}, Timeout: brief, check: taskcardGate},
	{Name: NetworkAllowlist, Severity: [3]issue.Severity{warning, fault, blocker}, Timeout: brief, check: networkAllowlist},
}

// Names are the names of all gates in the order in which they run.
func Names() []string {
	var names []string
	for _, g := range gates {
		names = append(names, g.Name)
	}
	return names
}

// profileIndex is the place of a validation profile in Severity.
func profileIndex(profile string) int {
	switch profile {
	case "prod":
		return 2
	case "ci":
		return 1
	}
	return 0
}
