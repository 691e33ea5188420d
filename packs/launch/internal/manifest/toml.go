package manifest

import (
	"errors"
	"regexp"
	"slices"

	"github.com/pelletier/go-toml/v2"
)

// requirement is the name at the beginning of a requirement of Python.
var requirement = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?`)

func readPyproject(m *Manifest, text string) error {
	var file struct {
		Project struct {
			Name, Version, Description string
			RequiresPython             string `toml:"requires-python"`
			License                    any
			Dependencies               []string
			Optional                   map[string][]string `toml:"optional-dependencies"`
			Scripts                    map[string]string
		}
		Tool struct {
			Poetry struct {
				Name, Version, Description, License string
				Dependencies                        map[string]any
				Scripts                             map[string]any
			}
		}
	}
	if err := unmarshalTOML(text, &file); err != nil {
		return err
	}
	m.Platform, m.RuntimeName = "python", "Python"
	project, poetry := file.Project, file.Tool.Poetry
	if project.Name == "" {
		project.Name, project.Version, project.Description, project.License = poetry.Name, poetry.Version, poetry.Description, poetry.License
		project.RequiresPython, _ = poetry.Dependencies["python"].(string)
	}
	m.Name, m.Version = locate(text, "name", project.Name), locate(text, "version", project.Version)
	m.Description, m.Runtime = locate(text, "description", project.Description), locate(text, "python", project.RequiresPython)
	switch license := project.License.(type) {
	case string:
		m.License = locate(text, "license", license)
	case map[string]any:
		if name, ok := license["text"].(string); ok {
			m.License = locate(text, "license", name)
		}
	}
	for _, dependency := range project.Dependencies {
		m.Dependencies = append(m.Dependencies, requirement.FindString(dependency))
	}
	m.Dependencies = append(m.Dependencies, slices.DeleteFunc(keys(poetry.Dependencies), func(name string) bool { return name == "python" })...)
	m.Extras, m.Scripts = keys(project.Optional), append(keys(project.Scripts), keys(poetry.Scripts)...)
	return nil
}

func readCargo(m *Manifest, text string) error {
	var file struct {
		Package struct {
			Name                          string
			Version, Description, License any // may be {workspace = true}
			RustVersion                   any `toml:"rust-version"`
			Publish                       any
		}
		Dependencies map[string]any
		Features     map[string]any
	}
	if err := unmarshalTOML(text, &file); err != nil {
		return err
	}
	value := func(v any) string { s, _ := v.(string); return s }
	m.Platform, m.RuntimeName = "rust", "Rust"
	m.Name, m.Version = locate(text, "name", file.Package.Name), locate(text, "version", value(file.Package.Version))
	m.Description, m.License = locate(text, "description", value(file.Package.Description)), locate(text, "license", value(file.Package.License))
	m.Runtime = locate(text, "rust-version", value(file.Package.RustVersion))
	m.Dependencies, m.Extras = keys(file.Dependencies), keys(file.Features)
	m.Private = file.Package.Publish == false
	return nil
}

// deepest is how many brackets may be open at once.
const deepest = 64

// unmarshalTOML reads TOML that is not nested beyond reason.
func unmarshalTOML(text string, into any) error {
	open := 0
	for i := range len(text) {
		switch text[i] {
		case '[', '{':
			open++
		case ']', '}':
			open = max(open-1, 0)
		}
		if open > deepest {
			return errors.New("nested too deeply")
		}
	}
	return toml.Unmarshal([]byte(text), into)
}

// keys are in any order: Read sorts them.
func keys[V any](m map[string]V) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	return names
}
