package plan

import (
	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/stage/write/body"
)

// The roles of pages.
const (
	landing            = "landing"
	toc                = "toc"
	comprehensiveGuide = "comprehensive_guide"
	workflowPage       = "workflow_page"
	featureShowcase    = "feature_showcase"
	troubleshooting    = "troubleshooting"
	apiReference       = "api_reference"
)

// The sections that landing pages are told apart by.
const (
	products = "products"
	blog     = "blog"
)

// quotaOfRole is how many claims a page has (6.4(6)).
func (p *planner) quotaOfRole(page *page) artifact.ClaimQuota {
	switch page.Role {
	case landing:
		switch page.Section {
		case products:
			return artifact.ClaimQuota{Min: 5, Max: 10}
		case blog:
			return artifact.ClaimQuota{Min: 10, Max: 20}
		}
		return artifact.ClaimQuota{Min: 1, Max: 10}
	case toc:
		return artifact.ClaimQuota{Min: 0, Max: 2}
	case comprehensiveGuide:
		return artifact.ClaimQuota{Min: min(len(p.library.Tasks()), 50), Max: 50}
	case workflowPage:
		return artifact.ClaimQuota{Min: 3, Max: longText}
	case featureShowcase:
		return artifact.ClaimQuota{Min: 3, Max: 8}
	case troubleshooting:
		return artifact.ClaimQuota{Min: 1, Max: 5}
	case apiReference:
		if p.tier != minimal {
			return artifact.ClaimQuota{Min: 1, Max: manyNames}
		}
	}
	return artifact.ClaimQuota{Min: 1, Max: 10}
}

const (
	// longText is how many sentences the text of one task has at most: a text
	// that is cut in the middle helps nobody.
	longText = 12
	// manyFeatures is how many features a product has that can spare those about
	// errors for the page about them.
	manyFeatures = 5
	// manyNames is how many names a page of the reference explains.
	manyNames = 60
)

// forbidden are headings that pages of a role do not have.
func forbidden(page *page) []string {
	switch {
	case page.Role == landing && page.Section == products:
		return []string{"detailed api", "troubleshooting"}
	case page.Role == comprehensiveGuide:
		return []string{"installation", "troubleshooting"}
	case page.Role == troubleshooting:
		return []string{"features", "installation"}
	case page.Role == featureShowcase:
		return []string{"general features", "api reference", "other features"}
	}
	return nil
}

// shares bound how many claims of a category a page has, so that its features
// have room and other pages have something to say; a category that is not there
// has no bound.
func (p *planner) shares(page *page) map[body.Category]int {
	bounds := map[body.Category]int{}
	switch {
	case page.Section == blog:
		return map[body.Category]int{body.Intro: 2, body.Limitation: 4, body.License: 1, body.Install: 1, body.Feature: 8, body.Format: 4, body.Trouble: 2}
	case page.Role == landing && page.Section == products:
		bounds = map[body.Category]int{body.Intro: 2, body.Limitation: 3, body.License: 0, body.Requirement: 0, body.Install: 0}
	case page.Role == apiReference:
		bounds[body.API] = 6
	}
	if page.Role == landing && p.planned("LICENSE", troubleshooting) {
		bounds[body.License] = 0
	}
	if !page.template.Has("TROUBLE") && p.planned("TROUBLE", troubleshooting) && p.count(body.Trouble) >= fewPieces && p.count(body.Feature) >= manyFeatures {
		bounds[body.Trouble] = 0
	}
	return bounds
}

// count is how many claims there are of a category.
func (p *planner) count(category body.Category) int {
	n := 0
	for _, claim := range p.library.Claims() {
		n += boolInt(claim.Category == category)
	}
	return n
}

// planned says that a page with a role will have a block.
func (p *planner) planned(block, role string) bool {
	for _, s := range p.sections {
		for _, page := range s.pages {
			if page.Role == role && page.template.Has(block) {
				return true
			}
		}
	}
	return false
}

// strategies say what each page is about, now that its claims are known. A page
// cannot have more claims than there are: its minimum is what it has, if that is
// less than its role asks for.
func (p *planner) strategies() {
	for _, s := range p.sections {
		for _, page := range s.pages {
			quota := p.quotaOfRole(page)
			quota.Min = min(quota.Min, len(page.RequiredClaimIDs))
			page.Strategy = artifact.ContentStrategy{
				PrimaryFocus: page.template.Focus, ForbiddenTopics: forbidden(page), ClaimQuota: quota, ScenarioCoverage: coverage(page.Role),
			}
			page.ForbiddenTopics = page.Strategy.ForbiddenTopics
		}
	}
}

func coverage(role string) string {
	switch role {
	case comprehensiveGuide:
		return "all"
	case workflowPage, featureShowcase:
		return "single"
	}
	return ""
}
