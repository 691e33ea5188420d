package sourcecode

import (
	"crypto/sha256"
	"encoding/hex"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
	"unicode"

	"mcpworks/packs/launch/internal/document"
)

// A Piece is code that can be shown.
type Piece struct {
	Language   string
	Code       string // normalised
	Name       string // of the function, if it is one
	Start, End int    // lines of the file
}

// Bounds of pieces (6.3). MaxPieceSize bounds what a single line can do.
const (
	minFenceLines, maxFenceLines = 2, 300
	minFileLines, maxFileLines   = 3, 500
	MaxPieceSize                 = 64 << 10
)

// ID is the name of a snippet (C-15).
func ID(code, language string) string {
	sum := sha256.Sum256([]byte(Normalise(code) + "|" + language))
	return hex.EncodeToString(sum[:])
}

// Normalise makes line ends LF and takes away space at the ends of lines and of
// the whole, and nothing else.
func Normalise(code string) string {
	lines := strings.Split(strings.ReplaceAll(code, "\r\n", "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t\r")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// ID is the name of the piece as a snippet.
func (p Piece) ID() string { return ID(p.Code, p.Language) }

// FromFence makes a piece of code in a document; ok is false if it is too short,
// too long, hardly code, or not to be shown.
func FromFence(fence document.Fence) (piece Piece, ok bool) {
	piece = Piece{Language: LanguageNamed(fence.Language), Code: Normalise(fence.Code), Start: fence.Start, End: fence.End}
	return piece, piece.fits(minFenceLines, maxFenceLines, 30)
}

// FromFile makes pieces of a source file: its functions if it has several, or
// else the whole.
func FromFile(name, text string) []Piece {
	if len(text) > MaxSize {
		return nil
	}
	text, language := clean(text), Language(name)
	pieces := Functions(language, text)
	if len(pieces) < 2 {
		code := Normalise(text)
		pieces = []Piece{{Language: language, Code: code, Start: 1, End: 1 + strings.Count(code, "\n")}}
	}
	var fitting []Piece
	for _, piece := range pieces {
		if piece.Shown() {
			fitting = append(fitting, piece)
		}
	}
	return fitting
}

// Functions are the functions at the top of a file of Python or Go.
func Functions(language, text string) []Piece {
	switch language {
	case "python":
		return pythonFunctions(text)
	case "go":
		return goFunctions(text)
	}
	return nil
}

// fits says whether the piece has so many lines, of which so many in a hundred
// are code.
func (p Piece) fits(least, most, share int) bool {
	lines := strings.Split(p.Code, "\n")
	code := 0
	for _, line := range lines {
		if isCode(strings.TrimSpace(line), p.Language) {
			code++
		}
	}
	size := len(p.Code) <= MaxPieceSize && len(lines) >= least && len(lines) <= most && code*100 >= share*len(lines)
	return size && isShowable(p.Code)
}

// trap is code that a site could take for its own: shortcodes work in code, too.
var trap = regexp.MustCompile(`(?i)\{\{[<%]|</?script\b|javascript:`)

// isShowable says whether code is what it seems to be to a reader, and nothing
// more to a site.
func isShowable(code string) bool {
	hidden := func(r rune) bool {
		return r == '\uFFFD' || unicode.Is(unicode.Cf, r) || unicode.IsControl(r) && r != '\n' && r != '\t'
	}
	return !strings.ContainsFunc(code, hidden) && !trap.MatchString(code)
}

func isCode(line, language string) bool {
	if line == "" || strings.HasPrefix(line, "//") || strings.HasPrefix(line, "/*") || strings.HasPrefix(line, "* ") {
		return false
	}
	switch language {
	case "c", "cpp", "csharp", "markdown":
		return true
	}
	return line[0] != '#'
}

var pythonFunction = regexp.MustCompile(`^(?:async\s+)?def\s+([A-Za-z_]\w*)`)

func pythonFunctions(text string) []Piece {
	lines := strings.Split(text, "\n")
	var pieces []Piece
	for i := 0; i < len(lines); i++ {
		definition := pythonFunction.FindStringSubmatch(lines[i])
		if definition == nil {
			continue
		}
		start, end := i, i+1
		for start > 0 && strings.HasPrefix(lines[start-1], "@") {
			start--
		}
		for end < len(lines) && (lines[end] == "" || strings.ContainsRune(" \t)#", rune(lines[end][0]))) {
			end++
		}
		for end > i+1 && (strings.TrimSpace(lines[end-1]) == "" || lines[end-1][0] == '#') {
			end--
		}
		pieces = append(pieces, Piece{"python", Normalise(strings.Join(lines[start:end], "\n")), definition[1], start + 1, end})
		i = end - 1
	}
	return pieces
}

func goFunctions(text string) []Piece {
	positions := token.NewFileSet()
	parsed, err := parser.ParseFile(positions, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	lines := strings.Split(text, "\n")
	var pieces []Piece
	for _, declaration := range parsed.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if !ok || function.Recv != nil {
			continue
		}
		start, end := positions.Position(function.Pos()).Line, positions.Position(function.End()).Line
		if function.Doc != nil {
			start = positions.Position(function.Doc.Pos()).Line
		}
		pieces = append(pieces, Piece{"go", Normalise(strings.Join(lines[start-1:end], "\n")), function.Name.Name, start, end})
	}
	return pieces
}

// Shown says whether the piece has a size that can be shown, as pieces of files
// have to.
func (p Piece) Shown() bool { return p.fits(minFileLines, maxFileLines, 40) }
