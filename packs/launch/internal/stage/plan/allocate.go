package plan

import (
	"cmp"
	"slices"

	"mcpworks/packs/launch/internal/stage/write/body"
)

// allocate gives claims and snippets to pages, and makes the further pages that
// there is evidence for (6.4(5), 6.4(7)). Each claim goes to one page; only the
// blog may say again what others say.
func (p *planner) allocate() {
	tasks, howTos := p.taskCandidates(), p.howToCandidates()
	p.take(perWorkflow, tasks)
	p.take(perKeyFeature, howTos)
	pages := p.inTurn()
	for _, page := range pages {
		p.giveSnippets(page)
	}
	for _, page := range pages {
		p.giveClaims(page)
	}
	p.take(perFeature, p.featureCandidates())
	p.take(perAPISymbol, p.symbolCandidates())
	p.take(perDeepDive, p.deepCandidates())
}

// turn is when a page gets its claims: the product's page, the first steps, the
// guide, single features, the reference, the rest, and the blog.
func turn(page *page) int {
	switch {
	case page.Section == blog:
		return 9
	case page.Role == landing && page.Section == products:
		return 1
	case page.Role == workflowPage:
		return 2
	case page.Role == landing:
		return 3
	case page.Role == comprehensiveGuide:
		return 4
	case page.Role == featureShowcase:
		return 5
	case page.Role == apiReference:
		return 6
	}
	return 7
}

func (p *planner) inTurn() []*page {
	var pages []*page
	for _, s := range p.sections {
		pages = append(pages, s.pages...)
	}
	slices.SortStableFunc(pages, func(a, b *page) int { return cmp.Compare(turn(a), turn(b)) })
	return pages
}

// giveClaims gives a page the claims that its blocks print, as far as its quota
// goes. Pages about one subject have theirs already.
func (p *planner) giveClaims(page *page) {
	if page.template.Has("TOPIC") || page.Role == toc {
		return
	}
	most, bounds, used := p.quotaOfRole(page).Max, p.shares(page), map[body.Category]int{}
	for _, categories := range wanted(page) {
		for _, claim := range p.library.Claims() {
			bound, bounded := bounds[claim.Category]
			switch {
			case len(page.RequiredClaimIDs) >= most || bounded && used[claim.Category] >= bound:
			case !slices.Contains(categories, claim.Category) || !p.fits(claim, page) || slices.Contains(page.RequiredClaimIDs, claim.ID):
			case p.given[claim.ID] && page.Section != blog:
			default:
				p.give(page, claim)
				used[claim.Category]++
			}
		}
	}
}

func (p *planner) give(page *page, claim body.Claim) {
	page.RequiredClaimIDs = append(page.RequiredClaimIDs, claim.ID)
	if claim.Category == body.Method && !p.given[claim.ID] {
		p.methods[body.Owner(claim.Text)]--
	}
	p.given[claim.ID] = true
}

// isFeature says that claims of a category are listed among the features, in
// the order in which the product's documents have them.
func isFeature(category body.Category) bool {
	return category == body.Feature || category == body.Format || category == body.Trouble
}

// wanted are the categories that the blocks of a page print, those of a block
// together: the introduction and the limits first, since a page without them
// misleads, then in the order of the page.
func wanted(page *page) [][]body.Category {
	var first, then [][]body.Category
	for _, part := range page.template.Parts {
		for _, piece := range part.Pieces {
			switch accepted := body.Accepts(piece.Block); piece.Block {
			case "INTRO", "LIMITATIONS":
				first = append(first, accepted)
			case "CODE": // a page without room for all has no methods
				then = append(then, []body.Category{body.Code}, []body.Category{body.Method})
			default:
				then = append(then, accepted)
			}
		}
	}
	return append(first, then...)
}

// fewFeatures is how many features of a README make a list.
const fewFeatures = 3

// fits says whether a page has a place for a claim of a category that it prints.
// Rows of tables need a list of formats, and the sentences of a task its text. The
// pages that introduce the product keep to its features, and to those of the
// README where that has a list.
func (p *planner) fits(claim body.Claim, page *page) bool {
	switch {
	case !p.showsWhat(claim, page.SnippetIDs):
		return false
	case claim.Category == body.Method && p.methods[body.Owner(claim.Text)] > p.quotaOfRole(page).Max-len(page.RequiredClaimIDs):
		return false // some methods of a type look as if they were all
	case claim.IsRow():
		return page.template.Has("FORMATS")
	case claim.Category == body.Workflow && p.library.TaskOf(claim.ID) != "":
		return page.template.Has("WORKFLOWS") // which has the text around it
	}
	introduces := page.Role == landing && (page.Section == products || page.Section == blog)
	switch {
	case !introduces || !isFeature(claim.Category):
		return true
	case claim.Category == body.Format && !slices.Contains(p.in.Facts.ClaimGroups.KeyFeatures, claim.ID):
		return false
	}
	return p.listed < fewFeatures || claim.InReadme()
}

// showsWhat says that the code is there that a claim leads to, if it does.
func (p *planner) showsWhat(claim body.Claim, snippets []string) bool {
	code := p.library.LeadsTo(claim.ID)
	return code == "" || slices.Contains(snippets, code)
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
