package doctor

import (
	"os"
	"regexp"
	"slices"
	"strings"

	"mcpworks/mcp/client"
)

// What servers say when their environment lacks something.
var (
	// mild lines tell of a lack that does not matter.
	mild = regexp.MustCompile(`(?i)\boptional\b|\bdefault(?:s|ing)?\b|\bfall(?:s|ing)? ?back\b|\bwarn(?:ing)?\b|\binfo\b|\bdebug\b|\bdisabled\b|\bignor(?:ed|ing)\b|\bReferenceError\b`)
	// lacks are the words for it.
	lacks = regexp.MustCompile(`(?i)\brequired?s?\b|\bmissing\b|\b(?:not|n't|never) (?:been )?(?:set|found|defined|provided|present|specified|configured|given)\b|\bmust\b|\bunset\b|\bundefined\b|\bplease\b|\bneed(?:s|ed)?\b|\bempty\b|\bexpected\b|\bno value\b`)
	// inEnvironment says that the line is about one.
	inEnvironment = regexp.MustCompile(`(?i)\benv(?:ironment)?\b[ -]?(?:var(?:iable)?s?\b)?|\benvironment`)

	long      = `[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+`
	longNames = regexp.MustCompile(`\b` + long + `\b`)
	// shortNames have no underscore, and are taken for variables only beside
	// that word.
	shortNames = []*regexp.Regexp{
		regexp.MustCompile("(?:[Vv]ariable|[Vv]ar|VAR|[Ee]nv)s?:? [\"'`$]*([A-Z][A-Z0-9]{2,})\\b"),
		regexp.MustCompile("\\b([A-Z][A-Z0-9]{2,})[\"'`]*,? (?:env|environment) var"),
	}
	// direct are complaints that do not say what kind of thing is missing.
	direct = []*regexp.Regexp{
		regexp.MustCompile(`\b(` + long + ")\\b[\"'`]*(?: \\w+)? (?:(?:is|was|are|has) )?(?:not (?:been )?(?:set|found|defined|provided|present|specified|configured)|required|missing|unset|undefined|empty|must (?:be|not be)|has to be)"),
		regexp.MustCompile("(?i:\\bmissing|\\bplease (?:set|provide|export|define)|\\bmust (?:set|provide|export|define)|\\brequired key)(?i: required| the| your| value for)*:? [\"'`$]*(" + long + `)\b`),
	}
	// across are complaints over several lines: what a schema of settings says.
	across = regexp.MustCompile(`"received": "undefined",\s*"path": \[\s*"(` + long + `|[A-Z][A-Z0-9]{2,})"\s*\]`)
	// keyErrors come from os.environ["NAME"].
	keyErrors = regexp.MustCompile(`KeyError: '([A-Z][A-Z0-9_]{2,})'`)
	unnamed   = regexp.MustCompile(`(?i)environment variable not found|: NotPresent\b`)
)

// unnamedVariable stands for one that the server does not name.
const unnamedVariable = "a variable"

// wanted lists the variables that a text complains about, each once.
func wanted(text string) (names []string) {
	add := func(name string) {
		if !slices.Contains(names, name) && !strings.HasPrefix(name, "ERR_") && len(names) < maxLines {
			names = append(names, name)
		}
	}
	for line := range strings.Lines(text) {
		if mild.MatchString(line) || len(line) > 4*maxLine {
			continue
		}
		for _, name := range wantedOnLine(line) {
			add(name)
		}
	}
	for _, match := range across.FindAllStringSubmatch(text, maxLines) {
		add(match[1])
	}
	if strings.Contains(text, "environ") || strings.Contains(text, "<frozen os>") {
		for _, match := range keyErrors.FindAllStringSubmatch(text, maxLines) {
			add(match[1])
		}
	}
	if names == nil && unnamed.MatchString(text) {
		names = []string{unnamedVariable}
	}
	return names
}

func wantedOnLine(line string) (names []string) {
	patterns := direct
	if inEnvironment.MatchString(line) && lacks.MatchString(line) {
		if names = longNames.FindAllString(line, maxLines); names != nil {
			return names
		}
		patterns = shortNames
	}
	for _, pattern := range patterns {
		for _, match := range pattern.FindAllStringSubmatch(line, maxLines) {
			names = append(names, match[1])
		}
	}
	return names
}

// gets says whether a server that is started like that gets a variable that is
// not empty.
func gets(c client.Command, name string) bool {
	for _, variable := range slices.Backward(c.Env) {
		given, value, set := strings.Cut(variable, "=")
		if given == name {
			return set && value != "" || !set && isSet(name)
		}
	}
	return c.InheritEnv && isSet(name)
}

func isSet(name string) bool { return os.Getenv(name) != "" }

// missing are the variables of a list that a server did not get.
func missing(c client.Command, names []string) (left []string) {
	for _, name := range names {
		if !gets(c, name) {
			left = append(left, name)
		}
	}
	return left
}

// lacking is a clue: the server names variables that it did not get.
func lacking(s *symptoms) (string, bool) {
	names := missing(s.command, wanted(s.said()))
	return strings.Join(names, ", "), names != nil
}

// lackOf is the cause, with what to do for those very variables.
func lackOf(c client.Command, names []string) *Cause {
	names = missing(c, names)
	cause := because(missingVariable, strings.Join(names, ", "))
	if slices.Equal(names, []string{unnamedVariable}) {
		cause.Action = "its documentation says which; -e NAME passes one on, -e NAME=VALUE sets one"
		return cause
	}
	var here, nowhere []string
	for _, name := range names {
		if isSet(name) {
			here = append(here, name)
		} else {
			nowhere = append(nowhere, name)
		}
	}
	var actions []string
	if here != nil {
		actions = append(actions, strings.Join(here, ", ")+" is set here, and servers get few variables: pass it on with -e "+strings.Join(here, " -e "))
	}
	if nowhere != nil {
		actions = append(actions, strings.Join(nowhere, ", ")+" is not set here either: set it, and pass it on with -e "+strings.Join(nowhere, " -e "))
	}
	cause.Action = strings.Join(actions, "; ")
	return cause
}
