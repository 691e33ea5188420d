package review

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"mcpworks/packs/launch/internal/issue"
)

// oldMarker is a claim that is named in another way than pages have it (C-14).
var oldMarker = regexp.MustCompile(`<!--\s*claim:\s*([a-f0-9]{64})\s*-->|\[claim:\s*([a-f0-9]{64})\s*\]`)

// anyMarker is something that is meant as a marker.
var anyMarker = regexp.MustCompile(`<!--\s*claim(?:_id)?:[^>]*-->|\[claim:[^\]]*\]`)

// markerFormat finds claims that are not named in the way that gates look for.
func markerFormat(_ *reviewer, p page) []finding {
	var found []finding
	for _, l := range p.lines {
		if oldMarker.MatchString(l.text) {
			found = append(found, p.found(technicalAccuracy, issue.Warn, CodeMarkerFormat, l.number, said(l.text), "a claim is named in another style than <!-- claim_id: ... -->"))
		}
	}
	return found
}

func fixMarkers(text string) string {
	return rewrite(text, func(line string) string { return oldMarker.ReplaceAllString(line, "<!-- claim_id: $1$2 -->") })
}

// unknownClaims finds markers of claims that nobody has made.
func unknownClaims(r *reviewer, p page) []finding {
	var found []finding
	for _, l := range p.lines {
		for _, text := range anyMarker.FindAllString(l.text, -1) {
			id := ""
			if m := marker.FindStringSubmatch(text); m != nil {
				id = m[1]
			} else if m := oldMarker.FindStringSubmatch(text); m != nil {
				id = m[1] + m[2]
			}
			if !r.claims[id] {
				made := p.found(technicalAccuracy, issue.Error, CodeUnknownClaim, l.number, text, "the line names a claim that does not exist")
				found = append(found, made)
			}
		}
	}
	return found
}

var (
	pythonImport = regexp.MustCompile(`(?m)^\s*from\s+([\w.]+)\s+import\s+\(?([\w, \t]+)`)
	goSelector   = regexp.MustCompile(`\b([a-z][a-z0-9]*)\.([A-Z]\w*)`)
)

// unknownNames finds code that uses names of the product that it does not have.
func unknownNames(r *reviewer, p page) []finding {
	surface := r.in.Facts.APISurface
	public := slices.Concat(surface.Classes, surface.Functions)
	for _, module := range surface.Modules {
		public = append(public, module[strings.LastIndex(module, ".")+1:])
	}
	var found []finding
	for _, f := range p.fences {
		for _, name := range namesOfProduct(f, surface.Modules) {
			if !slices.Contains(public, name) {
				found = append(found, p.found(technicalAccuracy, issue.Warn, CodeUnknownName, f.line, name, "the code uses %s, which is not among the public names", name))
			}
		}
	}
	return found
}

// namesOfProduct are the names that code takes from the product's modules.
func namesOfProduct(f fence, modules []string) []string {
	var names []string
	switch f.language {
	case "python", "py":
		for _, m := range pythonImport.FindAllStringSubmatch(f.code, -1) {
			if !slices.Contains(modules, m[1]) {
				continue
			}
			for _, name := range strings.Split(m[2], ",") {
				if fields := strings.Fields(name); len(fields) > 0 {
					names = append(names, fields[0])
				}
			}
		}
	case "go":
		for _, m := range goSelector.FindAllStringSubmatch(f.code, -1) {
			if slices.ContainsFunc(modules, func(module string) bool { return path.Base(module) == m[1] && strings.Contains(f.code, `"`+module+`"`) }) {
				names = append(names, m[2])
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

var install = regexp.MustCompile(`(?m)^\s*\$?\s*((?:python -m )?pip3? install|npm (?:install|i)|yarn add|go (?:get|install)|dotnet add package|cargo (?:add|install)|composer require|gem install)\s+\S.*$`)

// installCommands finds commands that are neither the product's own nor part of
// its repository.
func installCommands(r *reviewer, p page) []finding {
	var own []string
	for _, way := range r.in.Facts.Distribution {
		own = append(own, way.InstallCommands...)
	}
	var found []finding
	for _, f := range p.fences {
		if r.snippets[trimCode(f.code)] || slices.Contains(own, trimCode(f.code)) {
			continue
		}
		for _, command := range install.FindAllString(f.code, -1) {
			if command = strings.TrimSpace(command); !slices.Contains(own, command) {
				found = append(found, p.found(technicalAccuracy, issue.Error, CodeInstall, f.line, command, "the command is not one of the product's install commands"))
			}
		}
	}
	return found
}
