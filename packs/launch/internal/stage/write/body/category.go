package body

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"mcpworks/packs/launch/internal/artifact"
)

var (
	licenseWord = regexp.MustCompile(`(?i)\b(?:un)?licen[cs](?:e|ed|ing)\b`)
	needWord    = regexp.MustCompile(`(?i)\b(?:needs|requires|depends on|works (?:with|on)|tested (?:with|on)|minimum version)\b`)
	troubleWord = regexp.MustCompile(`(?i)\b(?:errors?|fail(?:s|ed|ures?)?|broken|invalid|warnings?|exceptions?|crash(?:es)?|corrupt(?:ed)?|timeouts?|retr(?:y|ies))\b`)
)

// categoryOf decides where a claim belongs: by what it is about, by the groups
// that it is in, and by where it stands.
func (l *Library) categoryOf(claim artifact.Claim, cited artifact.Citation) Category {
	in := l.groups[claim.ID]
	switch {
	case questioned.MatchString(claim.Text):
		return Question
	case claim.Kind == "limitation" || in.limitation:
		return Limitation
	case fromCode(cited) && in.task != "":
		return Workflow
	case l.introduces(claim.Text):
		return Intro
	case fromCode(cited) && claim.Kind == "format":
		return Format
	case fromCode(cited) && needWord.MatchString(claim.Text) && unicodeDigit(claim.Text) && Owner(claim.Text) == "":
		return Requirement
	case fromCode(cited) && Owner(claim.Text) != "":
		return Method
	case fromCode(cited):
		return Code
	case licenseWord.MatchString(claim.Text):
		return License
	case in.compatibility || needWord.MatchString(claim.Text) && unicodeDigit(claim.Text):
		return Requirement
	case in.flow == quickstart:
		return Quickstart
	case in.task != "":
		return Workflow
	case claim.Kind == "install" || in.install:
		return Install
	case in.quickstart:
		if _, told := l.Quick(); told {
			return "" // the text of the first steps has what matters
		}
		return Quickstart
	case claim.Kind == "workflow" || in.workflow:
		return Workflow
	case claim.Kind == "api" && !in.feature:
		return API
	case claim.Kind == "format":
		return Format
	case in.feature && troubleWord.MatchString(claim.Text):
		return Trouble
	case in.feature:
		return Feature
	}
	return ""
}

// questioned is a question with its answer.
var questioned = regexp.MustCompile(`^([^.!?]{6,150}\?) (\S.*)$`)

var ownName = regexp.MustCompile("^(?:An? |The )?`([A-Za-z_$][\\w$]*)\\.[A-Za-z_$][\\w$]*`")

// Owner is the type whose method a claim begins with, or empty.
func Owner(text string) string {
	if found := ownName.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return ""
}

// groups say for each claim which groups it is in.
type groups map[string]membership

type membership struct {
	limitation, compatibility, install, quickstart, workflow, feature bool
	task                                                              string // the first one that has it
	flow                                                              string // the task, or the first steps
}

func groupsOf(facts artifact.ProductFacts) groups {
	all := groups{}
	put := func(ids []string, change func(*membership)) {
		for _, id := range ids {
			m := all[id]
			change(&m)
			all[id] = m
		}
	}
	put(facts.ClaimGroups.Limitations, func(m *membership) { m.limitation = true })
	put(facts.ClaimGroups.CompatibilityNotes, func(m *membership) { m.compatibility = true })
	put(facts.ClaimGroups.InstallSteps, func(m *membership) { m.install = true })
	put(facts.ClaimGroups.QuickstartSteps, func(m *membership) { m.quickstart = true })
	put(facts.ClaimGroups.WorkflowClaims, func(m *membership) { m.workflow = true })
	put(facts.ClaimGroups.KeyFeatures, func(m *membership) { m.feature = true })
	for _, w := range facts.Workflows {
		if w.Tag != installation {
			put(w.ClaimIDs, func(m *membership) { m.flow = cmp.Or(m.flow, w.Tag) })
		}
	}
	for _, task := range tasks(facts) {
		put(task.ClaimIDs, func(m *membership) { m.task = cmp.Or(m.task, task.Tag) })
	}
	return all
}

func unicodeDigit(text string) bool { return strings.ContainsFunc(text, unicode.IsDigit) }

// prose are the kinds of files that are written for readers.
var prose = []string{".md", ".markdown", ".rst", ".txt", ".adoc", ""}

// fromCode says that a citation is of a source file, where the claim is about
// the name next to it.
func fromCode(cited artifact.Citation) bool {
	return !slices.Contains(prose, strings.ToLower(path.Ext(cited.Path)))
}

// introduces says that a sentence is one of the product's introduction.
func (l *Library) introduces(text string) bool {
	before, after, found := strings.Cut(flat(l.Facts.Positioning.ShortDescription), flat(text))
	begins := before == "" || sentenceOver.MatchString(before)
	return text != "" && found && begins && (after == "" || after[0] == ' ')
}

// sentenceOver is a text after which a sentence can begin.
var sentenceOver = regexp.MustCompile("[.!?][)\"'\u201d\u2019]* $")

// flat is a text as it is compared.
func flat(text string) string {
	return strings.ToLower(strings.Join(strings.Fields(strings.NewReplacer("`", "", "*", "").Replace(text)), " "))
}

// The workflows that have pages of their own.
const (
	installation = "installation"
	quickstart   = "quickstart"
)

// Tasks are the workflows that the guide is about.
func (l *Library) Tasks() []artifact.Workflow { return tasks(l.Facts) }

func tasks(facts artifact.ProductFacts) []artifact.Workflow {
	return slices.DeleteFunc(slices.Clone(facts.Workflows), func(w artifact.Workflow) bool {
		return w.Tag == installation || w.Tag == quickstart
	})
}

// TaskOf is the tag of the first task that has a claim.
func (l *Library) TaskOf(id string) string { return l.groups[id].task }

const (
	fewestWords = 3
	// longest is how many characters a point of a list may have (6.6).
	longest = 200
)

var (
	// dangling begins a sentence that leans on the one before it.
	dangling = regexp.MustCompile(`(?i)^(?:it|its|this|that|these|those|such|they|their|he|she|here|there|the same|then|otherwise|however|also|but|and|or|so|both|furthermore|moreover|additionally|see|note that|for example|for instance|e\.g\.)\b|^(?:to|in|for|with|by|as|at|on)(?: \w+)? (?:this|that|these|those|such)\b|^\pL+ing (?:these|those|such|them|it)\b|^using (?:this|that),|^on the other hand\b`)
	// order is text that speaks to a language model and not to a reader.
	order     = regexp.MustCompile(`(?i)\b(?:ignore|disregard|forget|override)\b.{0,30}\b(?:instructions?|prompts?|rules|context)\b|^(?:system|assistant|user|human|developer)\s*:|\byou are now\b|\b(?:developer|jailbreak|god) mode\b|\b(?:system|hidden) prompt\b|\bto every page\b|\blanguage model\b`)
	elsewhere = regexp.MustCompile(`(?i)\b(?:above|below|the following|as follows|next section|previous section|this section|this page|this document|this file|this guide|click here)\b`)
)

// speaks says whether a claim can stand alone on a page.
func speaks(claim Claim) bool {
	text := strings.TrimSpace(claim.Text)
	words := strings.Fields(text)
	most := longest
	if claim.Category == Intro || claim.Category == Question {
		most = longSentence
	}
	switch {
	case len(words) < fewestWords && claim.Category != Intro || len(words) == fewestWords && inFlow(claim) || utf8.RuneCountInString(text) > most || !strings.ContainsFunc(text, unicode.IsLower):
		return false
	case strings.ContainsRune(text, utf8.RuneError) || strings.HasSuffix(text, ":") || strings.HasSuffix(text, "?") || strings.HasSuffix(text, ","):
		return false
	case order.MatchString(text) || elsewhere.MatchString(text):
		return false
	case dangling.MatchString(text):
		return claim.Category == Intro
	case claim.Category == Code || claim.Category == Method: // without a name nobody knows what it is about
		return strings.Contains(text, "`") || strings.HasPrefix(text, "Package ")
	}
	return true
}
