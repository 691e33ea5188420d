package manifest

import "regexp"

// An Install is how a package is installed (6.2(7)).
type Install struct {
	Method     string
	Identifier string
	Command    string
}

// shapes are the names that package managers accept. What has another shape is
// nobody's package, and may be a trap for a shell.
var shapes = map[string]*regexp.Regexp{
	"python": regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?$`),
	"node":   regexp.MustCompile(`^(?:@[a-z0-9~][a-z0-9._~-]{0,98}/)?[a-z0-9~][a-z0-9._~-]{0,98}$`),
	"go":     regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9.-]*\.[A-Za-z]{2,}(?:/[A-Za-z0-9._~-]+)*$`),
	"rust":   regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,63}$`),
	"dotnet": regexp.MustCompile(`^[A-Za-z0-9_]+(?:[.-][A-Za-z0-9_]+)*$`),
	"java":   regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]*$`),
	"php":    regexp.MustCompile(`^[a-z0-9](?:[_.-]?[a-z0-9]+)*/[a-z0-9](?:[_.-]?[a-z0-9]+)*$`),
}

var version = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z.+-]*$`)

// commands say what to type before the name.
var commands = map[string][2]string{
	"python": {"pip", "pip install "}, "node": {"npm", "npm install "}, "go": {"go", "go get "}, "rust": {"cargo", "cargo add "},
	"dotnet": {"dotnet", "dotnet add package "}, "php": {"composer", "composer require "},
}

// Install says how the package is installed; ok is false if the manifest has no
// name that could be, or says that nobody can.
func (m Manifest) Install() (install Install, ok bool) {
	name := m.Name.Value
	if m.Private || name == "" || !shapes[m.Platform].MatchString(name) {
		return Install{}, false
	}
	if m.Platform != "java" {
		command := commands[m.Platform]
		return Install{command[0], name, command[1] + name}, true
	}
	if !shapes["java"].MatchString(m.group) || !version.MatchString(m.Version.Value) {
		return Install{}, false
	}
	identifier := m.group + ":" + name
	return Install{"maven", identifier, identifier + ":" + m.Version.Value}, true
}
