package fix

import (
	"errors"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/gate"
	"mcpworks/packs/launch/internal/patch/frontmatter"
)

// longDescription is how many characters a description has at most.
const longDescription = 160

// value is what the plan and the contract say about a key; ok is false if they
// say nothing.
func (w *work) value(contract artifact.SectionFrontmatter, key string) (value any, ok bool) {
	switch key {
	case "title":
		value = w.plan.Title
	case "description":
		value = shortened(w.plan.Purpose)
	case "permalink", "url":
		value = w.plan.URLPath
	case "slug":
		value = strings.Trim(w.plan.Slug, "_")
	case "keywords", "tags":
		value = w.plan.SEOKeywords
	case "draft":
		value = false
	case "weight":
		value = 10
	}
	if given, has := contract.DefaultValues[key]; has && (value == nil || value == "") {
		value = given
	}
	return value, value != nil && value != "" && gate.FitsType(value, contract.KeyTypes[key])
}

func shortened(text string) string {
	runes := []rune(text)
	if len(runes) <= longDescription {
		return text
	}
	cut := string(runes[:longDescription])
	if at := strings.LastIndex(cut, " "); at > 0 {
		cut = cut[:at]
	}
	return cut
}

func (w *work) contract() (artifact.SectionFrontmatter, error) {
	if w.plan == nil {
		return artifact.SectionFrontmatter{}, ErrUnfixable
	}
	contract, known := w.view.Contract.Sections[w.plan.Section]
	if !known {
		return contract, ErrUnfixable
	}
	return contract, nil
}

// frontMatter makes new settings: keys that can be read and fit are kept, and
// those that the section wants come from the plan.
func frontMatter(w *work) error {
	contract, err := w.contract()
	if err != nil {
		return err
	}
	settings, rest := w.torn()
	for key, value := range settings {
		if !gate.FitsType(value, contract.KeyTypes[key]) {
			delete(settings, key)
		}
	}
	for _, key := range contract.RequiredKeys {
		if text, isText := settings[key].(string); settings[key] != nil && (!isText || strings.TrimSpace(text) != "") {
			continue
		}
		value, ok := w.value(contract, key)
		if !ok {
			return ErrUnfixable
		}
		settings[key] = value
	}
	head, err := yaml.Marshal(settings) // sorted by key
	if err != nil {
		return ErrUnfixable
	}
	w.result = "---\n" + string(head) + "---\n" + strings.Join(rest, "\n") + "\n"
	return nil
}

var setting = regexp.MustCompile(`^["']?([A-Za-z_][A-Za-z0-9_-]*)["']?\s*[:=]\s*(.*?),?\s*$`)

// torn reads settings line by line, as far as each line can be read alone, and
// returns the page without them.
func (w *work) torn() (settings map[string]any, rest []string) {
	settings = map[string]any{}
	if errors.Is(w.page.FrontErr, frontmatter.ErrMissing) {
		return settings, w.lines
	}
	end := 1
	for ; end < len(w.lines); end++ {
		line := w.lines[end]
		if trimmed := strings.TrimRight(line, " \t"); trimmed == "---" || trimmed == "+++" || trimmed == "}" {
			end++
			break
		}
		found := setting.FindStringSubmatch(line)
		if unclosed := errors.Is(w.page.FrontErr, frontmatter.ErrUnclosed); found == nil && unclosed && !strings.HasPrefix(line, " ") {
			break
		}
		if found == nil {
			continue
		}
		var value any
		if yaml.Unmarshal([]byte(found[2]), &value) == nil && value != nil {
			settings[found[1]] = value
		}
	}
	rest = w.lines[end:]
	for len(rest) > 0 && strings.TrimSpace(rest[0]) == "" {
		rest = rest[1:]
	}
	return settings, rest
}

// frontKey sets one key to what the plan says. One that nobody asks for and
// nobody knows the value of is taken away.
func frontKey(w *work) error {
	contract, err := w.contract()
	if err != nil {
		return err
	}
	keys := slices.Concat(contract.RequiredKeys, slices.Sorted(maps.Keys(contract.KeyTypes)))
	at := slices.IndexFunc(keys, w.about)
	if at < 0 {
		return ErrUnfixable
	}
	key := keys[at]
	value, ok := w.value(contract, key)
	if given, is := w.page.Values[key].(string); is && contract.KeyTypes[key] == "integer" {
		if number, err := strconv.Atoi(strings.TrimSpace(given)); err == nil {
			value, ok = number, true
		}
	}
	if !ok {
		return w.dropKey(contract, key)
	}
	if w.result, err = frontmatter.Edit(w.page.Text, map[string]any{key: value}); err != nil {
		return ErrUnfixable
	}
	return nil
}

// dropKey takes a key with all its lines out of YAML.
func (w *work) dropKey(contract artifact.SectionFrontmatter, key string) error {
	if slices.Contains(contract.RequiredKeys, key) || w.page.Format != frontmatter.YAML {
		return ErrUnfixable
	}
	for n := 1; n < w.page.BodyLine()-1; n++ {
		if !strings.HasPrefix(w.lines[n], key+":") {
			continue
		}
		gone := []int{n}
		for n++; n < w.page.BodyLine()-2 && strings.HasPrefix(w.lines[n], " "); n++ {
			gone = append(gone, n)
		}
		w.drop(gone...)
		return nil
	}
	return ErrUnfixable
}
