package plan

import (
	"maps"
	"slices"

	"mcpworks/packs/launch/internal/artifact"
)

// document is the plan as it is written down: the pages of all languages.
func (p *planner) document(steps []artifact.TierAdjustment) artifact.PagePlan {
	plan := artifact.PagePlan{
		SchemaVersion: artifact.Version, ProductSlug: p.in.Facts.ProductSlug, LaunchTier: p.tier, LaunchTierAdjustments: steps,
		InferredProductType: p.in.Inventory.InferredProductType, EvidenceVolume: p.volume, EffectiveQuotas: map[string]artifact.Quota{},
		SkippedSections: p.skipped, RejectedCandidates: p.rejected,
	}
	if p.in.Config.ProductType != "" {
		plan.InferredProductType = p.in.Config.ProductType
	}
	for _, s := range p.sections {
		plan.EffectiveQuotas[s.ID] = s.quota
	}
	for i, locale := range p.locales() {
		if i > 0 {
			p.translate(locale)
		}
		for _, s := range p.sections {
			for _, page := range s.pages {
				plan.Pages = append(plan.Pages, copied(page.Page, i > 0))
			}
		}
	}
	p.collide(plan.Pages)
	return plan
}

// translate moves all pages to another language: the same pages, elsewhere.
func (p *planner) translate(locale string) {
	for _, s := range p.sections {
		for _, page := range s.pages {
			p.place(page, locale)
		}
	}
	p.link()
	p.headings()
}

// copied is a page that stays when the one it is made of changes; pages of
// further languages are told apart by their ids.
func copied(page artifact.Page, further bool) artifact.Page {
	if further {
		page.ID = page.Locale + "/" + page.ID
	}
	page.TokenMappings = maps.Clone(page.TokenMappings)
	page.CrossLinks = slices.Clone(page.CrossLinks)
	page.Strategy.ChildPages = slices.Clone(page.Strategy.ChildPages)
	return page
}
