package sourcecode

import (
	"regexp"
	"slices"
	"strings"
)

var (
	identifier = regexp.MustCompile(`^[A-Za-z_$][\w$]*$`)
	// exportList is a list of names, over as many lines as it likes.
	exportList = regexp.MustCompile(`(?m)^(?:export\s+(?:type\s+)?|module\.exports\s*=\s*)\{([^}]*)\}`)
	exportOne  = regexp.MustCompile(`(?m)^(?:export\s+default|module\.exports\s*=)\s+([A-Za-z_$][\w$]*)\s*;?\s*$`)
	anyComment = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)
	// scriptTop declares a name at the top of a file.
	scriptTop = regexp.MustCompile(`^(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(class|interface|type|enum|function|const|let|var)\b\s*\*?\s*([A-Za-z_$][\w$]*)`)
	// scriptConstant is a name at the top of a file that cannot be called.
	scriptConstant = regexp.MustCompile(`^(?:export\s+)?` + scriptValue)
	// scriptMethod is one of a class, which is indented.
	scriptMethod = regexp.MustCompile(`^(?:\t| {2,4})(?:(?:static|async|get|set|public|readonly|override)\s+)*\*?([A-Za-z$][\w$]*)\s*(?:<[^()]*>)?\(`)
)

// notMethods are words that stand before a bracket without being called.
var notMethods = []string{"if", "for", "while", "switch", "catch", "function", "return", "constructor", "super", "new", "await", "throw", "typeof"}

// scanScript reads the exports of JavaScript and TypeScript, lists included, with
// what is written where the names are declared.
func scanScript(file *File, name, text string) error {
	if err := scanLines(file, name, text); err != nil {
		return err
	}
	lines := strings.Split(text, "\n")
	declared, methods := scriptNames(lines)
	known := map[string]bool{}
	for _, symbol := range file.Symbols {
		known[symbol.Name] = true
	}
	for _, exported := range exportsOf(text) {
		if !known[exported.Name] {
			file.Symbols, known[exported.Name] = append(file.Symbols, exported), true
		}
	}
	classes := map[string]bool{}
	for i, symbol := range file.Symbols {
		if found, ok := declared[symbol.local()]; ok && symbol.Doc.Text == "" {
			found.Name = symbol.Name
			file.Symbols[i] = found
		} else if !ok && symbol.Name[0] >= 'A' && symbol.Name[0] <= 'Z' {
			file.Symbols[i].Kind = Class
		}
		file.Symbols[i].Owner = ""
		classes[symbol.Name] = file.Symbols[i].Kind == Class
	}
	for _, method := range methods {
		if classes[method.Owner] {
			file.Symbols = append(file.Symbols, method)
		}
	}
	return nil
}

// local is the name that an exported one has in its file, which is kept as its
// owner while the file is read.
func (s Symbol) local() string {
	if s.Owner != "" {
		return s.Owner
	}
	return s.Name
}

// scriptNames are the names that a file declares, and the methods of its classes
// that something is written about.
func scriptNames(lines []string) (declared map[string]Symbol, methods []Symbol) {
	declared = map[string]Symbol{}
	comment, class := commented(lines), Symbol{}
	for i, line := range lines {
		if comment[i] {
			continue
		}
		if found := scriptTop.FindStringSubmatch(line); found != nil {
			symbol := Symbol{Name: found[2], Kind: Function, Line: i + 1, Doc: commentAbove(lines, i)}
			if slices.Contains([]string{"class", "interface", "type", "enum"}, found[1]) {
				symbol.Kind = Class
			} else if scriptConstant.MatchString(line) {
				symbol.Kind = Value
			}
			if class = (Symbol{}); found[1] == "class" {
				class = symbol
			}
			if _, known := declared[symbol.Name]; !known {
				declared[symbol.Name] = symbol
			}
			continue
		}
		if strings.HasPrefix(line, "}") {
			class = Symbol{}
		}
		method := scriptMethod.FindStringSubmatch(line)
		if class.Name == "" || method == nil || slices.Contains(notMethods, method[1]) {
			continue
		}
		if doc := commentAbove(lines, i); doc.Text != "" {
			methods = append(methods, Symbol{Name: method[1], Kind: Method, Line: i + 1, Doc: doc, Owner: class.Name, OwnerLine: class.Line})
		}
	}
	return declared, methods
}

// exportsOf are the names that a file exports by lists, or one alone. The owner of
// each is its name in the file.
func exportsOf(text string) []Symbol {
	var all []Symbol
	line, counted := 1, 0 // up to here
	add := func(local, exported string, at int) {
		line, counted = line+strings.Count(text[counted:at], "\n"), at
		exported = strings.TrimSpace(exported)
		if identifier.MatchString(exported) && exported != "default" && exported[0] != '_' {
			all = append(all, Symbol{Name: exported, Kind: Function, Line: line, Owner: strings.TrimSpace(local)})
		}
	}
	for _, list := range exportList.FindAllStringSubmatchIndex(text, -1) {
		at := list[2]
		for entry := range strings.SplitSeq(text[list[2]:list[3]], ",") {
			place := at + len(entry) - len(strings.TrimLeft(entry, " \t\n"))
			at += len(entry) + 1
			entry = strings.TrimPrefix(strings.TrimSpace(anyComment.ReplaceAllString(entry, "")), "type ")
			if local, exported, found := strings.Cut(entry, " as "); found {
				add(local, exported, place)
			} else if exported, local, found := strings.Cut(entry, ":"); found {
				add(local, exported, place)
			} else {
				add(entry, entry, place)
			}
		}
	}
	line, counted = 1, 0
	for _, one := range exportOne.FindAllStringSubmatchIndex(text, -1) {
		add(text[one[2]:one[3]], text[one[2]:one[3]], one[2])
	}
	return all
}
