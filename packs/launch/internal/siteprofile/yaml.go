package siteprofile

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Sections are in the order of the file.
type Sections []Section

// Platforms are in the order of the file.
type Platforms []Platform

// Families are a list, or any.
type Families struct {
	Any  bool     `json:"any"`
	List []Family `json:"list,omitempty"`
}

// UnmarshalYAML reads a table of sections by id.
func (s *Sections) UnmarshalYAML(node *yaml.Node) error {
	*s = nil
	return eachEntry(node, "sections", func(key string, value *yaml.Node) error {
		section := Section{ID: key}
		if err := strictly(value, &section, "host", "root", "url_prefix", "localization", "page_style"); err != nil {
			return err
		}
		*s = append(*s, section)
		return nil
	})
}

// UnmarshalYAML reads a table of platforms by name.
func (p *Platforms) UnmarshalYAML(node *yaml.Node) error {
	*p = nil
	return eachEntry(node, "platforms", func(key string, value *yaml.Node) error {
		platform := Platform{Name: key}
		if err := strictly(value, &platform, "adapter", "title", "repo_title", "aliases"); err != nil {
			return err
		}
		*p = append(*p, platform)
		return nil
	})
}

// UnmarshalYAML reads the word any, a list of names, or a table by name.
func (f *Families) UnmarshalYAML(node *yaml.Node) error {
	*f = Families{}
	switch node.Kind {
	case yaml.ScalarNode:
		if node.Value != "any" {
			return fmt.Errorf("line %d: families must be any, a list or a table", node.Line)
		}
		f.Any = true
		return nil
	case yaml.SequenceNode:
		for _, name := range node.Content {
			if name.Kind != yaml.ScalarNode {
				return fmt.Errorf("line %d: a family must be a name", name.Line)
			}
			f.List = append(f.List, Family{Name: name.Value})
		}
		return nil
	}
	return eachEntry(node, "families", func(key string, value *yaml.Node) error {
		family := Family{Name: key}
		if err := strictly(value, &family, "title", "aliases"); err != nil {
			return err
		}
		f.List = append(f.List, family)
		return nil
	})
}

// UnmarshalYAML reads the name of a section, or a section with a path.
func (u *URLPattern) UnmarshalYAML(node *yaml.Node) error {
	*u = URLPattern{}
	if node.Kind == yaml.ScalarNode {
		u.Section = node.Value
		return nil
	}
	type plain URLPattern
	return strictly(node, (*plain)(u), "section", "path")
}

// eachEntry goes through a table in its order. A key that is there twice is an
// error.
func eachEntry(node *yaml.Node, what string, do func(key string, value *yaml.Node) error) error {
	if node.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: %s must be a table", node.Line, what)
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key := node.Content[i].Value
		if seen[key] {
			return fmt.Errorf("line %d: %s has %q twice", node.Content[i].Line, what, key)
		}
		seen[key] = true
		if err := do(key, node.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// strictly decodes a table that has no other keys than these.
func strictly(node *yaml.Node, into any, keys ...string) error {
	if node.Kind == yaml.ScalarNode && node.Tag == "!!null" {
		return nil
	}
	known := map[string]bool{}
	for _, key := range keys {
		known[key] = true
	}
	err := eachEntry(node, "an entry", func(key string, value *yaml.Node) error {
		if !known[key] {
			return fmt.Errorf("line %d: key %q is not known", value.Line, key)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return node.Decode(into)
}

// What the decoder says, and what it means to whoever has written the file.
var (
	unknownKey = regexp.MustCompile(`field (\S+) not found in type \S+`)
	wrongKind  = regexp.MustCompile("cannot unmarshal !!\\w+(?: `([^`]*)`)? into [^\\s;]+")
)

// plainFault is an error of the decoder without the names of Go's types.
func plainFault(err error) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	if failed, ok := errors.AsType[*yaml.TypeError](err); ok {
		text = strings.Join(failed.Errors, "; ")
	}
	text = unknownKey.ReplaceAllString(text, "there is no key $1")
	return errors.New(wrongKind.ReplaceAllString(text, `"$1" is of the wrong kind`))
}
