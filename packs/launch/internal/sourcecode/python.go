package sourcecode

import (
	"regexp"
	"strings"
)

var (
	pythonDefinition = regexp.MustCompile(`^(?:async\s+)?(class|def)\s+([A-Za-z_]\w*)`)
	pythonMethod     = regexp.MustCompile(`^(?:\t| {2,4})(?:async\s+)?(def)\s+([A-Za-z]\w*)`)
	pythonQuote      = regexp.MustCompile(`^\s*[rRuU]?("""|''')`)
	pythonList       = regexp.MustCompile(`^([A-Za-z_]\w*)\s*(?::[^=]+)?=\s*(?:frozenset\(|set\(|tuple\()?[\[({]`)
	quotedWord       = regexp.MustCompile(`["']([^"'\n]+)["']`)
)

// longestList is how many lines a constant list may have.
const longestList = 200

func scanPython(file *File, name, text string) error {
	lines := strings.Split(text, "\n")
	file.Module = pythonModule(name)
	inside := "" // the quotes of a string that goes over lines
	class := Symbol{}
	for i, line := range lines {
		if inside != "" {
			inside = stillInside(line, inside)
			continue
		}
		if definition := pythonDefinition.FindStringSubmatch(line); definition != nil {
			class = file.addPython(lines, i, definition, Symbol{})
		} else if method := pythonMethod.FindStringSubmatch(line); method != nil && class.Name != "" && class.Kind == Class {
			file.addPython(lines, i, method, class)
		} else if list := pythonList.FindStringSubmatch(line); list != nil {
			file.addList(lines, i, list[1])
		} else if i == firstStatement(lines) && pythonQuote.MatchString(line) {
			file.Doc = docstring(lines, i)
		}
		inside = opened(line)
	}
	return nil
}

// pythonModule is the dotted name of a file; folders that only hold sources are
// no part of it.
func pythonModule(name string) string {
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".py"), "/__init__")
	for _, root := range []string{"src/", "lib/", "python/"} {
		name = strings.TrimPrefix(name, root)
	}
	return strings.ReplaceAll(name, "/", ".")
}

func firstStatement(lines []string) int {
	for i, line := range lines {
		if trimmed := strings.TrimSpace(line); trimmed != "" && trimmed[0] != '#' {
			return i
		}
	}
	return -1
}

// addPython keeps a definition, which is returned: of a class, a function, or a
// method of a class.
func (file *File) addPython(lines []string, at int, definition []string, class Symbol) Symbol {
	name := definition[2]
	if strings.HasPrefix(name, "_") {
		return Symbol{}
	}
	symbol := Symbol{Name: name, Line: at + 1, Kind: Class, Owner: class.Name, OwnerLine: class.Line}
	switch {
	case class.Name != "":
		symbol.Kind = Method
	case definition[1] == "def":
		symbol.Kind = Function
	}
	for i := at; i < len(lines) && i < at+longestList; i++ { // to the end of the signature
		trimmed := strings.TrimSpace(lines[i])
		if comment := strings.Index(trimmed, "  #"); comment > 0 {
			trimmed = strings.TrimSpace(trimmed[:comment])
		}
		if strings.HasSuffix(trimmed, ":") {
			if i+1 < len(lines) && pythonQuote.MatchString(lines[i+1]) {
				symbol.Doc = docstring(lines, i+1)
			}
			break
		}
	}
	if symbol.Kind != Method || symbol.Doc.Text != "" {
		file.Symbols = append(file.Symbols, symbol)
	}
	return symbol
}

// docstring reads the first paragraph of the string that begins on a line.
func docstring(lines []string, at int) Doc {
	quotes := pythonQuote.FindStringSubmatch(lines[at])
	rest := strings.Replace(lines[at], quotes[0], "", 1)
	if end := strings.Index(rest, quotes[1]); end >= 0 {
		return Doc{strings.Join(strings.Fields(rest[:end]), " "), at + 1, at + 1}
	}
	content := []string{rest}
	for _, line := range lines[at+1:] {
		end := strings.Index(line, quotes[1])
		if end >= 0 {
			content = append(content, line[:end])
			break
		}
		content = append(content, line)
	}
	text, count := paragraph(content)
	return Doc{text, at + 1, at + max(count, 1)}
}

// opened returns the quotes of a string that begins on a line and does not end
// there.
func opened(line string) string {
	for _, quotes := range []string{`"""`, `'''`} {
		if before, _, _ := strings.Cut(line, "#"); strings.Count(line, quotes)%2 == 1 && strings.Contains(before, quotes) {
			return quotes
		}
	}
	return ""
}

func stillInside(line, quotes string) string {
	if strings.Count(line, quotes)%2 == 1 {
		return ""
	}
	return quotes
}

// addList keeps __all__ and lists of strings with public names in capitals.
func (file *File) addList(lines []string, at int, name string) {
	if name != "__all__" && (name != strings.ToUpper(name) || strings.HasPrefix(name, "_")) {
		return
	}
	list := List{Name: name, Start: at + 1}
	for i := at; i < len(lines) && i < at+longestList; i++ {
		line := lines[i]
		if i == at {
			line = line[strings.Index(line, "=")+1:]
		}
		line, _, _ = strings.Cut(line, "#")
		for _, word := range quotedWord.FindAllStringSubmatch(line, -1) {
			list.Values = append(list.Values, word[1])
		}
		list.End = i + 1
		if strings.ContainsAny(line, "])}") {
			break
		}
	}
	switch {
	case len(list.Values) == 0:
	case name != "__all__":
		file.Lists = append(file.Lists, list)
	default:
		file.Exports = append(file.Exports, list.Values...)
	}
}
