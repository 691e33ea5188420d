package facts

import (
	"regexp"
	"slices"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/issue"
)

// evidence is evidence_map.json: every claim, kept or not.
func (b *builder) evidence() artifact.EvidenceMap {
	e := artifact.EvidenceMap{
		SchemaVersion: artifact.Version, RepoURL: b.in.Inventory.RepoURL, RepoSHA: b.in.Inventory.RepoSHA, Contradictions: b.fights,
	}
	for _, c := range b.claims {
		entry := artifact.EvidenceClaim{
			Claim: c.artifact(), SourcePriority: c.priority, Supporting: c.supports, Enrichment: enrich(c, b.in.Config.ProductName),
		}
		for _, p := range c.places {
			if !slices.Contains(entry.Citations, p.citation) {
				entry.Citations = append(entry.Citations, p.citation)
			}
		}
		e.Claims = append(e.Claims, entry)
	}
	return e
}

var (
	forBeginners = regexp.MustCompile(`(?i)\b(?:install\w*|set ?up|getting started)\b`)
	forExperts   = regexp.MustCompile(`(?i)\b(?:custom\w*|optimi[sz]\w*|performance)\b`)
)

// enrich places a claim by rules (6.2(10)).
func enrich(c *claim, product string) *artifact.Enrichment {
	e := &artifact.Enrichment{AudienceLevel: "intermediate", Complexity: "medium", Prerequisites: []string{}, UseCases: []string{}, TargetPersona: product + " developers"}
	switch {
	case forBeginners.MatchString(c.text):
		e.AudienceLevel = "beginner"
	case forExperts.MatchString(c.text):
		e.AudienceLevel = "advanced"
	}
	switch n := len([]rune(c.text)); {
	case n < 50:
		e.Complexity = "simple"
	case n > 150:
		e.Complexity = "complex"
	}
	return e
}

// truthLock is truth_lock_report.json as far as this stage knows it.
func (b *builder) truthLock() artifact.TruthLockReport {
	r := artifact.TruthLockReport{SchemaVersion: artifact.Version, OK: true, TotalClaims: len(b.claims)}
	for _, c := range b.claims {
		if c.truth() == "fact" {
			r.FactClaims++
		} else {
			r.InferenceClaims++
			r.InferredClaimIDs = append(r.InferredClaimIDs, c.id)
		}
		if !c.fact {
			r.UnsupportedClaims = append(r.UnsupportedClaims, c.id)
		}
		if c.withheld {
			r.UnresolvedClaimIDs = append(r.UnresolvedClaimIDs, c.id)
		}
	}
	for _, found := range b.issues {
		r.Issues = append(r.Issues, found.ID)
		r.OK = r.OK && found.Severity != issue.Blocker
	}
	slices.Sort(r.Issues)
	r.Issues = slices.Compact(r.Issues)
	return r
}
