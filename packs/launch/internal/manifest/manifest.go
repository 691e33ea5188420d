// Package manifest reads what a package says about itself to its package
// manager: pyproject.toml, package.json, go.mod and their like.
//
// Manifests are untrusted. None is executed: programs among them (setup.py,
// build.gradle) are read as text. A name that its package manager would not
// accept is no name.
package manifest

import (
	"errors"
	"path"
	"slices"
	"strings"
)

// A Manifest is what one file says.
type Manifest struct {
	Path        string
	Platform    string // python, node, go, rust, java, dotnet, php
	Name        Field
	Version     Field
	Description Field
	License     Field
	// Runtime is what the package runs on, such as ">=3.9"; RuntimeName says
	// of what, such as Python.
	Runtime      Field
	RuntimeName  string
	Dependencies []string // names, sorted
	Extras       []string // names of optional groups, sorted
	Scripts      []string // names of commands, sorted
	// Entry is the file that users of a package for Node import.
	Entry string
	// Private is a package that nobody can install from a registry.
	Private bool
	// group is the first part of coordinates of Maven.
	group string
}

// A Field is a value and the line it stands on; the zero Field is not there.
type Field struct {
	Value string
	Line  int
}

// Is says whether a path is a manifest that Read can read.
func Is(name string) bool { return reader(name) != nil }

var readers = map[string]func(*Manifest, string) error{
	"pyproject.toml": readPyproject, "setup.py": readSetup, "package.json": readPackageJSON, "go.mod": readGoMod, "Cargo.toml": readCargo,
	"pom.xml": readPOM, "build.gradle": readGradle, "composer.json": readComposer,
}

func reader(name string) func(*Manifest, string) error {
	if strings.HasSuffix(name, ".csproj") {
		return readProject
	}
	return readers[path.Base(name)]
}

// Read reads a manifest. Its error repeats nothing of the file.
func Read(name, text string) (Manifest, error) {
	read := reader(name)
	if read == nil {
		return Manifest{}, errors.New("not a manifest")
	}
	m := Manifest{Path: name}
	if err := read(&m, strings.ToValidUTF8(strings.ReplaceAll(text, "\r\n", "\n"), "\uFFFD")); err != nil {
		return Manifest{}, errors.New("cannot be read as " + path.Base(name))
	}
	for _, list := range []*[]string{&m.Dependencies, &m.Extras, &m.Scripts} {
		*list = slices.DeleteFunc(*list, func(s string) bool { return s == "" })
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return m, nil
}

// locate returns a field with the first line that has both the key and the value,
// or else with the first one that has the value. A value that is on no line is not
// there: nobody could cite it.
func locate(text, key, value string) Field {
	value = strings.TrimSpace(value)
	if value == "" || strings.ContainsAny(value, "\n\r") {
		return Field{}
	}
	found, number := 0, 0
	for line := range strings.Lines(text) {
		number++
		if !strings.Contains(line, value) {
			continue
		}
		if strings.Contains(line, key) {
			return Field{value, number}
		}
		if found == 0 {
			found = number
		}
	}
	if found == 0 {
		return Field{}
	}
	return Field{value, found}
}
