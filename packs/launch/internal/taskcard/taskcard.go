// Package taskcard reads work authorisations: Markdown files with front matter
// and fixed sections that limit what a run may change (13).
package taskcard

import (
	"slices"
	"strings"
)

// MaxBytes is how large a card may be.
const MaxBytes = 256 << 10

// Statuses are what the status of a card can be (C-39).
var Statuses = []string{"Draft", "Ready", "In-Progress", "Blocked", "Done", "Cancelled"}

// A Card is what the front matter of a taskcard says, as far as it could be
// read.
type Card struct {
	ID               string
	Title            string
	Status           string
	Owner            string
	Updated          string
	DependsOn        []string
	AllowedPaths     []string
	EvidenceRequired []string
	SpecRef          string
	RulesetVersion   string
	TemplatesVersion string
	Tags             []string
}

// Active says whether a run may rely on the card.
func (c Card) Active() bool { return c.Status == "In-Progress" || c.Status == "Done" }

// The codes of errors.
const (
	ParseFailed        = "TASKCARD_PARSE_FAILED"
	MissingKey         = "TASKCARD_MISSING_KEY"
	BadValue           = "TASKCARD_BAD_VALUE"
	IDMismatch         = "TASKCARD_ID_MISMATCH"
	SectionMissing     = "TASKCARD_SECTION_MISSING"
	PathsMismatch      = "TASKCARD_PATHS_MISMATCH"
	PathTooBroad       = "TASKCARD_PATH_TOO_BROAD"
	TooFewItems        = "TASKCARD_TOO_FEW_ITEMS"
	VagueE2E           = "TASKCARD_VAGUE_E2E"
	DependencyUnknown  = "TASKCARD_DEPENDENCY_UNKNOWN"
	EvidenceMissing    = "TASKCARD_EVIDENCE_MISSING"
	MissingVersionLock = "TASKCARD_MISSING_VERSION_LOCK"
)

// The codes of warnings.
const (
	UnknownKey       = "TASKCARD_UNKNOWN_KEY"
	EmptySection     = "TASKCARD_EMPTY_SECTION"
	DuplicateSection = "TASKCARD_DUPLICATE_SECTION"
)

// A Problem is one thing wrong with a card.
type Problem struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Section string `json:"section,omitempty"`
	Line    int    `json:"line,omitempty"`
}

// A Report is the judgement on a card. It has no errors if and only if the card
// is valid.
type Report struct {
	Card     Card
	Errors   []Problem
	Warnings []Problem
}

// Valid says whether the card has no errors.
func (r Report) Valid() bool { return len(r.Errors) == 0 }

// Rules are what a card is judged by besides its own text.
type Rules struct {
	// FileName is checked against the id, unless it is empty.
	FileName string
	// BroadPaths admits allowed paths such as content/**.
	BroadPaths bool
	// Others are the cards that this one may depend on, by id; nil leaves
	// dependencies unchecked.
	Others map[string]Card
	// Evidence looks for the evidence of a finished card and returns its size;
	// nil leaves evidence unchecked.
	Evidence func(path string) (size int64, err error)
}

// Validate judges the text of a card and finds everything that is wrong with it,
// in the order of the lines; what is missing comes first.
func Validate(text []byte, rules Rules) Report {
	matter, body, firstLine, problem := split(text)
	if problem != nil {
		return Report{Errors: []Problem{*problem}}
	}
	v := &validation{rules: rules, keys: map[string]key{}}
	if v.readKeys(matter) {
		v.checkKeys()
		v.checkDependencies()
	}
	v.readSections(body, firstLine)
	v.checkSections()
	v.checkEvidence()
	for _, list := range []*[]Problem{&v.report.Errors, &v.report.Warnings} {
		slices.SortStableFunc(*list, func(a, b Problem) int { return a.Line - b.Line })
	}
	return v.report
}

// A validation is the work on one card.
type validation struct {
	rules    Rules
	keys     map[string]key
	sections map[string]section // by lower-case name
	report   Report
}

func (v *validation) fail(code string, line int, section, message string) {
	v.report.Errors = append(v.report.Errors, Problem{code, message, section, line})
}

func (v *validation) warn(code string, line int, section, message string) {
	v.report.Warnings = append(v.report.Warnings, Problem{code, message, section, line})
}

// plain strips what a path may be dressed in: backticks and a note in
// parentheses behind it (C-39).
func plain(item string) string {
	item = strings.TrimSpace(item)
	if rest, ok := strings.CutPrefix(item, "`"); ok {
		if inner, _, closed := strings.Cut(rest, "`"); closed {
			return strings.TrimSpace(inner)
		}
	}
	if at := strings.Index(item, " ("); at >= 0 && strings.HasSuffix(item, ")") {
		item = item[:at]
	}
	return strings.TrimSpace(item)
}
