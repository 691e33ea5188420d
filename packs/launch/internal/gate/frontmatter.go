package gate

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/gate/page"
	"mcpworks/packs/launch/internal/patch/frontmatter"
)

// frontmatterGate holds the settings of changed pages against what the pages of
// their section have. What was wrong with a page before the run is not the run's
// fault.
func frontmatterGate(ctx context.Context, v *View, r *report) {
	for p := range v.changedPages {
		if ctx.Err() != nil {
			return
		}
		contract, known := v.Contract.Sections[v.sectionOf(p)]
		if !known {
			continue
		}
		before := map[frontFault]bool{}
		if older, err := read(v.Base, p.Path); err == nil {
			if old, err := page.Read(older); err == nil {
				for _, fault := range frontFaults(old, contract) {
					before[fault] = true
				}
			}
		}
		for _, fault := range frontFaults(p.Page, contract) {
			if !before[fault] {
				r.add(1, fault.code, p.Path, fault.key, "%s", fault.message)
			}
		}
	}
}

type frontFault struct{ code, key, message string }

func frontFaults(p *page.Page, contract artifact.SectionFrontmatter) []frontFault {
	switch {
	case errors.Is(p.FrontErr, frontmatter.ErrMissing):
		return []frontFault{{CodeFrontMissing, "", "the page has no front matter"}}
	case p.FrontErr != nil:
		return []frontFault{{CodeFrontInvalid, "", "the front matter cannot be read"}}
	}
	var faults []frontFault
	for _, key := range contract.RequiredKeys {
		value, has := p.Values[key]
		switch text, isText := value.(string); {
		case !has || value == nil:
			faults = append(faults, frontFault{CodeFrontRequired, key, "the front matter has no " + key})
		case isText && strings.TrimSpace(text) == "":
			faults = append(faults, frontFault{CodeFrontContract, key, "the front matter has an empty " + key})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(contract.KeyTypes)) {
		if value, has := p.Values[key]; has && value != nil && !FitsType(value, contract.KeyTypes[key]) {
			faults = append(faults, frontFault{CodeFrontType, key, key + " in the front matter is not of the type " + contract.KeyTypes[key]})
		}
	}
	return faults
}

var date = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}.*)?)?$`)

// FitsType says whether a setting is of the type that a contract names. Types
// that nobody knows fit everything.
func FitsType(value any, kind string) bool {
	v := reflect.ValueOf(value)
	text, isText := value.(string)
	switch kind {
	case "string":
		return isText
	case "integer":
		return v.CanInt() || v.CanUint() || v.CanFloat() && v.Float() == float64(int64(v.Float()))
	case "number":
		return v.CanInt() || v.CanUint() || v.CanFloat()
	case "boolean":
		return v.Kind() == reflect.Bool
	case "date":
		return isText && date.MatchString(text)
	case "array_string":
		if v.Kind() != reflect.Slice {
			return false
		}
		for i := range v.Len() {
			if _, is := v.Index(i).Interface().(string); !is {
				return false
			}
		}
	case "object":
		return v.Kind() == reflect.Map
	}
	return true
}
