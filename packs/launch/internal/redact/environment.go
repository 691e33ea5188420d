package redact

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// shortestSecret is the length from which on the value of a variable is looked
// for. Whoever replaced each "docs" of a page would hide nothing and show the
// secret.
const shortestSecret = 8

var secretVariables = []string{"_TOKEN", "_KEY", "_SECRET", "_PASSWORD"}

// IsSecretVariable says whether the name of a variable ends as those of secrets
// do.
func IsSecretVariable(name string) bool {
	return slices.ContainsFunc(secretVariables, func(ending string) bool {
		return strings.HasSuffix(strings.ToUpper(name), ending)
	})
}

// Secrets picks the secret values of an environment in the form of os.Environ:
// those of the named variables, and those of variables whose names say so.
func Secrets(environ, named []string) []string {
	found := map[string]bool{}
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		if len(value) >= shortestSecret && (slices.Contains(named, name) || IsSecretVariable(name)) {
			found[value] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// Variables collects from a decoded configuration the names of environment
// variables, by JSON pointers to them: the values of members whose names end in
// _env or are env.
func Variables(config any) map[string]string {
	found := map[string]string{}
	Strings(config, func(path, text string) {
		name := path[strings.LastIndexByte(path, '/')+1:]
		if text != "" && (name == "env" || strings.HasSuffix(name, "_env")) {
			found[path] = text
		}
	})
	return found
}

// Strings calls each with all strings of a decoded JSON value, and a JSON pointer
// to each, in order.
func Strings(value any, each func(path, text string)) { walk("", value, each) }

var escape = strings.NewReplacer("~", "~0", "/", "~1")

func walk(path string, value any, each func(path, text string)) {
	switch value := value.(type) {
	case string:
		each(path, value)
	case []any:
		for i, element := range value {
			walk(fmt.Sprintf("%s/%d", path, i), element, each)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			walk(path+"/"+escape.Replace(name), value[name], each)
		}
	}
}
