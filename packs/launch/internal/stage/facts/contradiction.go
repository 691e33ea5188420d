package facts

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/issue"
)

var (
	// negative is a statement that something is not there (6.2(6)). Group 1 is
	// a denial of what stands before it, group 2 of what stands after it.
	negative = regexp.MustCompile(`(?i)\b(?:((?:is|are|was|were)? ?(?:not (?:yet |currently |fully )?(?:supported|implemented|available)|unsupported)\b)|(do(?:es)?(?:n['\x{2019}]t| not) (?:yet |currently )?support|no support for|unsupported)\b)`)
	// anyNegation keeps a statement from being taken for a promise.
	anyNegation = regexp.MustCompile(`(?i)\b(?:not|no|cannot|never|without|un\w+ed|lacks?|except)\b|n['\x{2019}]t\b`)
	clauseEnd   = regexp.MustCompile(`(?i)[.;!?]|\b(?:but|although|because|however|when|while|if|unless)\b`)
)

// vague are words that do not narrow down what is denied.
var vague = map[string]bool{
	"format": true, "formats": true, "file": true, "files": true, "support": true, "supported": true, "import": true, "export": true, "imports": true,
	"exports": true, "importing": true, "exporting": true, "reading": true, "writing": true, "read": true, "write": true, "loading": true, "saving": true,
	"load": true, "save": true, "currently": true, "yet": true, "implemented": true, "available": true, "unsupported": true, "still": true, "type": true, "function": true,
	"class": true, "method": true, "library": true, "package": true, "tool": true, "version": true, "data": true,
}

// maxPostings bounds the claims that are compared because of one word: a word
// that so many share is not what they are about.
const maxPostings = 500

// maxFights bounds the contradictions of a repository; who has more of them does
// not need a longer list.
const maxFights = 10_000

// settle finds contradictions and decides each of them.
func (b *builder) settle(ctx context.Context) error {
	pairs, err := b.contradictions(ctx)
	if err != nil {
		return err
	}
	// The clearest come first: whoever has lost does not fight again.
	slices.SortFunc(pairs, func(a, c [2]*claim) int {
		return cmp.Or(cmp.Compare(gap(c), gap(a)), cmp.Compare(a[0].id, c[0].id), cmp.Compare(a[1].id, c[1].id))
	})
	for _, pair := range pairs {
		b.decide(pair)
	}
	slices.SortFunc(b.fights, func(a, c artifact.Contradiction) int {
		return cmp.Or(cmp.Compare(a.ClaimA, c.ClaimA), cmp.Compare(a.ClaimB, c.ClaimB))
	})
	return nil
}

func gap(pair [2]*claim) int {
	return max(pair[0].priority-pair[1].priority, pair[1].priority-pair[0].priority)
}

func (b *builder) decide(pair [2]*claim) {
	first, second := pair[0], pair[1]
	if first.priority > second.priority {
		first, second = second, first
	}
	fight := artifact.Contradiction{ClaimA: pair[0].id, ClaimB: pair[1].id}
	switch distance := gap(pair); {
	case pair[0].lost || pair[1].lost:
		if first.lost {
			first, second = second, first
		}
		fight.Resolution, fight.WinningClaimID = "prefer_higher_priority", first.id
		fight.Reasoning = "the other claim has already lost to a better source"
		if first.lost {
			fight.Resolution, fight.WinningClaimID, fight.Reasoning = "unresolved", "", "both claims have lost to better sources"
		}
	case distance == 0:
		fight.Resolution = "unresolved"
		fight.Reasoning = fmt.Sprintf("both sources have priority %d", first.priority)
		first.withheld, second.withheld = true, true
		severity := b.severity(issue.Warn, issue.Error, issue.Blocker)
		b.report(severity, "FACTS_BUILDER_CONTRADICTION_UNRESOLVED", place(first).Path, pair[0].id+pair[1].id, "%s and %s contradict each other at equal rank; both are withheld, and the tier is lowered to minimal", quoted(first), quoted(second))
	default:
		second.lost = true
		fight.Resolution, fight.WinningClaimID = "prefer_higher_priority", first.id
		fight.Reasoning = fmt.Sprintf("priority %d ranks before priority %d", first.priority, second.priority)
		if distance == 1 {
			fight.Resolution = "manual_review_required"
			b.report(issue.Warn, "FACTS_BUILDER_CONTRADICTION_REVIEW", place(second).Path, pair[0].id+pair[1].id, "%s and %s contradict each other at nearly equal rank; the first is taken for now, and the tier is lowered to minimal", quoted(first), quoted(second))
		}
	}
	b.fights = append(b.fights, fight)
}

// shortQuote is how many characters of a claim an issue repeats.
const shortQuote = 80

// quoted is the beginning of a claim with the place that makes it.
func quoted(c *claim) string {
	at, text := place(c), []rune(c.text)
	if len(text) > shortQuote {
		text = append(text[:shortQuote-1], '\u2026')
	}
	return fmt.Sprintf("\u201c%s\u201d (%s:%d)", string(text), at.Path, at.StartLine)
}

func place(c *claim) artifact.Citation {
	if len(c.places) == 0 {
		return artifact.Citation{}
	}
	return c.places[0].citation
}

// contradictions are pairs of claims of which one denies the other, each pair
// once, ordered by id. Claims meet only over a word that they share.
func (b *builder) contradictions(ctx context.Context) ([][2]*claim, error) {
	promises := map[string][]*claim{} // by format or API name, and by word
	for _, c := range b.claims {
		if c.planned || c.kind == "limitation" || anyNegation.MatchString(c.text) || !c.fact {
			continue
		}
		for _, subject := range b.subjects(c.text) {
			promises["="+subject] = append(promises["="+subject], c)
		}
		for _, word := range c.content {
			promises[word] = append(promises[word], c)
		}
	}
	var pairs [][2]*claim
	for _, c := range b.claims {
		if !c.fact || !negative.MatchString(c.text) || b.isAbroad(c.text) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, promise := range b.denied(c, promises) {
			if !b.shareScope(c, promise) {
				continue
			}
			pair := [2]*claim{c, promise}
			if promise.id < c.id {
				pair = [2]*claim{promise, c}
			}
			if len(pairs) == maxFights {
				b.report(b.severity(issue.Warn, issue.Error, issue.Blocker), "FACTS_BUILDER_CONTRADICTION_UNRESOLVED", "", "too many", "there are more than %d contradictions; the rest is not looked at", maxFights)
				return pairs, nil
			}
			pairs = append(pairs, pair)
		}
	}
	return pairs, nil
}

// denied are the promises that a claim denies, by id.
func (b *builder) denied(c *claim, promises map[string][]*claim) []*claim {
	object := deniedObject(c.text)
	subjects := b.subjects(object)
	words := slices.DeleteFunc(contentOf(object, b.in.Config.ProductName), func(word string) bool { return vague[word] })
	narrowed := slices.ContainsFunc(words, func(word string) bool { return !containsFold(subjects, word) })
	found, seen := map[*claim]bool{}, map[*claim]bool{}
	if len(subjects) > 0 && !narrowed {
		for _, subject := range subjects {
			for _, promise := range promises["="+subject] {
				if promise != c && sameDirection(c, promise) && (promise.verb || promise.kind == "api") {
					found[promise] = true
				}
				if len(found) > maxFights {
					break
				}
			}
		}
	} else {
		for _, word := range words {
			if len(promises[word]) > maxPostings {
				continue
			}
			for _, promise := range promises[word] {
				if seen[promise] || promise == c {
					continue
				}
				seen[promise] = true
				shared := common(words, promise.content)
				if (shared >= 2 || shared == len(words)) && jaccard(words, promise.content) >= 0.3 && sameDirection(c, promise) {
					found[promise] = true
				}
			}
		}
	}
	var denied []*claim
	for promise := range found {
		denied = append(denied, promise)
	}
	slices.SortFunc(denied, func(a, d *claim) int { return cmp.Compare(a.id, d.id) })
	return denied
}

// deniedObject is the part of a statement that is denied.
func deniedObject(text string) string {
	at := negative.FindStringSubmatchIndex(text)
	if at == nil {
		return ""
	}
	if at[4] >= 0 { // what stands after
		rest := text[at[1]:]
		if end := clauseEnd.FindStringIndex(rest); end != nil {
			rest = rest[:end[0]]
		}
		return rest
	}
	before := text[:at[0]]
	if ends := clauseEnd.FindAllStringIndex(before, -1); ends != nil {
		before = before[ends[len(ends)-1][1]:]
	}
	return before
}

// subjects are the formats and the public names that a text has.
func (b *builder) subjects(text string) []string {
	subjects := b.vocabulary.in(text)
	for _, name := range codeName.FindAllStringSubmatch(text, -1) {
		if b.symbolSet()[name[1]] {
			subjects = append(subjects, name[1])
		}
	}
	return subjects
}

func (b *builder) symbolSet() map[string]bool {
	if b.symbols == nil {
		b.symbols = b.symbolNames()
	}
	return b.symbols
}

func containsFold(list []string, word string) bool {
	return slices.ContainsFunc(list, func(entry string) bool {
		return strings.EqualFold(entry, word) || slices.Contains(wordsOf(entry), word)
	})
}

// sameDirection is false if one speaks only of import and the other only of
// export.
func sameDirection(a, b *claim) bool {
	one, other := a.direction, b.direction
	return one == "" || other == "" || one == "both" || other == "both" || one == other
}
