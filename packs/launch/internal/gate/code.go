package gate

import "slices"

// The codes of issues that somebody acts on.
const (
	CodeSchema = "GATE_SCHEMA_VALIDATION_FAILED"

	CodeFrontMissing  = "GATE_FRONTMATTER_MISSING"
	CodeFrontInvalid  = "GATE_FRONTMATTER_INVALID_YAML"
	CodeFrontRequired = "GATE_FRONTMATTER_REQUIRED_FIELD_MISSING"
	CodeFrontType     = "GATE_FRONTMATTER_TYPE_MISMATCH"
	CodeFrontContract = "GATE_FRONTMATTER_CONTRACT_VIOLATION"

	CodeToken = "GATE_TEMPLATE_TOKEN_UNRESOLVED"
	CodeLint  = "GATE_MARKDOWN_LINT_ERROR"

	CodeLinkInternal = "GATE_LINK_BROKEN_INTERNAL"
	CodeLinkAnchor   = "GATE_LINK_BROKEN_ANCHOR"
	CodeLinkRelative = "GATE_LINK_BROKEN_RELATIVE"

	CodeUncited      = "GATE_TRUTHLOCK_UNCITED_FACT"
	CodeInvalidClaim = "GATE_TRUTHLOCK_INVALID_CLAIM_ID"
	CodeMismatch     = "GATE_TRUTHLOCK_CLAIM_MISMATCH"
	CodeEvidence     = "GATE_TRUTHLOCK_EVIDENCE_MISSING"
	CodeContradicted = "GATE_TRUTHLOCK_UNRESOLVED_CONTRADICTION"

	CodeCoverage = "GATE_CLAIM_COVERAGE_MISSING"

	CodeSnippetUnknown  = "GATE_SNIPPET_NOT_IN_CATALOG"
	CodeSnippetLanguage = "GATE_SNIPPET_LANGUAGE_MISMATCH"
	CodeSnippetSyntax   = "GATE_SNIPPET_SYNTAX_ERROR"

	CodeProductName     = "GATE_CONSISTENCY_PRODUCT_NAME_MISMATCH"
	CodeRepoURL         = "GATE_CONSISTENCY_REPO_URL_MISMATCH"
	CodeCanonicalURL    = "GATE_CONSISTENCY_CANONICAL_URL_MISMATCH"
	CodeRequiredHeading = "GATE_CONSISTENCY_REQUIRED_HEADING_MISSING"
	CodeRequiredSection = "GATE_CONSISTENCY_REQUIRED_SECTION_MISSING"
	CodeTemplateChanged = "GATE_CONSISTENCY_TEMPLATE_MISMATCH"

	CodeTier         = "GATE_UNIVERSALITY_TIER_VIOLATION"
	CodeLimitations  = "GATE_UNIVERSALITY_LIMITATIONS_MISSING"
	CodeDistribution = "GATE_UNIVERSALITY_DISTRIBUTION_MISMATCH"
	CodeInference    = "GATE_UNIVERSALITY_HIDDEN_INFERENCE"

	CodeMissingPage = "GATE_NAVIGATION_MISSING_PAGE"
	CodeOrphanPage  = "GATE_NAVIGATION_ORPHAN_PAGE"
	CodeMenuLink    = "GATE_NAVIGATION_BROKEN_LINK"
	CodeUnreachable = "GATE_NAVIGATION_UNREACHABLE"

	CodeRoleMissing     = "GATE14_ROLE_MISSING"
	CodeStrategyMissing = "GATE14_STRATEGY_MISSING"
	CodeTOCSnippets     = "GATE14_TOC_HAS_SNIPPETS"
	CodeTOCChildren     = "GATE14_TOC_MISSING_CHILDREN"
	CodeGuide           = "GATE14_GUIDE_INCOMPLETE"
	CodeGuideCoverage   = "GATE14_GUIDE_COVERAGE_INVALID"
	CodeForbiddenTopic  = "GATE14_FORBIDDEN_TOPIC"
	CodeQuotaExceeded   = "GATE14_CLAIM_QUOTA_EXCEEDED"
	CodeQuotaUnderflow  = "GATE14_CLAIM_QUOTA_UNDERFLOW"
	CodeDuplication     = "GATE14_CLAIM_DUPLICATION"
	CodeMandatoryPage   = "GATE14_MANDATORY_PAGE_MISSING"

	CodeTimeout = "GATE_TIMEOUT"
	CodeCrash   = "VALIDATOR_TOOL_CRASH"
)

// fixable are the codes that package fix has a rule for (10.4).
var fixable = []string{
	CodeToken, CodeFrontMissing, CodeFrontInvalid, CodeFrontRequired, CodeFrontType, CodeFrontContract, CodeLint,
	CodeLinkInternal, CodeLinkAnchor, CodeLinkRelative, CodeUncited, CodeInvalidClaim, CodeMismatch, CodeEvidence, CodeContradicted, CodeCoverage,
	CodeSnippetUnknown, CodeSnippetLanguage, CodeSnippetSyntax, CodeProductName, CodeRepoURL, CodeCanonicalURL, CodeRequiredHeading,
	CodeLimitations, CodeDistribution, CodeMissingPage, CodeTOCSnippets, CodeTOCChildren, CodeForbiddenTopic, CodeQuotaExceeded,
}

// Replans says whether issues with a code can only go away if the pages are
// planned anew: a mandatory page is not planned, or the template of one is not
// what it was (10.4).
func Replans(code string) bool { return code == CodeMandatoryPage || code == CodeTemplateChanged }

// FixableCodes are the codes that package fix has a rule for, sorted.
func FixableCodes() []string { return slices.Sorted(slices.Values(fixable)) }

// Fixable says whether there is a rule that can put issues with a code right. It
// may still find that it cannot.
func Fixable(code string) bool { return slices.Contains(fixable, code) }
