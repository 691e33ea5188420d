package resources

import (
	"regexp"
	"strings"
)

var (
	// Literal text: no controls, spaces, quotes, <>\^`{|} and no lone percent
	// sign. The apostrophe is let through, as expanders do.
	literalForm  = regexp.MustCompile("^(?:[^\\x00-\\x20\\x7f\"%<>\\\\^`{|}]|%[0-9A-Fa-f]{2})*$")
	variableForm = regexp.MustCompile(`^(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+(?:\.(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+)*(?:\*|:[1-9][0-9]{0,3})?$`)
)

// templateFlaw says what RFC 6570 has against a template; empty if it has
// nothing.
func templateFlaw(template string) string {
	for template != "" {
		literal, rest, opened := strings.Cut(template, "{")
		if strings.Contains(literal, "}") {
			return "the template has a closing brace without an opening one"
		}
		if !literalForm.MatchString(literal) {
			return "the template has literal characters that must be percent-encoded"
		}
		if !opened {
			return ""
		}
		expression, after, closed := strings.Cut(rest, "}")
		if !closed {
			return "the template has an opening brace without a closing one"
		}
		if flaw := expressionFlaw(expression); flaw != "" {
			return flaw
		}
		template = after
	}
	return ""
}

func expressionFlaw(expression string) string {
	if expression == "" {
		return "the template has empty braces"
	}
	if strings.ContainsRune("=,!@|", rune(expression[0])) {
		return "the template uses an operator that RFC 6570 keeps for later"
	}
	for variable := range strings.SplitSeq(strings.TrimLeft(expression[:1], "+#./;?&")+expression[1:], ",") {
		if !variableForm.MatchString(variable) {
			return "the template has a malformed variable"
		}
	}
	return ""
}
