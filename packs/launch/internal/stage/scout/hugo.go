package scout

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
)

// hugoFacts merges the settings of all files. Where two disagree, a file at the
// root wins over one that is shared, and that over the others; then the path
// decides.
func (s *scout) hugoFacts(facts *artifact.HugoFacts, paths []string) {
	ordered := slices.SortedStableFunc(slices.Values(paths), func(a, b string) int {
		return cmp.Or(cmp.Compare(generality(a), generality(b)), cmp.Compare(a, b))
	})
	merged := settings{facts: facts}
	for _, name := range ordered {
		value, err := parseConfig(configFormats[path.Ext(name)], s.text(s.in.Site.Files, name))
		if err != nil {
			s.unreadable(name, "the configuration")
			continue
		}
		if path.Dir(name) == "config/_default" && !slices.Contains([]string{"hugo", "config"}, stem(name)) {
			value = map[string]any{stem(name): value} // languages.toml has what is below languages
		}
		if merged.add(lowerKeys(value)) {
			facts.SourceFiles = append(facts.SourceFiles, name)
		}
	}
	slices.Sort(facts.SourceFiles)
	if len(facts.Languages) == 0 {
		facts.Languages = []string{facts.DefaultLanguage}
	}
	facts.Languages = set(facts.Languages)
}

func stem(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }

func generality(name string) int {
	switch {
	case !strings.Contains(name, "/"):
		return 0
	case slices.Contains(noBuild, stem(name)) || strings.HasPrefix(name, "config/_default/"):
		return 1
	}
	return 2
}

// lowerKeys is the top of a configuration as Hugo reads it: case does not matter.
func lowerKeys(value map[string]any) map[string]any {
	lower := make(map[string]any, len(value))
	for _, name := range slices.Sorted(maps.Keys(value)) {
		lower[strings.ToLower(name)] = value[name]
	}
	return lower
}

// settings are facts on the way, with what has been set already.
type settings struct {
	facts              *artifact.HugoFacts
	language, inSubdir bool
}

// add takes what a file says and nobody said before. It is false for a file that
// says nothing that matters here.
func (s *settings) add(value map[string]any) bool {
	used := false
	if language, ok := value["defaultcontentlanguage"].(string); ok && language != "" {
		used = true
		if !s.language {
			s.facts.DefaultLanguage, s.language = language, true
		}
	}
	if inSubdir, ok := value["defaultcontentlanguageinsubdir"].(bool); ok {
		used = true
		if !s.inSubdir {
			s.facts.DefaultLanguageInSubdir, s.inSubdir = inSubdir, true
		}
	}
	if languages, ok := value["languages"].(map[string]any); ok {
		used = true
		for name, settings := range languages {
			if object, _ := settings.(map[string]any); object["disabled"] != true {
				s.facts.Languages = append(s.facts.Languages, name)
			}
		}
	}
	permalinks := addTexts(s.facts.Permalinks, value["permalinks"])
	taxonomies := addTexts(s.facts.Taxonomies, value["taxonomies"])
	outputs, hasOutputs := value["outputs"].(map[string]any)
	for name, formats := range outputs {
		if _, known := s.facts.Outputs[name]; !known {
			s.facts.Outputs[name] = formats
		}
	}
	return used || permalinks || taxonomies || hasOutputs
}

// addTexts takes the texts of an object. Newer permalinks are nested once: those
// of page and section get names such as page.posts.
func addTexts(to map[string]string, value any) bool {
	object, ok := value.(map[string]any)
	add := func(name string, value any) {
		if text, isText := value.(string); isText && to[name] == "" {
			to[name] = text
		}
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		add(name, object[name])
		nested, _ := object[name].(map[string]any)
		for _, inner := range slices.Sorted(maps.Keys(nested)) {
			add(name+"."+inner, nested[inner])
		}
	}
	return ok
}
