package gate

import (
	"regexp"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/gate/page"
	"mcpworks/packs/launch/internal/stage/write/body"
)

var (
	// Marker is how a line names the claim that it states (10.2).
	Marker = regexp.MustCompile(`<!--\s*claim_id:\s*([a-f0-9]{64})\s*-->`)
	// OddMarker is a marker in a form that is not written any more, or one with
	// something else than an id (C-14).
	OddMarker = regexp.MustCompile(`\[claim(?:_id)?:\s*([^\]\s]+)\s*\]|<!--\s*claim(?:_id)?:\s*(.*?)\s*-->`)

	anyComment = regexp.MustCompile(`<!--.*?-->`)
	listMark   = regexp.MustCompile(`^[\s>]*(?:[-*+]|\d+[.)])?\s*`)
	linkOnly   = regexp.MustCompile(`^(?:!?\[[^\]]*\]\([^)]*\)[\s.,;|]*)+$`)
	childItem  = regexp.MustCompile(`^\[[^\]]*\]\([^)]*\) - `)
	subject    = regexp.MustCompile(`(?i)(?:^|[.!?;:]\s+)(?:it|this (?:library|package|tool))\b`)
	capability = regexp.MustCompile(`(?i)\b(?:supports|provides|enables|allows|can|reads|writes|converts|imports|exports|requires|runs|installs|includes|offers|handles)\b`)
	anyWord    = regexp.MustCompile(`[\pL\pN][\pL\pN_.+#'-]*`)
)

// fewestWords is how many words a line has at least to state something.
const fewestWords = 4

// Markers are the ids of the claims that a line names.
func Markers(line string) []string {
	var ids []string
	for _, found := range Marker.FindAllStringSubmatch(line, -1) {
		ids = append(ids, found[1])
	}
	return ids
}

// OddMarkers are the malformed markers of a line.
func OddMarkers(line string) []string {
	return slices.DeleteFunc(OddMarker.FindAllString(line, -1), Marker.MatchString)
}

// Said is what a line says to a reader.
func Said(line string) string {
	return page.Plain(listMark.ReplaceAllString(anyComment.ReplaceAllString(line, ""), ""))
}

// vocabulary are the words by which a statement about the product is known.
type vocabulary struct {
	product string
	formats map[string]bool
	names   map[string]bool
}

func (v *View) vocabulary() vocabulary {
	words := vocabulary{strings.ToLower(v.Facts.ProductName), map[string]bool{}, map[string]bool{}}
	for _, format := range v.Profile.FormatVocabulary {
		words.formats[strings.ToLower(format)] = true
	}
	for _, format := range v.Facts.SupportedFormats {
		words.formats[strings.ToLower(format.Format)] = true
	}
	for _, names := range [][]string{v.Facts.APISurface.Classes, v.Facts.APISurface.Functions, v.Facts.APISurface.Modules} {
		for _, name := range names {
			words.names[name] = true
		}
	}
	return words
}

// formatsIn are the formats that a text names, in lower case.
func (w vocabulary) formatsIn(text string) []string {
	var found []string
	for _, word := range anyWord.FindAllString(strings.ToLower(text), -1) {
		if word = strings.Trim(word, ".-'"); w.formats[word] {
			found = append(found, word)
		}
	}
	return found
}

// states says whether a text states something about the product (10.2).
func (w vocabulary) states(text string) bool {
	words := anyWord.FindAllString(text, -1)
	if len(words) < fewestWords {
		return false
	}
	return w.product != "" && strings.Contains(strings.ToLower(text), w.product) || subject.MatchString(text) || capability.MatchString(text) ||
		len(w.formatsIn(text)) > 0 || slices.ContainsFunc(words, func(word string) bool { return w.names[strings.Trim(word, ".-'")] })
}

// exempt says whether a line may stand without a marker whatever it says: a link,
// the source of a snippet, an entry of a table of contents, or a sentence of the
// template.
func (v *View) exempt(p sitePage, line string) bool {
	text := strings.TrimSpace(listMark.ReplaceAllString(anyComment.ReplaceAllString(line, ""), ""))
	switch {
	case linkOnly.MatchString(text), strings.HasPrefix(text, "Source:"):
		return true
	case p.Plan == nil:
		return false
	case p.Plan.Role == "toc" && childItem.MatchString(text):
		return true
	}
	return v.Templates != nil && v.Templates.Exempt(strings.TrimSpace(line), p.Plan.TokenMappings)
}

var (
	negation = regexp.MustCompile(`(?i)\b(?:not|no|never|none|nor|neither|cannot|without|unsupported|unavailable)\b|n['’]t\b`)
	figure   = regexp.MustCompile(`\d+(?:[.,]\d+)*`)
)

// Turned says whether a text cannot mean what another one says although it has
// its words: one of them denies something, or the text has other figures.
func Turned(text, from string) bool {
	if negation.MatchString(text) != negation.MatchString(from) {
		return true
	}
	known := figure.FindAllString(from, -1)
	return slices.ContainsFunc(figure.FindAllString(text, -1), func(number string) bool { return !slices.Contains(known, number) })
}

// Overlap is the share of the words of one text that another one has, too.
func Overlap(text, in string) float64 {
	words := body.Words(text)
	if len(words) == 0 {
		return 0
	}
	return float64(body.Shared(words, body.Words(in))) / float64(len(words))
}
