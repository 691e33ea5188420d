package taskcard

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// required are the sections of a card, in their order.
var required = []string{
	"Objective", "Required spec references", "Scope", "Inputs", "Outputs", "Allowed paths", "Implementation steps", "Failure modes",
	"Task-specific review checklist", "Deliverables", "Acceptance checks", "Self-review", "E2E verification", "Integration boundary proven",
}

const (
	fewestFailureModes = 3
	fewestReviewItems  = 6
)

// A section is what stands below one heading of level two.
type section struct {
	name  string
	line  int
	lines []textLine
}

// A textLine is one line of the body.
type textLine struct {
	number int
	text   string
	fenced bool // within a code fence, or its marks
}

var listItem = regexp.MustCompile(`^\s*(?:[-*+]|\d{1,9}[.)])\s+(.*)$`)

// items are the entries of the lists in a section.
func (s section) items() []item {
	var found []item
	for _, line := range s.lines {
		if match := listItem.FindStringSubmatch(line.text); match != nil && !line.fenced {
			found = append(found, item{line.number, strings.TrimSpace(match[1])})
		}
	}
	return found
}

// headings are the headings of level three in a section.
func (s section) headings() []item {
	var found []item
	for _, line := range s.lines {
		if name, ok := strings.CutPrefix(line.text, "### "); ok && !line.fenced {
			found = append(found, item{line.number, strings.TrimSpace(name)})
		}
	}
	return found
}

func (s section) text() string {
	var all strings.Builder
	for _, line := range s.lines {
		all.WriteString(line.text + "\n")
	}
	return all.String()
}

// readSections takes the body apart at its headings of level two.
func (v *validation) readSections(body []byte, firstLine int) {
	v.sections = map[string]section{}
	current, fence := section{}, ""
	finish := func() {
		id := strings.ToLower(current.name)
		if earlier, twice := v.sections[id]; twice {
			v.warn(DuplicateSection, current.line, current.name, fmt.Sprintf("the section is there since line %d", earlier.line))
			earlier.lines = append(earlier.lines, current.lines...)
			current = earlier
		}
		v.sections[id] = current
	}
	for i, text := range strings.Split(string(body), "\n") {
		line := textLine{firstLine + i, text, fence != ""}
		if mark := fenceMark(text); mark != "" && (fence == "" || strings.HasPrefix(mark, fence) && strings.TrimSpace(text) == mark) {
			line.fenced = true
			if fence == "" {
				fence = mark
			} else {
				fence = ""
			}
		}
		if name, ok := strings.CutPrefix(text, "## "); ok && !line.fenced {
			finish()
			current = section{name: strings.TrimSpace(name), line: line.number}
			continue
		}
		current.lines = append(current.lines, line)
	}
	finish()
}

// fenceMark returns the run of backticks or tildes that a line begins with, if
// that can open or close a code fence.
func fenceMark(line string) string {
	line = strings.TrimLeft(line, " ")
	for _, char := range []string{"`", "~"} {
		if rest := strings.TrimLeft(line, char); len(line)-len(rest) >= 3 {
			return line[:len(line)-len(rest)]
		}
	}
	return ""
}

// checkSections judges the body.
func (v *validation) checkSections() {
	for _, name := range required {
		section, there := v.sections[strings.ToLower(name)]
		if !there {
			v.fail(SectionMissing, 0, name, fmt.Sprintf("the section %q is missing", name))
			continue
		}
		if strings.TrimSpace(section.text()) == "" {
			v.warn(EmptySection, section.line, name, fmt.Sprintf("the section %q is empty", name))
		}
		switch name {
		case "Scope":
			v.checkScope(section)
		case "Allowed paths":
			v.checkPaths(section)
		case "Failure modes":
			v.checkCount(section, len(section.headings()), fewestFailureModes, "headings of level three")
		case "Task-specific review checklist":
			v.checkCount(section, len(section.items()), fewestReviewItems, "items")
		case "E2E verification":
			v.checkE2E(section)
		case "Integration boundary proven":
			v.checkBoundary(section)
		}
	}
}

func (v *validation) checkScope(s section) {
	for _, name := range []string{"In scope", "Out of scope"} {
		if !slices.ContainsFunc(s.headings(), func(h item) bool { return strings.EqualFold(h.value, name) }) {
			v.fail(SectionMissing, s.line, s.name, fmt.Sprintf("the section has no heading \"### %s\"", name))
		}
	}
}

// checkPaths compares the paths of the body with those of the front matter.
func (v *validation) checkPaths(s section) {
	var body, matter []string
	for _, entry := range s.items() {
		body = append(body, plain(entry.value))
	}
	for _, entry := range v.report.Card.AllowedPaths {
		matter = append(matter, plain(entry))
	}
	for _, entry := range s.items() {
		if !slices.Contains(matter, plain(entry.value)) {
			v.fail(PathsMismatch, entry.line, s.name, fmt.Sprintf("%q is not in the front matter", plain(entry.value)))
		}
	}
	for _, path := range matter {
		if !slices.Contains(body, path) {
			v.fail(PathsMismatch, s.line, s.name, fmt.Sprintf("%q of the front matter is not in the section", path))
		}
	}
}

func (v *validation) checkCount(s section, got, fewest int, of string) {
	if got < fewest {
		v.fail(TooFewItems, s.line, s.name, fmt.Sprintf("the section has %d %s, want at least %d", got, of, fewest))
	}
}

// vague are phrases that verify nothing.
var vague = regexp.MustCompile(`(?i)\b(?:run e2e|verify works|as appropriate|manual testing|test manually|check it works|ensure it works|tbd|todo|to be determined)\b`)

func (v *validation) checkE2E(s section) {
	if !slices.ContainsFunc(s.lines, func(l textLine) bool { return l.fenced }) {
		v.fail(VagueE2E, s.line, s.name, "the section has no code fence with what to run")
	}
	if !strings.Contains(strings.ToLower(s.text()), "artifact") {
		v.fail(VagueE2E, s.line, s.name, "the section names no artifact")
	}
	for _, line := range s.lines {
		if phrase := vague.FindString(line.text); phrase != "" {
			v.fail(VagueE2E, line.number, s.name, fmt.Sprintf("%q says nothing that can be checked", phrase))
		}
	}
}

func (v *validation) checkBoundary(s section) {
	for _, word := range []string{"upstream", "downstream"} {
		if !strings.Contains(strings.ToLower(s.text()), word) {
			v.fail(BadValue, s.line, s.name, "the section does not say what is "+word)
		}
	}
}
