package gate

import (
	"context"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/gate/page"
	"mcpworks/packs/launch/internal/issue"
)

// roles are those that a page can have (6.4(6)).
var roles = []string{"landing", "toc", "comprehensive_guide", "workflow_page", "feature_showcase", "troubleshooting", "api_reference"}

// contentDistribution demands that each page does what its role says, and nothing
// that is another page's business.
func contentDistribution(ctx context.Context, v *View, r *report) {
	for i := range v.Plan.Pages {
		plan := &v.Plan.Pages[i]
		if !slices.Contains(roles, plan.Role) {
			r.add(0, CodeRoleMissing, plan.OutputPath, plan.ID, "the page has no role that is known")
		}
		if plan.Strategy.PrimaryFocus == "" {
			r.add(0, CodeStrategyMissing, plan.OutputPath, plan.ID, "the plan does not say what the page is about")
		}
		if plan.Role == "comprehensive_guide" && plan.Strategy.ScenarioCoverage != "all" {
			r.add(0, CodeGuideCoverage, plan.OutputPath, plan.ID, "the guide is not planned for all tasks")
		}
	}
	for p := range v.plannedPages {
		if ctx.Err() != nil {
			return
		}
		switch p.Plan.Role {
		case "toc":
			v.judgeContents(p, r)
		case "comprehensive_guide":
			v.judgeGuide(p, r)
		}
		v.judgeTopics(p, r)
		judgeQuota(p, r)
	}
	v.judgeRepetition(r)
	v.judgeMandatory(r)
}

func (v *View) judgeContents(p sitePage, r *report) {
	if len(p.Fences) > 0 {
		r.add(p.Fences[0].Start, CodeTOCSnippets, p.Path, "code", "a table of contents has no code")
	}
	for _, child := range p.Plan.Strategy.ChildPages {
		if !p.linksTo(child.URL) {
			r.add(0, CodeTOCChildren, p.Path, child.URL, "the table of contents does not list %s", quoted(child.URL))
		}
	}
}

func (p sitePage) linksTo(address string) bool {
	return slices.ContainsFunc(p.Links, func(l page.Link) bool { return strings.TrimSuffix(l.Target, "/") == strings.TrimSuffix(address, "/") })
}

// judgeGuide wants a heading for each task that the guide has claims or code for.
func (v *View) judgeGuide(p sitePage, r *report) {
	for _, task := range v.Facts.Workflows {
		planned := slices.ContainsFunc(task.ClaimIDs, func(id string) bool { return slices.Contains(p.Plan.RequiredClaimIDs, id) })
		if task.Tag != "installation" && task.Tag != "quickstart" && planned && !p.hasHeading(task.Title) {
			r.add(0, CodeGuide, p.Path, task.Tag, "the guide does not have the task %s", quoted(task.Title))
		}
	}
}

// Forbidden returns the topic that a heading is about and its page must not have.
func Forbidden(plan *artifact.Page, title page.Title) (topic string, is bool) {
	text := strings.ToLower(page.Plain(title.Text))
	for _, topic := range slices.Concat(plan.ForbiddenTopics, plan.Strategy.ForbiddenTopics) {
		if topic = strings.ToLower(topic); topic != "" && (text == topic || title.Level <= 2 && strings.HasPrefix(text, topic+" ")) {
			return topic, true
		}
	}
	return "", false
}

func (v *View) judgeTopics(p sitePage, r *report) {
	for _, title := range p.Titles {
		if topic, is := Forbidden(p.Plan, title); is && p.New(title.Line) {
			r.add(title.Line, CodeForbiddenTopic, p.Path, title.Text, "pages like this one are not about %s", topic)
		}
	}
}

func judgeQuota(p sitePage, r *report) {
	quota, count := p.Plan.Strategy.ClaimQuota, len(p.claims())
	if count > quota.Max && quota.Max > 0 {
		r.add(0, CodeQuotaExceeded, p.Path, "claims", "the page has %d claims and may have %d", count, quota.Max)
	}
	if count < quota.Min {
		r.addAs(issue.Warn, 0, CodeQuotaUnderflow, p.Path, "claims", "the page has %d claims and should have %d", count, quota.Min)
	}
}

// judgeRepetition looks for claims in several sections. Blog pages may repeat
// them (18.12), and so may the pages of other languages.
func (v *View) judgeRepetition(r *report) {
	type place struct{ locale, claim string }
	first := map[place]*artifact.Page{}
	for p := range v.plannedPages {
		if p.Plan.Section == "blog" {
			continue
		}
		for _, id := range p.claims() {
			at := place{p.Plan.Locale, id}
			switch other := first[at]; {
			case other == nil:
				first[at] = p.Plan
			case other.Section != p.Plan.Section:
				r.addAs(issue.Warn, 0, CodeDuplication, p.Path, id, "claim %.12s is on %s already", id, other.OutputPath).ClaimID = id
			}
		}
	}
}

// judgeMandatory wants the pages that the ruleset names for the sections of the
// run.
func (v *View) judgeMandatory(r *report) {
	if v.Rules == nil {
		return
	}
	for _, section := range v.Rules.Sections(v.Product.Family) {
		if !slices.Contains(v.Config.RequiredSections, section.ID) {
			continue
		}
		for _, page := range section.Mandatory {
			if v.Plan.LaunchTier == "minimal" && page.Slug != section.MinimalPage {
				continue
			}
			if !slices.ContainsFunc(v.Plan.Pages, func(p artifact.Page) bool { return p.Section == section.ID && p.Slug == page.Slug }) {
				r.add(0, CodeMandatoryPage, "", section.ID+"/"+page.Slug, "the page %s/%s is mandatory and not planned", section.ID, page.Slug)
			}
		}
	}
}
