package snippets

import (
	"encoding/json"
	"go/parser"
	"go/token"
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"go.yaml.in/yaml/v3"
)

// syntax says whether code is well formed; nil if nobody can tell.
func syntax(language, code string) *bool {
	var ok bool
	switch language {
	case "go":
		ok = isGo(code)
	case "json":
		ok = json.Valid([]byte(code))
	case "yaml":
		ok = yaml.Unmarshal([]byte(code), new(yaml.Node)) == nil
	case "toml":
		if strings.Count(code, "[")+strings.Count(code, "{") > 1000 {
			return nil // too deep to be worth it
		}
		ok = toml.Unmarshal([]byte(code), &map[string]any{}) == nil
	case "python":
		ok = isBalanced(code, pythonText) && isIndented(code)
	case "javascript", "typescript":
		if ok = isBalanced(code, scriptText); !ok && regexLiteral.MatchString(code) {
			return nil // quotes within an expression are not told apart here
		}
	case "java", "csharp", "c", "cpp", "kotlin", "swift":
		ok = isBalanced(code, curlyText)
	case "rust":
		ok = isBalanced(lifetime.ReplaceAllString(code, "$1"), curlyText)
	case "php":
		ok = isBalanced(code, phpText)
	default:
		return nil
	}
	return &ok
}

// isGo: as a file, as declarations, or as statements.
func isGo(code string) bool {
	for _, around := range [][2]string{{"", ""}, {"package p\n", ""}, {"package p\nfunc _() {\n", "\n}"}} {
		if _, err := parser.ParseFile(token.NewFileSet(), "", around[0]+code+around[1], parser.SkipObjectResolution); err == nil {
			return true
		}
	}
	return false
}

var (
	regexLiteral = regexp.MustCompile(`[=(,:!&|?]\s*/[^/*]`)
	lifetime     = regexp.MustCompile(`'[a-z_]\w*([^\w'])`)
)

// lexical is how a language writes strings and comments.
type lexical struct {
	line   []string // begin a comment to the end of the line
	block  bool     // has /* */
	quotes []string // begin and end strings, longest first
	long   []string // those of them that go over lines
}

var (
	pythonText = lexical{line: []string{"#"}, quotes: []string{`"""`, `'''`, `"`, `'`}, long: []string{`"""`, `'''`}}
	scriptText = lexical{line: []string{"//"}, block: true, quotes: []string{"`", `"`, `'`}, long: []string{"`"}}
	curlyText  = lexical{line: []string{"//"}, block: true, quotes: []string{`"""`, `"`, `'`}, long: []string{`"""`}}
	phpText    = lexical{line: []string{"//", "#"}, block: true, quotes: []string{`"`, `'`}, long: []string{`"`, `'`}}
)

var closing = map[byte]byte{')': '(', ']': '[', '}': '{'}

// isBalanced: every bracket and quote is closed by its own.
func isBalanced(code string, lex lexical) bool {
	var open []byte
	for i := 0; i < len(code); {
		skipped, ok := lex.skip(code[i:])
		if !ok {
			return false
		}
		if skipped > 0 {
			i += skipped
			continue
		}
		switch b := code[i]; b {
		case '(', '[', '{':
			open = append(open, b)
		case ')', ']', '}':
			if len(open) == 0 || open[len(open)-1] != closing[b] {
				return false
			}
			open = open[:len(open)-1]
		}
		i++
	}
	return len(open) == 0
}

// skip returns how long the comment or string at the beginning of code is; ok is
// false if it does not end.
func (lex lexical) skip(code string) (length int, ok bool) {
	for _, mark := range lex.line {
		if strings.HasPrefix(code, mark) {
			if end := strings.IndexByte(code, '\n'); end >= 0 {
				return end, true
			}
			return len(code), true
		}
	}
	if lex.block && strings.HasPrefix(code, "/*") {
		end := strings.Index(code[2:], "*/")
		return end + 4, end >= 0
	}
	for _, quote := range lex.quotes {
		if strings.HasPrefix(code, quote) {
			return lex.skipString(code, quote)
		}
	}
	return 0, true
}

func (lex lexical) skipString(code, quote string) (length int, ok bool) {
	isLong := false
	for _, long := range lex.long {
		isLong = isLong || long == quote
	}
	for i := len(quote); i < len(code); i++ {
		switch {
		case code[i] == '\\':
			i++
		case strings.HasPrefix(code[i:], quote):
			return i + len(quote), true
		case code[i] == '\n' && !isLong:
			return 0, false
		}
	}
	return 0, false
}

// isIndented: Python's lines begin at the margin, and after a colon comes a line
// further in. Lines within brackets and strings are not looked at.
func isIndented(code string) bool {
	expected, last, depth := false, 0, 0
	inside := false
	for line := range strings.SplitSeq(code, "\n") {
		trimmed := strings.TrimSpace(line)
		if strings.Count(line, `"""`)%2 == 1 || strings.Count(line, `'''`)%2 == 1 {
			if inside {
				inside = false
				continue
			}
			inside = true
		} else if inside {
			continue
		}
		if trimmed == "" || trimmed[0] == '#' {
			continue
		}
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		if depth == 0 {
			if expected && indent <= last {
				return false
			}
			last = indent
		}
		depth += strings.Count(trimmed, "(") + strings.Count(trimmed, "[") + strings.Count(trimmed, "{")
		depth = max(depth-strings.Count(trimmed, ")")-strings.Count(trimmed, "]")-strings.Count(trimmed, "}"), 0)
		before, _, _ := strings.Cut(trimmed, "  #")
		expected = depth == 0 && strings.HasSuffix(strings.TrimSpace(before), ":") && !inside
	}
	return !expected
}
