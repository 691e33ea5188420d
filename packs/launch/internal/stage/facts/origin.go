package facts

import (
	"path"
	"regexp"
	"strings"
)

// An origin is where candidates come from, and how far it is trusted (6.2(4)).
type origin struct {
	priority   int    // 1 is best, 7 is worst
	sourceType string // of citations
	audience   string // if not to be judged by the text
	planned    bool   // speaks of what may come
	readme     bool
}

// The priorities of sources.
const (
	fromManifest  = 1
	fromCode      = 2
	fromTest      = 3
	fromNotes     = 4
	fromDocs      = 5
	fromReadme    = 6
	fromMarketing = 7
)

// The audiences of claims.
const (
	userFacing           = "user_facing"
	internalDetail       = "internal_detail"
	developerInstruction = "developer_instruction"
)

var (
	notesName   = regexp.MustCompile(`IMPLEMENTATION|NOTES|^ARCHITECTURE|^DESIGN|^SPEC`)
	historyName = regexp.MustCompile(`^(?:CHANGELOG|CHANGES|HISTORY|NEWS|RELEASES?)\b|RELEASE_?NOTES|^MIGRAT|^UPGRAD`)
	planName    = regexp.MustCompile(`^(?:ROADMAP|TODO|BACKLOG)|PLAN\b`)
	peopleName  = regexp.MustCompile(`^(?:CONTRIBUTING|CODE_OF_CONDUCT|SECURITY|SUPPORT|GOVERNANCE|MAINTAIN|DEVELOP|HACKING|RELEASING|BUILDING|AGENTS?$|CLAUDE|GEMINI|COPILOT|CODEOWNERS|TESTING)|TEMPLATE`)
)

// sampleFolder holds documents about samples and tests, not about the product.
var sampleFolder = regexp.MustCompile(`(?:^|/)(?:_[^/]+|tests?|__tests__|specs?|testdata|fixtures|examples?|samples?|demos?|benchmarks?)/`)

// designFolder holds proposals: what somebody wanted, and not how to use it.
var designFolder = regexp.MustCompile(`(?i)(?:^|/)(?:designs?|proposals?|rfcs?|adrs?|decisions)/`)

// designTitle is that of a proposal.
var designTitle = regexp.MustCompile(`(?i)^(?:(?:technical )?design(?: of\b| doc|:|$)|proposal\b|rfc\b)|\b(?:design doc(?:ument)?|proposal|rfc)$`)

// originOf judges a document by its name and place.
func originOf(name string) origin {
	base := strings.ToUpper(strings.TrimSuffix(path.Base(name), path.Ext(name)))
	switch {
	case peopleName.MatchString(base) || strings.HasPrefix(name, "."):
		return origin{priority: fromReadme, sourceType: "contributor_doc", audience: developerInstruction}
	case historyName.MatchString(base):
		return origin{priority: fromReadme, sourceType: "changelog", audience: internalDetail}
	case planName.MatchString(base):
		return origin{priority: fromReadme, sourceType: "plan", audience: internalDetail, planned: true}
	case notesName.MatchString(base):
		return origin{priority: fromNotes, sourceType: "implementation_doc"}
	case sampleFolder.MatchString(name), designFolder.MatchString(name), designTitle.MatchString(base):
		return origin{priority: fromReadme, sourceType: "documentation", audience: internalDetail}
	case strings.HasPrefix(base, "README"):
		return origin{priority: fromReadme, sourceType: "readme", readme: true}
	}
	return origin{priority: fromDocs, sourceType: "documentation"}
}

// praise are words that sell.
var praise = regexp.MustCompile(`(?i)\b(?:powerful|easy|easily|effortless(?:ly)?|blazing(?:ly)?|lightning|best|seamless(?:ly)?|robust|beautiful|modern|elegant|amazing|awesome|world[- ]class|state[- ]of[- ]the[- ]art|cutting[- ]edge|ultimate|revolutionary|simply)\b`)

// priorityOf is that of one statement: what sells in a README ranks last.
func (o origin) priorityOf(text string) int {
	if o.readme && praise.MatchString(text) {
		return fromMarketing
	}
	return o.priority
}

func confidence(priority int) string {
	switch {
	case priority <= fromCode:
		return "high"
	case priority <= fromDocs:
		return "medium"
	}
	return "low"
}
