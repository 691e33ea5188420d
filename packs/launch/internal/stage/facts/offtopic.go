package facts

import (
	"regexp"
	"slices"

	"mcpworks/packs/launch/internal/document"
)

var (
	// forWorkers is above what is said to those who work on the product, and to
	// those who have.
	forWorkers = regexp.MustCompile(`(?i)^(?:how to )?(?:contribut\w*\b.*|develop(?:ment|ing|ers?)?|hacking|build(?:ing)?(?: from source)?|(?:running (?:the )?)?tests?|testing|release process|releasing|maintainers?|authors?|credits?|acknowledge?ments?|(?:special )?thanks|sponsors?\w*|backers|code of conduct|community|contact|(?:getting )?(?:support|help)|translations?|donat\w+|stargazers.*|contributors)$`)
	// notTheProduct is above what is said about other things: other products,
	// other versions, where to read on.
	notTheProduct = regexp.MustCompile(`(?i)^(?:alternatives?|comparisons?\b.*|compared (?:to|with)\b.*|(?:similar|related|other) (?:projects?|work|packages|libraries|tools|software)|see also|prior art|inspirations?|benchmarks?|migrat\w+\b.*|upgrading\b.*|change ?log|changes|history|(?:backwards? )?compatibility policy|versioning|documentation|docs|resources|references|links|further reading|(?:table of )?contents|(?:project )?status|road ?map|to-?do|disclaimer|security(?: policy)?|motivation|rationale|background|name|.*\b(?:third[- ]party|community|ecosystem)\b.*|who uses .*|used by|users|showcase)$`)
	// pointing is a statement that sends its reader elsewhere.
	pointing = regexp.MustCompile(`(?i)^see\b|^please (?:review|see|refer|read|check|visit|consult|look|have a look)\b|\(see\b|\bsee (?:the|also|our|its|this|that|these|examples?|below|above|\x60)|\bcheck (?:it )?out\b|\b(?:refer|head(?: over)?|go) to the\b|^look (?:at|into)\b|\btake a look\b|\bread (?:the (?:docs|documentation|manual|guide)|more|this|on|about)\b|\blearn more\b|\bmore (?:information|details|examples|samples)\b|\bfor (?:more|further|details|full)\b|\bcan be found\b|\b(?:is|are) (?:available|documented|described|listed|explained|hosted) (?:in|at|on|under|here)\b|^welcome to\b|\bgenerated (?:with|by|using)\b|\bin other languages\b|\bopen an? (?:new )?issue\b|\bpull requests?\b|\bcontributions?\b|^(?:example|source) (?:file|code)\b|: source code\b|\bgodoc\b|^thank|\bread this\b|\bthis readme\b|\bthe (?:examples?|samples?) (?:folder|directory)\b`)
	// needsContext begins a statement whose subject stands before it.
	needsContext = regexp.MustCompile(`(?i)^(?:to|in|for|with|by|as|at|on)(?: \w+)? (?:this|that|these|those|such)\b|^\pL+ing (?:these|those|such|them|it)\b|^using (?:this|that),|^on the other hand\b|^(?:another|other|similarly|likewise|additionally|furthermore|moreover|finally|again|still|yet|instead|meanwhile|conversely|older|newer)\b`)
)

// offTopic is the audience of a block below a heading that leads away from the
// product, or of one that points elsewhere; it is empty for all others.
func offTopic(block document.Block) string {
	above := append(slices.Clone(block.Above), block.Heading)
	switch {
	case slices.ContainsFunc(above, forWorkers.MatchString):
		return developerInstruction
	case slices.ContainsFunc(above, notTheProduct.MatchString) && !licensing.MatchString(block.Text):
		return internalDetail
	case pointing.MatchString(block.Text) && !limits.MatchString(block.Text):
		return developerInstruction
	}
	return ""
}
