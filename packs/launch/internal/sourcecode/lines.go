package sourcecode

import (
	"regexp"
	"strings"
)

// A declaration is how a language makes a name public.
type declaration struct {
	expr *regexp.Regexp // group 1 is the name
	kind Kind
}

var declarations = map[string][]declaration{
	"csharp": {{regexp.MustCompile(`^\s*public\s+(?:(?:static|sealed|abstract|partial|readonly|ref|unsafe|record)\s+)*(?:class|interface|struct|enum|record)\s+([A-Za-z_]\w*)`), Class}},
	"java":   {{regexp.MustCompile(`^public\s+(?:(?:static|final|abstract|sealed|non-sealed|strictfp)\s+)*(?:class|interface|@interface|enum|record)\s+([A-Za-z_$][\w$]*)`), Class}},
	"rust": {
		{regexp.MustCompile(`^pub\s+(?:struct|enum|trait|union|type)\s+([A-Za-z_]\w*)`), Class},
		{regexp.MustCompile(`^pub\s+(?:(?:async|const|unsafe|extern\s+"[^"]*")\s+)*fn\s+([A-Za-z_]\w*)`), Function},
	},
	"php": {
		{regexp.MustCompile(`^(?:(?:abstract|final|readonly)\s+)*(?:class|interface|trait|enum)\s+([A-Za-z_]\w*)`), Class},
		{regexp.MustCompile(`^function\s+&?([A-Za-z_]\w*)\s*\(`), Function},
	},
	"javascript": scriptDeclarations, "typescript": scriptDeclarations,
}

var scriptDeclarations = []declaration{
	{regexp.MustCompile(`^export\s+(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:class|interface|type|enum)\s+([A-Za-z_$][\w$]*)`), Class},
	{regexp.MustCompile(`^export\s+(?:default\s+)?(?:declare\s+)?(?:async\s+)?function\s*\*?\s*([A-Za-z_$][\w$]*)`), Function},
	{regexp.MustCompile(`^export\s+` + scriptValue), Value},
	{regexp.MustCompile(`^export\s+(?:declare\s+)?(?:const|let|var)\s+([A-Za-z_$][\w$]*)`), Function},
	{regexp.MustCompile(`^(?:module\.)?exports\.([A-Za-z_$][\w$]*)\s*=`), Function},
}

// scriptValue gives a name to something that cannot be called.
const scriptValue = `(?:declare\s+)?(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*(?::[^=]*)?=\s*(?:["'\x60\d\[{-]|(?:true|false|null|new|Object\.freeze|Symbol)\b)`

var modules = map[string]*regexp.Regexp{
	"csharp": regexp.MustCompile(`^\s*namespace\s+([A-Za-z_][\w.]*)`), "java": regexp.MustCompile(`^package\s+([a-zA-Z_][\w.]*)\s*;`),
	"php": regexp.MustCompile(`^namespace\s+([A-Za-z_][\w\\]*)\s*;`),
}

// scanLines reads declarations at the beginnings of lines outside of comments.
func scanLines(file *File, _, text string) error {
	lines := strings.Split(text, "\n")
	comment := commented(lines)
	for i, line := range lines {
		if comment[i] {
			continue
		}
		if module := modules[file.Language]; module != nil && file.Module == "" {
			if name := module.FindStringSubmatch(line); name != nil {
				file.Module = name[1]
			}
		}
		for _, declaration := range declarations[file.Language] {
			if name := declaration.expr.FindStringSubmatch(line); name != nil && !strings.HasPrefix(name[1], "_") {
				file.Symbols = append(file.Symbols, Symbol{Name: name[1], Kind: declaration.kind, Line: i + 1, Doc: commentAbove(lines, i)})
				break
			}
		}
	}
	return nil
}

// commented says for each line whether it begins within a comment.
func commented(lines []string) []bool {
	within, all := false, make([]bool, len(lines))
	for i, line := range lines {
		if all[i] = within; within {
			within = !strings.Contains(line, "*/")
		} else if at := strings.LastIndex(line, "/*"); at >= 0 && !strings.Contains(line[at:], "*/") {
			within = true
		}
	}
	return all
}

var (
	docLine   = regexp.MustCompile(`^\s*///?\s?`)
	attribute = regexp.MustCompile(`^\s*(?:#\[.*\]|\[.*\]|@\w.*)\s*$`)
	xmlTag    = regexp.MustCompile(`<[^<>]*>`)
	docTag    = regexp.MustCompile(`(?:^|\s)@\w`)
)

// commentAbove reads the comment for documentation that ends above a line.
func commentAbove(lines []string, at int) Doc {
	end := at - 1
	for end >= 0 && attribute.MatchString(lines[end]) {
		end--
	}
	if end < 0 {
		return Doc{}
	}
	start := end
	switch {
	case strings.HasSuffix(strings.TrimSpace(lines[end]), "*/"):
		for start > 0 && !strings.Contains(lines[start], "/*") {
			start--
		}
		if !strings.Contains(lines[start], "/**") {
			return Doc{}
		}
	case strings.HasPrefix(strings.TrimSpace(lines[end]), "///"):
		for start > 0 && strings.HasPrefix(strings.TrimSpace(lines[start-1]), "///") {
			start--
		}
	default:
		return Doc{}
	}
	return commentText(lines[start:end+1], start)
}

// commentText is the first paragraph of a comment.
func commentText(lines []string, start int) Doc {
	var content []string
	for _, line := range lines {
		line = strings.TrimSpace(line)
		line = strings.TrimSuffix(strings.TrimPrefix(line, "/**"), "*/")
		line = docLine.ReplaceAllString(strings.TrimPrefix(line, "*"), "")
		tag := docTag.FindStringIndex(line)
		if tag != nil {
			line = line[:tag[0]]
		}
		content = append(content, xmlTag.ReplaceAllString(line, ""))
		if tag != nil {
			break
		}
	}
	text, count := paragraph(content)
	if text == "" {
		return Doc{}
	}
	return Doc{text, start + 1, start + max(count, 1)}
}
