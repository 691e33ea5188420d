package review

import (
	"mcpworks/packs/launch/internal/issue"
)

// The codes of findings.
const (
	CodeTypography    = "REVIEWER_TYPOGRAPHY"
	CodeReadability   = "REVIEWER_READABILITY"
	CodeLongParagraph = "REVIEWER_LONG_PARAGRAPH"
	CodeLongBullet    = "REVIEWER_LONG_BULLET"
	CodeHeadingOrder  = "REVIEWER_HEADING_ORDER"
	CodeMarkerFormat  = "REVIEWER_MARKER_FORMAT"
	CodeUnknownClaim  = "REVIEWER_UNKNOWN_CLAIM"
	CodeUnknownName   = "REVIEWER_UNKNOWN_API_NAME"
	CodeInstall       = "REVIEWER_INSTALL_MISMATCH"
	CodeMissingSteps  = "REVIEWER_MISSING_STEPS"
	CodeFrontMatter   = "REVIEWER_FRONTMATTER_INCOMPLETE"
	CodeAltText       = "REVIEWER_ALT_TEXT_MISSING"
)

// checks are all that a page is looked at for.
var checks = []func(*reviewer, page) []finding{
	typography, readability, longParagraphs, longBullets, headingOrder, markerFormat, unknownClaims, unknownNames, installCommands,
	missingSteps, frontMatter, altText,
}

// fixes put right what can be put right by rule.
var fixes = map[string]func(string) string{
	CodeTypography: fixTypography, CodeHeadingOrder: fixHeadings, CodeMarkerFormat: fixMarkers,
}

// found makes a finding. Subject tells it apart from others of its code on the
// page.
func (p page) found(d dimension, severity issue.Severity, code string, at int, subject, format string, args ...any) finding {
	made := issue.New(Stage, severity, code, p.draft.OutputPath, subject, format, args...).At(at)
	fix := fixes[code]
	made.Fixable = fix != nil
	return finding{Issue: made, dimension: d, fix: fix}
}
