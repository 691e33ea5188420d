package facts

import (
	"regexp"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/document"
	"mcpworks/packs/launch/internal/redact"
)

// fromFeatureHeadings makes a statement of each heading below one for features,
// with the first sentence under it: the heading is the name of the feature.
func (b *builder) fromFeatureHeadings(file documentFile, hidden, traps lineSet) {
	if file.origin.audience != "" || file.origin.priority == fromNotes || b.scopes[file.path] != "" {
		return
	}
	at := 0
	for i, heading := range file.Headings {
		end := len(b.split(file.path))
		if i+1 < len(file.Headings) {
			end = file.Headings[i+1].Line - 1
		}
		for at < len(file.Blocks) && file.Blocks[at].Start <= heading.Line {
			at++
		}
		if heading.Parent == 0 || !praised.MatchString(file.Headings[heading.Parent-1].Text) || at == len(file.Blocks) {
			continue
		}
		block := file.Blocks[at]
		if block.Kind != document.Sentence || block.Start > end || hidden.touch(heading.Line, block.End) || traps.touch(heading.Line, block.End) {
			continue
		}
		b.fromNamedFeature(file, heading, block, file.Headings[heading.Parent-1].Text)
	}
}

func (b *builder) fromNamedFeature(file documentFile, heading document.Heading, block document.Block, features string) {
	text, suspicious := tidy(heading.Text + ": " + block.Text)
	audience := offTopic(block)
	switch {
	case suspicious || len(redact.Find(text)) > 0 || strings.HasSuffix(block.Text, ":") || leaning.MatchString(block.Text) || uncertain.MatchString(block.Text):
		return
	case audience == "":
		audience = audienceOf(text)
	}
	b.keep(&candidate{
		text: text, kind: "feature", audience: audience, heading: features, praised: true, planned: file.origin.planned || planned.MatchString(text),
		priority: file.origin.priorityOf(text),
		citation: artifact.Citation{Path: file.path, StartLine: heading.Line, EndLine: block.End, SourceType: file.origin.sourceType},
	})
}

var (
	praised = regexp.MustCompile(`(?i)\b(?:features?|highlights|capabilities|what it does|what it can do|packages)\b`)
	// able is what a sentence says that speaks of an ability.
	able = regexp.MustCompile(`(?i)\b(?:supports?|provides?|allows?|lets|enables?|offers?|includes?|handles?|reads|writes|parses|generates?|converts?|creates?|exports|imports|validates?|checks|detects?|finds?|renders?|runs|works|integrates?|implements?|manages?|uses|returns|prints|shows|stores?|keeps?|sends?|merges?|compares?|can|automatically|without|designed|built|written)\b`)
	// uncertain is what a sentence says that promises nothing, or speaks of
	// somebody.
	uncertain = regexp.MustCompile(`(?i)\b(?:we|we're|we've|our|us|i|i'm|my|let's|please|should|might|hopefully|probably|perhaps|suppose|imagine|shockingly|for now|at the moment)\b`)
	// subordinate begins a sentence that leads somewhere else first.
	subordinate = regexp.MustCompile(`(?i)^(?:if|unless|although|though|given|suppose|most|some|many|compared|note|be aware|keep in mind|make sure|remember|use|you|your)\b`)
)

// isAbility says whether a claim can be listed as a feature: the repository lists
// it, or it is a sentence that says what the product does.
func (b *builder) isAbility(c *claim) bool {
	switch {
	case c.kind != "feature" && c.kind != "api" && c.kind != "format" || c.planned || c.isRow() || licensing.MatchString(c.text) || isCompatibility(c) || leans(c.text):
		return false
	case c.isPraised() || c.kind == "api" && c.isDocstring() || c.priority == fromManifest:
		return true
	case !slices.ContainsFunc(c.places, func(p *candidate) bool { return !p.nested && (p.top || b.names(p)) }):
		return false // a detail
	}
	return c.kind != "api" && able.MatchString(c.text) && !uncertain.MatchString(c.text) && !subordinate.MatchString(c.text)
}

// names says that a sentence begins with the name of the product.
func (b *builder) names(c *candidate) bool {
	return c.sentence && strings.HasPrefix(strings.ToLower(c.text), strings.ToLower(b.in.Config.ProductName)+" ")
}

// leans says that a statement needs the one before it.
func leans(text string) bool {
	return leaning.MatchString(text) && !ofItself.MatchString(text) || needsContext.MatchString(text)
}

// ofItself begins a statement about the product as a whole.
var ofItself = regexp.MustCompile(`(?i)^this (?:\w+ )?(?:package|library|module|project|repository|repo|tool|crate|gem|program|framework|toolkit)\b`)

// isPraised is a claim of a list of features.
func (c *claim) isPraised() bool {
	return slices.ContainsFunc(c.places, func(p *candidate) bool { return p.praised })
}

// isDocstring is a claim that the source makes about a name.
func (c *claim) isDocstring() bool {
	return slices.ContainsFunc(c.places, func(p *candidate) bool { return p.citation.SourceType == "docstring" })
}
