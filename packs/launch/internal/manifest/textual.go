package manifest

import (
	"regexp"
	"strings"
)

// assigned finds key = "value" or key: "value" in the text of a program.
func assigned(source, key string) Field {
	expr := regexp.MustCompile(`(?m)^[^#\n]*?\b` + key + `\s*[=:]?\s*["']([^"'\n]*)["']`)
	at := expr.FindStringSubmatchIndex(source)
	if at == nil {
		return Field{}
	}
	return Field{source[at[2]:at[3]], 1 + strings.Count(source[:at[2]], "\n")}
}

var (
	setupCall       = regexp.MustCompile(`(?s)\bsetup\s*\(.*`)
	installRequires = regexp.MustCompile(`(?s)\binstall_requires\s*=\s*\[(.*?)\]`)
	quoted          = regexp.MustCompile(`["']([^"'\n]+)["']`)
)

// readSetup reads the arguments of setup that are written out.
func readSetup(m *Manifest, source string) error {
	m.Platform, m.RuntimeName = "python", "Python"
	at := setupCall.FindStringIndex(source)
	if at == nil {
		return nil
	}
	call := strings.Repeat("\n", strings.Count(source[:at[0]], "\n")) + source[at[0]:]
	m.Name, m.Version, m.Description = assigned(call, "name"), assigned(call, "version"), assigned(call, "description")
	m.License, m.Runtime = assigned(call, "license"), assigned(call, "python_requires")
	if list := installRequires.FindStringSubmatch(call); list != nil {
		for _, name := range quoted.FindAllStringSubmatch(list[1], -1) {
			m.Dependencies = append(m.Dependencies, requirement.FindString(name[1]))
		}
	}
	return nil
}

var gradleDependency = regexp.MustCompile(`(?m)^\s*(?:api|implementation|compileOnly|runtimeOnly)\b[\s(]*["']([A-Za-z0-9._-]+:[A-Za-z0-9._-]+)(?::[^"']*)?["']`)

// readGradle reads what a build says in so many words. The name of its package
// is not among it: that is the folder's, or is in another file.
func readGradle(m *Manifest, source string) error {
	m.Platform, m.RuntimeName = "java", "Java"
	m.group, m.Version, m.Description = assigned(source, "group").Value, assigned(source, "version"), assigned(source, "description")
	for _, dependency := range gradleDependency.FindAllStringSubmatch(source, -1) {
		m.Dependencies = append(m.Dependencies, dependency[1])
	}
	return nil
}

var (
	goModule  = regexp.MustCompile(`(?m)^module\s+"?([^\s"]+)"?`)
	goVersion = regexp.MustCompile(`(?m)^go\s+(\S+)`)
	goRequire = regexp.MustCompile(`(?m)^(?:require\s+|\t)([^\s()]+\.[^\s()]+/?\S*)\s+v\S+\s*$`) // without indirect ones
)

func readGoMod(m *Manifest, source string) error {
	m.Platform, m.RuntimeName = "go", "Go"
	if module := goModule.FindStringSubmatch(source); module != nil {
		m.Name = locate(source, "module", module[1])
	}
	if version := goVersion.FindStringSubmatch(source); version != nil {
		m.Runtime = locate(source, "go ", version[1])
	}
	for _, dependency := range goRequire.FindAllStringSubmatch(source, -1) {
		m.Dependencies = append(m.Dependencies, dependency[1])
	}
	return nil
}
