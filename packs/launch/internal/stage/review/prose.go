package review

import (
	"regexp"
	"strings"
	"unicode"

	"mcpworks/packs/launch/internal/issue"
)

var (
	// spaceBefore is a space before punctuation, which ends a word: the operators
	// of code, such as != and :=, do not.
	spaceBefore = regexp.MustCompile(`(\pL)[ \t]+([,;:!?.](?:\s|$))`)
	word        = regexp.MustCompile(`\pL+`)
)

// typography finds spaces before punctuation and words that are written twice.
func typography(_ *reviewer, p page) []finding {
	var found []finding
	for _, l := range p.lines {
		if tidy(l.text) != l.text {
			found = append(found, p.found(contentQuality, issue.Warn, CodeTypography, l.number, said(l.text), "a word is written twice, or a space stands before punctuation"))
		}
	}
	return found
}

func fixTypography(text string) string { return rewrite(text, tidy) }

// tidy puts a line right; code and markers in it stay as they are.
func tidy(text string) string {
	var out strings.Builder
	at := 0
	for _, span := range untouchable.FindAllStringIndex(text, -1) {
		out.WriteString(tidyWords(text[at:span[0]]))
		out.WriteString(text[span[0]:span[1]])
		at = span[1]
	}
	out.WriteString(tidyWords(text[at:]))
	return out.String()
}

var untouchable = regexp.MustCompile("`[^`]*`|<!--.*?-->|\\]\\([^)]*\\)")

func tidyWords(text string) string {
	text = spaceBefore.ReplaceAllString(text, "$1$2")
	var out strings.Builder
	at, last := 0, ""
	for _, span := range word.FindAllStringIndex(text, -1) {
		current, between := text[span[0]:span[1]], text[at:span[0]]
		if last == current && between == " " && unicode.IsLower([]rune(current)[0]) && !mayRepeat[current] {
			at = span[1]
			continue
		}
		out.WriteString(between + current)
		at, last = span[1], current
	}
	out.WriteString(text[at:])
	return out.String()
}

// mayRepeat are words that English has twice in a row.
var mayRepeat = map[string]bool{"that": true, "had": true, "yes": true, "no": true, "very": true}

// Grades of school that a page should not ask for.
const (
	hardGrade    = 14
	tooHardGrade = 16
	faqGrade     = 18
	fewWords     = 60 // fewer say nothing about a text
)

// readability judges a page by the grade of Flesch and Kincaid. Lists of contents
// and landing pages have no sentences to judge.
func readability(_ *reviewer, p page) []finding {
	if p.plan.Role == "toc" || p.plan.Role == "landing" {
		return nil
	}
	var words, sentences, syllables int
	for _, l := range p.lines {
		if heading.MatchString(l.text) || linkOnly.MatchString(l.text) || strings.HasPrefix(l.text, "Source:") {
			continue
		}
		inLine := word.FindAllString(codeSpan.ReplaceAllString(said(l.text), "code"), -1)
		if len(inLine) == 0 {
			continue
		}
		words += len(inLine)
		sentences += max(1, strings.Count(said(l.text), ". ")+1)
		for _, w := range inLine {
			syllables += syllablesOf(w)
		}
	}
	if words < fewWords {
		return nil
	}
	grade := (39*words/sentences + 1180*syllables/words - 1559) / 100
	hard, tooHard := hardGrade, tooHardGrade
	if p.plan.Slug == "faq" {
		hard, tooHard = faqGrade, faqGrade
	}
	switch {
	case grade > tooHard:
		return []finding{p.found(contentQuality, issue.Error, CodeReadability, 0, "", "the text is too hard to read (grade %d)", grade)}
	case grade > hard:
		return []finding{p.found(contentQuality, issue.Warn, CodeReadability, 0, "", "the text is hard to read (grade %d)", grade)}
	}
	return nil
}

// syllablesOf counts groups of vowels, without a silent e at the end.
func syllablesOf(w string) int {
	n, vowel := 0, false
	lower := strings.ToLower(w)
	for _, r := range lower {
		is := strings.ContainsRune("aeiouyäöüéè", r)
		if is && !vowel {
			n++
		}
		vowel = is
	}
	if strings.HasSuffix(lower, "e") && !strings.HasSuffix(lower, "le") && n > 1 {
		n--
	}
	return max(n, 1)
}

const (
	longParagraph = 150 // words
	longBullet    = 200 // characters
)

// longParagraphs finds paragraphs that nobody reads.
func longParagraphs(_ *reviewer, p page) []finding {
	var found []finding
	start, count := 0, 0
	end := func() {
		if count > longParagraph {
			found = append(found, p.found(usability, issue.Warn, CodeLongParagraph, start, "", "the paragraph has %d words, more than %d", count, longParagraph))
		}
		start, count = 0, 0
	}
	last := 0
	for _, l := range p.lines {
		if strings.TrimSpace(l.text) == "" || listItem.MatchString(l.text) || heading.MatchString(l.text) || l.number != last+1 {
			end()
		}
		if last = l.number; strings.TrimSpace(l.text) == "" || listItem.MatchString(l.text) || heading.MatchString(l.text) {
			continue
		}
		if start == 0 {
			start = l.number
		}
		count += len(strings.Fields(said(l.text)))
	}
	end()
	return found
}

// longBullets finds points of lists that are no points.
func longBullets(_ *reviewer, p page) []finding {
	var found []finding
	for _, l := range p.lines {
		if n := len([]rune(said(l.text))); listItem.MatchString(l.text) && !linkOnly.MatchString(l.text) && n > longBullet {
			found = append(found, p.found(usability, issue.Warn, CodeLongBullet, l.number, said(l.text), "the point of the list has %d characters, more than %d", n, longBullet))
		}
	}
	return found
}
