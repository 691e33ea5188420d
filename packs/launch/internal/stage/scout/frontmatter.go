package scout

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/patch"
)

const (
	// maxSamples is how many pages of a section are looked at.
	maxSamples = 50
	// maxMatter is how large a front matter may be.
	maxMatter = 64 << 10
	// most is the share of pages, in hundredths, that makes a rule.
	most = 90
	// fewestForDefault is how many pages have to agree on a value at least: what
	// a single page says is its own.
	fewestForDefault = 2
)

// builtIn is the contract of a section without pages.
func builtIn() artifact.SectionFrontmatter {
	return artifact.SectionFrontmatter{
		RequiredKeys: []string{"description", "title"}, OptionalKeys: []string{"draft", "permalink", "weight"}, DefaultValues: map[string]any{},
		KeyTypes: map[string]string{"title": "string", "description": "string", "weight": "integer", "draft": "boolean", "permalink": "string"},
	}
}

// contract learns from the pages of each section what its pages begin with.
func (s *scout) contract(ctx context.Context) (artifact.FrontmatterContract, error) {
	contract := artifact.FrontmatterContract{
		SchemaVersion: artifact.Version, SiteRepoURL: s.in.Site.URL, SiteSHA: s.in.Site.SHA, Sections: map[string]artifact.SectionFrontmatter{},
	}
	for _, section := range s.in.Config.Sections {
		samples, err := s.samples(ctx, path.Clean(strings.Trim(section.Root, "/")))
		if err != nil {
			return contract, err
		}
		contract.Sections[section.ID] = learn(samples)
	}
	return contract, nil
}

// samples are the front matters of the first pages below a folder. Pages without
// one say nothing.
func (s *scout) samples(ctx context.Context, root string) ([]map[string]any, error) {
	paths, err := s.walk(ctx, s.in.Site.Files, root)
	if err != nil {
		return nil, err
	}
	pages := slices.DeleteFunc(paths, func(name string) bool { return path.Ext(name) != ".md" })
	var samples []map[string]any
	for _, name := range pages[:min(len(pages), maxSamples)] {
		text := strings.ReplaceAll(s.text(s.in.Site.Files, name), "\r\n", "\n")
		matter, format := cutMatter(text)
		if format == "" {
			continue
		}
		var value map[string]any
		err := errNotObject
		if len(matter) <= maxMatter {
			value, err = parseConfig(format, matter)
		}
		if err != nil {
			s.unreadable(name, "the front matter of the page")
			continue
		}
		samples = append(samples, value)
	}
	return samples, nil
}

// cutMatter finds the front matter of a page and says what it is written in.
func cutMatter(text string) (matter, format string) {
	for mark, format := range map[string]string{"---\n": "yaml", "+++\n": "toml"} {
		if rest, ok := strings.CutPrefix(text, mark); ok {
			if at := strings.Index("\n"+rest, "\n"+strings.TrimSpace(mark)); at >= 0 {
				return rest[:at], format
			}
		}
	}
	if strings.HasPrefix(text, "{") {
		var object json.RawMessage
		if json.NewDecoder(strings.NewReader(text[:min(len(text), maxMatter)])).Decode(&object) == nil {
			return string(object), "json"
		}
	}
	return "", ""
}

// learn makes a contract of samples.
func learn(samples []map[string]any) artifact.SectionFrontmatter {
	if len(samples) == 0 {
		return builtIn()
	}
	counts, types, values := map[string]int{}, map[string]string{}, map[string]map[string]int{}
	for _, sample := range samples {
		for key, value := range sample {
			if key == patch.StampKey {
				continue // of an earlier launch: every page gets its own
			}
			counts[key]++
			types[key] = join(types[key], typeOf(value))
			text, err := json.Marshal(value)
			if err != nil {
				continue
			}
			if values[key] == nil {
				values[key] = map[string]int{}
			}
			values[key][string(text)]++
		}
	}
	contract := artifact.SectionFrontmatter{
		SampleSize: len(samples), RequiredKeys: []string{}, OptionalKeys: []string{}, KeyTypes: types, DefaultValues: map[string]any{},
	}
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		types[key] = cmp.Or(types[key], "unknown") // nothing but null
		if counts[key] == len(samples) || key == "date" && isMost(counts[key], len(samples)) {
			contract.RequiredKeys = append(contract.RequiredKeys, key)
		} else {
			contract.OptionalKeys = append(contract.OptionalKeys, key)
		}
		for text, n := range values[key] {
			if n >= fewestForDefault && isMost(n, len(samples)) {
				contract.DefaultValues[key] = decodeJSON(text)
			}
		}
	}
	return contract
}

func isMost(n, of int) bool { return n*100 >= most*of }

func decodeJSON(text string) any {
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	decoder.UseNumber()
	var value any
	_ = decoder.Decode(&value) // json.Marshal wrote it
	return value
}
