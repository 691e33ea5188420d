package scout

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
)

// Relevance of documents. It orders them and never leaves one out.
const (
	rootReadme = 100
	rootDoc    = 90
	docsTop    = 80
	docsDeep   = 50
	otherDoc   = 30
)

// docNames say what a document is by its name in capitals; the first that fits
// holds.
var docNames = []struct{ pattern, kind string }{
	{"README*", "readme"}, {"CHANGELOG*", "changelog"}, {"CONTRIBUTING*", "contributing"}, {"*IMPLEMENTATION*", "implementation_notes"},
	{"ARCHITECTURE*", "architecture"}, {"DESIGN*", "architecture"}, {"SPEC*", "specification"}, {"*SUMMARY*", "implementation_notes"},
	{"*NOTES*", "implementation_notes"}, {"*PLAN*", "roadmap"}, {"ROADMAP*", "roadmap"},
}

// headingLines is how far headings are looked for.
const headingLines = 50

// tellingHeading is a heading that makes a document of a file.
var tellingHeading = regexp.MustCompile(`(?i)^#{1,6}\s+.*\b(?:features|limitations|implementation|architecture|supported|not supported|todo|known issues|api|usage|quick start)\b`)

// documents lists what was written for readers, the most relevant first.
func (s *scout) documents(files []file) []artifact.DocDetail {
	details := []artifact.DocDetail{}
	for _, f := range files {
		if kind, relevance := s.document(f); kind != "" {
			details = append(details, artifact.DocDetail{Path: f.Path, DocType: kind, EvidencePriority: relevance})
		}
	}
	slices.SortStableFunc(details, func(a, b artifact.DocDetail) int {
		return cmp.Or(cmp.Compare(b.EvidencePriority, a.EvidencePriority), cmp.Compare(a.Path, b.Path))
	})
	return details
}

// document says what kind of document a file is, or nothing.
func (s *scout) document(f file) (kind string, relevance int) {
	if !isDocument(f) || isVendored(f.Path) {
		return "", 0
	}
	named := kindByName(f.Path)
	root := s.docRoot(f.Path)
	atRoot := path.Dir(f.Path) == "."
	switch {
	case atRoot && named == "readme":
		return named, rootReadme
	case atRoot && f.Language == "markdown" && (named != "" || s.hasTellingHeading(f)):
		return cmp.Or(named, "guide"), rootDoc
	case root != "" && path.Dir(f.Path) == root:
		return cmp.Or(named, kindInDocs(f.Path)), docsTop
	case root != "":
		return cmp.Or(named, kindInDocs(f.Path)), docsDeep
	case named == "readme":
		return named, otherDoc
	case !atRoot && f.Language == "markdown":
		return cmp.Or(named, "guide"), otherDoc
	}
	return "", 0
}

func kindByName(name string) string {
	base := strings.ToUpper(strings.TrimSuffix(path.Base(name), path.Ext(name)))
	for _, row := range docNames {
		if ok, _ := path.Match(row.pattern, base); ok {
			return row.kind
		}
	}
	return ""
}

func kindInDocs(name string) string {
	base := strings.ToLower(path.Base(name))
	if strings.HasPrefix(base, "api") || strings.Contains(base, "reference") {
		return "api"
	}
	return "guide"
}

func (s *scout) hasTellingHeading(f file) bool {
	n := 0
	for line := range strings.Lines(s.text(s.in.Repo.Files, f.Path)) {
		if n++; n > headingLines {
			return false
		}
		if len(line) < 500 && tellingHeading.MatchString(line) {
			return true
		}
	}
	return false
}
