package plan

import (
	"slices"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/rulesets"
)

// volumeOf says how much there is to write about (6.4(2)).
func volumeOf(in Inputs) artifact.EvidenceVolume {
	v := artifact.EvidenceVolume{
		Claims: len(in.Facts.Claims), Snippets: len(in.Snippets.Snippets), APISymbols: len(in.Facts.APISurface.Classes) + len(in.Facts.APISurface.Functions),
		Workflows: len(in.Facts.Workflows), KeyFeatures: len(in.Facts.ClaimGroups.KeyFeatures),
	}
	v.Score = 2*v.Claims + 3*v.Snippets + v.APISymbols
	return v
}

// The sources of further pages.
const (
	perFeature    = "per_feature"
	perWorkflow   = "per_workflow"
	perKeyFeature = "per_key_feature"
	perAPISymbol  = "per_api_symbol"
	perDeepDive   = "per_deep_dive"
)

const (
	// deepScore is how much evidence a closer look needs.
	deepScore = 200
	// mostKeyFeatures is how many features have pages of their own.
	mostKeyFeatures = 5
	// symbolsPerPage is how many names a page of the reference is expected to
	// have.
	symbolsPerPage = 3
)

// target is how many pages the evidence calls for (6.4(4)).
func target(s rulesets.Section, v artifact.EvidenceVolume) int {
	n := len(s.Mandatory) + len(s.IfEvidence)
	for _, policy := range s.Optional {
		switch policy.Source {
		case perWorkflow:
			n += v.Workflows
		case perAPISymbol:
			n += v.APISymbols / symbolsPerPage
		case perKeyFeature:
			n += min(v.KeyFeatures, mostKeyFeatures)
		case perDeepDive:
			if v.Score > deepScore {
				n++
			}
		}
	}
	return n
}

// tenths are the shares of the largest number of pages that the tiers may use.
var tenths = map[string]int{minimal: 3, standard: 7, rich: 10}

// quotaOf bounds the pages of a section: between its minimum and its maximum,
// cut by the tier.
func quotaOf(s rulesets.Section, v artifact.EvidenceVolume, tier string) artifact.Quota {
	q := artifact.Quota{MinPages: s.MinPages, MaxPages: s.MaxPages, EvidenceTarget: target(s, v)}
	if tier == minimal {
		q.MinPages = 1
	}
	most := max(q.MinPages, s.MaxPages*tenths[tier]/10)
	q.TierAdjustedMax = min(max(q.EvidenceTarget, q.MinPages), most)
	if tier == minimal {
		q.TierAdjustedMax = 1 // one page per section (6.4(3))
	}
	return q
}

// chooseSections makes the sections of the run with their mandatory pages.
func (p *planner) chooseSections() {
	known := map[string]bool{}
	for _, rules := range p.in.Ruleset.Sections(p.in.Product.Family) {
		known[rules.ID] = true
		if !slices.Contains(p.in.Config.RequiredSections, rules.ID) {
			p.skipped = append(p.skipped, artifact.SkippedSection{Section: rules.ID, Reason: "it is not one of required_sections"})
			continue
		}
		s := &section{Section: rules, quota: quotaOf(rules, p.volume, p.tier)}
		if p.tier == minimal {
			s.MinPages = 1
			s.Mandatory = slices.DeleteFunc(slices.Clone(s.Mandatory), func(page rulesets.Page) bool { return page.Slug != s.MinimalPage })
			if len(s.Mandatory) == 0 {
				s.Mandatory = rules.Mandatory[:1]
			}
			s.Optional, s.IfEvidence = nil, nil
		}
		p.sections = append(p.sections, s)
		for _, wanted := range s.Mandatory {
			p.addPage(s, wanted.Slug, wanted.Role, "")
		}
		for _, wanted := range s.IfEvidence {
			if page := p.addPage(s, wanted.Slug, wanted.Role, ""); page != nil {
				page.ifEvidence = true
			}
		}
	}
	for _, id := range p.in.Config.RequiredSections {
		if !known[id] {
			p.incomplete(id)
		}
	}
	for _, s := range p.sections {
		if len(s.pages) == 0 {
			p.incomplete(s.ID)
		}
	}
}

// fewPieces is how many claims and pieces of code a page has at least that need
// not be there.
const fewPieces = 2

// dropThin takes the pages out that have too little to say. Limits are said
// wherever they are.
func (p *planner) dropThin() {
	for _, s := range p.sections {
		s.pages = slices.DeleteFunc(s.pages, func(page *page) bool {
			if !page.ifEvidence || p.limits(page) {
				return false
			}
			pieces := len(page.RequiredClaimIDs) + len(page.SnippetIDs)
			if page.Role == comprehensiveGuide {
				for _, other := range s.pages {
					pieces += boolInt(other.task != "")
				}
			}
			if pieces < fewPieces {
				p.rejected = append(p.rejected, artifact.RejectedCandidate{Section: s.ID, Slug: page.Slug, Reason: "there is too little to say"})
			}
			return pieces < fewPieces
		})
	}
}
