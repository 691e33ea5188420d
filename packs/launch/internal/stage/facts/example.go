package facts

import (
	"regexp"
	"strings"
	"unicode"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/redact"
	"mcpworks/packs/launch/internal/sourcecode"
)

// fromExamples makes a statement of what is written above an example of Go, for
// the task that it shows.
func (b *builder) fromExamples() {
	for _, file := range b.sources.tested {
		for _, piece := range file.pieces {
			sentence := firstSentence(piece.Doc.Text)
			text, suspicious := tidy(docLink.ReplaceAllString(sentence, "`$1`"))
			if len(sentence) > maxClaim || text == "" || len(redact.Find(text)) > 0 || suspicious || audienceOf(text) != userFacing {
				continue
			}
			b.keep(&candidate{
				text: withoutName(text, piece.Name), kind: "workflow", audience: userFacing, priority: fromTest, sentence: true,
				citation: artifact.Citation{Path: file.path, StartLine: piece.Doc.Start, EndLine: piece.Doc.End, SourceType: "example"},
			})
		}
	}
}

var demonstrates = regexp.MustCompile(`^(?:shows|demonstrates|illustrates|is an example of) `)

// withoutName leaves out the name of an example before what it does.
func withoutName(text, name string) string {
	rest, cut := strings.CutPrefix(text, name+" ")
	if !cut {
		return text
	}
	if first := []rune(rest); demonstrates.MatchString(rest) {
		return "The example " + rest
	} else if len(first) > 0 {
		return string(unicode.ToUpper(first[0])) + string(first[1:])
	}
	return text
}

// exampleSections are the examples of Go as sections of a document: one for each
// name or subject, in the order of the files.
func (b *builder) exampleSections(byPath map[string][]*candidate) []section {
	var sections []section
	for _, file := range b.sources.tested {
		for _, piece := range file.pieces {
			s := section{heading: exampleTitle(piece.Name), code: true}
			for _, c := range byPath[file.path] {
				if c.citation.StartLine == piece.Doc.Start && b.isUsable(c) {
					s.parts = append(s.parts, part{claim: c})
				}
			}
			s.show(piece.ID(), "")
			if s.heading != "" {
				sections = append(sections, s)
			}
		}
	}
	return sections
}

var wordStart = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// spoken is a name as words: those of one or two letters in a row are one, such
// as NaNs, and keep their capitals.
func spoken(name string) string {
	var words []string
	short := false // the last word is
	for _, word := range strings.Fields(wordStart.ReplaceAllString(name, "$1 $2")) {
		isShort := len(word) <= 2 && unicode.IsUpper([]rune(word)[0])
		switch {
		case isShort && short:
			words[len(words)-1] += word
		case isShort || strings.ToUpper(word) == word:
			words = append(words, word)
		default:
			words = append(words, strings.ToLower(word))
		}
		short = isShort
	}
	return strings.Join(words, " ")
}

// exampleTitle reads the name of an example of Go: the name of what it shows, and
// after an underscore in lower case what about it.
func exampleTitle(name string) string {
	name = strings.TrimPrefix(name, "Example")
	var names []string
	subject := ""
	for part := range strings.SplitSeq(name, "_") {
		switch {
		case part == "":
		case unicode.IsUpper([]rune(part)[0]):
			names = append(names, part)
		default:
			subject = strings.TrimSpace(subject + " " + spoken(part))
		}
	}
	title := strings.Join(names, ".")
	switch {
	case title == "" && subject == "":
		return ""
	case title == "":
		return sourcecode.Capital(subject)
	case subject == "":
		return title
	}
	return title + ": " + subject
}
