package facts

import (
	"cmp"
	"context"
	"slices"

	"mcpworks/packs/launch/internal/artifact"
)

// Bounds of supporting evidence (6.2(5)), in thousandths.
const (
	leastForDocs     = 50
	leastForExamples = 100
	maxSupports      = 20
)

// A passage is a part of a file that may support claims.
type passage struct {
	citation artifact.Citation
	priority int
	least    int
	words    []string
}

// support finds passages of other files that speak of what a claim says: two of
// its words at least, or all of them.
func (b *builder) support(ctx context.Context) error {
	passages := b.passages()
	index := map[string][]int{}
	for i, p := range passages {
		for _, word := range p.words {
			index[word] = append(index[word], i)
		}
	}
	for _, c := range b.claims {
		if err := ctx.Err(); err != nil {
			return err
		}
		shared := map[int]int{}
		for _, word := range c.content {
			if postings := index[word]; len(postings) <= maxPostings {
				for _, i := range postings {
					shared[i]++
				}
			}
		}
		c.supports = bestSupports(c, passages, shared)
	}
	return nil
}

// bestSupports keeps the best passage of each file, and the best files.
func bestSupports(c *claim, passages []passage, shared map[int]int) []artifact.Support {
	best := map[string]artifact.Support{}
	for i, n := range shared {
		p := passages[i]
		if n < 2 && n < len(c.content) || c.cites(p.citation.Path) {
			continue
		}
		n = common(c.content, p.words)
		score := int(1000*(0.3*float64(8-p.priority)/7+0.4*jaccard(c.content, p.words)+0.3*float64(n)/float64(len(c.content))) + 0.5)
		found := artifact.Support{Citation: p.citation, Score: score}
		if old, ok := best[p.citation.Path]; score > p.least && (!ok || compareSupports(found, old) < 0) {
			best[p.citation.Path] = found
		}
	}
	var supports []artifact.Support
	for _, s := range best {
		supports = append(supports, s)
	}
	slices.SortFunc(supports, compareSupports)
	return supports[:min(len(supports), maxSupports)]
}

func compareSupports(a, b artifact.Support) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Path, b.Path), cmp.Compare(a.StartLine, b.StartLine), cmp.Compare(a.EndLine, b.EndLine))
}

func (c *claim) cites(path string) bool {
	return slices.ContainsFunc(c.places, func(p *candidate) bool { return p.citation.Path == path })
}

// passages are all statements, and the examples as a whole.
func (b *builder) passages() []passage {
	product := b.in.Config.ProductName
	var passages []passage
	for _, c := range b.candidates {
		passages = append(passages, passage{c.citation, c.priority, leastForDocs, contentOf(c.text, product)})
	}
	for _, example := range b.sources.examples {
		if len(example.pieces) == 0 {
			continue
		}
		words := contentOf(b.sources.text[example.path], product)
		citation := artifact.Citation{
			Path: example.path, StartLine: example.pieces[0].Start, EndLine: example.pieces[len(example.pieces)-1].End, SourceType: "example",
		}
		passages = append(passages, passage{citation, fromTest, leastForExamples, words[:min(len(words), maxSupportTokens)]})
	}
	return passages
}
