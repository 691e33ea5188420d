package facts

import (
	"regexp"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
)

// A vocabulary has the formats that a site knows, in lower case.
type vocabulary map[string]bool

func newVocabulary(formats []string) vocabulary {
	v := vocabulary{}
	for _, format := range formats {
		v[strings.ToLower(strings.TrimPrefix(format, "."))] = true
	}
	return v
}

// everyday are formats whose names are words; they are meant only in capitals or
// after a dot.
var everyday = map[string]bool{
	"one": true, "page": true, "pages": true, "note": true, "text": true, "word": true, "max": true, "raw": true, "map": true, "dot": true, "key": true,
	"numbers": true, "ai": true, "as": true, "id": true, "ma": true, "x": true, "go": true, "c": true, "r": true, "mid": true, "bin": true, "table": true,
}

var formatToken = regexp.MustCompile(`(^|[^\pL\pN_@])(\.?)([A-Za-z0-9]+)`)

// in are the formats that a text speaks of, sorted. One that begins with a name
// such as @pretty is about that name.
func (v vocabulary) in(text string) []string {
	var formats []string
	if strings.HasPrefix(strings.TrimLeft(text, "`"), "@") {
		return nil
	}
	for _, at := range formatToken.FindAllStringSubmatch(text, -1) {
		word := strings.ToLower(at[3])
		if v[word] && (!everyday[word] || at[2] == "." || at[3] == strings.ToUpper(at[3]) && len(word) > 1) {
			formats = append(formats, word)
		}
	}
	slices.Sort(formats)
	return slices.Compact(formats)
}

func (v vocabulary) has(text string) bool { return len(v.in(text)) > 0 }

// speaks is true if the text says that a format is read or written.
func (v vocabulary) speaks(text string) bool { return formatVerb.MatchString(text) && v.has(text) }

var (
	importWord = regexp.MustCompile(`(?i)\b(?:read|reads|reading|reader|imports?|importing|loads?|loading|opens?|pars(?:e|es|ing)|input)\b`)
	exportWord = regexp.MustCompile(`(?i)\b(?:write|writes|writing|writer|exports?|exporting|saves?|saving|output)\b`)
	bothWord   = regexp.MustCompile(`(?i)\b(?:converts?|converting|conversion)\b`)
	deniedCell = regexp.MustCompile(`(?i)[^;:]+:\s*(?:no|none|n/a|-|\x{2013}|\x{2014}|\x{2717}|\x{274C}|false|planned)\s*(?:;|$)`)
)

// direction is import, export, both, or empty if the text does not say.
func direction(text string) string {
	text = deniedCell.ReplaceAllString(text, "")
	reads, writes := importWord.MatchString(text), exportWord.MatchString(text)
	switch {
	case bothWord.MatchString(text) || reads && writes:
		return "both"
	case reads:
		return "import"
	case writes:
		return "export"
	}
	return ""
}

// formats are those that claims for users speak of: each with its best claim.
func (b *builder) formats() []artifact.SupportedFormat {
	best, notes := map[string]*claim{}, map[string]*claim{}
	directions := map[string][]string{}
	for _, c := range b.usable() {
		denied := negative.MatchString(c.text)
		for _, format := range b.vocabulary.in(c.text) {
			switch {
			case c.kind == "limitation" && !c.planned:
				if notes[format] == nil || c.ranks(notes[format]) {
					notes[format] = c
				}
			case denied && !c.planned || c.kind != "format" && !formatVerb.MatchString(c.text) && !c.planned:
			case allDenied(c.text):
			default:
				if !c.planned {
					directions[format] = append(directions[format], direction(c.text))
				}
				if old := best[format]; old == nil || old.planned && !c.planned || old.planned == c.planned && c.ranks(old) {
					best[format] = c
				}
			}
		}
	}
	var formats []artifact.SupportedFormat
	for format, c := range best {
		supported := artifact.SupportedFormat{
			Format: strings.ToUpper(format), Status: "implemented", ClaimID: c.id, Direction: joint(directions[format]),
		}
		if c.planned {
			supported.Status = "planned"
		}
		if note := notes[format]; note != nil {
			supported.NotesClaimID = note.id
		}
		formats = append(formats, supported)
	}
	slices.SortFunc(formats, func(a, c artifact.SupportedFormat) int { return strings.Compare(a.Format, c.Format) })
	return formats
}

// allDenied is a row of a table in which every direction is denied.
func allDenied(text string) bool {
	return deniedCell.MatchString(text) && direction(text) == "" && (importWord.MatchString(text) || exportWord.MatchString(text))
}

// joint is what several statements say together.
func joint(directions []string) string {
	reads := slices.Contains(directions, "import") || slices.Contains(directions, "both")
	writes := slices.Contains(directions, "export") || slices.Contains(directions, "both")
	switch {
	case reads && writes:
		return "both"
	case reads:
		return "import"
	case writes:
		return "export"
	}
	return ""
}
