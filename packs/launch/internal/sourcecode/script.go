package sourcecode

import (
	"regexp"
	"strings"
)

var (
	exportList   = regexp.MustCompile(`^export\s+(?:type\s+)?\{([^}]*)\}`)
	moduleObject = regexp.MustCompile(`^module\.exports\s*=\s*\{([^}]*)\}`)
	identifier   = regexp.MustCompile(`^[A-Za-z_$][\w$]*$`)
)

// scanScript reads the exports of JavaScript and TypeScript, lists included.
func scanScript(file *File, name, text string) error {
	if err := scanLines(file, name, text); err != nil {
		return err
	}
	known := map[string]bool{}
	for _, symbol := range file.Symbols {
		known[symbol.Name] = true
	}
	for i, line := range strings.Split(text, "\n") {
		list := exportList.FindStringSubmatch(line)
		if list == nil {
			list = moduleObject.FindStringSubmatch(line)
		}
		if list == nil {
			continue
		}
		for entry := range strings.SplitSeq(list[1], ",") {
			words := strings.Fields(strings.TrimPrefix(strings.TrimSpace(entry), "type "))
			if len(words) == 0 {
				continue
			}
			exported := strings.TrimSuffix(words[len(words)-1], ":") // a as b, or b
			if key, _, ok := strings.Cut(entry, ":"); ok {
				exported = strings.TrimSpace(key)
			}
			if !identifier.MatchString(exported) || exported == "default" || strings.HasPrefix(exported, "_") || known[exported] {
				continue
			}
			known[exported] = true
			kind := Function
			if first := exported[0]; first >= 'A' && first <= 'Z' {
				kind = Class
			}
			file.Symbols = append(file.Symbols, Symbol{Name: exported, Kind: kind, Line: i + 1})
		}
	}
	return nil
}
