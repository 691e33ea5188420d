package rules

import (
	"fmt"
	"strings"

	"mcpworks/internal/nearest"
	"mcpworks/lint"
)

// An UnknownError says that there is no rule or category of a name, or more than
// one.
type UnknownError struct {
	Reason string
	Hint   string // what was probably meant; it may be empty
}

func (e *UnknownError) Error() string { return e.Reason }

// Find returns the rule of a name: its id, its slug with the category before it
// (http/origin-checked) or without if no other rule has it, or the id of the
// same rule in mcplint-rs (rs:PROTO-001). Letter case does not matter. The error
// is an *UnknownError.
func Find(name string) (*lint.Rule, error) {
	given := strings.ToLower(name)
	if foreign, ok := strings.CutPrefix(given, "rs:"); ok {
		return findForeign(name, strings.ToUpper(foreign))
	}
	all := All()
	var sharing []string
	var found *lint.Rule
	for _, rule := range all {
		switch given {
		case strings.ToLower(rule.ID), rule.Name():
			return rule, nil
		case rule.Slug:
			found = rule
			sharing = append(sharing, rule.Name())
		}
	}
	switch len(sharing) {
	case 0:
		return nil, unknown(name, all)
	case 1:
		return found, nil
	}
	return nil, &UnknownError{fmt.Sprintf("several rules are called %q", name), "they are " + strings.Join(sharing, ", ")}
}

func unknown(name string, all []*lint.Rule) error {
	var names []string
	for _, rule := range all {
		names = append(names, rule.ID, rule.Name(), rule.Slug)
	}
	e := &UnknownError{Reason: fmt.Sprintf("there is no rule %q", name)}
	if near, ok := nearest.Name(name, names); ok {
		e.Hint = "did you mean " + near + "?"
	}
	return e
}

func findForeign(name, id string) (*lint.Rule, error) {
	ours, ok := foreign[id]
	if !ok {
		e := &UnknownError{Reason: fmt.Sprintf("no rule is the same as %q", name)}
		var names []string
		for known := range foreign {
			names = append(names, "rs:"+known)
		}
		if near, ok := nearest.Name(name, sorted(names)); ok {
			e.Hint = "did you mean " + near + "?"
		}
		return nil, e
	}
	rule, err := Find(ours)
	if err != nil {
		return nil, &UnknownError{Reason: fmt.Sprintf("%s is %s, and this version has no such rule", name, ours)}
	}
	return rule, nil
}

// FindCategory returns the category of a name. Letter case does not matter. The
// error is an *UnknownError.
func FindCategory(name string) (Category, error) {
	var ids, names []string
	for _, category := range Categories() {
		ids = append(ids, category.ID)
		for _, known := range append([]string{category.ID}, category.Names...) {
			if strings.EqualFold(known, name) {
				return category, nil
			}
			names = append(names, known)
		}
	}
	e := &UnknownError{fmt.Sprintf("there is no category %q", name), "the categories are " + strings.Join(ids, ", ")}
	if near, ok := nearest.Name(name, names); ok {
		e.Hint = "did you mean " + near + "?"
	}
	return Category{}, e
}
