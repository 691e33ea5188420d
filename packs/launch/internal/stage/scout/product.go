package scout

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"mcpworks/internal/bounded"
	"mcpworks/packs/launch/internal/artifact"
	"mcpworks/packs/launch/internal/redact"
)

// maxName is how long a name may be, in characters.
const maxName = 100

var (
	markdownMark = regexp.MustCompile("!?\\[([^\\]]*)\\]\\([^)]*\\)|[*`]+")
	htmlStart    = regexp.MustCompile(`<[a-zA-Z/!?]`)
)

// productName guesses: the first heading of the README, else the name of the
// repository.
func (s *scout) productName(files []file) string {
	for _, f := range files {
		if path.Dir(f.Path) == "." && kindByName(f.Path) == "readme" && isDocument(f) {
			if name := firstHeading(s.text(s.in.Repo.Files, f.Path)); name != "" && len(redact.Find(name)) == 0 {
				return name
			}
		}
	}
	return strings.TrimSuffix(path.Base(strings.TrimRight(s.in.Repo.URL, "/")), ".git")
}

// firstHeading is the text of the first heading of level one, without marks and
// with nothing from the first tag on.
func firstHeading(text string) string {
	previous := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(bounded.Bytes(line, 1000, ""))
		heading, ok := strings.CutPrefix(line, "# ")
		if !ok && previous != "" && len(line) >= 3 && strings.Trim(line, "=") == "" {
			heading, ok = previous, true
		}
		previous = line
		if !ok {
			continue
		}
		if at := htmlStart.FindStringIndex(heading); at != nil {
			heading = heading[:at[0]]
		}
		heading = strings.Join(strings.Fields(markdownMark.ReplaceAllString(heading, "$1")), " ")
		if heading = strings.Trim(heading, "# "); heading != "" {
			return bounded.Runes(heading, maxName)
		}
	}
	return ""
}

// productType judges by name and manifests; the configuration wins.
func (s *scout) productType(files []file, profile artifact.RepoProfile) string {
	name := strings.ToLower(path.Base(s.in.Repo.URL))
	switch {
	case s.in.Config.ProductType != "":
		return s.in.Config.ProductType
	case strings.Contains(name, "plugin"):
		return "plugin"
	case strings.Contains(name, "sdk"):
		return "sdk"
	case slices.ContainsFunc(files, func(f file) bool { return f.Path == "Dockerfile" }) && s.exposes("Dockerfile"):
		return "service"
	case s.hasCommand(files, profile):
		return "cli"
	case len(profile.PackageManifests) > 0:
		return "library"
	case slices.ContainsFunc(files, s.isSource):
		return "tool"
	}
	return "other"
}

var exposes = regexp.MustCompile(`(?mi)^\s*EXPOSE\s+\d`)

func (s *scout) exposes(dockerfile string) bool {
	return exposes.MatchString(s.text(s.in.Repo.Files, dockerfile))
}

// hasCommand says whether the product is made to be called by name and not to be
// imported: it has commands, and nothing that a program could import.
func (s *scout) hasCommand(files []file, profile artifact.RepoProfile) bool {
	library := len(profile.PublicAPIEntrypoints) > 0
	for _, f := range files {
		switch {
		case !s.isSource(f):
		case path.Base(f.Path) == "main.go" && (path.Dir(f.Path) == "." || strings.HasPrefix(f.Path, "cmd/")):
			return true
		case f.Path == "src/main.rs":
			return true
		}
	}
	for _, name := range profile.PackageManifests {
		if !library && s.declaresCommand(name) {
			return true
		}
	}
	return false
}

// declaresCommand reads package.json and pyproject.toml.
func (s *scout) declaresCommand(name string) bool {
	text := s.text(s.in.Repo.Files, name)
	switch path.Base(name) {
	case "package.json":
		var manifest struct {
			Bin any `json:"bin"`
		}
		return json.Unmarshal([]byte(text), &manifest) == nil && manifest.Bin != nil
	case "pyproject.toml":
		var manifest struct {
			Project struct {
				Scripts map[string]any `toml:"scripts"`
			} `toml:"project"`
		}
		return toml.Unmarshal([]byte(text), &manifest) == nil && len(manifest.Project.Scripts) > 0
	}
	return false
}

var licenseName = regexp.MustCompile(`(?i)^(?:licen[sc]e|copying|unlicense)(?:[.-].*)?$`)

// licenses are known by words of their text; the first row that fits holds.
var licenses = []struct {
	spdx  string
	words []string
}{
	{"Apache-2.0", []string{"apache license", "version 2.0"}},
	{"MPL-2.0", []string{"mozilla public license", "2.0"}},
	{"AGPL-3.0-only", []string{"gnu affero general public license", "version 3"}},
	{"LGPL-3.0-only", []string{"gnu lesser general public license", "version 3"}},
	{"LGPL-2.1-only", []string{"gnu lesser general public license", "version 2.1"}},
	{"GPL-3.0-only", []string{"gnu general public license", "version 3"}},
	{"GPL-2.0-only", []string{"gnu general public license", "version 2"}},
	{"BSL-1.0", []string{"boost software license"}},
	{"MIT", []string{"permission is hereby granted, free of charge", "without restriction"}},
	{"ISC", []string{"permission to use, copy, modify, and/or distribute this software for any purpose"}},
	{"BSD-3-Clause", []string{"redistribution and use in source and binary forms", "neither the name"}},
	{"BSD-2-Clause", []string{"redistribution and use in source and binary forms"}},
	{"Unlicense", []string{"this is free and unencumbered software"}},
	{"CC0-1.0", []string{"cc0 1.0"}},
	{"MIT", []string{"mit license"}},
}

// license finds the licence at the root, and its name if the text is known.
func (s *scout) license(files []file) (name, spdx string) {
	for _, f := range files {
		if path.Dir(f.Path) != "." || !licenseName.MatchString(f.Path) || f.Binary {
			continue
		}
		text := strings.ToLower(strings.Join(strings.Fields(s.text(s.in.Repo.Files, f.Path)), " "))
		for _, license := range licenses {
			if !slices.ContainsFunc(license.words, func(word string) bool { return !strings.Contains(text, word) }) {
				return f.Path, license.spdx
			}
		}
		return f.Path, ""
	}
	return "", ""
}
