package facts

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/issue"
)

// A claim is a statement with all places that make it.
type claim struct {
	id       string
	text     string
	kind     string
	audience string
	priority int
	planned  bool
	fact     bool
	places   []*candidate // best first; each cites lines that say it
	// withheld are claims that another one contradicts at equal rank.
	withheld bool
	// lost are claims that a better source contradicts.
	lost      bool
	supports  []artifact.Support
	content   []string // words
	direction string   // of a format that it speaks of
	verb      bool     // it speaks of reading, writing or supporting
}

// ID is the name of a claim: that of its words and its kind (C-15).
func ID(text, kind, product string) string {
	sum := sha256.Sum256([]byte(normal(text, product) + "|" + kind))
	return hex.EncodeToString(sum[:])
}

// normal is text with the name of the product taken out, in lower case and with
// single spaces.
func normal(text, product string) string {
	text, name := fold(text), fold(product)
	if name == "" {
		return text
	}
	return strings.ReplaceAll(text, name, "{product_name}")
}

func fold(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }

// mergeClaims makes claims of candidates: those with the same id are one.
func (b *builder) mergeClaims(ctx context.Context) error {
	b.byID = map[string]*claim{}
	for _, c := range b.candidates {
		c.id = ID(c.text, c.kind, b.in.Config.ProductName)
		merged := b.byID[c.id]
		if merged == nil {
			merged = &claim{id: c.id}
			b.byID[c.id] = merged
			b.claims = append(b.claims, merged)
		}
		merged.places = append(merged.places, c)
	}
	lines := citedLines{}
	for _, c := range b.claims {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		b.finish(c, lines)
	}
	slices.SortFunc(b.claims, func(a, c *claim) int { return cmp.Compare(a.id, c.id) })
	return nil
}

// citedLines are the words of lines that claims cite. A line can hold thousands
// of claims: it is read once.
type citedLines map[artifact.Citation]Cited

func (l citedLines) words(b *builder, at artifact.Citation) Cited {
	at.SourceType = ""
	words, known := l[at]
	if !known {
		words = CitedWords(b.lines(at.Path, at.StartLine, at.EndLine))
		l[at] = words
	}
	return words
}

// finish takes text and rank from the best place and checks what all cite.
func (b *builder) finish(c *claim, lines citedLines) {
	slices.SortStableFunc(c.places, func(a, d *candidate) int {
		return cmp.Or(cmp.Compare(a.priority, d.priority), cmp.Compare(a.citation.Path, d.citation.Path), cmp.Compare(a.citation.StartLine, d.citation.StartLine))
	})
	best := c.places[0]
	c.text, c.kind, c.audience, c.priority = best.text, best.kind, best.audience, best.priority
	c.planned = !slices.ContainsFunc(c.places, func(p *candidate) bool { return !p.planned })
	if slices.ContainsFunc(c.places, func(p *candidate) bool { return p.audience == userFacing }) {
		c.audience = userFacing
	}
	c.places = slices.DeleteFunc(c.places, func(p *candidate) bool {
		return !lines.words(b, p.citation).Say(p.text)
	})
	c.fact = len(c.places) > 0
	c.content = contentOf(c.text, b.in.Config.ProductName)
	c.direction, c.verb = direction(c.text), formatVerb.MatchString(c.text)
}

// ranks says whether c comes before d: by source, then by id.
func (c *claim) ranks(d *claim) bool {
	return cmp.Or(cmp.Compare(c.priority, d.priority), cmp.Compare(c.id, d.id)) < 0
}

func (c *claim) truth() string {
	if c.fact && !c.lost {
		return "fact"
	}
	return "inference"
}

func (c *claim) confidence() string {
	if c.lost {
		return "low"
	}
	return confidence(c.priority)
}

// isKept says whether the claim is part of the product's facts.
func (b *builder) isKept(c *claim) bool {
	return !c.withheld && (c.truth() == "fact" || b.in.Config.AllowInference)
}

// usable are the claims that may be on pages, by id.
func (b *builder) usable() []*claim {
	var usable []*claim
	for _, c := range b.claims {
		if b.isKept(c) && !c.lost && c.audience == userFacing {
			usable = append(usable, c)
		}
	}
	return usable
}

// under says whether a place of the claim stands below such a heading.
func (c *claim) under(heading *regexp.Regexp) bool {
	return slices.ContainsFunc(c.places, func(p *candidate) bool { return heading.MatchString(p.heading) })
}

// count reports that there is too little to say (6.2(12)).
func (b *builder) count() {
	switch n := len(b.usable()); {
	case n == 0:
		b.report(issue.Warn, "FACTS_BUILDER_ZERO_CLAIMS", "", "claims", "the repository says nothing about the product that users could read")
	case n < 5:
		b.report(b.severity(issue.Warn, issue.Error, issue.Error), "FACTS_BUILDER_SPARSE_CLAIMS", "", "claims", "the repository has only %d claims for users", n)
	}
}
