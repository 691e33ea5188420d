package facts

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/document"
	"mcpworks/packs/launch/internal/issue"
	"mcpworks/packs/launch/internal/manifest"
	"mcpworks/packs/launch/internal/redact"
	"mcpworks/packs/launch/internal/sourcecode"
)

// maxClaim is how many bytes a statement may have.
const maxClaim = 1000

// A candidate is a statement at one place.
type candidate struct {
	text     string
	kind     string
	audience string
	priority int
	citation artifact.Citation
	heading  string
	step     bool // of an ordered list
	row      bool // of a table
	sentence bool // of a paragraph
	praised  bool // of a list of features
	nested   bool // of a list within a list
	top      bool // below the title of a document, or its introduction
	leads    bool // to code that comes next
	planned  bool
	id       string // of the claim it became, if it did
}

// judgeCandidates collects statements from all sources and classifies them.
func (b *builder) judgeCandidates() {
	for _, m := range b.sources.manifests {
		b.fromManifest(m)
	}
	for _, file := range b.sources.code {
		b.fromCode(file)
	}
	b.fromExamples()
	symbols := b.symbolSet()
	for _, file := range b.sources.documents {
		secrets := 0
		hidden, traps, shown := b.secretLines(file.path), b.trapLines(file), shownBelow(file.Document)
		praising := false // the last paragraph leads to a list of features
		for _, block := range file.Blocks {
			if block.Kind == document.Sentence {
				praising = strings.HasSuffix(block.Text, ":") && praised.MatchString(block.Text)
			}
			if len(block.Text) > maxClaim {
				continue
			}
			if hidden.touch(block.Start, block.End) || len(redact.Find(block.Text)) > 0 {
				secrets++
				continue
			}
			audience := file.origin.audience
			switch {
			case audience != "":
			case traps.touch(block.Start, block.End):
				audience = developerInstruction
			case isLeadIn(file.Document, block), isAnswer(block, shown), b.speaksForFolder(file, block), b.isAbroad(block.Text):
				audience = internalDetail
			default:
				audience = offTopic(block)
			}
			b.fromBlock(file, block, symbols, audience, praising)
		}
		b.fromFeatureHeadings(file, hidden, traps)
		b.fromQuestions(file, shown, hidden, traps)
		if secrets > 0 {
			b.report(issue.Warn, "FACTS_BUILDER_SECRET_WITHHELD", file.path, "secret", "%d statements look as if they held secrets and are left out", secrets)
		}
	}
}

// isLeadIn is a sentence that ends in a colon and leads to a list: it says nothing
// without that. One that leads to code says what the code does.
func isLeadIn(d document.Document, block document.Block) bool {
	if !strings.HasSuffix(block.Text, ":") {
		return false
	}
	at, _ := slices.BinarySearchFunc(d.Fences, block.End, func(f document.Fence, line int) int { return cmp.Compare(f.Start, line) })
	return at == len(d.Fences) || d.Fences[at].Start > block.End+4
}

// fromBlock keeps a block; its audience is judged by its text if it is empty.
func (b *builder) fromBlock(file documentFile, block document.Block, symbols map[string]bool, audience string, praising bool) {
	text, suspicious := tidy(block.Text)
	c := &candidate{
		text: text, heading: block.Heading, step: block.Kind == document.Step, row: block.Kind == document.Row,
		sentence: block.Kind == document.Sentence, nested: block.Nested, top: len(block.Above) == 0 || opening.MatchString(block.Heading), praised: isPraised(block, praising),
		leads:    strings.HasSuffix(block.Text, ":") && !isLeadIn(file.Document, block),
		planned:  block.Open || file.origin.planned || planned.MatchString(text),
		priority: file.origin.priorityOf(text),
		citation: artifact.Citation{Path: file.path, StartLine: block.Start, EndLine: block.End, SourceType: file.origin.sourceType},
	}
	c.kind = kindOf(text, block, b.vocabulary, symbols)
	switch {
	case audience != "":
		c.audience = audience
	case suspicious || block.Open:
		c.audience = internalDetail
	case file.origin.priority == fromNotes && c.kind != "limitation" && c.kind != "format":
		c.audience = internalDetail // how it is built, and not what it does
	default:
		c.audience = audienceOf(text)
	}
	b.keep(c)
}

// isPraised says that a block is an item of a list of features: below a heading
// that says so, or after a sentence that does.
func isPraised(block document.Block, praising bool) bool {
	isItem := block.Kind == document.Item && !block.Nested
	return isItem && (praising || praised.MatchString(block.Heading))
}

// keep keeps a candidate that has a size a statement can have.
func (b *builder) keep(c *candidate) {
	if c.text != "" && len(c.text) <= maxClaim {
		b.candidates = append(b.candidates, c)
	}
}

var (
	anyTag    = regexp.MustCompile(`</?[a-zA-Z!][^<>]*>`)
	codeSpan  = regexp.MustCompile("`[^`]*`")
	dangerous = regexp.MustCompile(`(?i)<!--|-->|<\s*/?\s*(?:script|iframe|object|embed|style|form)\b|javascript:|vbscript:|data:text|\bon(?:error|load|click|mouse\w+)\s*=`)
)

// tidy makes a statement of text: tags and characters that cannot be seen are
// taken out, and a colon that led to code becomes a full stop. It is suspicious
// if the text is not what it seems to be.
func tidy(text string) (tidied string, suspicious bool) {
	suspicious = dangerous.MatchString(text) || strings.ContainsRune(text, '\uFFFD')
	visible := strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			suspicious = suspicious || r != '\u200D' && r != '\uFEFF' && r != '\u00AD'
			return -1
		}
		return r
	}, text)
	if !codeSpan.MatchString(visible) {
		visible = anyTag.ReplaceAllString(visible, "")
	}
	visible = strings.Join(strings.Fields(visible), " ")
	if strings.HasSuffix(visible, ":") {
		visible = strings.TrimSuffix(visible, ":") + "."
	}
	return visible, suspicious
}

// fromManifest makes statements of the fields of a manifest, if their words stand
// there.
func (b *builder) fromManifest(m manifest.Manifest) {
	add := func(kind, text string, line int) {
		tidied, suspicious := tidy(text)
		if len(redact.Find(tidied)) > 0 || !Verified(tidied, b.line(m.Path, line)) {
			return
		}
		c := &candidate{
			text: tidied, kind: kind, audience: userFacing, priority: fromManifest,
			citation: artifact.Citation{Path: m.Path, StartLine: line, EndLine: line, SourceType: "manifest"},
		}
		if suspicious || audienceOf(tidied) != userFacing {
			c.audience = internalDetail
		}
		b.keep(c)
	}
	if m.Description.Line > 0 {
		kind := "feature"
		if b.vocabulary.speaks(m.Description.Value) {
			kind = "format"
		}
		add(kind, m.Description.Value, m.Description.Line)
	}
	if _, ok := m.Install(); !ok && m.Name.Value != "" && !m.Private {
		return // what calls itself impossibly is not to be trusted with the rest
	}
	if m.License.Line > 0 {
		add("feature", "License: "+m.License.Value+".", m.License.Line)
	}
	if m.Runtime.Line > 0 {
		add("feature", "Requires "+m.RuntimeName+" "+orNewer(m)+".", m.Runtime.Line)
	}
}

// telling are lists of constants that users can rely on.
var telling = regexp.MustCompile(`SUPPORTED|FORMAT|EXTENSION|PLATFORM`)

// fromCode makes statements of what is written about public names, and of lists
// of what is supported.
func (b *builder) fromCode(file codeFile) {
	isPackage := strings.HasSuffix(file.path, "__init__.py") || file.Language == "go"
	audience := internalDetail
	if isPackage {
		audience = userFacing
	}
	b.fromDoc(file.path, sourcecode.Symbol{Doc: file.Doc, Line: file.Doc.Start}, audience)
	for _, symbol := range file.Symbols {
		b.fromDoc(file.path, symbol, userFacing)
	}
	for _, list := range file.Lists {
		if !telling.MatchString(list.Name) || len(list.Values) > 50 {
			continue
		}
		name := strings.ToLower(strings.ReplaceAll(list.Name, "_", " "))
		text, suspicious := tidy(strings.ToUpper(name[:1]) + name[1:] + ": " + strings.Join(list.Values, ", ") + ".")
		if suspicious || len(redact.Find(text)) > 0 {
			continue
		}
		kind := "feature"
		if b.vocabulary.has(text) {
			kind = "format"
		}
		b.keep(&candidate{
			text: text, kind: kind, audience: audienceOf(text), priority: fromCode,
			citation: artifact.Citation{Path: file.path, StartLine: list.Start, EndLine: list.End, SourceType: "source_code"},
		})
	}
}

// nearOwner is how many lines above a method its type may be to be cited with it.
const nearOwner = 100

// fromDoc makes a statement of the first sentence about a name. That of a method
// cites the line of its type, too, where its own lines do not name it.
func (b *builder) fromDoc(file string, symbol sourcecode.Symbol, audience string) {
	doc, line := symbol.Doc, symbol.Line
	sentence := firstSentence(doc.Text)
	if len(sentence) > maxClaim {
		return
	}
	text, suspicious := tidy(docLink.ReplaceAllString(sentence, "`$1`"))
	if text == "" || len(redact.Find(doc.Text)) > 0 {
		return
	}
	if suspicious || audienceOf(text) != userFacing {
		audience = internalDetail
	}
	c := &candidate{
		text: label(symbol, text), kind: "api", audience: audience, priority: fromDocs,
		citation: artifact.Citation{Path: file, StartLine: min(line, doc.Start), EndLine: max(line, doc.End), SourceType: "docstring"},
	}
	at := &c.citation
	if owner := symbol.OwnerLine; owner > 0 && line-owner <= nearOwner && !Verified(c.text, b.lines(file, at.StartLine, at.EndLine)) {
		at.StartLine = min(at.StartLine, owner)
	}
	b.keep(c)
}

// docLink is how comments in Go refer to other names.
var docLink = regexp.MustCompile(`\B\[\*?([A-Za-z_][\w.]*)\]\B`)

func firstSentence(text string) string { return document.FirstSentence(text) }

// label puts the name before the sentence, unless the sentence begins with it.
func label(symbol sourcecode.Symbol, sentence string) string {
	if symbol.Name == "" {
		return sentence
	}
	name := "`" + symbol.Full() + "`"
	if rest, found := strings.CutPrefix(sentence, symbol.Name+" "); found {
		return name + " " + rest
	}
	for _, article := range []string{"A ", "An ", "The "} {
		if rest, found := strings.CutPrefix(sentence, article+symbol.Name+" "); found {
			return article + name + " " + rest
		}
	}
	return name + ": " + sentence
}

// symbolNames are the public names that are long enough to be meant.
func (b *builder) symbolNames() map[string]bool {
	names := map[string]bool{}
	for _, file := range b.sources.code {
		for _, symbol := range file.Symbols {
			if len(symbol.Name) >= 4 && symbol.Kind != sourcecode.Method {
				names[symbol.Name] = true
			}
		}
	}
	return names
}

// line is one line of a file that was read.
func (b *builder) line(name string, number int) string { return b.lines(name, number, number) }

// lines are lines of a file that was read.
func (b *builder) lines(name string, start, end int) string {
	all := b.split(name)
	if start < 1 || end > len(all) || start > end {
		return ""
	}
	return strings.Join(all[start-1:end], "\n")
}

func (b *builder) split(name string) []string {
	if b.splits == nil {
		b.splits = map[string][]string{}
	}
	if b.splits[name] == nil {
		b.splits[name] = strings.Split(b.sources.text[name], "\n")
	}
	return b.splits[name]
}

// rootReadme is the README that visitors see first, or nil.
func (b *builder) rootReadme() *documentFile {
	for _, folder := range []string{".", "docs"} {
		for i, file := range b.sources.documents {
			if path.Dir(file.path) == folder && strings.HasPrefix(strings.ToUpper(path.Base(file.path)), "README") {
				return &b.sources.documents[i]
			}
		}
	}
	return nil
}
