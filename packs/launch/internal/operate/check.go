package operate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/config"
	"mcpworks/packs/launch/internal/fence"
	"mcpworks/packs/launch/internal/rulesets"
	"mcpworks/packs/launch/internal/run"
	"mcpworks/packs/launch/internal/siteprofile"
	"mcpworks/packs/launch/internal/taskcard"
	"mcpworks/packs/launch/internal/templates"
)

// A Fault is one thing that keeps a run_config from being used.
type Fault struct {
	Path    string // a JSON pointer into the config
	Message string
	Policy  string // the code of a policy, if one was broken
}

// A RefusedError lists all faults of a config whose form is right (4.3).
type RefusedError struct{ Faults []Fault }

func (e *RefusedError) Error() string {
	return fmt.Sprintf("run_config cannot be used: %s %s", e.Faults[0].Path, e.Faults[0].Message)
}

// check finds everything that is wrong with a config besides its form.
func (l *Launcher) check(cfg *config.Config) error {
	c := &checking{Launcher: l, Config: cfg}
	if profile, ok := l.profiles.Get(cfg.SiteProfile); ok {
		c.profile = c.withLayout(profile)
		c.checkRepositories()
		c.checkSite()
		c.checkProduct()
		c.checkPaths()
	} else {
		c.fail("/site_profile", "there is no site profile %q; there are %q", cfg.SiteProfile, l.profiles.Names())
	}
	c.checkWords()
	c.checkFolders()
	c.checkHosts()
	c.checkSecrets()
	c.checkVersions()
	c.checkProd()
	if len(c.faults) > 0 {
		return &RefusedError{c.faults}
	}
	return nil
}

// A checking is the check of one config.
type checking struct {
	*Launcher
	*config.Config
	profile *siteprofile.Profile
	faults  []Fault
}

func (c *checking) fail(path, format string, args ...any) {
	c.add(Fault{Path: path, Message: fmt.Sprintf(format, args...)})
}

// add adds a fault, unless it is there already.
func (c *checking) add(fault Fault) {
	if !slices.Contains(c.faults, fault) {
		c.faults = append(c.faults, fault)
	}
}

// withLayout is the profile with the layout that the config has instead.
func (c *checking) withLayout(profile *siteprofile.Profile) *siteprofile.Profile {
	if c.SiteLayout == nil {
		return profile
	}
	changed, err := profile.With(siteprofile.Override{
		ContentRoot: c.SiteLayout.ContentRoot, Roots: c.SiteLayout.SubdomainRoots, Localization: c.SiteLayout.Localization.ModeBySection,
	})
	if err != nil {
		c.fail("/site_layout", "cannot be used: %v", err)
		return profile
	}
	return changed
}

func (c *checking) checkRepositories() {
	for _, repo := range []struct{ path, url string }{{"/github_repo_url", c.GitHubRepoURL}, {"/workflows_repo_url", c.WorkflowsRepoURL}} {
		if repo.url == "" {
			continue
		}
		_, err := c.profile.Repo(repo.url)
		policy := (*siteprofile.PolicyError)(nil)
		if errors.As(err, &policy) {
			c.add(Fault{repo.path, policy.Reason, policy.Code})
		}
	}
	pinned := c.ValidationProfile == "prod"
	for _, ref := range []struct{ path, ref string }{{"/github_ref", c.GitHubRef}, {"/site_ref", c.SiteRef}, {"/workflows_ref", c.WorkflowsRef}} {
		if ref.ref == "" && ref.path != "/github_ref" {
			continue
		}
		if err := siteprofile.CheckRef(ref.ref, pinned); err != nil {
			c.fail(ref.path, "%v", err)
		}
	}
}

func (c *checking) checkProduct() {
	switch _, ok := c.profile.Family(c.Family); {
	case ok:
	case c.profile.Families.Any:
		c.fail("/family", "must be a word of lower-case letters, digits and single dashes, such as %s", siteprofile.Slug(c.Family))
	default:
		c.fail("/family", "is no family of the site profile; there are %q", c.profile.FamilyNames())
	}
	if c.TargetPlatform != "" {
		if _, ok := c.profile.Platform(c.TargetPlatform); !ok {
			c.fail("/target_platform", "is no platform of the site profile; there are %q", c.profile.PlatformNames())
		}
	} else if c.LayoutMode == "v2" {
		c.fail("/target_platform", "is needed by layout_mode v2")
	}
	for i, locale := range c.Locales {
		if !slices.Contains(c.profile.Locales, locale) {
			c.fail(fmt.Sprintf("/locales/%d", i), "is no locale of the site profile; there are %q", c.profile.Locales)
		}
	}
	for i, section := range c.RequiredSections {
		if _, ok := c.profile.Section(section); !ok {
			c.fail(fmt.Sprintf("/required_sections/%d", i), "is no section of the site profile; there are %q", c.profile.SectionIDs())
		}
	}
}

// checkPaths wants the fence to let pages of every required section through, the
// run's alone and with that of its taskcard.
func (c *checking) checkPaths() {
	f, err := fence.New(c.AllowedPaths)
	if err != nil {
		c.fail("/allowed_paths", "cannot be used: %s", strings.ReplaceAll(err.Error(), "\n", "; "))
		return
	}
	card := c.checkTaskcard()
	for _, section := range c.RequiredSections {
		roots := c.roots(section)
		switch {
		case len(roots) == 0:
		case !slices.ContainsFunc(roots, f.Reaches):
			c.fail("/allowed_paths", "allow nothing of the section %s, which is in %q", section, roots)
		case card != nil && !slices.ContainsFunc(roots, card.Reaches):
			c.fail("/taskcard_id", "the taskcard %s and allowed_paths together allow nothing of the section %s, which is in %q", c.TaskcardID, section, roots)
		}
		for _, root := range roots {
			if run.CheckName("drafts/"+section+"/"+root+longestPage) != nil {
				c.fail("/site_layout", "the pages of the section %s would be in %q, and names of drafts cannot be so: %v", section, root, run.ErrName)
			}
		}
	}
}

// longestPage stands for what follows the root of a section in names of drafts.
var longestPage = "/" + strings.Repeat("p", 60) + "/index.md"

// roots are the folders that pages of a section can be in. Without a platform
// it is not known yet whether the layout will have one.
func (c *checking) roots(section string) (roots []string) {
	for _, locale := range c.Locales {
		for _, platform := range slices.Compact([]string{"", c.TargetPlatform}) {
			if root, err := c.profile.Root(section, siteprofile.Product{Family: c.Family, Platform: platform}, locale); err == nil {
				roots = append(roots, root)
			}
		}
	}
	return roots
}

func (c *checking) checkHosts() {
	for _, endpoint := range []struct{ path, url string }{
		{"/github_repo_url", c.GitHubRepoURL}, {"/site_repo_url", c.SiteRepoURL}, {"/workflows_repo_url", c.WorkflowsRepoURL},
		{"/llm/api_base_url", c.LLM.APIBaseURL}, {"/telemetry/endpoint_url", c.Config.Telemetry.EndpointURL},
		{"/commit_service/endpoint_url", c.CommitService.EndpointURL},
	} {
		if host := hostOf(endpoint.url); host != "" && !c.allowed(host) {
			c.add(Fault{endpoint.path, (&BlockedError{host}).Error(), "NETWORK_BLOCKED"})
		}
	}
	c.checkTokens()
	if c.LLM.Mode != "offline" {
		c.fail("/llm/mode", "must be offline: this launcher writes without language models so far")
	}
}

func (c *checking) checkVersions() {
	if _, err := rulesets.Open(c.RulesetVersion); err != nil {
		c.fail("/ruleset_version", "there is no ruleset %q", c.RulesetVersion)
	}
	if _, err := templates.Open(c.TemplatesVersion); err != nil {
		c.fail("/templates_version", "there are no templates %q", c.TemplatesVersion)
	}
}

func (c *checking) checkProd() {
	if c.ValidationProfile != "prod" {
		return
	}
	if !c.BudgetsGiven {
		c.fail("/budgets", "have to be given for validation_profile prod")
	}
	if c.profile != nil && c.profile.RequiresTaskcard && c.TaskcardID == "" {
		c.fail("/taskcard_id", "is demanded by the site profile")
	}
}

// checkTaskcard wants a card that a run names to be there, valid and active (13).
// It returns the fence that both leave; nil without a card, or a good one.
func (c *checking) checkTaskcard() *fence.Fence {
	if c.TaskcardID == "" {
		return nil
	}
	cards := c.cards
	cards.BroadPaths = c.profile.BroadPaths
	report, err := cards.Get(c.TaskcardID, true)
	switch {
	case errors.Is(err, taskcard.ErrUnknown):
		c.fail("/taskcard_id", "there is no taskcard %s", c.TaskcardID)
	case err != nil:
		c.fail("/taskcard_id", "%v", err)
	case !report.Valid():
		first := report.Errors[0]
		c.fail("/taskcard_id", "the taskcard %s is not valid: %d errors, the first: %s %s", c.TaskcardID, len(report.Errors), first.Code, first.Message)
	case !report.Card.Active():
		c.fail("/taskcard_id", "the taskcard %s is not active: its status is %q", c.TaskcardID, report.Card.Status)
	default:
		within, err := fence.New(report.Card.Within(c.AllowedPaths))
		if err == nil {
			return within
		}
		c.fail("/taskcard_id", "the taskcard %s allows nothing of allowed_paths", c.TaskcardID)
	}
	return nil
}
