package redact

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// A shape is how secrets of one kind look. Group 1, if there is one, is what
// stands before the secret and stays.
type shape struct {
	kind string
	// hints are lower-case words of which text has to have one for the
	// expression to be tried.
	hints []string
	expr  *regexp.Regexp
	// words is what looks so and is made of words, as names of products are; nil
	// if nothing is.
	words *regexp.Regexp
}

// secretShapes are tried in this order. An assignment may have quotes around its
// name and its value, as in JSON, escaped or not.
var secretShapes = []shape{
	{"PRIVATE_KEY", []string{"private key"}, regexp.MustCompile(`(?s)-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\z)`), nil},
	{"URL_CREDENTIALS", []string{"@"}, regexp.MustCompile(`([a-zA-Z][a-zA-Z0-9+.-]*://)[^\s/?#"'<>]+@`), nil},
	{"GITHUB_TOKEN", []string{"gh", "github_pat_"}, regexp.MustCompile(`gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]+`), nil},
	{"AWS_KEY", []string{"akia"}, regexp.MustCompile(`AKIA[0-9A-Z]{16}`), nil},
	{"SLACK_TOKEN", []string{"xox"}, regexp.MustCompile(`xox[baprs]-[A-Za-z0-9-]{10,}`), nil},
	{"API_KEY", []string{"sk-"}, regexp.MustCompile(`\bsk-[A-Za-z0-9_-]{20,}`),
		regexp.MustCompile(`^sk(?:-(?:[a-z]{1,15}|[a-z0-9]{1,3}))+$`)},
	{"JWT", []string{"eyj"}, regexp.MustCompile(`eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*`), nil},
	{"BEARER_TOKEN", []string{"bearer"}, regexp.MustCompile(`(?i)(bearer\s+)[A-Za-z0-9._~+/=-]{8,}`),
		regexp.MustCompile(`(?i:bearer)\s+[A-Z]?[a-z]{1,15}[.]?$`)},
	{"BASIC_CREDENTIALS", []string{"basic"}, regexp.MustCompile(`(?i)(basic\s+)[A-Za-z0-9+/=]{16,}`),
		regexp.MustCompile(`(?i:basic)\s+[A-Z]?[a-z]{1,20}$`)},
	{"PASSWORD", []string{"key", "passw", "pwd", "secret"}, regexp.MustCompile(
		`(?i)((?:api[_-]?key|password|passwd|pwd|secret)[\\"']*\s*[:=]\s*)(?:"[^"\n]{8,}"|'[^'\n]{8,}'|\S{8,})`), nil},
}

// replacement is what stands for a secret of this shape.
func (s shape) replacement() string {
	switch {
	case s.kind == "URL_CREDENTIALS":
		return "${1}" + Redacted + "@"
	case s.expr.NumSubexp() > 0:
		return "${1}" + Redacted
	}
	return Redacted
}

func (s shape) replace(text string) string {
	if s.words == nil {
		return s.expr.ReplaceAllString(text, s.replacement())
	}
	return s.expr.ReplaceAllStringFunc(text, func(found string) string {
		if s.words.MatchString(found) {
			return found
		}
		return s.expr.ReplaceAllString(found, s.replacement())
	})
}

// shapes replaces what looks like a secret.
func shapes(text string) string {
	lower := strings.ToLower(text)
	for _, s := range secretShapes {
		if s.mayBeIn(lower) {
			text = s.replace(text)
		}
	}
	return text
}

func (s shape) mayBeIn(lower string) bool {
	return slices.ContainsFunc(s.hints, func(hint string) bool { return strings.Contains(lower, hint) })
}

// A Finding is a stretch of text that looks like a secret.
type Finding struct {
	// Kind names the shape in capitals. BEARER_TOKEN, BASIC_CREDENTIALS and
	// PASSWORD rest on the word before alone: prose and placeholders can have
	// these shapes too.
	Kind       string
	Start, End int // in bytes
}

// Find says where text looks as if it held secrets, in order.
func Find(text string) []Finding {
	lower := strings.ToLower(text)
	var findings []Finding
	for _, s := range secretShapes {
		if !s.mayBeIn(lower) {
			continue
		}
		for _, at := range s.expr.FindAllStringIndex(text, -1) {
			if s.words == nil || !s.words.MatchString(text[at[0]:at[1]]) {
				findings = append(findings, Finding{s.kind, at[0], at[1]})
			}
		}
	}
	slices.SortStableFunc(findings, func(a, b Finding) int { return cmp.Compare(a.Start, b.Start) })
	return findings
}
